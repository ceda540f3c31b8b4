"""How often variables are mentioned, and which ones may be read before they have a value."""

from __future__ import annotations

from esoplay.codegen.ir import (
    Append,
    Assign,
    Block,
    Clear,
    If,
    Program,
    Read,
    Store,
    While,
    count_mentions,
    mentioned,
    names_read,
)


def by_use(program: Program) -> list[str]:
    """Variables and arrays, most mentioned first; an array of ints must be worth its five rows."""
    uses = count_mentions(program)
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
        if isinstance(statement, While):
            _check(statement.before, known, found)
        read = set(names_read(statement))
        if isinstance(statement, Append | Store):
            read |= set(mentioned(statement))
        found |= read - known
        match statement:
            case If(_, then, otherwise):
                one, other = set(known), set(known)
                _check(then, one, found)
                _check(otherwise, other, found)
                known |= one & other
            case While(_, _, body):
                _check(body, set(known), found)
            case Assign(name) | Read(name) | Clear(name):
                known.add(name)
            case _:
                pass
