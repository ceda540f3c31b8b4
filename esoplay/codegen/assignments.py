"""Compile assignments to variables and to elements of arrays."""

from __future__ import annotations

import ast

from esoplay.codegen.grammar import Module, constant
from esoplay.codegen.ir import (
    Append,
    Array,
    Assign,
    Clear,
    Element,
    Read,
    Statement,
    StoreElement,
    Type,
    Value,
)
from esoplay.codegen.scope import Scope, VariableNames
from esoplay.codegen.values import ExpressionCompiler, appended_number

MAX_ARRAY_LENGTH = 256
"""The maximum number of elements of an array, because an index is a byte."""


class Assignments:
    """A compiler of assignments.

    Each method appends the assignment to ``out``, after the statements that must run before it.
    """

    def __init__(self, module: Module, names: VariableNames, values: ExpressionCompiler):
        self._module = module
        self._names = names
        self._values = values
        self._error = values.error

    def declare(self, name: str, type: Type, scope: Scope) -> str:
        """Register an assigned local variable; return its name in the generated program."""
        own = self._names.name_local(scope, name)
        self._names.variables.setdefault(own, type)
        scope.assigned.add(name)
        scope.ended_variables.discard(name)
        return own

    def target(self, name: str, type: Type, node: ast.AST, scope: Scope) -> str:
        """Return the generated program's name for ``name``, a variable that is assigned a value.

        Raises SourceError if ``name`` is an array, a loop variable or otherwise not assignable.
        """
        self._check_target(name, node, scope)
        if name in scope.function.assigned_globals:
            return self._names.name_global(name, self._module.globals[name])
        return self.declare(name, type, scope)

    def _check_target(self, name: str, node: ast.AST, scope: Scope) -> None:
        if name in scope.function.assigned_globals and name not in self._module.globals:
            raise self._values.follow_on_error(node)
        if name in scope.loop_variables:
            raise self._error(
                f"{name} is the variable of an enclosing loop and cannot be assigned in it", node
            )
        if name in scope.arrays:
            raise self._error(f"{name} is an array; only its elements can be assigned", node)

    def assign(
        self,
        name: str,
        annotation: Type | None,
        node: ast.expr,
        statement: ast.stmt,
        scope: Scope,
        out: list[Statement],
    ) -> None:
        """Compile ``name = node``; ``annotation`` is the type annotation, if any.

        statement: the whole statement. out: the list to which the compiled statements are added.
        """
        origin = scope.origin(statement)
        match node:
            case ast.Call(func=ast.Name("chars" | "ints" as kind), args=[length]):
                if name in scope.function.assigned_globals and name not in self._module.globals:
                    raise self._values.follow_on_error(statement)
                self._new_array(name, kind, length, statement, scope, out)
                return
            case _:
                pass
        with self._values.reporting_errors_in(node, scope=scope):
            self._check_target(name, statement, scope)
        match node:
            case ast.Call(func=ast.Name("append_digit"), args=[ast.Name(same), _]) if same == name:
                self._append(name, node, statement, scope, out)
                return
            case _:
                pass
        own = (
            f"@{name}"
            if name in scope.function.assigned_globals
            else self._names.name_local(scope, name)
        )
        known = self._names.variables.get(own) or self._module.globals.get(
            name if name in scope.function.assigned_globals else ""
        )
        if annotation is not None and known not in (None, annotation):
            message = f"{name} is already {_with_article(known)}: use the same type or another name"
            raise self._values.report(message, statement, scope, node)
        match node:
            case ast.Call(func=ast.Name("getc"), args=[]) if (
                annotation or known or "byte"
            ) == "byte":
                out.append(Read(self.target(name, "byte", statement, scope), origin))
            case _:
                value = self._values.value(node, scope, out)
                type = annotation or known or value.type
                value = self._values.as_type(value, type, node)
                out.append(Assign(self.target(name, type, statement, scope), value, origin))

    def _append(
        self,
        name: str,
        call: ast.Call,
        statement: ast.stmt,
        scope: Scope,
        out: list[Statement],
    ) -> None:
        """Compile ``name = append_digit(name, digit)``.

        The old number is saved first if it is a global that computing ``digit`` may change.
        """
        same, digit = call.args
        number = self._values.value(same, scope, out)
        before = len(out)
        value = self._values.index(digit, scope, out)
        if number.type == "byte":
            raise self._error("append_digit: expected an int and a byte", call)
        saved = self._values.preserve(number, before, scope, same, out)
        own = self.target(name, "int", statement, scope)
        if saved is number:
            out.append(Append(own, value, scope.origin(statement)))
        else:
            out.append(Assign(own, appended_number(saved, value), scope.origin(statement)))

    def annotated_type(self, node: ast.expr) -> Type:
        """Return the type named in an annotation."""
        match node:
            case ast.Name("byte"):
                return "byte"
            case ast.Name("int"):
                return "int"
            case _:
                raise self._error("expected byte or int as the type of a variable", node)

    def _new_array(
        self,
        name: str,
        kind: str,
        length: ast.expr,
        statement: ast.stmt,
        scope: Scope,
        out: list[Statement],
    ) -> None:
        count = constant(length)
        if isinstance(length, ast.Name):
            count = self._module.constants.get(length.id)
            if length.id not in scope.local and length.id in self._module.unknown:
                raise self._values.follow_on_error(length)
        if count is None or not 1 <= count <= MAX_ARRAY_LENGTH:
            raise self._error(
                f"the length of an array must be an integer from 1 to {MAX_ARRAY_LENGTH}", length
            )
        if name in scope.assigned or name in scope.function.assigned_globals:
            raise self._error(f"{name} is already a variable and cannot be an array", statement)
        own = self._names.name_local(scope, name)
        array = Array("byte" if kind == "chars" else "int", count)
        if self._names.arrays.setdefault(own, array) != array:
            message = f"{name} is already an array of another length or type: use another name"
            raise self._error(message, statement)
        if scope.arrays.get(name, own) != own:
            message = f"{name} is already an array of the caller: use another name"
            raise self._error(message, statement)
        fresh = (
            scope.function.name == "main"
            and name not in scope.arrays
            and statement in scope.function.node.body
        )
        scope.arrays[name] = own
        if not fresh:
            out.append(Clear(own, scope.origin(statement)))

    def store(
        self,
        name: str,
        target: ast.Subscript,
        node: ast.expr,
        statement: ast.stmt,
        scope: Scope,
        out: list[Statement],
    ) -> None:
        """Compile ``name[index] = node``.

        target: the node of ``name[index]``. statement: the whole statement.
        """
        with self._values.reporting_errors_in(target.slice, node, scope=scope):
            own = self._values.array(name, target, scope)
        with self._values.reporting_errors_in(target.slice, scope=scope):
            value = self._values.value(node, scope, out)
        before = len(out)
        index = self._values.index_in(name, target.slice, scope, out)
        value = self._values.preserve(value, before, scope, node, out)
        value = self._values.as_type(value, self._names.arrays[own].type, node)
        out.append(StoreElement(own, index, value, scope.origin(statement)))

    def change(
        self,
        name: str,
        target: ast.Subscript,
        statement: ast.AugAssign,
        scope: Scope,
        out: list[Statement],
    ) -> None:
        """Compile ``name[index] operator= value``; the index is computed once."""
        values = self._values
        with values.reporting_errors_in(target.slice, statement.value, scope=scope):
            own = values.array(name, target, scope)
        with values.reporting_errors_in(statement.value, scope=scope):
            index = values.index_in(name, target.slice, scope, out)
        after: list[Statement] = []
        type = self._names.arrays[own].type
        left: Value = Element(own, index, type)
        right = values.value(statement.value, scope, after)
        if after:
            index = values.save_value(index, scope, target, out, tuple(after))
            left = values.save_value(Element(own, index, type), scope, target, out, tuple(after))
            out += after
        value = values.operation(statement.op, left, right, statement)
        value = values.as_type(value, type, statement)
        out.append(StoreElement(own, index, value, scope.origin(statement)))


def _with_article(type: Type | None) -> str:
    return "an int" if type == "int" else "a byte"
