r"""Operations with a number that the program spells: made for its bits, or for its remainders."""

from __future__ import annotations

from collections.abc import Iterator

from esoplay.codegen.unlambda.numbers import number, recursive
from esoplay.codegen.unlambda.terms import Library
from esoplay.codegen.unlambda.trees import tree, way


def equal_to(library: Library, value: int) -> str:
    """Whether a number is ``value``: looks at its bits, up to the first that differs."""
    sign = "I" if value < 0 else r"(\s. s F K)"
    text = library.text(rf"\x. x {sign} (K F) (K F)")
    for bit in _bits_from_the_highest(value):
        cases = "rest (K F)" if bit else "(K F) rest"
        text = library.text(rf"\x. x (K F) {cases}", rest=text)
    return text


def below(library: Library, value: int) -> str:
    """Whether a number is less than ``value``, which is 1 or more."""
    return _compared(library, value, less=True)


def above(library: Library, value: int) -> str:
    """Whether a number is more than ``value``, which is 1 or more."""
    return _compared(library, value, less=False)


def _compared(library: Library, value: int, *, less: bool) -> str:
    r"""``\x. rest x F``, where F, so far, is whether x is ``less`` by the bits seen already."""
    yes, no = "KF" if less else "FK"
    sign = "isneg" if less else "nonneg"
    text = library.text(rf"\x. x (\s. s (K {yes}) I) (\n. K ({sign} n)) (\n. K ({sign} n))")
    for bit in _bits_from_the_highest(value):
        cases = rf"rest (\n. K (rest n {yes}))" if bit else rf"(\n. K (rest n {no})) rest"
        text = library.text(rf"(\rest x. x (K (K {yes})) {cases}) rest", rest=text)
    return library.text(r"\x. rest x F", rest=text)


def remainder_by(library: Library, divisor: int) -> str:
    """What remains of a number by ``divisor``: goes from the highest bit on, by two tables.

    The remainder so far is the way to its end in a tree of as many as there are.
    """
    ways = [library.text(r"\t. t " + " ".join(way(rest, divisor))) for rest in range(divisor)]
    by0, by1 = (
        tree([ways[(2 * rest + bit) % divisor] for rest in range(divisor)]) for bit in (0, 1)
    )
    return library.text(
        r"\x. remains x values",
        remains=recursive(
            library,
            r"\rec x. x (K none) (\n. rec n by1) (\n. rec n by0)",
            none=ways[0],
            by0=by0,
            by1=by1,
        ),
        values=tree([number(rest) for rest in range(divisor)]),
    )


def _bits_from_the_highest(value: int) -> Iterator[int]:
    length = (value if value >= 0 else ~value).bit_length()
    for at in reversed(range(length)):
        yield value >> at & 1
