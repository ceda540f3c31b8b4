r"""Numbers to decimal digits and back, by tables of what to do with a bit.

A digit is the way to its end in a tree of ten.  Dividing by 10 goes through the bits from the
highest on and keeps the remainder as a digit; multiplying by 10 goes from the lowest on and keeps
the carry as one.  Each takes one look into a table a bit.
"""

from __future__ import annotations

from collections.abc import Sequence

from esoplay.codegen.unlambda.numbers import number, recursive
from esoplay.codegen.unlambda.terms import Library
from esoplay.codegen.unlambda.trees import by_bits, tree, way

BASE = 10


def digit(library: Library, value: int) -> str:
    """The text of a digit, which takes a tree of ten to its end ``value``."""
    return library.text(r"\t. t " + " ".join(way(value, BASE)))


def define_decimal(library: Library) -> None:
    """Put ``print x``, which prints and is ``I``, ``append x d``, ``div10`` and ``mod10`` there."""
    digits = [digit(library, value) for value in range(BASE)]
    values = tree([number(value) for value in range(BASE)])
    figures = tree([f".{value}" for value in range(BASE)])
    library.add(
        "tenth",
        recursive(
            library,
            r"\rec x. x (\s. pair Z none) (\n. rec n (\q r. r by1 q)) (\n. rec n (\q r. r by0 q))",
            none=digits[0],
            by0=_dividing(library, digits, 0),
            by1=_dividing(library, digits, 1),
        ),
    )
    library.define("div10", r"\x. tenth x K")
    library.define("mod10", r"\x. tenth x F values", values=values)
    figure = recursive(
        library,
        r"(\tenth rec x. tenth x (\q r. (\_. r figures I) (q (K I) (\n. rec q) (\n. rec q))))"
        r" tenth",
        figures=figures,
    )
    library.define(
        "print",
        r"\x. isneg x (\print x. print (minus (neg x))) I figure x",
        figure=figure,
        minus=".-",
    )
    tenfold = recursive(
        library,
        r"\rec x. x (\s c. c values) (\n c. c by1 rec n) (\n c. c by0 rec n)",
        values=values,
        by0=_multiplying(library, digits, 0),
        by1=_multiplying(library, digits, 1),
    )
    library.define(
        "append",
        r"\x d. tenfold x (digits d)",
        tenfold=tenfold,
        digits=by_bits([digits[value % BASE] for value in range(16)]),
    )


def _dividing(library: Library, digits: Sequence[str], bit: int) -> str:
    """By the remainder so far: what makes quotient and remainder of the quotient so far."""
    ends: list[str] = []
    for remainder in range(BASE):
        quotient, rest = divmod(2 * remainder + bit, BASE)
        put = "i" if quotient else "mo"
        ends.append(library.text(rf"\q. pair ({put} q) rest", rest=digits[rest]))
    return tree(ends)


def _multiplying(library: Library, digits: Sequence[str], bit: int) -> str:
    """By the carry: what makes the product of the way on and the bits above."""
    ends: list[str] = []
    for carry in range(BASE):
        above, below = divmod(BASE * bit + carry, 2)
        put = "i" if below else "o"
        ends.append(library.text(rf"\rec n. {put} (rec n carry)", carry=digits[above]))
    return tree(ends)
