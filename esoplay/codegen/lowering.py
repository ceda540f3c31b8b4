"""The compilation of a source's functions to the statements of one program."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache
from typing import NamedTuple

from esoplay.codegen.assignments import Assignments
from esoplay.codegen.back_ends import check_constants, find_back_end, range_errors
from esoplay.codegen.errors import (
    Errors,
    FollowOnError,
    SourceError,
    loop_replacement,
    unsupported_message,
)
from esoplay.codegen.failed_statements import (
    assignment_parts,
    loaded_names,
    own_expressions,
    spelled_ints,
)
from esoplay.codegen.grammar import (
    BUILT_IN,
    ELEMENTS,
    Module,
    NameKind,
    SourceFunction,
    check_by_python,
    nesting_error,
    read_module,
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
    PrintInt,
    PrintText,
    Read,
    SourceOrigin,
    Statement,
    Type,
    Value,
    VariableRef,
    While,
    names_in,
    names_read,
    statements,
    type_of_loop,
)
from esoplay.codegen.scope import (
    Scope,
    VariableNames,
    as_operation,
    assigned_names,
    ended_loop_variables,
)
from esoplay.codegen.values import STATEMENTS, USES, ExpressionCompiler, Position, child_expressions

MAX_CALLS = 20_000
"""The maximum number of calls in a program; a call in a function counts for each inlined copy."""


def compile_source(text: str, name: str = "source", language: str | None = None) -> IrProgram:
    """Compile a source to a program of the intermediate representation.

    Raises SourceError, in which ``name`` is the source's name, with all errors found.  If
    ``language`` is given, an int that the language cannot store is also an error.
    """
    return lower_for(text, name, language).program


def lower_for(text: str, name: str, language: str | None) -> LoweredProgram:
    """Compile like :func:`lower`, and report ints that ``language`` cannot store."""
    back_end = find_back_end(language) if language is not None else None
    try:
        lowered = lower(text, name)
    except SourceError as error:
        if back_end is None or back_end.ints is None or error.incomplete_program is None:
            raise
        errors = Errors()
        errors.add(error)
        for one in range_errors(error.incomplete_program, back_end.ints, back_end.language, name):
            errors.add(one)
        raise errors.combine() from None
    if back_end is not None and back_end.ints is not None:
        check_constants(lowered.program, back_end.ints, back_end.language, name)
    return lowered


class LoweredProgram(NamedTuple):
    """A program, with positions of expressions whose checks differ when CPython runs the source.

    Each position is preceded by True if it is in the prelude, else by False.  ``byte_operations``:
    operations on two bytes.  ``folded``: operations on constants, which programs do not compute.
    ``saved_values``: values that a program stores in a temporary variable, because the rest of the
    expression may change their operands.
    """

    program: IrProgram
    byte_operations: frozenset[tuple[bool, Position]]
    folded: frozenset[tuple[bool, Position]]
    saved_values: frozenset[tuple[bool, Position]]


@lru_cache(8)
def lower(text: str, name: str = "source") -> LoweredProgram:
    """Compile like :func:`compile_source`; cached, because all languages share the result."""
    module = read_module(text, name)
    try:
        lowered = _Lowering(module, name).run()
        if not module.errors:
            check_by_python(text, name)
    except (RecursionError, MemoryError):
        module.errors.add(nesting_error(text, name))
        raise module.errors.combine() from None
    if module.errors:
        error = module.errors.combine()
        error.incomplete_program = lowered.program
        raise error
    return lowered


class _Lowering:
    def __init__(self, module: Module, name: str):
        self._module = module
        self._name = name
        self._names = VariableNames()
        self._values = ExpressionCompiler(module, self._names, name, self._call)
        self._assignments = Assignments(module, self._names, self._values)
        self._active: list[str] = []
        self._compiled: set[str] = set()
        self._failed_reads: set[str] = set()
        self._calls = 0
        self._error = self._values.error
        self._errors = module.errors

    def run(self) -> LoweredProgram:
        """Compile ``main`` and return what could be compiled; add errors to ``module.errors``."""
        main = self._module.functions["main"]
        out: list[Statement] = []
        scope = Scope(main, None, local=assigned_names(main.node) - main.assigned_globals)
        for name, start in self._module.initial_values.items():
            if start:
                own = self._names.name_global(name, self._module.globals[name])
                number = Number(start, self._module.globals[name])
                out.append(Assign(own, number, scope.origin(main.node)))
        self._body(scope, out)
        names = self._names
        if self._errors:
            out += self._values.discarded
        program = IrProgram(tuple(out), names.variables, names.arrays, names.labels)
        program = remove_unused_variables(program, self._failed_reads)
        values = self._values
        return LoweredProgram(
            program,
            frozenset(values.byte_operations),
            frozenset(values.folded),
            frozenset(values.saved_values),
        )

    # Functions

    def _call(self, node: ast.Call, scope: Scope, out: list[Statement]) -> Value | None:
        """Compile a call of a function that the source defines; append its body to ``out``."""
        assert isinstance(node.func, ast.Name)
        name = node.func.id
        function = self._module.functions.get(name)
        if function is None:
            self._values.check_known(name, node, scope)
            known = ", ".join(sorted(self._module.functions.keys() - {"main"}))
            message = f"unknown function {name}; expected one of: {known}"
            if name in BUILT_IN:
                message = f"invalid use of {name}; expected {USES[name]}"
            raise self._values.report(unsupported_message(node, message), node, scope, *node.args)
        if name in self._active:
            message = f"{name} calls itself, and recursion is not supported: use a loop, and store"
            message += " intermediate values in an array"
            raise self._values.report(message, node, scope, *node.args)
        if len(node.args) != len(function.parameters):
            count = len(function.parameters)
            message = f"{name} expects {count} argument{'' if count == 1 else 's'}"
            self._report_errors_in(function, scope.origin(node))
            raise self._values.report(message, node, scope, *node.args)
        self._calls += 1
        if self._calls > MAX_CALLS + 1:
            raise self._values.follow_on_error(node)
        if self._calls > MAX_CALLS:
            raise self._error(
                f"the program has more than {MAX_CALLS:,} calls, including the calls in each "
                "inlined copy of a function",
                node,
            )
        local = assigned_names(function.node) | {one for one, _ in function.parameters}
        inner = Scope(function, scope.origin(node), local=local - function.assigned_globals)
        values = self._arguments(node, function, scope, inner, out)
        given: set[str] = set()
        for at, (parameter, type, value) in enumerate(values):
            if not given.isdisjoint(names_in(value)):  # the result of another call of this function
                values[at] = parameter, type, self._values.save_value(value, scope, node, out)
            given.add(self._names.name_local(inner, parameter))
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
        """Compile the arguments of a call; return name, type and value of each number parameter.

        scope: the scope of the call. inner: the scope of the called function, to which array
        arguments are added. out: receives statements that compute values.
        """
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
                (one, its, self._values.preserve(earlier, before, scope, argument, out))
                for one, its, earlier in values
            ]
            values.append((parameter, type, value))
        if failed:
            self._report_errors_in(function, inner.caller)
            raise self._values.follow_on_error(node)
        return values

    def _report_errors_in(self, function: SourceFunction, caller: SourceOrigin | None) -> None:
        """Report the errors in a function that is called with wrong arguments."""
        if function.name in self._compiled:
            return
        local = assigned_names(function.node) | {one for one, _ in function.parameters}
        scope = Scope(function, caller, local=local - function.assigned_globals)
        scope.unknown |= {one for one, _ in function.parameters}
        for parameter, kind in function.parameters:
            if kind not in ELEMENTS:
                type: Type = "byte" if kind == "byte" else "int"
                self._names.variables.setdefault(self._names.name_local(scope, parameter), type)
        with suppress(FollowOnError):
            self._body(scope, self._values.discarded)

    def _array_argument(self, node: ast.expr, kind: NameKind, scope: Scope) -> str:
        if not isinstance(node, ast.Name):
            raise self._error("expected the name of an array", node)
        own = self._values.array(node.id, node, scope)
        if self._names.arrays[own].type != ELEMENTS[kind]:
            raise self._error(f"expected an array made with {kind}(n)", node)
        return own

    def _body(self, scope: Scope, out: list[Statement]) -> Value | None:
        function = scope.function
        self._compiled.add(function.name)
        *body, last = function.node.body
        self._active.append(function.name)
        for statement in body:
            self._statement(statement, scope, out)
        try:
            return self._last_statement(last, scope, out)
        except SourceError as error:
            self._report_failed_statement(error, last, scope, out)
            if function.result is not None:
                raise self._values.follow_on_error(last) from None
            return None
        finally:
            self._active.pop()

    def _last_statement(self, node: ast.stmt, scope: Scope, out: list[Statement]) -> Value | None:
        """Compile the last statement of a function; return the function's result, if any."""
        function = scope.function
        match node:
            case ast.Return(value=ast.expr() as value) if function.result is not None:
                result = self._values.value(value, scope, out)
                return self._values.as_type(result, function.result, value)
            case ast.Return(value=None) if function.result is None:
                return None
            case ast.Return():
                message = f"{function.name} must return {function.result or 'nothing'}"
                raise self._values.report(message, node, scope, *child_expressions(node))
            case _:
                self._statement(node, scope, out)
                early = any(isinstance(one, ast.Return) for one in ast.walk(node))
                if function.result is not None and not early:
                    raise self._error(f"{function.name} must end with return", node)
                return None

    # Statements

    def _block(self, nodes: Sequence[ast.stmt], scope: Scope) -> Block:
        out: list[Statement] = []
        for node in nodes:
            self._statement(node, scope, out)
        return tuple(out)

    def _statement(self, node: ast.stmt, scope: Scope, out: list[Statement]) -> None:
        """Compile a statement; on an error, record it and treat the assigned names as unknown."""
        temporaries = self._names.temporaries_in_use
        try:
            self._compile_statement(node, scope, out)
        except SourceError as error:
            self._report_failed_statement(error, node, scope, out)
            scope.unknown |= assigned_names(node) - scope.assigned - scope.arrays.keys()
        self._names.release(temporaries)

    def _report_failed_statement(
        self, error: SourceError, node: ast.stmt, scope: Scope, out: list[Statement]
    ) -> None:
        """Record an error in a statement, and keep its names and numbers for later checks.

        The variables that it reads count as used, so that assignments to them are not removed.  Its
        numbers are added to ``out`` in print statements, so that their range is checked.
        """
        self._errors.add(error)
        for one in own_expressions(node):
            self._failed_reads |= {
                f"@{name}" if name in self._module.globals else self._names.name_local(scope, name)
                for name in loaded_names(one)
            }
            out += (
                PrintInt(Number(value, "int"), scope.origin(node))
                for value, place in spelled_ints(one)
                if place not in self._errors.places()
            )

    def _condition(self, node: ast.expr, scope: Scope, out: list[Statement]) -> Condition:
        """Compile a condition; store an error instead of raising it, to continue compiling."""
        try:
            return self._values.condition(node, scope, out)
        except SourceError as error:
            self._report_failed_statement(
                error, ast.copy_location(ast.Expr(node), node), scope, out
            )
            return Compare("==", Number(0, "int"), Number(0, "int"))

    def _compile_statement(self, node: ast.stmt, scope: Scope, out: list[Statement]) -> None:
        match node:
            case ast.Pass() | ast.Global() | ast.Expr(value=ast.Constant(value=str())):
                pass
            case ast.Assign(targets=[ast.Name(name)]):
                self._assignments.assign(name, None, node.value, node, scope, out)
            case ast.AnnAssign(target=ast.Name(name), value=ast.expr() as value):
                type = self._assignments.annotated_type(node.annotation)
                self._assignments.assign(name, type, value, node, scope, out)
            case ast.Assign(targets=[ast.Subscript(value=ast.Name(name)) as target]):
                self._assignments.store(name, target, node.value, node, scope, out)
            case ast.AugAssign(target=ast.Name(name)):
                value = as_operation(ast.Name(name, ast.Load()), node)
                self._assignments.assign(name, None, value, node, scope, out)
            case ast.AugAssign(target=ast.Subscript(value=ast.Name(name)) as target):
                self._assignments.change(name, target, node, scope, out)
            case ast.Expr(value=ast.Call() as call):
                self._call_statement(call, scope, out)
            case ast.If():
                condition = self._condition(node.test, scope, out)
                ended = set(scope.ended_variables)
                then = self._block(node.body, scope)
                ended, scope.ended_variables = scope.ended_variables, ended
                otherwise = self._block(node.orelse, scope)
                scope.ended_variables |= ended
                out.append(If(condition, then, otherwise, scope.origin(node)))
            case ast.While(orelse=[]):
                before: list[Statement] = []
                scope.ended_variables |= ended_loop_variables(node.body)
                ended = set(scope.ended_variables)
                condition = self._condition(node.test, scope, before)
                body = self._block(node.body, scope)
                scope.ended_variables = ended
                out.append(While(tuple(before), condition, body, scope.origin(node)))
            case ast.For(orelse=[]):
                self._for(node, scope, out)
            case ast.Return():
                message = "return must be the last statement of its function"
                advice = "store the result in a variable, and return the variable at the end"
                raise self._values.report(
                    f"{message}: {advice}", node, scope, *child_expressions(node)
                )
            case _:
                self._report_unsupported(node, scope, out)

    def _report_unsupported(self, node: ast.stmt, scope: Scope, out: list[Statement]) -> None:
        """Report a statement that is not supported, and the errors in its values and blocks."""
        values: list[ast.expr] = []
        match node:
            case ast.Assign() | ast.AugAssign() | ast.AnnAssign():
                values = [*assignment_parts(node)]
            case ast.Expr(value=value):
                values = [value]
            case ast.Match(subject=value) | ast.For(iter=value):
                values = [value]
            case ast.While(test=test) | ast.Assert(test=test):
                self._condition(test, scope, out)
            case _:
                pass
        try:
            raise self._values.report(unsupported_message(node, STATEMENTS), node, scope, *values)
        finally:
            for block in _inner_blocks(node):
                out += self._block(block, scope)

    def _call_statement(self, node: ast.Call, scope: Scope, out: list[Statement]) -> None:
        """Compile a call that is a statement."""
        if node.keywords:  # already reported
            for part in child_expressions(node):
                self._values.report_errors_in(part, scope)
            raise self._values.follow_on_error(node)
        origin = scope.origin(node)
        match node:
            case ast.Call(func=ast.Name("putc"), args=[operand]):
                out.append(PrintByte(self._values.index(operand, scope, out), origin))
            case ast.Call(func=ast.Name("print_int"), args=[operand]):
                value = self._values.value(operand, scope, out)
                out.append(PrintInt(self._values.as_type(value, "int", operand), origin))
            case ast.Call(func=ast.Name("puts"), args=[ast.Constant(value=str(text))]):
                if not text.isascii():
                    raise self._error("puts expects ASCII characters", node)
                if text:
                    out.append(PrintText(text, origin))
            case ast.Call(func=ast.Name("putc" | "print_int" | "puts" as name)):
                message = f"{name} expects one {'string' if name == 'puts' else 'value'}"
                raise self._values.report(message, node, scope, *node.args)
            case ast.Call(func=ast.Name(name)) if name in self._module.functions:
                self._call(node, scope, out)
            case ast.Call(func=ast.Name("getc"), args=[]):
                self._values.value(node, scope, out)
            case ast.Call(func=ast.Name(name)):
                self._values.check_known(name, node, scope)
                message = f"unknown function {name}"
                if name in BUILT_IN:
                    message = f"{name} cannot be called as a statement"
                raise self._values.report(
                    unsupported_message(node, message), node, scope, *node.args
                )
            case _:
                raise self._values.report(
                    unsupported_message(node, STATEMENTS), node, scope, *child_expressions(node)
                )

    def _for(self, node: ast.For, scope: Scope, out: list[Statement]) -> None:
        try:
            counter, limit, first = self._loop_range(node, scope, out)
        except SourceError as error:
            head = ast.copy_location(ast.Expr(node.iter), node)
            self._report_failed_statement(error, head, scope, out)
            scope.unknown |= assigned_names(node.target) - scope.assigned
            out += self._block(node.body, scope)
            return
        origin = scope.origin(node)
        name = node.target.id if isinstance(node.target, ast.Name) else ""
        scope.ended_variables |= ended_loop_variables(node.body)
        ended = scope.ended_variables | {name}
        out.append(Assign(self._assignments.target(name, counter.type, node, scope), first, origin))
        scope.loop_variables.add(name)
        body = list(self._block(node.body, scope))
        scope.loop_variables.discard(name)
        scope.ended_variables = ended
        one = Number(1, counter.type)
        body.append(Assign(counter.name, Binary("+", counter, one, counter.type), origin))
        out.append(While((), Compare("<", counter, limit), tuple(body), origin))

    def _loop_range(
        self, node: ast.For, scope: Scope, out: list[Statement]
    ) -> tuple[VariableRef, Value, Value]:
        """Return the variable of a ``for`` loop, and the end and the start of its range."""
        match node.target, node.iter:
            case ast.Name(name), ast.Call(func=ast.Name("range"), args=[end]):
                start: ast.expr = ast.copy_location(ast.Constant(0), end)
            case ast.Name(name), ast.Call(func=ast.Name("range"), args=[start, end]):
                pass
            case _:
                known = "expected for NAME in range(END) or for NAME in range(START, END)"
                found = loop_replacement(node)
                parts = (node.iter,)
                if found and isinstance(node.iter, ast.Call):
                    parts = tuple(child_expressions(node.iter))
                raise self._values.report(found + known, node, scope, *parts)
        if name in scope.function.assigned_globals:
            message = f"{name} is global; the variable of a loop must be local"
            raise self._values.report(message, node, scope, start, end)
        origin = scope.origin(node)
        first, limit = self._values.pair(start, end, scope, out)
        type = type_of_loop(first, limit)
        own = self._names.name_local(scope, name)
        known = self._names.variables.get(own, type)
        if known == "byte" and type == "int":
            message = f"{name} is already a byte, but this range needs an int: use another name"
            raise self._error(message, node)
        type = known
        first, limit = (self._values.as_type(one, type, node) for one in (first, limit))
        own_names = {self._names.name_local(scope, one) for one in scope.local}
        changed = {self._names.name_local(scope, one) for one in assigned_names(node)}
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
    """Yield the blocks of an unsupported statement, to find further errors."""
    if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        for one in (node, *getattr(node, "handlers", ()), *getattr(node, "cases", ())):
            for part in ("body", "orelse", "finalbody"):
                yield getattr(one, part, [])


