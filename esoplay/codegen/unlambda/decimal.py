r"""Numbers to decimal digits and back, by tables of what to do with a bit.

A digit is the way to its end in a tree of ten.  Dividing by 10 goes through the bits from the
highest on and keeps the remainder as a digit; multiplying by 10 goes from the lowest on and keeps
the carry as one.  Each takes one look into a table a bit.
"""

from __future__ import annotations

from esoplay.codegen.unlambda.numbers import number, recursive
from esoplay.codegen.unlambda.terms import Library
from esoplay.codegen.unlambda.trees import bit_tree, tree, way

BASE = 10


def digit(library: Library, value: int) -> str:
    """The text of a digit, which takes a tree of ten to its end ``value``."""
    return library.text(r"\t. t " + " ".join(way(value, BASE)))


def define_decimal(library: Library) -> None:
    """Put ``print x``, which prints and is ``I``, ``append x d``, ``div10`` and ``mod10`` there."""
    digits = [digit(library, value) for value in range(BASE)]
    for bit in (0, 1):
        ends: list[str] = []
        for remainder in range(BASE):
            quotient, rest = divmod(2 * remainder + bit, BASE)
            library.add("rest", digits[rest])
            ends.append(library.text(rf"\q. pair ({'i' if quotient else 'mo'} q) rest"))
        library.add(f"by{bit}", tree(ends))
    library.add("none", digits[0])
    library.add(
        "tenth",
        recursive(
            library,
            r"\rec x. x (\s. pair Z none) (\n. rec n (\q r. r by1 q)) (\n. rec n (\q r. r by0 q))",
        ),
    )
    library.add("values", tree([number(value) for value in range(BASE)]))
    library.define("div10", r"\x. tenth x K")
    library.define("mod10", r"\x. tenth x F values")
    library.add("figures", tree([f".{value}" for value in range(BASE)]))
    library.add(
        "figure",
        recursive(
            library,
            r"(\tenth rec x. tenth x (\q r. (\_. r figures I) (q (K I) (\n. rec q) (\n. rec q))))"
            r" tenth",
        ),
    )
    library.add("minus", ".-")
    library.define("print", r"\x. isneg x (\f x. f (minus (neg x))) I figure x")
    _define_append(library, digits)


def _define_append(library: Library, digits: list[str]) -> None:
    for bit in (0, 1):
        ends: list[str] = []
        for carry in range(BASE):
            library.add("carry", digits[(BASE * bit + carry) // 2])
            ends.append(library.text(rf"\r n. {'i' if carry % 2 else 'o'} (r n carry)"))
        library.add(f"times{bit}", tree(ends))
    library.add(
        "tenfold",
        recursive(
            library,
            r"\rec x. x (\s c. c values) (\n c. c times1 rec n) (\n c. c times0 rec n)",
        ),
    )
    library.add("digits", bit_tree([digits[value % BASE] for value in range(16)]))
    library.define("append", r"\x d. tenfold x (walk4 d digits)")
