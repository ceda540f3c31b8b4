"""Compile conditions to filters, which an engine evaluates without stopping.

A filter computes with numbers of 64 bits.  The range of every intermediate result is computed here,
so a condition that could leave 64 bits is not compiled, nor is one that uses names that filters of
the language do not have.  Such a condition is evaluated in Python at every stop.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from esolangs.filters import (
    ADDRESSES,
    FILTER_ADD,
    FILTER_AND,
    FILTER_AT_LEAST,
    FILTER_AT_MOST,
    FILTER_CELL,
    FILTER_CONSTANT,
    FILTER_DEPTH,
    FILTER_DIVIDE,
    FILTER_EQUAL,
    FILTER_LESS,
    FILTER_MORE,
    FILTER_MULTIPLY,
    FILTER_NEGATE,
    FILTER_NOT,
    FILTER_OR,
    FILTER_REGISTER,
    FILTER_REMAINDER,
    FILTER_SUBTRACT,
    FILTER_UNEQUAL,
    Filter,
    FilterNames,
    Range,
)

_BITS = 63
_TRUTH: Range = (0, 1)
_COMPARISONS: dict[type[ast.cmpop], int] = {
    ast.Eq: FILTER_EQUAL,
    ast.NotEq: FILTER_UNEQUAL,
    ast.Lt: FILTER_LESS,
    ast.LtE: FILTER_AT_MOST,
    ast.Gt: FILTER_MORE,
    ast.GtE: FILTER_AT_LEAST,
}


def compile_filter(conditions: Sequence[ast.expr], names: FilterNames) -> Filter | None:
    """Return a filter that is not zero where any condition is true; None if it has no filter."""
    compiler = _FilterCompiler(names)
    try:
        for number, tree in enumerate(conditions):
            compiler.expression(tree)
            if number:
                compiler.emit(FILTER_OR, pops=2)
    except _NotCompiledError:
        return None
    return Filter(tuple(compiler.code)) if compiler.code else None


class _NotCompiledError(Exception):
    """Filters cannot compute the expression."""


class _FilterCompiler:
    """Appends instructions; each method for expressions returns the range of the value."""

    def __init__(self, names: FilterNames) -> None:
        self.code: list[int] = []
        self._cells = names.cells
        self._ranges = names.registers
        self._numbers = {name: number for number, name in enumerate(names.registers)}
        self._depth = 0

    def emit(self, operation: int, argument: int = 0, *, pops: int = 0) -> None:
        """Append an instruction that pops some values and pushes one."""
        self._depth += 1 - pops
        if self._depth > FILTER_DEPTH:
            raise _NotCompiledError
        self.code += operation, argument

    def expression(self, node: ast.expr) -> Range:
        """Append the instructions for an expression."""
        match node:
            case ast.Constant(value):
                return self._constant(value)
            case ast.Name(name) if name in self._numbers:
                self.emit(FILTER_REGISTER, self._numbers[name])
                return self._ranges[name]
            case ast.Subscript(value=ast.Name("cell"), slice=index) if self._cells is not None:
                if not _is_within(self.expression(index), ADDRESSES):
                    raise _NotCompiledError
                self.emit(FILTER_CELL, pops=1)
                return self._cells
            case ast.UnaryOp(op, operand):
                low, high = self.expression(operand)
                if isinstance(op, ast.Not):
                    self.emit(FILTER_NOT, pops=1)
                    return _TRUTH
                self.emit(FILTER_NEGATE, pops=1)
                return _checked(-high, -low)
            case ast.BoolOp(op, values):
                return self._logic(FILTER_AND if isinstance(op, ast.And) else FILTER_OR, values)
            case ast.BinOp(left, op, right):
                return self._arithmetic(op, self.expression(left), self.expression(right))
            case ast.Compare(left, ops, comparators):
                return self._comparison([left, *comparators], ops)
            case _:
                raise _NotCompiledError

    def _constant(self, value: object) -> Range:
        number = ord(value) if isinstance(value, str) else value
        if not isinstance(number, int):
            raise _NotCompiledError
        low, high = _checked(int(number), int(number))
        self.emit(FILTER_CONSTANT, low)
        return low, high

    def _logic(self, operation: int, values: Sequence[ast.expr]) -> Range:
        for number, value in enumerate(values):
            self.expression(value)
            if number:
                self.emit(operation, pops=2)
        return _TRUTH

    def _arithmetic(self, op: ast.operator, left: Range, right: Range) -> Range:
        (a, b), (c, d) = left, right
        match op:
            case ast.Add():
                self.emit(FILTER_ADD, pops=2)
                return _checked(a + c, b + d)
            case ast.Sub():
                self.emit(FILTER_SUBTRACT, pops=2)
                return _checked(a - d, b - c)
            case ast.Mult():
                self.emit(FILTER_MULTIPLY, pops=2)
                products = a * c, a * d, b * c, b * d
                return _checked(min(products), max(products))
            case _ if a < 0 or c < 0:  # C and Python round differently
                raise _NotCompiledError
            case ast.FloorDiv():
                self.emit(FILTER_DIVIDE, pops=2)
                return 0, b
            case _:
                self.emit(FILTER_REMAINDER, pops=2)
                return 0, min(b, d)

    def _comparison(self, values: Sequence[ast.expr], ops: Sequence[ast.cmpop]) -> Range:
        for number, op in enumerate(ops):
            self.expression(values[number])
            self.expression(values[number + 1])
            self.emit(_COMPARISONS[type(op)], pops=2)
            if number:
                self.emit(FILTER_AND, pops=2)
        return _TRUTH


def _is_within(some: Range, other: Range) -> bool:
    return other[0] <= some[0] and some[1] <= other[1]


def _checked(low: int, high: int) -> Range:
    if low < -(1 << _BITS) + 1 or high >= 1 << _BITS:
        raise _NotCompiledError
    return low, high
