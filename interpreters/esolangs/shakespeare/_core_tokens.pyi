# What the rest of the engine sees of _core_tokens.py (compiled: _core_tokens_c).
from esolangs.shakespeare.words import Entry

def tokens(
    source: bytes,
    table: dict[bytes, list[Entry]],
    marks: dict[int, int],
    unknown: tuple[int, int],
) -> tuple[list[int], list[int], list[int], list[int]]: ...
