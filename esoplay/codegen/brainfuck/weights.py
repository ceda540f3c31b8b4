"""How often each name of a program is likely to be used: loops count more, branches less."""

from __future__ import annotations

from collections import defaultdict

from esoplay.codegen.ir import (
    Append,
    Assign,
    Binary,
    Block,
    Compare,
    Condition,
    Convert,
    Element,
    If,
    Not,
    Program,
    Read,
    Store,
    Value,
    Variable,
    While,
    Write,
    WriteInt,
)

_ROUNDS = 4.0
"""How often a loop is taken to run."""

_CHANCE = 0.5
"""How likely a branch is taken to be."""


def names_by_weight(program: Program) -> list[str]:
    """The program's variables, those first that are used most; ties in alphabetical order."""
    weights: dict[str, float] = defaultdict(float)
    _weigh_block(program.body, 1.0, weights)
    return sorted(program.variables, key=lambda name: (-weights.get(name, 0.0), name))


def names_in(value: Value) -> set[str]:
    """The variables that a value depends on."""
    weights: dict[str, float] = defaultdict(float)
    _weigh(value, 1.0, weights)
    return set(weights)


def _weigh_block(block: Block, weight: float, weights: dict[str, float]) -> None:
    for statement in block:
        match statement:
            case Assign(name, value) | Append(name, value):
                _add(weights, name, weight)
                _weigh(value, weight, weights)
            case Read(name):
                _add(weights, name, weight)
            case Store(_, index, value):
                _weigh(index, weight, weights)
                _weigh(value, weight, weights)
            case Write(value) | WriteInt(value):
                _weigh(value, weight, weights)
            case If(condition, then, otherwise):
                _weigh_condition(condition, weight, weights)
                _weigh_block(then, weight * _CHANCE, weights)
                _weigh_block(otherwise, weight * _CHANCE, weights)
            case While(before, condition, body):
                _weigh_block(before, weight * _ROUNDS, weights)
                _weigh_condition(condition, weight * _ROUNDS, weights)
                _weigh_block(body, weight * _ROUNDS, weights)
            case _:
                pass


def _weigh_condition(condition: Condition, weight: float, weights: dict[str, float]) -> None:
    match condition:
        case Compare(_, left, right):
            _weigh(left, weight, weights)
            _weigh(right, weight, weights)
        case Not(inner):
            _weigh_condition(inner, weight, weights)
        case _:
            _weigh_condition(condition.first, weight, weights)
            _weigh_condition(condition.second, weight, weights)


def _weigh(value: Value, weight: float, weights: dict[str, float]) -> None:
    match value:
        case Variable(name):
            _add(weights, name, weight)
        case Element(_, inner) | Convert(inner):
            _weigh(inner, weight, weights)
        case Binary(_, left, right):
            _weigh(left, weight, weights)
            _weigh(right, weight, weights)
        case _:
            pass


def _add(weights: dict[str, float], name: str, weight: float) -> None:
    weights[name] += weight
