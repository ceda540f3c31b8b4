"""What compilers get wrong, as kinds that occur in random sources; see ``agreement.py --kinds``."""

from __future__ import annotations

import ast
from collections.abc import Iterator

OPERATORS = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.FloorDiv: "//", ast.Mod: "%"}
CHANGES = {
    "noted": {"calls", "kept"},
    "stirred": {"shared", "edge"},
    "edged": {"edge"},
    "spent": {"a", "e"},
    "struck": {"s", "t"},
    "getc": set[str](),
    "read_int": set[str](),
    "read_line": {"s"},
}
"""Functions that change something besides what they return, and the names of that."""
LIMITS = {"brainfuck": (10**7, 10**8), "befunge-98": (3 * 10**9, 10**11), "machines": (2**31, None)}
KINDS = [
    *(f"x {sign}= … x …" for sign in OPERATORS.values()),
    "x = … x …",
    "x = append_digit(x, … x …)",
    "a[i] = … a[i] …",
    *(f"a[i] {sign}= …" for sign in OPERATORS.values()),
    *(f"a[i] {sign}= … a[j] …" for sign in OPERATORS.values()),
    "an index with side effects",
    "a[f()] …= …",
    "an argument with side effects",
    "an argument that changes another",
    "an operand that changes another",
    *(f"a limit of {name}" for name in LIMITS),
    "a negative limit",
]


def kinds_in(text: str) -> set[str]:
    """The kinds that occur in what was drawn of a source; its helpers do not count."""
    found: set[str] = set()
    drawn = [
        node
        for node in ast.parse(text).body
        if isinstance(node, ast.FunctionDef) and (node.name == "main" or node.name[1:].isdigit())
    ]
    for node in (each for function in drawn for each in ast.walk(function)):
        found.update(_assignment(node))
        found.update(_effects(node))
        found.update(_limits(node))
    return found


def _assignment(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.AugAssign(target=ast.Name(name), op=op, value=value) if name in _names(value):
            yield f"x {OPERATORS[type(op)]}= … x …"
        case ast.AugAssign(target=ast.Subscript(value=ast.Name(array)), op=op, value=value):
            yield f"a[i] {OPERATORS[type(op)]}= …"
            if array in _names(value):
                yield f"a[i] {OPERATORS[type(op)]}= … a[j] …"
            if _changed(node.target):
                yield "a[f()] …= …"
        case ast.Assign(targets=[ast.Name(name)], value=value) if name in _names(value):
            yield "x = … x …"
            match value:
                case ast.Call(func=ast.Name("append_digit"), args=[first, second]):
                    if name in _names(first) and name in _names(second):
                        yield "x = append_digit(x, … x …)"
                case _:
                    pass
        case ast.Assign(targets=[ast.Subscript(value=ast.Name(array))], value=value):
            if array in _names(value):
                yield "a[i] = … a[i] …"
        case _:
            pass


def _effects(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.Subscript(slice=index) if _changed(index):
            yield "an index with side effects"
        case ast.Call(args=arguments):
            if any(_calls(each) for each in arguments):
                yield "an argument with side effects"
            for at, each in enumerate(arguments):
                if any(_changed(each) & _names(other) for other in arguments[:at]):
                    yield "an argument that changes another"
        case ast.BinOp(left=left, right=right) if _changed(right) & _names(left):
            yield "an operand that changes another"
        case _:
            pass


def _limits(node: ast.AST) -> Iterator[str]:
    match node:
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int(value))) if value >= 10**7:
            yield "a negative limit"
        case ast.Constant(value=int(value)):
            for name, (low, high) in LIMITS.items():
                if low <= value and (high is None or value < high):
                    yield f"a limit of {name}"
        case _:
            pass


def _names(node: ast.AST) -> set[str]:
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}


def _calls(node: ast.AST) -> set[str]:
    """The functions with side effects that are called in an expression."""
    return {
        each.func.id
        for each in ast.walk(node)
        if isinstance(each, ast.Call)
        and isinstance(each.func, ast.Name)
        and each.func.id in CHANGES
    }


def _changed(node: ast.AST) -> set[str]:
    """The names whose values calls in an expression may change."""
    changed = {name for call in _calls(node) for name in CHANGES[call]}
    return {name for name in changed if len(name) > 1 or name in _names(node)}
