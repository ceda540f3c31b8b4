"""Filters: conditions that an engine evaluates where it would stop.

An engine that supports filters leaves out the stops of a set at which its filter is zero; others
stop at all of them.  So a caller has to evaluate the condition at a stop in any case.

A filter is a program in postfix order for a stack of 64-bit numbers.  Each instruction is an
operation and its argument, which is 0 where it has none.  ``filters.pxd`` defines the same numbers
for the C compiler.
"""

from __future__ import annotations

from array import array
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping

FILTER_CONSTANT = 0  # push the argument
FILTER_REGISTER = 1  # push the register of this number
FILTER_CELL = 2  # replace an address by the value of the cell, 0 if there is none
FILTER_NEGATE = 3
FILTER_NOT = 4
FILTER_ADD = 5
FILTER_SUBTRACT = 6
FILTER_MULTIPLY = 7
FILTER_DIVIDE = 8  # 0 if the divisor is 0; neither operand is negative
FILTER_REMAINDER = 9  # likewise
FILTER_EQUAL = 10
FILTER_UNEQUAL = 11
FILTER_LESS = 12
FILTER_AT_MOST = 13
FILTER_MORE = 14
FILTER_AT_LEAST = 15
FILTER_AND = 16
FILTER_OR = 17

FILTER_DEPTH = 64
"""The most values on the stack of a filter."""

Range = tuple[int, int]
"""The smallest and the largest value."""

ADDRESSES: Range = (-(1 << 60), 1 << 60)
"""The values that may be the address of a cell."""


class Filter(NamedTuple):
    """An operation and an argument for each instruction, one after the other."""

    code: tuple[int, ...]


class FilterNames(NamedTuple):
    """What filters can use in a program.

    registers: the values that each one can have, in the order of their numbers; besides the
    registers of the language these are ``step``, ``output`` and ``input``.  cells: the values that
    a cell can have, None if filters cannot use cells.
    """

    registers: Mapping[str, Range]
    cells: Range | None = None


_OPERANDS = {
    FILTER_CONSTANT: 0,
    FILTER_REGISTER: 0,
    FILTER_CELL: 1,
    FILTER_NEGATE: 1,
    FILTER_NOT: 1,
}


def checked_code(filter: Filter, names: FilterNames) -> array[int]:
    """Return the code of a filter for a core, which does not check it; ValueError if invalid."""
    depth = 0
    for operation, argument in zip(filter.code[::2], filter.code[1::2], strict=True):
        operands = _OPERANDS.get(operation, 2)
        known = FILTER_CONSTANT <= operation <= FILTER_OR
        if operation == FILTER_REGISTER and not 0 <= argument < len(names.registers):
            known = False
        if not known or depth < operands or depth + 1 - operands > FILTER_DEPTH:
            raise ValueError(f"not a filter of this language: {filter.code}")
        depth += 1 - operands
    if depth != 1:
        raise ValueError(f"a filter needs exactly one result: {filter.code}")
    try:
        return array("q", filter.code)
    except OverflowError:
        raise ValueError(f"a filter has numbers of 64 bits: {filter.code}") from None
