"""Where a source is nested too deeply: Python and what compiles it here go down by calls."""

from __future__ import annotations

import ast

from esoplay.codegen.errors import SourceError
from esoplay.codegen.ir import Origin, Program, nodes

MESSAGE = "nested too deeply"


def too_deep(text: str, name: str) -> SourceError:
    """The error for a source that Python's parser, or what follows on it, gave up on."""
    try:
        tree = ast.parse(text)
    except (RecursionError, MemoryError):
        return SourceError(MESSAGE, *_line_too_deep(text), name)
    return SourceError(MESSAGE, *_deepest_node(tree, text), name)


def deepest(program: Program) -> Origin | None:
    """Where the part of a program that lies in most others comes from; None for an empty one."""
    found, most = None, -1
    for _, depth, origin in nodes(program):
        if depth >= most and origin is not None:
            found, most = origin, depth
    return found


def _deepest_node(tree: ast.AST, text: str) -> tuple[int, int]:
    """Line and column, from 1, of the node that lies in most others."""
    place, most = (1, 0), 0
    nodes: list[tuple[ast.AST, int]] = [(tree, 0)]
    while nodes:
        node, depth = nodes.pop()
        line = getattr(node, "lineno", None)
        if depth > most and line is not None:
            place, most = (line, getattr(node, "col_offset", 0)), depth
        nodes += [(one, depth + 1) for one in ast.iter_child_nodes(node)]
    line, before = place  # bytes before it, as Python counts
    row = text.splitlines()[line - 1].encode()
    return line, len(row[:before].decode(errors="ignore")) + 1


def _line_too_deep(text: str) -> tuple[int, int]:
    """Line and column, from 1, of what becomes too much for Python's parser."""
    lines = text.splitlines(keepends=True)
    low, high = 0, len(lines)
    while high - low > 1:
        middle = (low + high) // 2
        try:
            ast.parse("".join(lines[:middle]))
        except (RecursionError, MemoryError):
            high = middle
        except SyntaxError:
            low = middle  # it only breaks off in the middle of something
        else:
            low = middle
    row = lines[high - 1]
    return high, len(row) - len(row.lstrip()) + 1
