"""The names of a function while it is being compiled."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from esoplay.codegen.grammar import SourceFunction
from esoplay.codegen.ir import (
    Append,
    Array,
    Assign,
    Block,
    Read,
    SourceOrigin,
    Statement,
    Type,
    statements,
)


@dataclass(slots=True)
class Scope:
    """The names in one call of a function; ``caller`` is the origin of the call, None for ``main``.

    A function is never active twice, so all its calls share their variables.  ``arrays``: the
    program's names of local arrays and array arguments.  ``assigned``: variables with a value.
    ``loop_variables``: variables of enclosing loops.  ``ended_variables``: variables of ended
    loops, whose values differ between languages.  ``local``: the function's own names.
    ``unknown``: names that are undefined after an error.
    """

    function: SourceFunction
    caller: SourceOrigin | None
    arrays: dict[str, str] = field(default_factory=dict[str, str])
    assigned: set[str] = field(default_factory=set[str])
    loop_variables: set[str] = field(default_factory=set[str])
    ended_variables: set[str] = field(default_factory=set[str])
    local: frozenset[str] = frozenset()
    unknown: set[str] = field(default_factory=set[str])

    def origin(self, node: ast.AST) -> SourceOrigin:
        """Return the position of ``node`` in the source, with the call that led to it."""
        return SourceOrigin(
            getattr(node, "lineno", 1),
            getattr(node, "col_offset", 0) + 1,
            self.function.name,
            self.function.is_library,
            self.caller,
        )


@dataclass(slots=True)
class VariableNames:
    """The variables and arrays of the whole program, added as needed."""

    variables: dict[str, Type] = field(default_factory=dict[str, Type])
    arrays: dict[str, Array] = field(default_factory=dict[str, Array])
    labels: dict[str, str] = field(default_factory=dict[str, str])
    _temporaries: int = 0

    def name_local(self, scope: Scope, name: str) -> str:
        """Return the generated program's name for a local variable or array."""
        function = scope.function.name
        own = name if function == "main" else f"{function}.{name}"
        self.labels[own] = name if function == "main" else f"{name} of {function}"
        return own

    def name_global(self, name: str, type: Type) -> str:
        """Add a global, and return its name in the generated program."""
        own = f"@{name}"
        self.labels[own] = name
        self.variables[own] = type
        return own

    def new_temporary(self, type: Type, preserved_during: Block = ()) -> str:
        """Return a new temporary variable, which is reserved until the current statement ends.

        ``preserved_during`` are earlier statements that must not overwrite the variable.
        """
        self._temporaries = (
            max(self._temporaries, *map(_temporary_number, statements(preserved_during)), 0) + 1
        )
        own = f"~{type}{self._temporaries}"
        self.labels[own] = "(a temporary value)"
        self.variables[own] = type
        return own

    @property
    def temporaries_in_use(self) -> int:
        """The number of temporary variables in use, an argument for ``release``."""
        return self._temporaries

    def release(self, count: int) -> None:
        """Allow later statements to reuse the temporary variables with numbers above ``count``."""
        self._temporaries = count


def _temporary_number(statement: Statement) -> int:
    """Return the number of the temporary variable that a statement assigns, or 0."""
    match statement:
        case Assign(name) | Append(name) | Read(name) if name[0] == "~":
            return int(name.removeprefix("~byte").removeprefix("~int"))
        case _:
            return 0


def assigned_names(node: ast.AST) -> frozenset[str]:
    """Return the names that are assigned anywhere in ``node``."""
    return frozenset(
        one.id
        for one in ast.walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)
    )


def ended_loop_variables(
    block: Sequence[ast.stmt], ended_before: AbstractSet[str] = frozenset()
) -> set[str]:
    """Return the variables whose ``for`` loop may be over at the end of a block.

    A variable does not count if it is assigned after its loop.  ended_before: the variables whose
    loop may be over at the start of the block.
    """
    ended = set(ended_before)
    for node in block:
        match node:
            case ast.For(target=ast.Name(name)):
                ended |= ended_loop_variables(node.body, ended) | {name}
            case ast.While():
                ended |= ended_loop_variables(node.body, ended)
            case ast.If():
                ended = ended_loop_variables(node.body, ended) | ended_loop_variables(
                    node.orelse, ended
                )
            case _:
                ended -= assigned_names(node)
    return ended


def as_operation(left: ast.expr, node: ast.AugAssign) -> ast.expr:
    """Return ``left op value`` for an assignment ``left op= value``."""
    ast.copy_location(left, node.target)
    return ast.copy_location(ast.BinOp(left, node.op, node.value), node)
