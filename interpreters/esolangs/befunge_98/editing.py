"""Editor support for Befunge-98: a plane, and the path of an IP on it."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from esolangs.editing import Editing, Mark, Structure
from esolangs.wording import format_count

MAX_PATH = 2_000
"""Maximum number of cells in a path."""

_DELTAS = {62: (1, 0), 60: (-1, 0), 94: (0, -1), 118: (0, 1)}
_DIRECTION_NAMES = {(1, 0): "east", (-1, 0): "west", (0, -1): "north", (0, 1): "south"}
_UNPREDICTABLE = {
    "_": "_ goes east on 0, else west",
    "|": "| goes south on 0, else north",
    "w": "w compares two values",
    "x": "x sets the delta from the stack",
    "j": "j pops its distance from the stack",
    "?": "? goes in a random direction",
}
_ENDS = {"@": "@ ends the IP", "q": "q ends the program"}
_TURNING = frozenset(b"_|wxj?[]r><^v#;@q'")


_NAMES = {
    "+": "add",
    "-": "subtract",
    "*": "multiply",
    "/": "divide",
    "%": "remainder",
    "!": "not",
    "`": "greater than",
    ">": "go east",
    "<": "go west",
    "^": "go north",
    "v": "go south",
    "?": "go in a random direction",
    "[": "turn left",
    "]": "turn right",
    "r": "reflect",
    "_": "east on 0, else west",
    "|": "south on 0, else north",
    "w": "compare and turn",
    "x": "set the delta",
    "#": "skip the next cell",
    ";": "skip to the next ;",
    "j": "jump forward",
    "k": "repeat the next instruction",
    "z": "do nothing",
    "@": "end this IP",
    "q": "end the program",
    ":": "duplicate",
    "\\": "swap",
    "$": "discard",
    "n": "empty the stack",
    '"': "begin or end a string",
    "'": "push the next cell",
    "g": "get a cell",
    "p": "put a cell",
    "s": "store in the next cell",
    ".": "print a number",
    ",": "print a byte",
    "&": "read a number",
    "~": "read a byte",
    "t": "split",
    "{": "begin a block",
    "}": "end a block",
    "u": "move between stacks",
    "y": "push system information",
    "(": "load a fingerprint",
    ")": "unload a fingerprint",
    "i": "read a file",
    "o": "write a file",
    "=": "run a command",
}
_HEXADECIMAL = "0123456789abcdef"


class _PointerPlace(NamedTuple):
    """The state of an IP: its cell, its delta, and whether it is inside a string."""

    x: int
    y: int
    dx: int
    dy: int
    in_string: bool

    def with_delta(self, dx: int, dy: int) -> _PointerPlace:
        return self._replace(dx=dx, dy=dy)


class _Plane:
    """The cells of the source; an IP that leaves the plane wraps around (Lahey-space)."""

    def __init__(self, source: bytes) -> None:
        self.starts: list[int] = []
        self.rows: list[bytes] = []
        at = 0
        for line in source.splitlines(keepends=True):
            self.starts.append(at)
            at += len(line)
            self.rows.append(line.rstrip(b"\r\n"))
        self.width = max(map(len, self.rows), default=0)

    def point_at(self, offset: int) -> tuple[int, int]:
        y = max(0, bisect_right(self.starts, offset) - 1)
        return (offset - self.starts[y] if self.starts else 0), y

    def offset_at(self, place: _PointerPlace) -> int | None:
        inside = 0 <= place.y < len(self.rows) and 0 <= place.x < len(self.rows[place.y])
        return self.starts[place.y] + place.x if inside else None

    def cell(self, place: _PointerPlace) -> int:
        offset = self.offset_at(place)
        return 32 if offset is None else self.rows[place.y][place.x]

    def after(self, place: _PointerPlace) -> _PointerPlace:
        """Return the next cell, wrapped around at the edges."""
        x, y = place.x + place.dx, place.y + place.dy
        return place._replace(x=x % max(1, self.width), y=y % max(1, len(self.rows)))


class BefungeEditing(Editing):
    """Editor support for Befunge-98, in which every byte is a cell."""

    grid = True
    brackets = ()
    strips_exactly = False  # a path may execute any text, and g may read any cell

    def instruction_name(self, value: int) -> str:
        char = chr(value) if 32 < value < 127 else ""
        if char and char in _HEXADECIMAL:
            return f"push {_HEXADECIMAL.index(char)}"
        return "fingerprint instruction" if char.isupper() else _NAMES.get(char, "")

    def path(self, source: bytes, offset: int, delta: tuple[int, int]) -> Structure | None:
        """Follow the IP until its direction is unknown, it ends, or its path repeats."""
        plane = _Plane(source)
        place = _PointerPlace(*plane.point_at(offset), *delta, False)
        visited: set[_PointerPlace] = set()
        offsets: list[int] = []
        words = ""
        while not words:
            if place in visited:
                words = "the path repeats"
            elif len(visited) == MAX_PATH:
                words = f"the path is longer than {MAX_PATH:,} cells"
            else:
                visited.add(place)
                at = plane.offset_at(place)
                if at is not None and (place.in_string or plane.cell(place) != 32):
                    offsets.append(at)
                place, words = _next_place(plane, place)
        length = format_count(len(offsets), "instruction")
        text = f"{_DIRECTION_NAMES.get(delta, '')} from here: {length}, {words}"
        return Structure(tuple(_join_offsets(offsets)), text, offsets[-1] if offsets else None)

    def comments(self, source: bytes) -> Iterator[str]:
        """Yield each row's comment: text between two ``;``, else three or more words at its end."""
        for row in source.decode("utf-8", "replace").split("\n"):
            enclosed = _ENCLOSED.search(row)
            start = _find_text(row)
            text = row[len(row) if start is None else start :]
            yield (text if enclosed is None else enclosed[1]).strip()

    def without_comments(self, source: bytes) -> bytes:
        """Replace comments with spaces: text of three or more words, and text between two ``;``."""
        rows = source.decode("utf-8", "surrogateescape").split("\n")
        return "\n".join(map(_blank_comments, rows)).encode("utf-8", "surrogateescape")

    def code_size(self, source: bytes) -> int:
        """Count the cells of all rows, except the blank cells at the ends of rows.

        Text between two ``;`` counts: another path may execute it, and ``g`` can read any cell.  So
        only whitespace without effect is free.
        """
        return sum(len(row.rstrip(b" ")) for row in source.splitlines())


