"""The expression language of breakpoint conditions and watches.

It uses Python's parser, but allows only the nodes handled here, and does not use ``eval``.
``&&``, ``||`` and ``!`` are accepted for ``and``, ``or`` and ``not``.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Collection, Iterable, Mapping
from itertools import pairwise
from typing import NamedTuple, Protocol, cast

from esolangs.language import Program
from esolangs.machine import Machine
from esolangs.numbers import MAX_BITS, abbreviate, fits
from esolangs.stops import Address
from esoplay.errors import ConditionError
from esoplay.timeline.states import MachineState, StackLevels

NAMES = {
    "step": "steps executed",
    "hits": "times that the run reached this breakpoint's location or effect, including now",
    "output": "bytes printed",
    "input": "bytes read",
}
"""The names defined in all languages; ``Program.register_names`` returns a language's own."""


def _product(a: int, b: int) -> int:
    if fits(a.bit_length() + b.bit_length()):
        return a * b
    return _LIMIT if (a < 0) == (b < 0) else -_LIMIT


_LIMIT = 1 << MAX_BITS - 1
_BINARY: Mapping[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: _product,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: operator.mod,
}
_COMPARE: Mapping[type[ast.cmpop], Callable[[int, int], bool]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_MAX_NAMES = 12  # maximum number of variables in an error
_MAX_LENGTH = 500  # characters; also limits the recursion of Python's parser


class ConditionState(Protocol):
    """The state that an expression is evaluated in."""

    def peek(self, address: Address) -> int: ...
    def level(self, level: int) -> int: ...
    def lookup(self, name: str) -> int: ...
    def variable(self, name: str) -> int: ...


Evaluate = Callable[[ConditionState], int]


class Condition:
    """A parsed and validated expression.

    ``names``: the registers that it uses, including ``stack``. ``constant_cells``: the cells with
    constant addresses. ``cells``: all cells that it reads; None if an address is computed.
    ``uses_variables``: whether it uses variables of the generator's source. ``tree``: its syntax
    tree.
    """

    def __init__(self, text: str, registers: Collection[str] = (), variables: Collection[str] = ()):
        """Parse ``text``; raise ConditionError, with the column, if it is not a valid expression.

        ``registers`` are names that take precedence over variables. ``variables`` belong to a
        generator's source, such as ``n``, ``a[0]`` and ``n of f``, which is written ``f.n``; a
        variable of ``main`` is also ``main.n``.
        """
        self.text = text
        self.uses_variables = False
        self._variables = variables
        self._arrays = {name.partition("[")[0] for name in variables if "[" in name}
        self._known = [*NAMES, *(name for name in registers if name not in NAMES)]
        if len(text) > _MAX_LENGTH:
            raise ConditionError(f"longer than {_MAX_LENGTH} characters", _MAX_LENGTH + 1)
        python = _PYTHON_OPERATORS.sub(lambda match: _OPERATOR[match.group()], text)
        try:
            tree = ast.parse(python.strip(), mode="eval")
        except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
            column = getattr(error, "offset", None) or 1
            raise ConditionError("not an expression such as cell[3] == 10", column) from None
        self.tree = tree.body
        self.names: set[str] = set()
        self.constant_cells: set[Address] = set()
        self.cells: set[Address] | None = set()
        try:
            self._evaluate = self._build(tree.body)
        except RecursionError:
            raise ConditionError("nested too deeply", 1) from None

    def value(self, state: ConditionState) -> int:
        """Return the value of the expression; evaluation never fails.

        Division by zero returns 0. Numbers are limited to ``esolangs.numbers.MAX_BITS`` bits.
        """
        return self._evaluate(state)

    def _build(self, node: ast.expr) -> Evaluate:
        if isinstance(node, ast.Constant):
            return _constant(node)
        if isinstance(node, ast.Name):
            return self._name(node)
        if isinstance(node, ast.Subscript):
            name = node.value.id if isinstance(node.value, ast.Name) else ""
            array = _dotted_name(node.value)
            if array in self._arrays and name not in ("stack", "cell"):
                return self._element(array, node.slice)
            if name == "stack":
                return self._level(node.slice)
            if name != "cell":
                raise _error_at(
                    node, "only cell and stack can be indexed, as in cell[3] and stack[-1]"
                )
            return self._cell(node.slice)
        if isinstance(node, ast.Attribute):
            return self._variable(node)
        if isinstance(node, ast.UnaryOp):
            return self._unary(node)
        if isinstance(node, ast.BoolOp):
            parts = [self._build(part) for part in node.values]
            if isinstance(node.op, ast.And):
                return lambda state: int(all(part(state) for part in parts))
            return lambda state: int(any(part(state) for part in parts))
        if isinstance(node, ast.BinOp):
            return self._binary(node)
        if isinstance(node, ast.Compare):
            return self._compare(node)
        raise _error_at(node, "expected only numbers, names, cell[N], stack[N] and operators")

    def _name(self, node: ast.Name) -> Evaluate:
        name = node.id
        if name not in self._known:
            return self._variable(node)
        self.names.add(name)
        return lambda state: state.lookup(name)

    def _variable(self, node: ast.expr) -> Evaluate:
        name = _dotted_name(node)
        if name in self._arrays:
            raise _error_at(node, f"{name} is an array; expected an element such as {name}[0]")
        if name not in self._variables:
            names = ", ".join([*self._known, *list(self._variables)[:_MAX_NAMES]])
            raise _error_at(
                node, f"unknown name {ast.unparse(node)!r}; expected cell[…], stack[…], {names}"
            )
        self.uses_variables, self.cells = True, None
        return lambda state: state.variable(name)

    def _element(self, array: str, index: ast.expr) -> Evaluate:
        self.uses_variables, self.cells = True, None
        at = self._build(index)
        return lambda state: state.variable(f"{array}[{abbreviate(at(state))}]")

    def _level(self, index: ast.expr) -> Evaluate:
        if isinstance(index, ast.Tuple | ast.Slice):
            raise _error_at(index, "a level of a stack is one number, such as -1 for the top")
        self.names.add("stack")
        at = self._build(index)
        return lambda state: state.level(at(state))

    def _cell(self, index: ast.expr) -> Evaluate:
        self._add_cell(index)
        if isinstance(index, ast.Tuple):
            parts = [self._build(part) for part in index.elts]
            return lambda state: state.peek(tuple(part(state) for part in parts))
        at = self._build(index)
        return lambda state: state.peek(at(state))

    def _add_cell(self, index: ast.expr) -> None:
        try:
            address = ast.literal_eval(index)
        except ValueError:
            self.cells = None
            return
        whole = isinstance(address, int) or (
            isinstance(address, tuple)
            and all(isinstance(part, int) for part in cast(tuple[object, ...], address))
        )
        if not whole:
            raise _error_at(index, "a cell's address must be an integer")
        self.constant_cells.add(cast(Address, address))
        if self.cells is not None:
            self.cells.add(cast(Address, address))

    def _unary(self, node: ast.UnaryOp) -> Evaluate:
        operand = self._build(node.operand)
        if isinstance(node.op, ast.Not):
            return lambda state: int(not operand(state))
        if isinstance(node.op, ast.USub):
            return lambda state: -operand(state)
        raise _error_at(node, "expected `-` or `not` as the operator before a value")

    def _binary(self, node: ast.BinOp) -> Evaluate:
        compute = _BINARY.get(type(node.op))
        if compute is None:
            raise _error_at(node, "expected one of the operators + - * // %")
        left, right = self._build(node.left), self._build(node.right)
        divides = isinstance(node.op, ast.FloorDiv | ast.Mod)

        def evaluate(state: ConditionState) -> int:
            divisor = right(state)
            return 0 if divides and not divisor else compute(left(state), divisor)

        return evaluate

    def _compare(self, node: ast.Compare) -> Evaluate:
        values = [self._build(part) for part in (node.left, *node.comparators)]
        tests: list[Callable[[int, int], bool]] = []
        for op in node.ops:
            test = _COMPARE.get(type(op))
            if test is None:
                raise _error_at(node, "expected one of the comparisons == != < <= > >=")
            tests.append(test)

        def evaluate(state: ConditionState) -> int:
            results = [value(state) for value in values]
            return int(
                all(test(*pair) for test, pair in zip(tests, pairwise(results), strict=True))
            )

        return evaluate


_OPERATOR = {"&&": " and ", "||": " or ", "!": " not "}
# Operators outside character literals; "!=" is not replaced.
_PYTHON_OPERATORS = re.compile(r"(?<!')&&(?!')|(?<!')\|\|(?!')|(?<!')!(?![='])")


def _constant(node: ast.Constant) -> Evaluate:
    value = node.value
    if isinstance(value, str) and len(value) == 1:
        value = ord(value)
    if not isinstance(value, int):
        raise _error_at(node, "values are integers and characters such as 'A'")
    number = int(value)
    return lambda _state: number


def _dotted_name(node: ast.expr) -> str:
    """Return the name of the variable that a name or an attribute refers to, or ""."""
    match node:
        case ast.Name(name) | ast.Attribute(value=ast.Name("main"), attr=name):
            return name
        case ast.Attribute(value=ast.Name(function), attr=name):
            return f"{name} of {function}"
        case _:
            return ""


def _error_at(node: ast.expr, message: str) -> ConditionError:
    return ConditionError(message, node.col_offset + 1)


# Watch expressions, which are shown at every step


class ConditionResult(NamedTuple):
    """The result of evaluating an expression.

    ``value`` is None if the expression is invalid; ``error`` then says why. ``missing`` describes
    used values that do not exist and count as 0; "" if all exist.
    """

    value: int | None
    missing: str = ""
    error: str = ""


VariableValue = Callable[[str], int | None]
"""A function that returns the value of a source variable, or None if it has no value."""


class CheckedExpression:
    """A parsed expression, or the error found while parsing it."""

    def __init__(self, id: int, text: str, program: Program, variables: Collection[str] = ()):
        """Parse ``text``; ``variables`` are as for :class:`Condition`."""
        self.id = id
        self.text = text
        self.error: ConditionError | None = None
        self._expression: Condition | None = None
        try:
            self._expression = Condition(text, program.register_names(), variables)
        except ConditionError as error:
            self.error = error

    def evaluate(
        self,
        machine: Machine,
        hits: int,
        levels: StackLevels,
        variable: VariableValue | None = None,
    ) -> ConditionResult:
        """Evaluate the expression in a machine's state.

        hits: value of the name ``hits`` in expressions.  levels: the stack of the same machine.
        variable: returns the value of a source variable; None if there are no source variables.
        """
        if self._expression is None:
            return ConditionResult(None, error=str(self.error))
        state = _MissingValueState(machine, hits, levels, variable)
        value = self._expression.value(state)
        return ConditionResult(value, "; ".join(dict.fromkeys(state.missing)))


class _MissingValueState(MachineState):
    """A state that records which missing values an expression used."""

    def __init__(
        self, machine: Machine, hits: int, levels: StackLevels, variable: VariableValue | None
    ):
        super().__init__(machine, hits, levels)
        self._variable = variable
        self.missing: list[str] = []

    def variable(self, name: str) -> int:
        value = None if self._variable is None else self._variable(name)
        if value is None:
            self.missing.append(f"{name} has no value here")
        return value or 0

    def peek(self, address: Address) -> int:
        try:
            return self._machine.peek(address)
        except ValueError as error:
            self.missing.append(str(error))
            return 0

    def level(self, level: int) -> int:
        value = self.levels.at(level)
        if value is None:
            words = f"the stack has no level {level}" if self.levels.exists else "there is no stack"
            self.missing.append(words)
        elif isinstance(value, str):
            self.missing.append(f"the value at level {level} is too large to compute with")
            return 0
        return value or 0


def evaluate_all(
    expressions: Iterable[CheckedExpression],
    machine: Machine,
    hits: int,
    variable: VariableValue | None = None,
) -> list[ConditionResult]:
    """Evaluate all expressions; ``variable`` returns a source variable's value."""
    levels = StackLevels(machine)
    return [each.evaluate(machine, hits, levels, variable) for each in expressions]
