r"""Integers of any size, as lists of their bits, lowest first.

A number is a choice of three: ``x end odd even`` is ``end K`` for -1, ``end F`` for 0, ``odd n``
for 2n + 1 and ``even n`` for 2n.  The list ends after the highest bit of the two's complement that
differs from the sign, so equal numbers have equal lists: 0 is never written as twice 0, nor -1 as
2(-1) + 1.

``o`` and ``i`` add a lowest bit to a number without checking for these two cases; ``mo`` and ``mi``
check.  All terms here are closed, so the branches of a choice are built only once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from esoplay.codegen.unlambda.terms import Library

UNROLLED = "``{two}{two}{two}"
"""The Church numeral 16: how many levels of a recursion are created at once, to save steps."""

BASIC = (
    ("pair", r"\a b f. f a b"),
    ("Z", r"\e. K (K (e F))"),
    ("M", r"\e. K (K (e K))"),
    ("o", r"\n. K (K (\o. o n))"),
    ("i", r"\n. K (\i. K (i n))"),
    ("mo", r"\n. n (\s. s o (K Z)) (K o) (K o) n"),
    ("mi", r"\n. n (\s. s (K M) i) (K i) (K i) n"),
    ("one", r"i Z"),
    ("two", r"\f x. f (f x)"),
)

UNARY = (
    ("isneg", r"\rec x. x I rec rec"),
    ("nonneg", r"\rec x. x (\s. s F K) rec rec"),
    ("inc", r"\rec x. x (\s. s Z (i Z)) (\n. o (rec n)) mi"),
    ("dec", r"\rec x. x (\s. s (o M) M) mo (\n. i (rec n))"),
    ("not", r"\rec x. x (\s. s Z M) (\n. o (rec n)) (\n. i (rec n))"),
    ("neg", r"\rec x. x (\s. s (i Z) Z) (\n. mi (not n)) (\n. o (rec n))"),
)


class BitRules(NamedTuple):
    """The rules by which an operation on two binary numbers computes one bit of its result.

    An operation has one ``BitRules`` for each state, such as a carry from the lower bits.

    left_ended: the result as a function of the left number's sign and the right number.
    right_ended: for bit 0 and for bit 1 of the left number, the result as a function of the right
        number's sign and the higher bits of the left number.
    bits: for the bits 00, 01, 10 and 11 of left and right, either the final result, or a function
        to apply to the result of the higher columns and the state in which the next one starts.
    """

    left_ended: str
    right_ended: tuple[str, str]
    bits: tuple[tuple[str, int] | str, ...]


_CARRY = r"\n. o (inc n)"
_BORROW = r"\n. i (dec n)"
_LESS = r"\s. s (\y. y (\t. t {so_far} K) nonneg nonneg) (\y. y (\t. t F {so_far}) nonneg nonneg)"
_SAME = r"\s. s (\y. y I (K F) (K F)) (\y. y (\t. t F K) (K F) (K F))"

BINARY: dict[str, tuple[BitRules, ...]] = {
    "add": (
        BitRules(
            r"\s. s dec I",
            (rf"\s. s ({_BORROW}) o", r"\s. s mo i"),
            (("mo", 0), ("mi", 0), ("mi", 0), ("mo", 1)),
        ),
        BitRules(
            r"\s. s I inc",
            (r"\s. s o mi", rf"\s. s i ({_CARRY})"),
            (("mi", 0), ("mo", 1), ("mo", 1), ("mi", 1)),
        ),
    ),
    "sub": (
        BitRules(
            r"\s. s not neg",
            (r"\s. s mi o", rf"\s. s ({_CARRY}) i"),
            (("mo", 0), ("mi", 1), ("mi", 0), ("mo", 0)),
        ),
        BitRules(
            r"\s. s (\y. dec (not y)) not",
            (rf"\s. s o ({_BORROW})", r"\s. s i mo"),
            (("mi", 1), ("mo", 1), ("mo", 0), ("mi", 1)),
        ),
    ),
    "lt": tuple(
        BitRules(
            _LESS.format(so_far=so_far),
            ("K isneg", "K isneg"),
            (("", state), ("", 1), ("", 0), ("", state)),
        )
        for state, so_far in enumerate("FK")
    ),
    "eq": (BitRules(_SAME, ("K (K F)", "K (K F)"), (("", 0), "F", "F", ("", 0))),),
}


def recursive(library: Library, step: str, **local_texts: str) -> str:
    r"""Return the fixed point of a function ``\rec x. …``, which calls itself by ``rec``.

    A call of ``rec`` costs almost nothing, because sixteen layers are created at once.
    """
    return library.text(
        r"(\u. u u) (\u. sixteen step (\x. u u x))",
        step=library.text(step, **local_texts),
        sixteen=UNROLLED.format(two=library["two"]),
    )


def binary_operation(library: Library, columns: tuple[BitRules, ...]) -> str:
    """Return the code of an operation on two numbers, which reads their bits from the lowest.

    columns: for each state of the operation, such as with or without a carry, the rules for the
    next bit of both numbers.  The operation starts in state 0.
    """
    if len(columns) == 1:
        return recursive(library, rf"\rec. {_column(columns[0], ('rec',))}")
    states = " ".join(f"({_column(column, ('a', 'b'))})" for column in columns)
    return library.text(
        r"(\u. u u) (\u. sixteen step (pair (\x. u u K x) (\x. u u F x))) K",
        step=library.text(rf"\p. p (\a b. pair {states})"),
        sixteen=UNROLLED.format(two=library["two"]),
    )


def _column(column: BitRules, states: tuple[str, ...]) -> str:
    def bits(left: int, right: int) -> str:
        match column.bits[2 * left + right]:
            case (put, state):
                rest = f"{states[state]} n m"
                return rf"\m n. {put} ({rest})" if put else rf"\m n. {rest}"
            case result:
                return rf"\m n. {result}"

    even, odd = (
        rf"\n y. y ({column.right_ended[left]}) ({bits(left, 1)}) ({bits(left, 0)}) n"
        for left in (0, 1)
    )
    return rf"\x. x ({column.left_ended}) ({odd}) ({even})"


def define_numbers(library: Library) -> None:
    """Define numbers and their functions, such as ``inc``, ``add`` and ``lt``, in a library."""
    for name, term in BASIC:
        library.define(name, term)
    for name, term in UNARY:
        library.add(name, recursive(library, term))
    library.define("positive", r"\x. x (K F) nonneg nonneg")
    library.define("half", r"\x. x (\s. s M Z) I I")
    library.define("parity", r"\x. x (\s. s one Z) (K one) (K Z)")
    for name, columns in BINARY.items():
        library.add(name, binary_operation(library, columns))
    library.add(
        "mul",
        recursive(
            library,
            r"\rec x. x (\s. s neg (K Z)) (\n y. add y (mo (rec n y))) "
            r"(\n y. mo (rec n y))",
        ),
    )
    define_division(library)


def define_division(library: Library) -> None:
    """Add long division by positive numbers: ``div``, ``mod``, and ``divmod``.

    ``divmod`` returns a pair of the quotient and the remainder.
    """
    library.add(
        "mod",
        recursive(
            library,
            r"(\less rec x. x (K (K Z)) (\n y. less (i (rec n y)) y) (\n y. less (mo (rec n y)) y))"
            r" less",
            less=library.text(r"\t y. lt t y (\t y. t) sub t y"),
        ),
    )
    library.add(
        "divmod",
        recursive(
            library,
            r"(\share rec x. x (K (K (pair Z Z))) (\n y. rec n y (\q r. share y q (i r)))"
            r" (\n y. rec n y (\q r. share y q (mo r)))) share",
            share=library.text(
                r"\y q t. lt t y (\q t y. pair (mo q) t) (\q t y. pair (i q) (sub t y)) q t y"
            ),
        ),
    )
    library.define("div", r"\x y. divmod x y K")


def number(value: int) -> str:
    """Return a number as text, with the calls that create it already evaluated.

    The calls are one of ``o`` for each bit 0, and one of ``i`` for each bit 1; the lowest bit is
    the outermost call.
    """
    bits: list[str] = []
    while value not in (0, -1):
        bits.append("`k``s`kk``si`k" if value & 1 else "`k`k``si`k")
        value >>= 1
    end = "`ki" if value == 0 else "k"
    return "".join(bits) + f"``s`kk``s`kk``si`k{end}"


# Pairs, trees of pairs with values at their leaves, and arrays whose indices are numbers.
#
# A pair is ``\f. f a b``.  An array is a node ``\f. f (K v) b a``: v is element 0, b the array of
# the elements with odd indices, and a the array of the elements with even indices above 0; in b and
# a, an index lacks its lowest bit.  An index is a choice of three, so ``array index`` is the
# element.

TREES = (
    ("node", r"\v b a f. f v b a"),
    ("here", r"\g t. t (\v. node (K (g (v I))))"),
    ("odds", r"\g t. t (\v b. node v (g b))"),
    ("evens", r"\g t. t (\v b a. node v b (g a))"),
    ("first", r"\g s. s (\a. pair (g a))"),
    ("second", r"\g s. s (\a b. pair a (g b))"),
)


def define_trees(library: Library) -> None:
    """Define functions that modify arrays and pairs; ``library`` must already have the numbers.

    ``update x g t`` returns the array t with ``g`` applied to element x.
    """
    for name, term in TREES:
        library.define(name, term)
    library.add(
        "update",
        recursive(library, r"\rec x. x (\s. here) (\n g. odds (rec n g)) (\n g. evens (rec n g))"),
    )


def zeros(library: Library, length: int) -> str:
    """Return an array of at least ``length`` elements, all 0."""
    term = "I"
    for _ in range((length - 1).bit_length() + 1):
        term = f"more ({term})"
    return library.text(rf"(\more. {term}) (\t. node (K Z) t t)")


def tree(leaves: Sequence[str]) -> str:
    """Return a balanced tree of pairs; ``leaves`` are texts in the order of their indices."""
    if len(leaves) == 1:
        return leaves[0]
    middle = (len(leaves) + 1) // 2
    return make_pair(tree(leaves[:middle]), tree(leaves[middle:]))


def constant_array(elements: Sequence[str]) -> str:
    """Return the text of an array; an index past its end is reduced modulo the length.

    elements: the texts of the elements; their number is a power of 2.
    """
    if len(elements) == 1:
        return f"`k{elements[0]}"
    odd, even = constant_array(elements[1::2]), constant_array(elements[::2])
    return f"``s``s``si`k`k{elements[0]}`k{odd}`k{even}"


def make_pair(first: str, second: str) -> str:
    """Return the text of a pair."""
    return f"``s``si`k{first}`k{second}"


def path_to_leaf(index: int, count: int) -> tuple[str, ...]:
    """Return the path, as ``K`` and ``F``, to leaf ``index`` of a ``tree``.

    count: the number of leaves.
    """
    choices: list[str] = []
    while count > 1:
        middle = (count + 1) // 2
        choices.append("K" if index < middle else "F")
        index, count = (index, middle) if index < middle else (index - middle, count - middle)
    return tuple(choices)