EDITING = BefungeEditing()


_WORD = r"[^\W\d_][\w'’-]*[,;:.()]*"
_TEXT = re.compile(rf"(?<!\S)(?:(?:{_WORD}|[\d*+/=<>()-]+) +){{2,}}.*")
_ENCLOSED = re.compile(r"(?<!\w);([^;]* [^;]*);")
_WORD_OF_TEXT = re.compile(r"(?<!\S)(?:[AaI] )?[^\W\d_]{2}")
_GAP = re.compile(r".* {2}")


def _blank_comments(row: str) -> str:
    row = _ENCLOSED.sub(lambda found: f";{' ' * len(found[1])};", row)
    start = _find_text(row)
    return row if start is None else row[:start].rstrip(" ")


def _find_text(row: str) -> int | None:
    """Return the column at which the comment at the end of a row starts; None without a comment.

    It starts after the last two spaces before its first word, or at that word if there are none.
    """
    found = _TEXT.search(row)
    if found is None or row.count('"', 0, found.start()) % 2:
        return None
    word = _WORD_OF_TEXT.search(row, found.start())
    if word is None:
        return None
    gap = _GAP.match(row, 0, word.start())
    return word.start() if gap is None else gap.end()


def _next_place(plane: _Plane, place: _PointerPlace) -> tuple[_PointerPlace, str]:
    """Return the IP after the instruction at ``place``, and why its path ends there, or ""."""
    value = plane.cell(place)
    if place.in_string:
        return plane.after(place._replace(in_string=value != 34)), ""
    char = chr(value)
    if char in _UNPREDICTABLE or char in _ENDS:
        return place, _UNPREDICTABLE.get(char) or _ENDS[char]
    if value in _DELTAS:
        place = place.with_delta(*_DELTAS[value])
    elif char == "[":
        place = place.with_delta(place.dy, -place.dx)
    elif char == "]":
        place = place.with_delta(-place.dy, place.dx)
    elif char == "r":
        place = place.with_delta(-place.dx, -place.dy)
    elif char == '"':
        place = place._replace(in_string=True)
    elif char in "#'s":
        place = plane.after(place)
    elif char == ";":
        for _ in range(MAX_PATH):
            place = plane.after(place)
            if plane.cell(place) == 59:
                break
        else:
            return place, "; skips too many cells"
    elif char == "k" and plane.cell(plane.after(place)) in _TURNING:
        return place, "k pops its count from the stack"
    return plane.after(place), ""


def _join_offsets(offsets: list[int]) -> list[Mark]:
    """Return marks for offsets; consecutive offsets share a mark."""
    marks: list[Mark] = []
    for at in sorted(set(offsets)):
        if marks and marks[-1].end == at:
            marks[-1] = Mark(marks[-1].start, at + 1, "path")
        else:
            marks.append(Mark(at, at + 1, "path"))
    return marks
