"""From the functions of a source to the statements of one program."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from esoplay.codegen.assignments import Assignments
from esoplay.codegen.errors import SourceError, explained, loop_replacement
from esoplay.codegen.grammar import (
    ELEMENTS,
    Kind,
    Module,
    SourceFunction,
    check_by_python,
    read_module,
    too_deep,
)
from esoplay.codegen.ir import (
    Append,
    Assign,
    Binary,
    Block,
    Compare,
    Condition,
    If,
    IrProgram,
    Number,
    PrintByte,
    Read,
    Statement,
    Type,
    Value,
    VariableRef,
    While,
    WriteInt,
    WriteText,
    names_in,
    names_read,
    statements,
    type_of_loop,
)
from esoplay.codegen.scope import Scope, VariableNames, assigned_names, ended_loops, joined
from esoplay.codegen.values import STATEMENTS, ExpressionCompiler, Position

MOST_CALLS = 20_000
"""Calls of a program: each becomes a copy of its function, within copies of those around it."""


def compile_source(text: str, name: str = "source") -> IrProgram:
    """The program that a source means.

    ``name`` is what errors call the source.  Raises SourceError with line and column, which has
    all the errors that were found.
    """
    return lower(text, name).program


class Lowered(NamedTuple):
    """A program, and what CPython has to know of the expressions of its source to check them.

    Each place says first whether it is in the prelude.  byte_operations: those on two bytes.
    folded: those on two constants, which no program computes.  held: values that a program puts
    into a variable of its own, as what follows in the expression may change what they come from.
    """

    program: IrProgram
    byte_operations: frozenset[tuple[bool, Position]]
    folded: frozenset[tuple[bool, Position]]
    held: frozenset[tuple[bool, Position]]


@lru_cache(8)
def lower(text: str, name: str = "source") -> Lowered:
    """Like :func:`compile_source`; kept, as one source is run and compiled to many languages."""
    module = read_module(text, name)
    try:
        lowered = _Lowering(module, name).lowered()
        if not module.errors:
            check_by_python(text, name)
    except (RecursionError, MemoryError):
        module.errors.add(too_deep(text, name))
        raise module.errors.all() from None
    if module.errors or lowered is None:
        raise module.errors.all()
    return lowered


class _Lowering:
    def __init__(self, module: Module, name: str):
        self._module = module
        self._name = name
        self._names = VariableNames()
        self._values = ExpressionCompiler(module, self._names, name, self._call)
        self._assignments = Assignments(module, self._names, self._values)
        self._active: list[str] = []
        self._calls = 0
        self._error = self._values.error
        self._errors = module.errors

    def lowered(self) -> Lowered | None:
        """None where there were errors, which the module has."""
        main = self._module.functions["main"]
        out: list[Statement] = []
        scope = Scope(main, None, local=assigned_names(main.node) - main.shared)
        for name, start in self._module.starts.items():
            if start:
                own = self._names.of_global(name, self._module.globals[name])
                number = Number(start, self._module.globals[name])
                out.append(Assign(own, number, scope.origin(main.node)))
        self._body(scope, out)
        if self._errors:
            return None
        names = self._names
        program = tidy(IrProgram(tuple(out), names.variables, names.arrays, names.labels))
        values = self._values
        return Lowered(
            program,
            frozenset(values.byte_operations),
            frozenset(values.folded),
            frozenset(values.held_values),
        )

    # Functions

    def _call(self, node: ast.Call, scope: Scope, out: list[Statement]) -> Value | None:
        """A call of one of the source's functions; its body is appended to ``out``."""
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        function = self._module.functions.get(name)
        if function is None:
            self._values.check_known(name, node, scope)
            known = ", ".join(sorted(self._module.functions.keys() - {"main"}))
            message = f"there is no function {name}; there are {known}"
            raise self._error(explained(node, message), node)
        if name in self._active:
            message = f"{name} calls itself; functions are not recursive: use a loop, and an array"
            raise self._error(f"{message} for what has to be remembered", node)
        if len(node.args) != len(function.parameters):
            raise self._error(f"{name} takes {len(function.parameters)} arguments", node)
        self._calls += 1
        if self._calls > MOST_CALLS + 1:
            raise self._values.consequence(node)
        if self._calls > MOST_CALLS:
            raise self._error(f"the calls unfold into more than {MOST_CALLS:,} copies", node)
        local = assigned_names(function.node) | {one for one, _ in function.parameters}
        inner = Scope(function, scope.origin(node), local=local - function.shared)
        values = self._arguments(node, function, scope, inner, out)
        given: set[str] = set()
        for at, (parameter, type, value) in enumerate(values):
            if not given.isdisjoint(names_in(value)):  # what another call of it returned
                values[at] = parameter, type, self._values.held(value, scope, node, out)
            given.add(self._names.of_local(inner, parameter))
        for parameter, type, value in values:
            own = self._assignments.declare(parameter, type, inner)
            out.append(Assign(own, value, inner.origin(node)))
        return self._body(inner, out)

    def _arguments(
        self,
        node: ast.Call,
        function: SourceFunction,
        scope: Scope,
        inner: Scope,
        out: list[Statement],
    ) -> list[tuple[str, Type, Value]]:
        """Parameters with the values that they had when evaluated; arrays go to ``inner``."""
        values: list[tuple[str, Type, Value]] = []
        failed = False
        for argument, (parameter, kind) in zip(node.args, function.parameters, strict=True):
            try:
                if kind in ELEMENTS:
                    inner.arrays[parameter] = self._array_argument(argument, kind, scope)
                    continue
                type: Type = "byte" if kind == "byte" else "int"
                before = len(out)
                value = self._values.value(argument, scope, out)
                value = self._values.as_type(value, type, argument)
            except SourceError as error:
                self._errors.add(error)
                failed = True
                continue
            values = [
                (one, its, self._values.kept(earlier, before, scope, argument, out))
                for one, its, earlier in values
            ]
            values.append((parameter, type, value))
        if failed:
            raise self._values.consequence(node)
        return values

    def _array_argument(self, node: ast.expr, kind: Kind, scope: Scope) -> str:
        if not isinstance(node, ast.Name):
            raise self._error("expected the name of an array", node)
        own = self._values.array(node.id, node, scope)
        if self._names.arrays[own].type != ELEMENTS[kind]:
            raise self._error(f"expected {kind}, found an array of the other kind", node)
        return own

    def _body(self, scope: Scope, out: list[Statement]) -> Value | None:
        function = scope.function
        *body, last = function.node.body
        self._active.append(function.name)
        for statement in body:
            self._statement(statement, scope, out)
        try:
            return self._end(last, scope, out)
        except SourceError as error:
            self._errors.add(error)
            if function.result is not None:
                raise self._values.consequence(last) from None
            return None
        finally:
            self._active.pop()

    def _end(self, node: ast.stmt, scope: Scope, out: list[Statement]) -> Value | None:
        """The last statement of a function, and what the function returns."""
        function = scope.function
        match node:
            case ast.Return(value=ast.expr() as value) if function.result is not None:
                result = self._values.value(value, scope, out)
                return self._values.as_type(result, function.result, value)
            case ast.Return(value=None) if function.result is None:
                return None
            case ast.Return():
                raise self._error(f"{function.name} returns {function.result or 'nothing'}", node)
            case _:
                self._statement(node, scope, out)
                if function.result is not None:
                    raise self._error(f"{function.name} ends with return", node)
                return None

    # Statements

    def _block(self, nodes: Sequence[ast.stmt], scope: Scope) -> Block:
        out: list[Statement] = []
        for node in nodes:
            self._statement(node, scope, out)
        return tuple(out)

    def _statement(self, node: ast.stmt, scope: Scope, out: list[Statement]) -> None:
        """A statement; its error is kept, and what it would have given a value is unknown."""
        held = self._names.held
        try:
            self._write(node, scope, out)
        except SourceError as error:
            self._errors.add(error)
            scope.unknown |= assigned_names(node) - scope.given - scope.arrays.keys()
        self._names.let_go(held)

    def _condition(self, node: ast.expr, scope: Scope, out: list[Statement]) -> Condition:
        """A condition; its error is kept, so that the blocks behind it are looked at."""
        try:
            return self._values.condition(node, scope, out)
        except SourceError as error:
            self._errors.add(error)
            return Compare("==", Number(0, "int"), Number(0, "int"))

    def _write(self, node: ast.stmt, scope: Scope, out: list[Statement]) -> None:
        match node:
            case ast.Pass() | ast.Global() | ast.Expr(value=ast.Constant(value=str())):
                pass
            case ast.Assign(targets=[ast.Name(name)]):
                self._assignments.assign(name, None, node.value, node, scope, out)
            case ast.AnnAssign(target=ast.Name(name), value=ast.expr() as value):
                type = self._assignments.annotated(node.annotation)
                self._assignments.assign(name, type, value, node, scope, out)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(name)) as target]):
                self._assignments.store(name, target, node.value, node, scope, out)
            case ast.AugAssign(target=ast.Name(name)):
                value = joined(ast.Name(name, ast.Load()), node)
                self._assignments.assign(name, None, value, node, scope, out)
            case ast.AugAssign(target=ast.Subscript(value=ast.Name(name)) as target):
                self._assignments.change(name, target, node, scope, out)
            case ast.Expr(value=ast.Call() as call):
                self._called(call, scope, out)
            case ast.If():
                condition = self._condition(node.test, scope, out)
                ended = set(scope.ended)
                then = self._block(node.body, scope)
                ended, scope.ended = scope.ended, ended
                otherwise = self._block(node.orelse, scope)
                scope.ended |= ended
                out.append(If(condition, then, otherwise, scope.origin(node)))
            case ast.While(orelse=[]):
                before: list[Statement] = []
                scope.ended |= ended_loops(node.body)
                ended = set(scope.ended)
                condition = self._condition(node.test, scope, before)
                body = self._block(node.body, scope)
                scope.ended = ended
                out.append(While(tuple(before), condition, body, scope.origin(node)))
            case ast.For(orelse=[]):
                self._for(node, scope, out)
            case ast.Return():
                message = "return is the last statement of its function"
                advice = "keep the result in a variable, and return that at the end"
                raise self._error(f"{message}: {advice}", node)
            case _:
                self._errors.add(self._error(explained(node, STATEMENTS), node))
                scope.unknown |= assigned_names(node) - scope.given
                for block in _inner_blocks(node):
                    self._block(block, scope)
                raise self._values.consequence(node)

    def _called(self, node: ast.Call, scope: Scope, out: list[Statement]) -> None:
        """A call that stands alone."""
        if node.keywords:  # an error that was found before
            raise self._values.consequence(node)
        origin = scope.origin(node)
        match node:
            case ast.Call(func=ast.Name("putc"), args=[operand]):
                out.append(PrintByte(self._values.index(operand, scope, out), origin))
            case ast.Call(func=ast.Name("print_int"), args=[operand]):
                value = self._values.value(operand, scope, out)
                out.append(WriteInt(self._values.as_type(value, "int", operand), origin))
            case ast.Call(func=ast.Name("puts"), args=[ast.Constant(value=str(text))]):
                if not text.isascii():
                    raise self._error("puts takes characters of ASCII", node)
                if text:
                    out.append(WriteText(text, origin))
            case ast.Call(func=ast.Name("putc" | "print_int" | "puts" as name)):
                raise self._error(f"{name} takes one {'text' if name == 'puts' else 'value'}", node)
            case ast.Call(func=ast.Name(name)) if name in self._module.functions:
                self._call(node, scope, out)
            case ast.Call(func=ast.Name("getc"), args=[]):
                self._values.value(node, scope, out)
            case ast.Call(func=ast.Name(name)):
                self._values.check_known(name, node, scope)
                message = f"there is no function {name} that could stand alone"
                raise self._error(explained(node, message), node)
            case _:
                raise self._error(explained(node, STATEMENTS), node)

    def _for(self, node: ast.For, scope: Scope, out: list[Statement]) -> None:
        try:
            counter, limit, first = self._counted(node, scope, out)
        except SourceError as error:
            self._errors.add(error)
            scope.unknown |= assigned_names(node.target) - scope.given
            self._block(node.body, scope)
            return
        origin = scope.origin(node)
        name = node.target.id if isinstance(node.target, ast.Name) else ""
        scope.ended |= ended_loops(node.body)
        ended = scope.ended | {name}
        out.append(Assign(self._assignments.target(name, counter.type, node, scope), first, origin))
        scope.looping.add(name)
        body = list(self._block(node.body, scope))
        scope.looping.discard(name)
        scope.ended = ended
        one = Number(1, counter.type)
        body.append(Assign(counter.name, Binary("+", counter, one, counter.type), origin))
        out.append(While((), Compare("<", counter, limit), tuple(body), origin))

    def _counted(
        self, node: ast.For, scope: Scope, out: list[Statement]
    ) -> tuple[VariableRef, Value, Value]:
        """The variable of a loop, its end, and the value that it begins with."""
        match node.target, node.iter:
            case ast.Name(name), ast.Call(func=ast.Name("range"), args=[end]):
                start: ast.expr = ast.copy_location(ast.Constant(0), end)
            case ast.Name(name), ast.Call(func=ast.Name("range"), args=[start, end]):
                pass
            case _:
                known = "a loop is for NAME in range(END) or range(START, END)"
                raise self._error(loop_replacement(node) + known, node)
        if name in scope.function.shared:
            raise self._error(f"{name} is global, and the variable of a loop is local", node)
        origin = scope.origin(node)
        first, limit = self._values.pair(start, end, scope, out)
        type = type_of_loop(first, limit)
        own = self._names.of_local(scope, name)
        known = self._names.variables.get(own, type)
        if known == "byte" and type == "int":
            raise self._error(f"{name} is a byte already, and this loop counts ints", node)
        type = known
        first, limit = (self._values.as_type(one, type, node) for one in (first, limit))
        own_names = {self._names.of_local(scope, one) for one in scope.local}
        changed = {self._names.of_local(scope, one) for one in assigned_names(node)}
        if not isinstance(limit, Number) and (
            not isinstance(limit, VariableRef) or limit.name not in own_names - changed
        ):
            bound = f"{own}.end"
            self._names.variables[bound] = type
            self._names.labels[bound] = f"end of the loop over {self._names.labels[own]}"
            out.append(Assign(bound, limit, origin))
            limit = VariableRef(bound, type)
        return VariableRef(own, type), limit, first


