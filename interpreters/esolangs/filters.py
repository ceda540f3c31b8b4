"""Filters: conditions that an engine evaluates at each stop, to skip the stop if they are false.

An engine that supports filters leaves out a stop at which the filter of its stop set is zero; other
engines stop there too.  So callers must evaluate the condition at every stop.

A filter is a program in postfix order for a stack of 64-bit numbers.  Each instruction is an
operation and its argument, which is 0 if unused.  If a number does not fit in 64 bits, the filter
passes the stop, as if its result were not zero.

A core reads registers, cells and levels of a stack itself and leaves the rest to ``run_filter``.
``filters.pxd`` has these constants and ``run_filter`` for the C compiler.
"""

from __future__ import annotations

import operator
from array import array
from typing import NamedTuple

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

FILTER_REGISTER = 0  # push the register of this number
FILTER_CELL = 1  # replace an address by the value of the cell, 0 if there is none
FILTER_POINT = 2  # replace a column and a row by the value of the cell
FILTER_LEVEL = 3  # replace a level of the stack by its value, 0 if there is none; -1 is the top
FILTER_CONSTANT = 4  # push the argument
FILTER_NEGATE = 5
FILTER_NOT = 6
FILTER_ADD = 7
FILTER_SUBTRACT = 8
FILTER_MULTIPLY = 9
FILTER_DIVIDE = 10  # rounds down; 0 if the divisor is 0
FILTER_REMAINDER = 11  # likewise
FILTER_EQUAL = 12
FILTER_UNEQUAL = 13
FILTER_LESS = 14
FILTER_AT_MOST = 15
FILTER_MORE = 16
FILTER_AT_LEAST = 17
FILTER_AND = 18
FILTER_OR = 19
FILTER_END = 20

FILTER_PASSES = -1
FILTER_REJECTS = -2

MAX_FILTER_DEPTH = 64
"""Maximum number of values on the stack of a filter."""

MAX_FILTER_LEVELS = 100_000
"""Number of stack levels, from the top, that a filter can read.

A filter that reads a deeper level passes.
"""


class Filter(NamedTuple):
    """A condition as a postfix program.

    code: the operation of the first instruction, its argument, the operation of the second, and so
    on; see the module's docstring.
    """

    code: tuple[int, ...]


class FilterNames(NamedTuple):
    """The names that filters can use in a program.

    registers: names of the registers by number; besides registers of the language, these can be
    ``step``, ``output`` and ``input``.  coordinates: number of coordinates of a cell's address; 0
    if filters cannot use cells.  has_levels: whether filters can use levels of the first stack.
    """

    registers: tuple[str, ...]
    coordinates: int = 0
    has_levels: bool = False


_OPERANDS = {
    FILTER_REGISTER: 0,
    FILTER_CELL: 1,
    FILTER_LEVEL: 1,
    FILTER_CONSTANT: 0,
    FILTER_NEGATE: 1,
    FILTER_NOT: 1,
}


def checked_code(filter: Filter, names: FilterNames) -> array[int]:
    """Return a filter's code in the form that cores execute; raise ValueError if it is invalid.

    The code has three numbers for each instruction: operation, argument, and the place of the
    result on the stack.  It ends with ``FILTER_END``.  Cores do not check it again.
    """
    depth = 0
    code: list[int] = []
    for operation, argument in zip(filter.code[::2], filter.code[1::2], strict=True):
        operands = _OPERANDS.get(operation, 2)
        known = FILTER_REGISTER <= operation <= FILTER_OR and not (
            (operation == FILTER_REGISTER and not 0 <= argument < len(names.registers))
            or (operation in (FILTER_CELL, FILTER_POINT) and names.coordinates != operands)
            or (operation == FILTER_LEVEL and not names.has_levels)
        )
        if not known or depth < operands or depth + 1 - operands > MAX_FILTER_DEPTH:
            raise ValueError(f"not a filter of this language: {filter.code}")
        depth += 1 - operands
        code += operation, argument, depth - 1
    if depth != 1:
        raise ValueError(
            f"expected a filter that leaves one result, found {depth} results: {filter.code}"
        )
    try:
        return array("q", [*code, FILTER_END, 0, 0])
    except OverflowError:
        raise ValueError(f"a number of this filter exceeds 64 bits: {filter.code}") from None


def fits_filter(number: int) -> bool:
    """Return whether a number has at most 64 bits, so that filters can compute with it."""
    return -(1 << 63) <= number < 1 << 63


def run_filter(code: Sequence[int], numbers: array[int], start: int) -> int:
    """Execute a filter from ``start`` up to its end or an instruction that the core has to execute.

    code: three numbers for each instruction: the operation, its argument and the index in
    ``numbers`` of its first operand and its result.  numbers: the stack.  Return the index of the
    instruction that the core has to execute, FILTER_PASSES or FILTER_REJECTS.  Only plain cores
    call this function.
    """
    at = start
    while True:
        operation, argument, to = code[at : at + 3]
        if operation < FILTER_CONSTANT:
            return at
        if operation == FILTER_END:
            return FILTER_PASSES if numbers[0] else FILTER_REJECTS
        if operation == FILTER_CONSTANT:
            number = argument
        elif operation in _UNARY:
            number = _UNARY[operation](numbers[to])
        else:
            number = _BINARY[operation](numbers[to], numbers[to + 1])
        if not fits_filter(number):
            return FILTER_PASSES
        numbers[to] = number
        at += 3


_UNARY: dict[int, Callable[[int], int]] = {
    FILTER_NEGATE: operator.neg,
    FILTER_NOT: operator.not_,
}
_BINARY: dict[int, Callable[[int, int], int]] = {
    FILTER_ADD: operator.add,
    FILTER_SUBTRACT: operator.sub,
    FILTER_MULTIPLY: operator.mul,
    FILTER_DIVIDE: lambda a, b: a // b if b else 0,
    FILTER_REMAINDER: lambda a, b: a % b if b else 0,
    FILTER_EQUAL: operator.eq,
    FILTER_UNEQUAL: operator.ne,
    FILTER_LESS: operator.lt,
    FILTER_AT_MOST: operator.le,
    FILTER_MORE: operator.gt,
    FILTER_AT_LEAST: operator.ge,
    FILTER_AND: lambda a, b: a != 0 and b != 0,
    FILTER_OR: lambda a, b: a != 0 or b != 0,
}
