"""A generator of some lines, what it writes, and the map that leads from one to the other."""

from __future__ import annotations

from esoplay.codegen.generated import VariablePlace
from esoplay.codegen.source_map import MappedSpan, SourceMap, digest

_HEAD = (
    "from esoplay.codegen.emitter import Emitter",
    "",
    "# n is cell 0, c is cell 1",
    "out = Emitter()",
)
_PIECES = (
    (">,", "read c"),
    ("[", "while c"),
    ("<+>", "n += 1"),
    (",", "read c"),
    ("]", "end of the loop"),
    (">++++++[<++++++++>-]<", "c = 48"),
    ("<[->+<]>", "c += n, n = 0"),
    (".", "print c"),
)


def counting() -> tuple[bytes, SourceMap]:
    """Counts the characters of a short text, as a program and its map."""
    lines = [f'out.emit("{code}", "{label}")' for code, label in _PIECES]
    text = "\n".join([*_HEAD, *lines, 'out.write("count.bf")', ""])
    spans: list[MappedSpan] = []
    at = 0
    for line, (code, label) in enumerate(_PIECES, len(_HEAD) + 1):
        spans.append(MappedSpan(at, at + len(code), line, label))
        at += len(code)
    program = "".join(code for code, _ in _PIECES).encode()
    places = {
        "n": VariablePlace("number", ("cell[0]",)),
        "c": VariablePlace("number", ("cell[1]",)),
    }
    return program, SourceMap(digest(program), "count.py", text, spans, places)
