r"""Functions of the state, put together without ever spelling its name, and their texts.

What a statement does, and what an expression is worth, is a function of one value, the state.  So
the one variable to be eliminated is known, and applications become ``s`` as they are made.
"""

from __future__ import annotations

import re
import textwrap
from typing import NamedTuple

from esoplay.codegen.generated import Span
from esoplay.codegen.ir import Origin


class Function(NamedTuple):
    r"""``\s. …`` as text.  constant: the text is that of what it always gives."""

    piece: Piece
    constant: bool = False


STATE = Function("i")
"""What gives the state itself."""


def constant(text: Piece) -> Function:
    """What gives one value whatever the state; making it early must do nothing."""
    return Function(text, constant=True)


def applied(function: Function, *operands: Function) -> Function:
    r"""``\s. function operand …``, all of them depending on the same state."""
    for operand in operands:
        if function.constant and operand.constant:
            function = constant(Joined(("`", function.piece, operand.piece)))
        elif function.constant and operand is STATE:
            function = Function(function.piece)
        else:
            function = Function(Joined(("``s", abstract(function), abstract(operand))))
    return function


def abstract(function: Function) -> Piece:
    """The text of the function itself."""
    return Joined(("`k", function.piece)) if function.constant else function.piece


def after(later: Piece, earlier: Function) -> Function:
    """A function of what another one gives."""
    return applied(constant(later), earlier)


# Texts put together without copying, and what parts of them stand for.
#
# A piece is a string of whole tokens, pieces one after another, one with a label, or a remark.

WIDTH = 100
"""Characters of a line; a line may be broken before any token."""

_TOKEN = re.compile(r"[.?].|.", re.DOTALL)


class Labelled(NamedTuple):
    """A piece that a place of the source asked for; ``what`` it does is for people."""

    piece: Piece
    origin: Origin
    what: str


class Remark(NamedTuple):
    """A comment where it stands."""

    text: str


class Joined(NamedTuple):
    """Pieces one after another."""

    parts: tuple[Piece, ...]


Piece = str | Joined | Labelled | Remark


class _End(NamedTuple):
    start: int
    label: Labelled


def written(piece: Piece, *, comments: bool) -> tuple[str, tuple[Span, ...]]:
    """The text in lines, and where the labelled pieces are in it."""
    lines = _Lines()
    spans: list[Span] = []
    waiting: list[Piece | _End] = [piece]
    while waiting:
        match waiting.pop():
            case str(text):
                lines.add(text)
            case Remark(text):
                if comments:
                    lines.comment(text)
            case Joined(parts):
                waiting += reversed(parts)
            case Labelled(inner, origin, what) as label:
                if comments:
                    lines.comment(f"line {origin.own.line}: {what}")
                waiting += _End(lines.length, label), inner
            case _End(start, label):
                spans.append(Span(start, lines.length, label.origin, label.what))
    spans.sort(key=lambda span: (span.start, -span.end))
    return lines.text() + "\n", tuple(spans)


class _Lines:
    def __init__(self) -> None:
        self._parts: list[str] = []
        self._column = 0
        self.length = 0

    def add(self, text: str) -> None:
        """Append tokens, in a new line where this one is full."""
        for token in _TOKEN.findall(text):
            if self._column >= WIDTH:
                self._put("\n")
                self._column = 0
            self._put(token)
            self._column += len(token)

    def comment(self, text: str) -> None:
        """Lines of their own that say something."""
        # Beyond bytes are letters of names, see esoplay.codegen.back_ends.
        shown = "".join(one if " " <= one <= "~" or one > "\xff" else "?" for one in text)
        if self._column:
            self._put("\n")
        for line in textwrap.wrap(shown, WIDTH - 2):
            self._put(f"# {line}\n")
        self._column = 0

    def text(self) -> str:
        return "".join(self._parts)

    def _put(self, text: str) -> None:
        self._parts.append(text)
        self.length += len(text)
