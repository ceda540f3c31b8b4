r"""Pairs, trees of pairs with something at each end, and arrays whose indices are numbers.

A pair is ``\f. f a b``.  An array is a node ``\f. f v a b``: v is what index 0 holds, a what the
even and b what the odd indices hold, by what is left of them without that bit.  So an index is a
path, which ends where the number does, and small indices are near.
"""

from __future__ import annotations

from collections.abc import Sequence

from esoplay.codegen.unlambda.numbers import recursive
from esoplay.codegen.unlambda.terms import Library

ARRAYS = (
    ("node", r"\v a b f. f v a b"),
    ("here", r"\g t. t (\v a b. node (g v) a b)"),
    ("evens", r"\g t. t (\v a b. node v (g a) b)"),
    ("odds", r"\g t. t (\v a b. node v a (g b))"),
    ("first", r"\g s. s (\a b. pair (g a) b)"),
    ("second", r"\g s. s (\a b. pair a (g b))"),
)

WALK = r"\rest x t. x (\s t. {low} t) (\n t. rest n (t F)) (\n t. rest n (t K)) t"
"""One bit of a number, which is not negative, leads to one side of a pair."""


def define_trees(library: Library) -> None:
    """Put arrays and walks into a library that has the numbers.

    ``get x t`` is an element; ``update x g t`` is the array t with ``g`` done to that element.
    ``walk4 x t`` and ``walk8 x t`` find an end of a full tree by the lowest bits of x.
    """
    for name, term in ARRAYS:
        library.define(name, term)
    library.add(
        "get",
        recursive(
            library,
            r"\rec x t. x (\s t. t (\v a b. v)) (\n t. rec n (t (\v a b. b)))"
            r" (\n t. rec n (t (\v a b. a))) t",
        ),
    )
    library.add(
        "update",
        recursive(library, r"\rec x. x (\s. here) (\n g. odds (rec n g)) (\n g. evens (rec n g))"),
    )
    walk = "K I"
    for depth in range(8):
        low = "(" * depth + r"\t. t" + " K" * (depth + 1) + ")" * depth
        library.define("step", WALK.format(low=f"({low})"))
        walk = library.text(f"step ({'walk' if depth else walk})")
        library.add("walk", walk)
        if depth + 1 in (4, 8):
            library.add(f"walk{depth + 1}", walk)


def zeros(library: Library, length: int) -> str:
    """An array of ``length`` elements or more, all 0."""
    term = "I"
    for _ in range((length - 1).bit_length() + 1):
        term = f"more ({term})"
    return library.text(rf"(\more. {term}) (\t. node Z t t)")


def tree(ends: Sequence[str]) -> str:
    """A tree of pairs, as flat as it goes; ``ends`` are texts, in the order of their indices."""
    if len(ends) == 1:
        return ends[0]
    middle = (len(ends) + 1) // 2
    return pair_of(tree(ends[:middle]), tree(ends[middle:]))


def bit_tree(ends: Sequence[str]) -> str:
    """A full tree of a power of 2 of ends, which ``walk`` finds by the lowest bit first."""
    if len(ends) == 1:
        return ends[0]
    return pair_of(bit_tree(ends[::2]), bit_tree(ends[1::2]))


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
