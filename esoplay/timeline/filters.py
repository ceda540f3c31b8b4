"""Compile conditions to filters, which an engine evaluates without stopping.

Filters of a language do not support all names and values.  A condition that uses an unsupported one
is not compiled; it is evaluated in Python at every stop.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence

from esolangs.filters import (
    FILTER_ADD,
    FILTER_AND,
    FILTER_AT_LEAST,
    FILTER_AT_MOST,
    FILTER_CELL,
    FILTER_CONSTANT,
    FILTER_DIVIDE,
    FILTER_EQUAL,
    FILTER_LESS,
    FILTER_LEVEL,
    FILTER_MORE,
    FILTER_MULTIPLY,
    FILTER_NEGATE,
    FILTER_NOT,
    FILTER_OR,
    FILTER_POINT,
    FILTER_REGISTER,
    FILTER_REMAINDER,
    FILTER_SUBTRACT,
    FILTER_UNEQUAL,
    MAX_FILTER_DEPTH,
    Filter,
    FilterNames,
    fits_filter,
)

_COMPARISONS: dict[type[ast.cmpop], int] = {
    ast.Eq: FILTER_EQUAL,
    ast.NotEq: FILTER_UNEQUAL,
    ast.Lt: FILTER_LESS,
    ast.LtE: FILTER_AT_MOST,
    ast.Gt: FILTER_MORE,
    ast.GtE: FILTER_AT_LEAST,
}
_ARITHMETIC: dict[type[ast.operator], int] = {
    ast.Add: FILTER_ADD,
    ast.Sub: FILTER_SUBTRACT,
    ast.Mult: FILTER_MULTIPLY,
    ast.FloorDiv: FILTER_DIVIDE,
    ast.Mod: FILTER_REMAINDER,
}


def compile_filter(conditions: Sequence[ast.expr], names: FilterNames) -> Filter | None:
    """Return a filter that is nonzero where any of the conditions is true.

    Returns None if a condition cannot be compiled, or if there are none.
    """
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
    """Raised if a condition cannot be compiled to a filter."""


class _FilterCompiler:
    """A compiler of expressions to code for a stack machine.

    Each method appends the instructions that push the value of one expression.
    """

    def __init__(self, names: FilterNames) -> None:
        self.code: list[int] = []
        self._names = names
        self._depth = 0

    def emit(self, operation: int, argument: int = 0, *, pops: int = 0) -> None:
        """Append an instruction that pops ``pops`` values and pushes one."""
        self._depth += 1 - pops
        if self._depth > MAX_FILTER_DEPTH:
            raise _NotCompiledError
        self.code += operation, argument

    def expression(self, node: ast.expr) -> None:
        """Append the instructions for an expression."""
        names = self._names
        match node:
            case ast.Constant(value):
                self._constant(value)
            case ast.Name(name) if name in names.registers:
                self.emit(FILTER_REGISTER, names.registers.index(name))
            case ast.Subscript(value=ast.Name("cell"), slice=index):
                self._cell(index.elts if isinstance(index, ast.Tuple) else [index])
            case ast.Subscript(value=ast.Name("stack"), slice=level) if names.has_levels:
                self.expression(level)
                self.emit(FILTER_LEVEL, pops=1)
            case ast.UnaryOp(op, operand):
                self.expression(operand)
                self.emit(FILTER_NOT if isinstance(op, ast.Not) else FILTER_NEGATE, pops=1)
            case ast.BoolOp(op, values):
                self._logic(FILTER_AND if isinstance(op, ast.And) else FILTER_OR, values)
            case ast.BinOp(left, op, right):
                self.expression(left)
                self.expression(right)
                self.emit(_ARITHMETIC[type(op)], pops=2)
            case ast.Compare(left, ops, comparators):
                self._comparison([left, *comparators], ops)
            case _:
                raise _NotCompiledError

    def _constant(self, value: object) -> None:
        number = ord(value) if isinstance(value, str) else value
        if not isinstance(number, int) or not fits_filter(number):
            raise _NotCompiledError
        self.emit(FILTER_CONSTANT, int(number))

    def _cell(self, coordinates: Sequence[ast.expr]) -> None:
        if len(coordinates) != self._names.coordinates:
            raise _NotCompiledError
        for each in coordinates:
            self.expression(each)
        self.emit(FILTER_CELL if len(coordinates) == 1 else FILTER_POINT, pops=len(coordinates))

    def _logic(self, operation: int, values: Sequence[ast.expr]) -> None:
        for number, value in enumerate(values):
            self.expression(value)
            if number:
                self.emit(operation, pops=2)

    def _comparison(self, values: Sequence[ast.expr], ops: Sequence[ast.cmpop]) -> None:
        for number, op in enumerate(ops):
            self.expression(values[number])
            self.expression(values[number + 1])
            self.emit(_COMPARISONS[type(op)], pops=2)
            if number:
                self.emit(FILTER_AND, pops=2)
