r"""Pairs, trees of pairs with something at each end, and arrays whose indices are numbers.

A pair is ``\f. f a b``.  An array is a node ``\f. f (K v) b a``: v is what index 0 holds, b what
the odd and a what the even indices hold, by what is left of them without that bit.  An index is
a choice of three, so ``array index`` is the element: it takes the three for end, odd and even.
"""

from __future__ import annotations

from collections.abc import Sequence

from esoplay.codegen.unlambda.numbers import recursive
from esoplay.codegen.unlambda.terms import Library

TREES = (
    ("node", r"\v b a f. f v b a"),
    ("here", r"\g t. t (\v. node (K (g (v I))))"),
    ("odds", r"\g t. t (\v b. node v (g b))"),
    ("evens", r"\g t. t (\v b a. node v b (g a))"),
    ("first", r"\g s. s (\a. pair (g a))"),
    ("second", r"\g s. s (\a b. pair a (g b))"),
)


def define_trees(library: Library) -> None:
    """Put changes of arrays and pairs into a library that has the numbers.

    ``update x g t`` is the array t with ``g`` done to element x.
    """
    for name, term in TREES:
        library.define(name, term)
    library.add(
        "update",
        recursive(library, r"\rec x. x (\s. here) (\n g. odds (rec n g)) (\n g. evens (rec n g))"),
    )


def zeros(library: Library, length: int) -> str:
    """An array of ``length`` elements or more, all 0."""
    term = "I"
    for _ in range((length - 1).bit_length() + 1):
        term = f"more ({term})"
    return library.text(rf"(\more. {term}) (\t. node (K Z) t t)")


def tree(ends: Sequence[str]) -> str:
    """A tree of pairs, as flat as it goes; ``ends`` are texts, in the order of their indices."""
    if len(ends) == 1:
        return ends[0]
    middle = (len(ends) + 1) // 2
    return pair_of(tree(ends[:middle]), tree(ends[middle:]))


def by_bits(ends: Sequence[str]) -> str:
    """A constant array; numbers that are too large find an end by their lowest bits.

    ``ends`` are texts, as many as a power of 2.
    """
    if len(ends) == 1:
        return f"`k{ends[0]}"
    odd, even = by_bits(ends[1::2]), by_bits(ends[::2])
    return f"``s``s``si`k`k{ends[0]}`k{odd}`k{even}"


def pair_of(first: str, second: str) -> str:
    """The text of a pair."""
    return f"``s``si`k{first}`k{second}"


def way(index: int, count: int) -> tuple[str, ...]:
    """The choices, ``K`` or ``F``, that lead to an end of a ``tree`` of ``count`` ends."""
    choices: list[str] = []
    while count > 1:
        middle = (count + 1) // 2
        choices.append("K" if index < middle else "F")
        index, count = (index, middle) if index < middle else (index - middle, count - middle)
    return tuple(choices)
