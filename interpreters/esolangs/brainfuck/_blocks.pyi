# What the rest of the engine sees of _blocks.py (compiled: _blocks_c).
from array import array

class Blocks:
    ops: array[int]
    entry: array[int]
    loops: array[int]
    def __init__(self, code: bytes, match: array[int], depth: array[int]) -> None: ...