# Removal of variables that are never read.


def remove_unused_variables(
    program: IrProgram, read_names: AbstractSet[str] = frozenset()
) -> IrProgram:
    """Return a program without assignments to variables that are never read.

    ``read_names`` are names of variables that count as read.
    """
    while True:
        used = {name for one in statements(program.body) for name in names_read(one)} | read_names
        body = _remove_unused_assignments(program.body, used)
        if body == program.body:
            break
        program = replace(program, body=body)
    # Targets of reads are needed, even if they are unused.
    kept = used | {one.name for one in statements(program.body) if isinstance(one, Read)}
    return replace(
        program, variables={name: type for name, type in program.variables.items() if name in kept}
    )


def _remove_unused_assignments(block: Block, used: set[str]) -> Block:
    kept: list[Statement] = []
    for statement in block:
        match statement:
            case Assign(name) | Append(name) if name not in used:
                continue
            case If(_, then, otherwise):
                kept.append(
                    replace(
                        statement,
                        then=_remove_unused_assignments(then, used),
                        otherwise=_remove_unused_assignments(otherwise, used),
                    )
                )
            case While(before, _, body):
                kept.append(
                    replace(
                        statement,
                        before=_remove_unused_assignments(before, used),
                        body=_remove_unused_assignments(body, used),
                    )
                )
            case _:
                kept.append(statement)
    return tuple(kept)
