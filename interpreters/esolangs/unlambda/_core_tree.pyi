# What the rest of the engine sees of _core_tree.py (compiled: _core_tree_c).
from array import array

class Tree:
    code: array[int]
    found: int
    at: int
    has_operator: bool
    depth: int
    def __init__(self, source: bytes) -> None: ...
