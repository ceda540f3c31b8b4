"""The compilation of expressions to values and conditions."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from functools import reduce
from typing import cast

from esoplay.codegen.errors import FollowOnError, SourceError, replacement, unsupported_message
from esoplay.codegen.grammar import BUILT_IN, Module, bound_names, constant
from esoplay.codegen.ir import (
    MAX_NUMBER_BITS,
    And,
    Assign,
    Binary,
    Block,
    Compare,
    Condition,
    Convert,
    Element,
    Not,
    Number,
    Operator,
    Or,
    Read,
    Statement,
    Type,
    Value,
    VariableRef,
)
from esoplay.codegen.scope import Scope, VariableNames

_OPERATORS: dict[type[ast.operator], Operator] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.FloorDiv: "//",
    ast.Mod: "%",
}
_FOLDED: dict[Operator, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "//": lambda a, b: a // b,
    "%": lambda a, b: a % b,
}
VALUES = (
    "a value is a number, ord('x'), a variable, an element a[i], an operation with "
    "+ - * // %, byte(x), int(x), len(a) or a call"
)
STATEMENTS = "a statement is an assignment, if, while, for … in range(…), a call, return or pass"
USES = {
    "append_digit": "append_digit(n, d)",
    "byte": "byte(x)",
    "chars": "NAME = chars(n)",
    "getc": "getc()",
    "int": "int(x)",
    "ints": "NAME = ints(n)",
    "len": "len(a) with an array a",
    "ord": "ord('x')",
    "print_int": "print_int(n) as a statement",
    "putc": "putc(b) as a statement",
    "puts": 'puts("text") as a statement',
    "range": "for NAME in range(n)",
}
"""The syntax of each built-in function."""
OPERATIONS = "an operation is + - * // or %; divide(a, b) accepts negative operands"
CONDITIONS = (
    "a condition compares values with < <= > >= == !=; conditions can be combined with and, or, not"
)

_CONTAINERS = (ast.List, ast.Tuple, ast.Set, ast.Dict, ast.FormattedValue, ast.Starred, ast.Slice)

Position = tuple[int, int, int | None, int | None]

CallCompiler = Callable[[ast.Call, Scope, list[Statement]], Value | None]
"""A function that compiles a call of a function that the source defines."""


def position(node: ast.expr) -> Position:
    """Return the start and end of an expression, as line and column."""
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


class ExpressionCompiler:
    """A compiler of expressions; ``out`` receives the statements that must run before them."""

    def __init__(self, module: Module, names: VariableNames, name: str, call: CallCompiler):
        self.errors = module.errors
        self._module = module
        self._names = names
        self._name = name
        self._call = call
        self.byte_operations: set[tuple[bool, Position]] = set()
        self.folded: set[tuple[bool, Position]] = set()
        self.saved_values: set[tuple[bool, Position]] = set()
        self.discarded: list[Statement] = []
        """Code that was compiled only to find further errors."""

    # Values

    def value(self, node: ast.expr, scope: Scope, out: list[Statement]) -> Value:
        """Compile an expression to a value of its own type, which ``as_type`` can convert."""
        literal = constant(node)
        if literal is not None:
            is_character = isinstance(node, ast.Call)
            return self._number(literal, "byte" if is_character else "int", node)
        match node:
            case ast.Name(name):
                return self._read(name, node, scope)
            case ast.Subscript(value=ast.Name(name)):
                with self.reporting_errors_in(node.slice, scope=scope):
                    array = self.array(name, node, scope)
                index = self.index_in(name, node.slice, scope, out)
                return Element(array, index, self._names.arrays[array].type)
            case ast.UnaryOp(op=ast.USub()):
                operand = self.as_type(self.value(node.operand, scope, out), "int", node)
                return Binary("-", Number(0, "int"), operand, "int")
            case ast.BinOp():
                return self._binary(node, scope, out)
            case ast.Call(func=ast.Name(name)):
                return self._built_in_call(name, node, scope, out)
            case ast.Constant(value=str(text)):
                message = "a character is written `ord('x')`"
                if len(text) != 1:
                    message = f'text is not a value: print it with `puts("…")`; {message}'
                raise self.error(message, node)
            case (
                ast.Call(func=ast.Attribute(value=ast.Name(name)))
                | ast.Attribute(value=ast.Name(name))
            ) if name not in scope.assigned and name not in scope.arrays:
                self.check_known(name, node, scope)
                raise self.report(
                    unsupported_message(node, VALUES), node, scope, *child_expressions(node)
                )
            case ast.BoolOp() | ast.Compare() | ast.UnaryOp(op=ast.Not()):
                message = (
                    "a condition is not a value; use `if` and `else` to store 1 or 0 in a byte"
                )
                raise self.report(message, node, scope, node)
            case _:
                raise self.report(
                    unsupported_message(node, VALUES), node, scope, *child_expressions(node)
                )

    def index(self, node: ast.expr, scope: Scope, out: list[Statement]) -> Value:
        """Compile an expression that must be a byte, such as an index of an array."""
        return self.as_type(self.value(node, scope, out), "byte", node)

    def index_in(self, name: str, node: ast.expr, scope: Scope, out: list[Statement]) -> Value:
        """Compile an index in an array; raise SourceError for a negative literal."""
        literal = constant(node)
        if literal is not None and literal < 0:
            instead = f"write `{name}[len({name}) - {-literal}]`"
            raise self.error(f"negative indices are not supported: {instead}", node)
        return self.index(node, scope, out)

    def array(self, name: str, node: ast.AST, scope: Scope) -> str:
        """Return the name that an array of the source has in the generated program."""
        if name not in scope.arrays:
            self.check_known(name, node, scope)
            raise self.error(
                f"{name} is not an array here; `chars(n)` and `ints(n)` create one", node
            )
        return scope.arrays[name]

    def as_type(self, value: Value, type: Type, node: ast.AST) -> Value:
        """Convert a value to a type; raise SourceError if this is not possible.

        Every byte can become an int, but an int can become a byte only if it is a constant from 0
        to 255.
        """
        if isinstance(value, Number):
            if type == "byte" and not 0 <= value.value <= 255:
                raise self.error(f"expected a byte, 0 to 255, found {value.value}", node)
            return Number(value.value, type)
        if value.type == type:
            return value
        if type == "byte":
            raise self.error("expected a byte, found an int; `byte(x)` converts it", node)
        return Convert(value, "int")

    def pair(
        self, first: ast.expr, second: ast.expr, scope: Scope, out: list[Statement]
    ) -> tuple[Value, Value]:
        """Compile two expressions; side effects of the second do not change the first value."""
        with self.reporting_errors_in(second, scope=scope):
            left = self.value(first, scope, out)
        before = len(out)
        right = self.value(second, scope, out)
        saved = self.preserve(left, before, scope, first, out)
        if saved is not left:
            self.saved_values.add((scope.function.is_library, position(first)))
        return saved, right

    @contextmanager
    def reporting_errors_in(self, *others: ast.expr, scope: Scope) -> Generator[None]:
        """Report a SourceError of the ``with`` block together with the errors in ``others``.

        Then raises a FollowOnError.  If the block raises no SourceError, reports nothing.
        """
        try:
            yield
        except SourceError as error:
            self.errors.add(error)
            for one in others:
                self.report_errors_in(one, scope)
            raise self.follow_on_error(others[0]) from None

    def report(self, message: str, node: ast.AST, scope: Scope, *parts: ast.expr) -> FollowOnError:
        """Report an error at ``node``, then the errors in ``parts``; return the error to raise.

        parts: expressions whose own errors are reported too, usually the operands of the node.
        """
        self.errors.add(self.error(message, node))
        scope.unknown |= set(bound_names(node)) - scope.assigned - scope.arrays.keys()
        for part in parts:
            self.report_errors_in(part, scope)
        return self.follow_on_error(node)

    def report_errors_in(self, node: ast.expr, scope: Scope) -> None:
        """Report the errors of an expression whose value is not used."""
        try:
            match node:
                case ast.Name(name):
                    if isinstance(node.ctx, ast.Load) and not self._is_defined_elsewhere(
                        name, scope
                    ):
                        self._read(name, node, scope)
                case ast.Constant(value=str()) | ast.Lambda():
                    pass
                case ast.BoolOp() | ast.Compare() | ast.UnaryOp(op=ast.Not()):
                    self.condition(node, scope, self.discarded)
                case _ if isinstance(node, _CONTAINERS):
                    for part in child_expressions(node):
                        self.report_errors_in(part, scope)
                case ast.Call(func=ast.Name("range")) | ast.Subscript(ctx=ast.Store()):
                    for part in child_expressions(node):
                        self.report_errors_in(part, scope)
                case _:
                    self.value(node, scope, self.discarded)
        except SourceError as error:
            self.errors.add(error)

    def _is_defined_elsewhere(self, name: str, scope: Scope) -> bool:
        """Return whether a name is an array, a function or a built-in name, not a variable."""
        if name in scope.arrays or name in scope.local:
            return name in scope.arrays
        return name in self._module.functions or name in BUILT_IN or hasattr(builtins, name)

    def check_known(self, name: str, node: ast.AST, scope: Scope) -> None:
        """Raise FollowOnError if a name is undefined because of an earlier error."""
        if name in scope.unknown or (name in self._module.unknown and name not in scope.local):
            raise self.follow_on_error(node)

    def preserve(
        self, value: Value, start: int, scope: Scope, node: ast.AST, out: list[Statement]
    ) -> Value:
        """Return a value as it is before the statements ``out[start:]``, saved if necessary."""
        if len(out) == start or self._is_stable(value, scope):
            return value
        saved = self.save_value(value, scope, node, out, tuple(out[start:]))
        out.insert(start, out.pop())
        return saved

    def save_value(
        self,
        value: Value,
        scope: Scope,
        node: ast.AST,
        out: list[Statement],
        preserved_during: Block = (),
    ) -> Value:
        """Store a value in a new temporary variable and return a reference to the variable.

        A constant, a local variable or a temporary variable is returned as it is.
        ``preserved_during``: earlier statements that must not overwrite the new variable.
        """
        if self._is_stable(value, scope):
            return value
        name = self._names.new_temporary(value.type, preserved_during)
        out.append(Assign(name, value, scope.origin(node)))
        return VariableRef(name, value.type)

    def _is_stable(self, value: Value, scope: Scope) -> bool:
        if isinstance(value, VariableRef):
            return value.name[0] == "~" or value.name in {
                self._names.name_local(scope, name) for name in scope.local
            }
        return isinstance(value, Number)

    def _read(self, name: str, node: ast.expr, scope: Scope) -> Value:
        if name not in scope.assigned and name not in scope.arrays:
            self.check_known(name, node, scope)
        if name in scope.local:
            if name in scope.arrays:
                raise self.error(f"{name} is an array; expected a value", node)
            if name in scope.ended_variables:
                raise self.error(
                    f"the loop variable {name} has no value after the loop; "
                    f"assign a value to {name} first",
                    node,
                )
            if name not in scope.assigned:
                raise self.error(f"{name} has no value yet", node)
            own = self._names.name_local(scope, name)
            return VariableRef(own, self._names.variables[own])
        if name in self._module.globals:
            type = self._module.globals[name]
            return VariableRef(self._names.name_global(name, type), type)
        if name in self._module.constants:
            return Number(self._module.constants[name], "int")
        raise self.error(f"{name} is not defined", node)

    def _number(self, value: int, type: Type, node: ast.AST) -> Number:
        if value.bit_length() > MAX_NUMBER_BITS:
            raise self.error(f"a number must have at most {MAX_NUMBER_BITS:,} bits", node)
        return Number(value, type)

    def _binary(self, node: ast.BinOp, scope: Scope, out: list[Statement]) -> Value:
        if type(node.op) not in _OPERATORS:
            raise self.report(
                unsupported_message(node.op, OPERATIONS), node, scope, node.left, node.right
            )
        left, right = self.pair(node.left, node.right, scope, out)
        if self._common_type(left, right) == "byte":
            self.byte_operations.add((scope.function.is_library, position(node)))
        if isinstance(left, Number) and isinstance(right, Number):
            self.folded.add((scope.function.is_library, position(node)))
        return self.operation(node.op, left, right, node)

    def operation(self, op: ast.operator, left: Value, right: Value, node: ast.AST) -> Value:
        """Return the operation ``op`` on two values, or its result if both are constants."""
        operator = _OPERATORS.get(type(op))
        if operator is None:
            raise self.error(unsupported_message(op, OPERATIONS), node)
        if operator in ("//", "%"):
            self._check_division(left, right, node)
        if isinstance(left, Number) and isinstance(right, Number):
            return self._number(_FOLDED[operator](left.value, right.value), "int", node)
        common = self._common_type(left, right)
        return Binary(
            operator, self.as_type(left, common, node), self.as_type(right, common, node), common
        )

    def _check_division(self, left: Value, right: Value, node: ast.AST) -> None:
        """Raise SourceError for a constant divisor below 1 or a constant dividend below 0."""
        if isinstance(right, Number) and right.value == 0:
            problem = "division by zero: "
        elif (isinstance(right, Number) and right.value < 0) or (
            isinstance(left, Number) and left.value < 0
        ):
            problem = ""
        else:
            return
        dividend, divisor = operands(node)
        expected = f"expected a dividend >= 0 and a divisor >= 1, found {dividend} and {divisor}"
        raise self.error(f"{problem}{expected}; divide(a, b) accepts negative operands", node)

    def _common_type(self, left: Value, right: Value) -> Type:
        both = (left, right)
        if all(isinstance(one, Number) for one in both):
            return "int"
        fits = all(
            0 <= one.value <= 255 if isinstance(one, Number) else one.type == "byte" for one in both
        )
        return "byte" if fits else "int"

    def _built_in_call(
        self, name: str, node: ast.Call, scope: Scope, out: list[Statement]
    ) -> Value:
        if node.keywords:  # already reported
            for part in child_expressions(node):
                self.report_errors_in(part, scope)
            raise self.follow_on_error(node)
        match name, node.args:
            case "getc", []:
                temporary = self._names.new_temporary("byte")
                out.append(Read(temporary, scope.origin(node)))
                return VariableRef(temporary, "byte")
            case "byte", [operand]:
                value = self.value(operand, scope, out)
                if isinstance(value, Number):
                    return self.as_type(value, "byte", node)
                return value if value.type == "byte" else Convert(value, "byte")
            case "int", [operand]:
                return self.as_type(self.value(operand, scope, out), "int", node)
            case "append_digit", [first, second]:
                number, digit = self.pair(first, second, scope, out)
                return appended_number(
                    self.as_type(number, "int", node), self.as_type(digit, "int", node)
                )
            case "len", [ast.Name(array)]:
                length = self._names.arrays[self.array(array, node, scope)].length
                return Number(length, "int")
            case "ord", _:
                raise self.error("ord expects one ASCII character: ord('x')", node)
            case _:
                value = self._call(node, scope, out)
                if value is None:
                    raise self.error(f"expected a value, but {name} returns nothing", node)
                return value

    # Conditions

    def condition(self, node: ast.expr, scope: Scope, out: list[Statement]) -> Condition:
        """Compile an expression as a condition."""
        match node:
            case ast.BoolOp():
                joined = And if isinstance(node.op, ast.And) else Or
                found: list[Condition] = []
                failed = False
                for one in node.values:
                    try:
                        if one is node.values[0]:
                            found.append(self.condition(one, scope, out))
                        else:
                            found.append(self._pure_condition(one, scope))
                    except SourceError as error:
                        self.errors.add(error)
                        failed = True
                if failed:
                    raise self.follow_on_error(node)
                return reduce(joined, found)
            case ast.UnaryOp(op=ast.Not()):
                return Not(self.condition(node.operand, scope, out))
            case ast.Compare(ops=[ast.In() | ast.NotIn() | ast.Is() | ast.IsNot(), *_]):
                message = unsupported_message(node.ops[0], CONDITIONS)
                raise self.report(message, node, scope, node.left, *node.comparators)
            case ast.Compare(ops=[operator], comparators=[second]):
                left, right = self.pair(node.left, second, scope, out)
                return self._compare(operator, left, right, node)
            case ast.Compare(ops=[first, second], comparators=[middle, last]):
                if constant(middle) is None and not isinstance(middle, ast.Name):
                    message = (
                        "in `a < b < c`, `b` must be a name or a number; assign it to a variable "
                        "first"
                    )
                    raise self.report(message, middle, scope, node.left, middle, last)
                with self.reporting_errors_in(last, scope=scope):
                    left, centre = self.pair(node.left, middle, scope, out)
                whole = self._compare(first, left, centre, node)
                right = self._pure_value(last, scope)
                return And(whole, self._compare(second, centre, right, node))
            case ast.Constant(value=bool(known)):
                same = "1 == 1" if known else "1 == 0"
                message = (
                    f"`{known}` is not a condition: write a comparison, or `{same}`; {CONDITIONS}"
                )
                raise self.error(message, node)
            case ast.Name(name):
                message = f"`{name}` alone is not a condition: write `{name} != 0`; {CONDITIONS}"
                raise self.report(message, node, scope, node)
            case ast.Compare():
                message = (
                    "more than three values in a chain of comparisons: write separate comparisons "
                    "and join these with `and`; "
                    f"{CONDITIONS}"
                )
                raise self.report(message, node, scope, node.left, *node.comparators)
            case _:
                parts = child_expressions(node) if replacement(node) else (node,)
                raise self.report(unsupported_message(node, CONDITIONS), node, scope, *parts)

    def _pure_condition(self, node: ast.expr, scope: Scope) -> Condition:
        before: list[Statement] = []
        condition = self.condition(node, scope, before)
        self._reject_calls(before, node)
        return condition

    def _pure_value(self, node: ast.expr, scope: Scope) -> Value:
        before: list[Statement] = []
        value = self.value(node, scope, before)
        self._reject_calls(before, node)
        return value

    def _reject_calls(self, before: list[Statement], node: ast.expr) -> None:
        """Raise SourceError if the statements ``before``, such as a call, must precede ``node``."""
        if before:
            message = (
                "a call cannot follow `and` or `or`, and cannot be `c` in `a < b < c`; assign its "
                "result to a variable first"
            )
            raise self.error(message, node)

    def _compare(self, operator: ast.cmpop, left: Value, right: Value, node: ast.expr) -> Condition:
        common = self._common_type(left, right)
        if isinstance(left, Number) and isinstance(right, Number):
            common = "int"
        left, right = self.as_type(left, common, node), self.as_type(right, common, node)
        match operator:
            case ast.Lt():
                return Compare("<", left, right)
            case ast.GtE():
                return Not(Compare("<", left, right))
            case ast.Gt():
                return Compare("<", right, left)
            case ast.LtE():
                return Not(Compare("<", right, left))
            case ast.Eq():
                return Compare("==", left, right)
            case ast.NotEq():
                return Not(Compare("==", left, right))
            case _:
                raise self.error(CONDITIONS, node)

    def follow_on_error(self, node: ast.AST) -> FollowOnError:
        """Return the error to raise if ``node`` cannot be compiled because of an earlier error."""
        place = cast("ast.expr", node)
        message = "this follows from an error"
        return FollowOnError(message, place.lineno, place.col_offset + 1, self._name)

    def error(self, message: str, node: ast.AST) -> SourceError:
        """Return a SourceError with ``message`` at the position of ``node``."""
        place = cast("ast.expr", node)
        return SourceError(message, place.lineno, place.col_offset + 1, self._name)


def child_expressions(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the direct subexpressions of a node, without the name of a called function."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            if not isinstance(node, ast.Call) or child is not node.func:
                yield child
            elif not isinstance(child, ast.Name):
                yield from child_expressions(child)
        elif isinstance(child, ast.keyword | ast.comprehension):
            yield from child_expressions(child)


def operands(node: ast.AST) -> tuple[str, str]:
    """Return the two operands of an operation such as ``a + b`` or ``a += b`` as source text."""
    match node:
        case ast.BinOp(left=left, right=right):
            return ast.unparse(left), ast.unparse(right)
        case ast.AugAssign(target=left, value=right):
            return ast.unparse(left), ast.unparse(right)
        case _:
            raise TypeError(f"not an operation: {node!r}")


def appended_number(number: Value, digit: Value) -> Value:
    """Return 10 * number + digit."""
    digit = digit if digit.type == "int" else Convert(digit, "int")
    return Binary("+", Binary("*", number, Number(10, "int"), "int"), digit, "int")
