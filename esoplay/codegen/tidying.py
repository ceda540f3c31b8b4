"""Leaves out what a program does for nothing: variables that nobody reads."""

from __future__ import annotations

from dataclasses import replace

from esoplay.codegen.ir import (
    Append,
    Assign,
    Block,
    If,
    Program,
    Read,
    Statement,
    While,
    names_read,
    statements,
)


def tidy(program: Program) -> Program:
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
