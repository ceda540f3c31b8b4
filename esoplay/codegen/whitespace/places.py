"""Which cell of the heap keeps what."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from esoplay.codegen.generated import Place
from esoplay.codegen.ir import (
    Append,
    Assign,
    Clear,
    If,
    Program,
    Read,
    Statement,
    Store,
    While,
    Write,
    WriteInt,
    names_in,
    statements,
)


def addresses(program: Program) -> dict[str, int]:
    """The cell of each variable and the first one of each array.

    Low numbers are short, so what is mentioned most comes first; arrays follow, short ones first.
    """
    uses = Counter(name for one in statements(program.body) for name in _mentioned(one))
    given: dict[str, int] = {}
    for name in sorted(program.variables, key=lambda name: -uses[name]):
        given[name] = len(given)
    free = len(given)
    for name, array in sorted(program.arrays.items(), key=lambda item: item[1].length):
        given[name] = free
        free += array.length
    return given


def places(program: Program, given: dict[str, int]) -> dict[str, Place]:
    """The cells as expressions of the debugger."""
    found = {name: _cell(given[name]) for name in program.variables}
    for name, array in program.arrays.items():
        for index in range(array.length):
            found[f"{name}[{index}]"] = _cell(given[name] + index)
    return found


def _cell(address: int) -> Place:
    return Place("number", (f"cell[{address}]",))


def _mentioned(statement: Statement) -> Iterator[str]:
    """The variables and arrays of a statement, without those of the blocks in it."""
    match statement:
        case Assign(name, value):
            yield name
            yield from names_in(value)
        case Append(name, value):
            yield name
            yield from names_in(value)
        case Store(name, index, value):
            yield name
            yield from names_in(index)
            yield from names_in(value)
        case Clear(name) | Read(name):
            yield name
        case Write(value) | WriteInt(value):
            yield from names_in(value)
        case If(condition) | While(_, condition):
            yield from names_in(condition)
        case _:
            pass
