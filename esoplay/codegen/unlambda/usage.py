"""How often a program is likely to use its variables, its arrays and each operation."""

from __future__ import annotations

from collections.abc import Iterator

from esoplay.codegen.ir import (
    Append,
    Assign,
    Binary,
    Block,
    Both,
    Clear,
    Compare,
    Condition,
    Convert,
    Either,
    Element,
    If,
    Not,
    Number,
    Read,
    Statement,
    Store,
    Value,
    Variable,
    While,
    Write,
    WriteInt,
    WriteText,
    likely_runs,
)
from esoplay.codegen.unlambda.operations import comparison, digit_of, operation


def usage(block: Block) -> dict[str, float]:
    """Likely uses by name; operations have a colon before theirs."""
    uses: dict[str, float] = {}
    for statement, often in likely_runs(block):
        for name, times in _statement(statement, often):
            uses[name] = uses.get(name, 0.0) + times
    return uses


_Uses = Iterator[tuple[str, float]]


def _statement(statement: Statement, often: float) -> _Uses:
    match statement:
        case Assign(name, value):
            yield name, often
            yield from _value(value, often)
        case Store(array, index, value):
            yield from ((array, often), (":update", often))
            yield from _value(index, often)
            yield from _value(value, often)
        case Append(name, digit):
            yield from ((name, 2 * often), (":append", often))
            yield from _value(digit_of(digit), often)
        case Clear(name):
            yield name, often
        case Read(name):
            yield from ((name, often), (":getc", often))
        case Write(value):
            if not isinstance(value, Number):
                yield ":putc", often
            yield from _value(value, often)
        case WriteInt(value):
            yield ":print", often
            yield from _value(value, often)
        case WriteText():
            pass
        case If(condition) | While(_, condition):
            yield from _condition(condition, often)


def _condition(condition: Condition, often: float) -> _Uses:
    match condition:
        case Compare():
            name, operands = comparison(condition)
            yield f":{name}", often
            for operand in operands:
                yield from _value(operand, often)
        case Not(inner):
            yield from _condition(inner, often)
        case Both(first, second) | Either(first, second):
            yield from _condition(first, often)
            yield from _condition(second, often / 2)


def _value(value: Value, often: float) -> _Uses:
    match value:
        case Number():
            pass
        case Variable(name):
            yield name, often
        case Element(array, index):
            yield array, often
            yield from _value(index, often)
        case Binary():
            name, operands = operation(value)
            yield f":{name}", often
            for operand in operands:
                yield from _value(operand, often)
        case Convert(inner):
            yield from _value(inner, often)
