"""Leaves out what a program does for nothing: variables that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

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
    WriteText,
    names_in,
)


def tidy(program: Program) -> Program:
    """The same program without assignments to variables that are never read."""
    while True:
        used = set(_read_in(program.body))
        body = _without(program.body, used)
        if body == program.body:
            break
        program = replace(program, body=body)
    kept = used | set(_read_into(program.body))
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


def _read_into(block: Block) -> Iterator[str]:
    """Variables that characters are read into, whether or not anybody looks at them."""
    for statement in block:
        match statement:
            case Read(name):
                yield name
            case If(_, then, otherwise):
                yield from _read_into(then)
                yield from _read_into(otherwise)
            case While(before, _, body):
                yield from _read_into(before)
                yield from _read_into(body)
            case _:
                pass


def _read_in(block: Block) -> Iterator[str]:
    """Variables whose values matter."""
    for statement in block:
        match statement:
            case Assign(_, value) | Write(value) | WriteInt(value):
                yield from names_in(value)
            case Append(_, digit):
                yield from names_in(digit)
            case Store(_, index, value):
                yield from names_in(index)
                yield from names_in(value)
            case If(condition, then, otherwise):
                yield from names_in(condition)
                yield from _read_in(then)
                yield from _read_in(otherwise)
            case While(before, condition, body):
                yield from _read_in(before)
                yield from names_in(condition)
                yield from _read_in(body)
            case Read() | WriteText() | Clear():
                pass
