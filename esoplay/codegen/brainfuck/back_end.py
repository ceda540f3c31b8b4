"""The back end: a program of statements as Brainfuck."""

from __future__ import annotations

from collections import defaultdict

from esoplay.codegen.brainfuck.layout import Names
from esoplay.codegen.brainfuck.machine import Machine, fitted
from esoplay.codegen.brainfuck.records import BASE
from esoplay.codegen.brainfuck.slices import DIGITS
from esoplay.codegen.brainfuck.statements import Statements
from esoplay.codegen.generated import Generated, Place, Span
from esoplay.codegen.ir import Program, Type, likely_runs, mentioned

INTS = range(-(10**DIGITS) // 2, 10**DIGITS // 2)
"""Ints have eight decimal digits: -50,000,000 to 49,999,999; beyond, they wrap."""


def generate(program: Program, *, comments: bool = False) -> Generated:
    """See :class:`esoplay.codegen.generated.Generator`."""
    order = _by_use(program)
    names = Names(
        bytes=[name for name in order if program.variables[name] == "byte"],
        ints=[name for name in order if program.variables[name] == "int"],
        byte_arrays=_lengths(program, "byte"),
        int_arrays=_lengths(program, "int"),
    )
    spans: list[Span] = []

    def recipe(machine: Machine) -> None:
        statements = Statements(machine, program, comments)
        if comments:
            statements.tell_places(program)
        statements.write(program.body)
        spans[:] = statements.spans

    machine = fitted(recipe, names)
    return Generated(machine.writer.text + "\n", tuple(spans), _places(machine, program))


def _by_use(program: Program) -> list[str]:
    """The program's variables, those first that are used most; ties in alphabetical order."""
    uses: dict[str, float] = defaultdict(float)
    for statement, often in likely_runs(program.body):
        for name in mentioned(statement):
            uses[name] += often
    return sorted(program.variables, key=lambda name: (-uses[name], name))


def _lengths(program: Program, type: Type) -> dict[str, int]:
    return {name: array.length for name, array in program.arrays.items() if array.type == type}


def _places(machine: Machine, program: Program) -> dict[str, Place]:
    places: dict[str, Place] = {}
    for name, type in program.variables.items():
        if type == "byte":
            places[name] = Place("number", (f"cell[{machine.byte(name).cell}]",))
        else:
            cells = [machine.slices.cell(name, place) for place in range(DIGITS)]
            places[name] = Place("digits", tuple(f"cell[{cell}]" for cell in cells))
    for name, array in program.arrays.items():
        for index in range(array.length):
            cells = machine.records(name).element(name, index)
            texts = tuple(f"cell[{cell}]" for cell in cells)
            if array.type == "byte":
                low, high = texts
                place = Place("number", (f"{low} + {BASE} * {high}",))
            else:
                place = Place("folded", texts)
            places[f"{name}[{index}]"] = place
    return places
