"""A compiler from the intermediate representation to Brainfuck."""

from __future__ import annotations

from collections import defaultdict

from esoplay.codegen.brainfuck import arithmetic
from esoplay.codegen.brainfuck.arithmetic import DIGITS, IntLane
from esoplay.codegen.brainfuck.expressions import ConditionWriter, ValueWriter
from esoplay.codegen.brainfuck.layout import BASE, Names, Records
from esoplay.codegen.brainfuck.tape_builder import TapeBuilder, run_recipe
from esoplay.codegen.generated import Generated, SourceWording, Span, VariablePlace
from esoplay.codegen.ir import (
    Append,
    Assign,
    Binary,
    Block,
    Clear,
    Element,
    If,
    IrProgram,
    Number,
    PrintByte,
    PrintInt,
    PrintText,
    Read,
    Statement,
    StoreElement,
    Type,
    Value,
    VariableRef,
    While,
    expected_runs,
    names_in,
    names_used,
)

INTS = range(-(10**DIGITS) // 2, 10**DIGITS // 2)
"""Ints have eight decimal digits: -50,000,000 to 49,999,999; other numbers wrap."""


def generate(program: IrProgram, *, comments: bool = False) -> Generated:
    """Compile a program; see :class:`esoplay.codegen.generated.Generator`."""
    order = _names_by_use(program)
    names = Names(
        bytes=[name for name in order if program.variables[name] == "byte"],
        ints=[name for name in order if program.variables[name] == "int"],
        byte_arrays=_lengths(program, "byte"),
        int_arrays=_lengths(program, "int"),
    )
    spans: list[Span] = []

    def recipe(tape: TapeBuilder) -> None:
        statements = BrainfuckStatements(tape, program, comments)
        if comments:
            statements.comment_places(program)
        statements.write(program.body)
        spans[:] = statements.spans

    tape = run_recipe(recipe, names)
    return Generated(tape.writer.text + "\n", tuple(spans), _places(tape, program))


def _names_by_use(program: IrProgram) -> list[str]:
    """Return the program's variables, most used first; ties in alphabetical order."""
    uses: dict[str, float] = defaultdict(float)
    for statement, often in expected_runs(program.body):
        for name in names_used(statement):
            uses[name] += often
    return sorted(program.variables, key=lambda name: (-uses[name], name))


def _lengths(program: IrProgram, type: Type) -> dict[str, int]:
    return {name: array.length for name, array in program.arrays.items() if array.type == type}


def _places(tape: TapeBuilder, program: IrProgram) -> dict[str, VariablePlace]:
    places: dict[str, VariablePlace] = {}
    for name, type in program.variables.items():
        if type == "byte":
            places[name] = VariablePlace("number", (f"cell[{tape.byte(name).cell}]",))
        else:
            cells = [tape.slices.cell(name, place) for place in range(DIGITS)]
            places[name] = VariablePlace("digits", tuple(f"cell[{cell}]" for cell in cells))
    for name, array in program.arrays.items():
        for index in range(array.length):
            cells = tape.records(name).element(name, index)
            texts = tuple(f"cell[{cell}]" for cell in cells)
            if array.type == "byte":
                low, high = texts
                place = VariablePlace("number", (f"{low} + {BASE} * {high}",))
            else:
                place = VariablePlace("folded", texts)
            places[f"{name}[{index}]"] = place
    return places


# Statements and their spans.

_INDENT = " "


class BrainfuckStatements:
    """A writer of statements, which appends their code to a tape builder's program."""

    def __init__(self, tape: TapeBuilder, program: IrProgram, comments: bool):
        self.spans: list[Span] = []
        self._tape = tape
        self._writer = tape.writer
        self._cells = tape.cells
        self._slices = tape.slices
        self._types = program.variables
        self._values = ValueWriter(tape)
        self._conditions = ConditionWriter(tape, self._values)
        self._wording = SourceWording(program.labels)
        self._comments = comments

    def comment_places(self, program: IrProgram) -> None:
        """Write comments that list the cells of variables and arrays."""
        cell, slices = self._tape.byte, self._slices
        for name, type in program.variables.items():
            label = program.labels.get(name, name)
            if type == "byte":
                self._writer.comment(f"cell {cell(name).cell} is {label}")
            else:
                first = slices.cell(name)
                width = slices.width
                self._writer.comment(
                    f"{label} is in cell {first} and then in one of every {width} cells "
                    "to the right"
                )
        for name in program.arrays:
            records = self._tape.records(name)
            first, second = (records.element(name, index)[0] for index in range(2))
            label, way = program.labels.get(name, name), "left" if second < first else "right"
            self._writer.comment(
                f"{label} is in cell {first} and then in one of every {records.shape.width} cells "
                f"to the {way}"
            )

    def write(self, block: Block) -> None:
        """Write the statements of a block."""
        for statement in block:
            words = self._wording.describe(statement)
            if self._comments:
                self._writer.comment(words)
            self._writer.start_line()
            start, at = self._writer.length, len(self.spans)
            self._write(statement)
            self._writer.flush()
            end = self._writer.length
            if end > start:
                self.spans.insert(at, Span(start, end, statement.origin, words))

    def _write(self, statement: Statement) -> None:
        tape = self._tape
        match statement:
            case Assign(name, value) if self._types[name] == "byte":
                self._assign_byte(name, value)
            case Assign(name, value):
                self._assign_int(name, value)
            case StoreElement(array, index, value):
                self._store(tape.records(array), array, index, value)
            case Clear(array):
                tape.records(array).clear(array)
            case Append(name, digit):
                self._append(name, digit)
            case Read(name):
                tape.read(name)
            case PrintByte(VariableRef(name)):
                tape.write(name)
            case PrintByte(Element(array, index)):
                records = tape.records(array)
                self._values.set_index(records, index)
                records.write(array)
            case PrintByte(value):
                cell = self._values.byte(value)
                self._writer.write(cell)
                self._writer.clear(cell)
                self._cells.pool.free(cell)
            case PrintText(text):
                tape.print_text(text)
            case PrintInt(value):
                lane = self._values.lane(value)
                arithmetic.write_int(self._cells, self._slices, lane)
                self._values.release(lane)
            case If():
                self._if(statement)
            case While():
                self._while(statement)

    # Blocks

    def _write_indented(self, block: Block) -> None:
        self._writer.indent += _INDENT
        self.write(block)
        self._writer.indent = self._writer.indent[: -len(_INDENT)]
        self._writer.start_line()

    def _if(self, statement: If) -> None:
        """Write an ``if``, whose condition is stored in a flag cell.

        The flag is set to 0 and freed before the code of the inner block, which may use its cell.
        """
        then, otherwise = statement.then, statement.otherwise
        flag = self._conditions.flag(statement.condition, expected=bool(then))
        if not then or not otherwise:
            with self._writer.once(flag):
                self._cells.pool.free(flag)
                self._write_indented(then or otherwise)
            return
        other = self._cells.flags.take()
        self._writer.add(other, 1)
        with self._writer.once(flag):
            self._writer.add(other, -1)
            self._cells.pool.free(flag)
            self._cells.flags.free(other)
            self._write_indented(then)
        with self._writer.once(other):
            self._write_indented(otherwise)

    def _while(self, statement: While) -> None:
        """Write a loop that repeats while ``again`` is 1; the end of its body sets this flag."""
        again = self._cells.flags.take()
        self._writer.add(again, 1)
        with self._writer.once(again):
            if statement.before:
                self._write_indented(statement.before)
            flag = self._conditions.flag(statement.condition)
            with self._writer.once(flag):
                self._cells.pool.free(flag)
                self._cells.flags.free(again)
                self._write_indented(statement.body)
                self._writer.add(again, 1)

    # Assignments

    def _assign_byte(self, name: str, value: Value) -> None:
        """Assign to a byte variable; add in place if possible, as for ``n = n + value``."""
        cell = self._tape.byte(name).cell
        match value:
            case VariableRef(same) if same == name:
                pass
            case Binary("+" | "-" as operator, VariableRef(same), right) if (
                same == name and name not in names_in(right)
            ):
                self._values.add_byte(right, cell, 1 if operator == "+" else -1)
            case Binary("+", left, VariableRef(same)) if same == name and name not in names_in(
                left
            ):
                self._values.add_byte(left, cell)
            case _ if name not in names_in(value):
                self._writer.clear(cell)
                if isinstance(value, Number):
                    self._cells.add_constant(cell, value.value)
                else:
                    self._values.add_byte(value, cell)
            case _:
                found = self._values.byte(value)
                self._writer.clear(cell)
                self._writer.move(found, cell)
                self._cells.pool.free(found)

    def _append(self, name: str, digit: Value) -> None:
        """Append a decimal digit to an int; a digit that depends on the int is computed first."""
        lowest = self._slices.cell(name)
        if name not in names_in(digit):
            self._slices.shift_up(name)
            self._values.add_byte(digit, lowest)
            return
        found = self._values.byte(digit)
        self._slices.shift_up(name)
        self._writer.move(found, lowest)
        self._cells.pool.free(found)

    def _assign_int(self, name: str, value: Value) -> None:
        slices = self._slices
        match value:
            case VariableRef(same) if same == name:
                pass
            case Binary("-", Number(0), VariableRef(same)) if same == name:
                arithmetic.negate(slices, name)
            case Binary("+" | "-" as operator, VariableRef(same), right) if same == name:
                self._values.change(name, operator, right)
            case Binary("+", left, VariableRef(same)) if same == name:
                self._values.change(name, "+", left)
            case Binary("//" | "%" as operator, VariableRef(same), right) if (
                same == name and name not in names_in(right)
            ):
                self._values.change(name, operator, right)
            case Binary("*", VariableRef(same), Number(10)) if same == name:
                slices.shift_up(name)
            case _ if name not in names_in(value):
                slices.clear(name)
                self._values.set_int(name, value)
            case _:
                lane = slices.pool.take()
                self._values.set_int(lane, value)
                slices.clear(name)
                slices.copy(IntLane(lane, owned=True), name)
                slices.pool.free(lane)

    def _store(self, records: Records, array: str, index: Value, value: Value) -> None:
        values, writer, pool = self._values, self._writer, self._cells.pool
        match value:
            case Element(source, place):
                # fetch puts the value into the cells that store reads
                cell = values.byte(index)
                values.set_index(records, place)
                records.fetch(source)
                self._tape.set_index(records, cell)
            case Number() | VariableRef() if value.type == "byte":
                values.set_index(records, index)
                values.add_byte(value, self._cells.number)
                self._tape.load_byte(records)
            case _ if value.type == "byte":
                cell = values.byte(value)
                values.set_index(records, index)
                writer.move(cell, self._cells.number)
                pool.free(cell)
                self._tape.load_byte(records)
            case _:
                lane = values.lane(value)
                values.set_index(records, index)
                self._tape.load_int(records, lane)
                values.release(lane)
        records.store(array)
