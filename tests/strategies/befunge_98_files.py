"""Befunge-98 programs that use FILE and DIRF, and continue whether or not a letter reflects."""

from __future__ import annotations

from hypothesis import strategies as st

_NAMES = st.sampled_from(["a", "b", "s", "s/a", "t/b", "s/t", "..", "s/../a", "/a", "a.", ""])
_HANDLES = st.sampled_from(["1", "1", "1", "2", "2", "3", "0", "01-", "f"])
_NUMBERS = st.sampled_from(["0", "1", "2", "3", "9", "f", "01-", "02-", "1f-"])
_TEXTS = st.text(st.sampled_from("abz\n"), max_size=4)
Piece = tuple[str, str]
"""Code that pushes operands, and the letter that uses them."""


def _named(letter: str, before: st.SearchStrategy[str] | None = None) -> st.SearchStrategy[Piece]:
    return st.tuples(st.just("") if before is None else before, _NAMES).map(
        lambda parts: (f"{parts[0]}0{_pushed(parts[1])}", letter)
    )


def _pushed(text: str) -> str:
    """Return code that pushes characters, the first one last."""
    return "".join(f"'{char}" if char != "\n" else "a" for char in reversed(text))


def _joined(letter: str, *parts: st.SearchStrategy[str]) -> st.SearchStrategy[Piece]:
    return st.tuples(*parts).map(lambda some: ("".join(some), letter))


_FILE = st.one_of(
    _named("O", st.tuples(_NUMBERS, _NUMBERS, st.sampled_from("01234456")).map("".join)),
    _named("O", st.sampled_from(["084", "081", "085"])),
    _joined("C", _HANDLES),
    _named("D"),
    _joined("G", _HANDLES),
    _joined("P", _HANDLES, _TEXTS.map(lambda text: "0" + _pushed(text))),
    _joined("R", _HANDLES, _NUMBERS),
    _joined("W", _HANDLES, _NUMBERS),
    _joined("L", _HANDLES),
    _joined("S", _HANDLES, st.sampled_from(["0", "0", "1", "2", "3"]), _NUMBERS),
    _joined("S", _HANDLES, st.just("00")),
)
_DIRF = st.one_of(_named("C"), _named("M"), _named("R"))


def _rows(name: str, pieces: list[Piece]) -> tuple[str, str]:
    """Return two rows: the upper one executes the letters, the lower one passes a reflection."""
    top, below = f'"{name[::-1]}"4($$', ""
    for pushed, letter in pieces:
        top += pushed + "#v" + letter + ">"
        below = below.ljust(len(top) - 3) + "> ^"
    return top, below


def sources() -> st.SearchStrategy[bytes]:
    """Rows that use FILE, then DIRF, then FILE again."""

    def put_together(parts: list[tuple[str, list[Piece]]]) -> bytes:
        top, below = "", ""
        for name, pieces in parts:
            more, under = _rows(name, pieces)
            below = below.ljust(len(top)) + under
            top += more
        return f"{top}@\n{below}\n".encode()

    file = st.tuples(st.just("FILE"), st.lists(_FILE, max_size=8))
    folder = st.tuples(st.just("DIRF"), st.lists(_DIRF, max_size=4))
    return st.lists(st.one_of(file, folder, file), min_size=1, max_size=4).map(put_together)
