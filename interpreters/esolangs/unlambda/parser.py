"""Source bytes to an expression tree; says what is wrong where there is none."""

from __future__ import annotations

from esolangs.errors import ParseError
from esolangs.source import locate
from esolangs.unlambda.opcodes import (
    CLASSES,
    EMPTY,
    IS_COMMENT,
    IS_SPACE,
    NO_CHARACTER,
    PLACES,
    UNFINISHED,
    UNKNOWN,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from esolangs.unlambda._core_tree import Tree

_ATOMS = "s k i v c d r e @ | .x ?x"


def parse_tree(source: bytes, tree_of: Callable[[bytes], Tree]) -> Tree:
    """The tree of the expression that ``source`` begins with; raises ParseError."""
    if len(source) > PLACES:
        raise ParseError(
            f"a program has at most {PLACES} bytes, this one {len(source)}", source, (0, 0)
        )
    tree = tree_of(source)
    at = tree.at
    if tree.found == UNFINISHED:
        line, column = locate(source, at)
        lacks = "operand" if tree.half else "operator"
        message = f"'`' at line {line}, column {column} has no {lacks}: the program ends before it"
    elif tree.found == UNKNOWN:
        message = f"{_shown(source[at])} is no combinator: expected '`' or one of {_ATOMS}"
        if source[at] & 0xC0 == 0x80 and source[at - 2 : at - 1] in (b".", b"?"):
            message += " (x is one byte, and the character before this has several)"
    elif tree.found == NO_CHARACTER:
        what = "print" if source[at : at + 1] == b"." else "compare with"
        message = f"'{chr(source[at])}' lacks the character to {what}: the program ends after it"
    elif tree.found == EMPTY:
        message = f"the program has no expression: expected '`' or one of {_ATOMS}"
        at = 0
    else:
        return tree
    raise ParseError(message, source, (at, min(at + 1, len(source))))


def ignored_text(source: bytes, end: int) -> str | None:
    """A warning about text after the expression, which ends at ``end``; None if there is none."""
    at = end
    while at < len(source):
        kind = CLASSES[source[at]]
        if kind == IS_COMMENT:
            at = source.find(b"\n", at)
            if at < 0:
                return None
        elif kind != IS_SPACE:
            line, column = locate(source, at)
            return (
                f"line {line}, column {column}: the expression is complete before this; "
                "what follows is ignored"
            )
        at += 1
    return None


def _shown(byte: int) -> str:
    return f"'{chr(byte)}'" if 32 < byte < 127 else f"byte {byte}"
