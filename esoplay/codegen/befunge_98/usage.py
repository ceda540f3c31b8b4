"""How often variables are mentioned, and which ones may be read before they have a value."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from esoplay.codegen.ir import (
    Append,
    Assign,
    Block,
    Clear,
    If,
    Program,
    Read,
    Statement,
    Store,
    While,
    Write,
    WriteInt,
    mentioned,
    names_in,
    statements,
)


def by_use(program: Program) -> list[str]:
    """Variables and arrays, most mentioned first; an array of ints must be worth its five rows."""
    uses = Counter(name for one in statements(program.body) for name in mentioned(one))
    names = [*program.variables, *program.arrays]
    ints = {name for name, array in program.arrays.items() if array.type == "int"}
    return sorted(names, key=lambda name: -uses[name] / (5 if name in ints else 1))


def unset(program: Program) -> set[str]:
    """Variables and arrays that count on being 0 at the start."""
    found: set[str] = set()
    _check(program.body, set(), found)
    return found


def _check(block: Block, known: set[str], found: set[str]) -> None:
    """Adds to ``known`` what has a value in any case behind the block."""
    for statement in block:
        match statement:
            case If(condition, then, otherwise):
                found |= set(names_in(condition)) - known
                one, other = set(known), set(known)
                _check(then, one, found)
                _check(otherwise, other, found)
                known |= one & other
            case While(before, condition, body):
                _check(before, known, found)
                found |= set(names_in(condition)) - known
                _check(body, set(known), found)
            case _:
                found |= set(_read(statement)) - known
                known |= set(_given(statement))


def _read(statement: Statement) -> Iterator[str]:
    """What a statement looks at, without the blocks in it."""
    match statement:
        case Append(name, value):
            yield name
            yield from names_in(value)
        case Store(name, index, value):
            yield name
            yield from names_in(index)
            yield from names_in(value)
        case Assign(_, value) | Write(value) | WriteInt(value):
            yield from names_in(value)
        case If(condition) | While(_, condition):
            yield from names_in(condition)
        case _:
            pass


def _given(statement: Statement) -> Iterator[str]:
    """What has a value behind a statement."""
    if isinstance(statement, Assign | Read | Clear):
        yield statement.name if not isinstance(statement, Clear) else statement.array
