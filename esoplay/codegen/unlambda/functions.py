r"""Functions of the state, put together without ever spelling its name.

What a statement does, and what an expression is worth, is a function of one value, the state.  So
the one variable to be eliminated is known, and applications become ``s`` as they are made.
"""

from __future__ import annotations

from typing import NamedTuple

from esoplay.codegen.unlambda.pieces import Joined, Piece


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
