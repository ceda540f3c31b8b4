"""The names and numbers in statements that could not be compiled."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from esoplay.codegen.grammar import constant


def own_expressions(node: ast.stmt) -> Iterator[ast.expr]:
    """Yield the expressions of a statement, without its blocks."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.expr):
            yield child
        elif isinstance(child, ast.withitem):
            yield child.context_expr


def assignment_parts(node: ast.Assign | ast.AugAssign | ast.AnnAssign) -> Iterator[ast.expr]:
    """Yield the targets and the value of an assignment."""
    yield from node.targets if isinstance(node, ast.Assign) else [node.target]
    if node.value is not None:
        yield node.value


def loaded_names(node: ast.expr) -> frozenset[str]:
    """Return the names that an expression reads."""
    return frozenset(
        one.id
        for one in ast.walk(node)
        if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Load)
    )


def spelled_ints(node: ast.AST) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the int constants of an expression, with line and column from 1.

    An operation on two constants yields its result instead, as in the compiler.
    """
    if isinstance(node, ast.expr):
        value = _fold_constant(node)
        if value is not None:
            yield value, (node.lineno, node.col_offset + 1)
            return
    for child in ast.iter_child_nodes(node):
        yield from spelled_ints(child)


def _fold_constant(node: ast.expr) -> int | None:
    literal = constant(node)
    if literal is not None or not isinstance(node, ast.BinOp):
        return literal
    left, right = _fold_constant(node.left), _fold_constant(node.right)
    if left is None or right is None:
        return None
    match node.op:
        case ast.Add():
            return left + right
        case ast.Sub():
            return left - right
        case ast.Mult():
            return left * right
        case ast.FloorDiv() if right > 0:
            return left // right
        case ast.Mod() if right > 0:
            return left % right
        case _:
            return None
