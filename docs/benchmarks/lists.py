"""Write Unlambda that reverses a list many times, as a Lisp program does.

    python lists.py 20 2 > lists.unl

A list is a function of what to do with its first element and the rest.  Reversing a list makes a
new one, and for each element a pair that soon is garbage.  Functions of variables become
combinators by bracket abstraction.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from itertools import count

Term = str | tuple["Term", "Term"]
"""An application, or the text of an expression or variable; a variable begins with a space."""

_numbers = count()


def function(body: Callable[[Term], Term]) -> Term:
    """The combinator that maps its operand x to ``body(x)``."""
    variable = f" {next(_numbers)}"
    return _without(variable, body(variable))


def apply(function: Term, *operands: Term) -> Term:
    """The function, applied to one operand after the other."""
    for operand in operands:
        function = function, operand
    return function


def reversals(exponent: int, rounds: int) -> bytes:
    """Reverses a list of two to the ``exponent`` elements ``rounds`` times; prints a star."""
    nothing = "i"
    cons = function(lambda h: function(lambda t: function(lambda f: apply(f, h, t))))
    long = apply(_numeral(exponent), _numeral(2))
    step = function(
        lambda pair: apply(
            pair,
            function(
                lambda rest: function(
                    lambda done: apply(
                        rest,
                        function(
                            lambda head: function(
                                lambda tail: apply(cons, tail, apply(cons, head, done))
                            )
                        ),
                    )
                )
            ),
        )
    )
    second = function(lambda pair: apply(pair, apply("k", "i")))
    reverse = function(lambda whole: apply(second, apply(long, step, apply(cons, whole, nothing))))
    made = apply(long, apply(cons, "k"), nothing)
    return _text(apply(".*", apply(_numeral(rounds), reverse, made))).encode("ascii")


def _numeral(n: int) -> Term:
    successor = apply("s", apply("s", apply("k", "s"), "k"))
    term: Term = "i"
    for _ in range(n - 1):
        term = successor, term
    return term


def _without(variable: str, term: Term) -> Term:
    """The function of ``variable`` whose value is ``term``, without the variable."""
    if term == variable:
        return "i"
    if not _occurs(variable, term):
        return "k", term
    operator, operand = term
    if operand == variable and not _occurs(variable, operator):
        return operator
    return apply("s", _without(variable, operator), _without(variable, operand))


def _occurs(variable: str, term: Term) -> bool:
    return term == variable or (isinstance(term, tuple) and any(_occurs(variable, t) for t in term))


def _text(term: Term) -> str:
    return term if isinstance(term, str) else f"`{_text(term[0])}{_text(term[1])}"


if __name__ == "__main__":
    sys.stdout.buffer.write(reversals(int(sys.argv[1]), int(sys.argv[2])))