def _inner_blocks(node: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The blocks of a statement that no source has, to be looked at for further errors."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        for one in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            for part in ("body", "orelse", "finalbody"):
                yield getattr(one, part, [])


# Leaves out what a program does for nothing: variables that nobody reads.


def tidy(program: IrProgram) -> IrProgram:
    """The same program without assignments to variables that are never read."""
    while True:
        used = {name for one in statements(program.body) for name in names_read(one)}
        body = _without(program.body, used)
        if body == program.body:
            break
        program = replace(program, body=body)
    # What characters are read into stays, whether or not anybody looks at them.
    kept = used | {one.name for one in statements(program.body) if isinstance(one, Read)}
    return replace(
        program, variables={name: type for name, type in program.variables.items() if name in kept}
    )


def _without(block: Block, used: set[str]) -> Block:
    kept: list[Statement] = []
    for statement in block:
        match statement:
            case Assign(name) | Append(name) if name not in used:
                continue
            case If(_, then, otherwise):
                kept.append(
                    replace(
                        statement, then=_without(then, used), otherwise=_without(otherwise, used)
                    )
                )
            case While(before, _, body):
                kept.append(
                    replace(statement, before=_without(before, used), body=_without(body, used))
                )
            case _:
                kept.append(statement)
    return tuple(kept)
