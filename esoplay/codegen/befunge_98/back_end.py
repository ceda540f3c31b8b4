"""A compiler from the intermediate representation to Befunge-98, with spans for source maps."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import NamedTuple

from esoplay.codegen.befunge_98 import macros
from esoplay.codegen.befunge_98.layout import TextBlock
from esoplay.codegen.befunge_98.page import Page
from esoplay.codegen.generated import Generated, SourceWording, Span, VariablePlace
from esoplay.codegen.ir import (
    And,
    Append,
    Assign,
    Binary,
    Block,
    Clear,
    Compare,
    Condition,
    Convert,
    Element,
    If,
    IrProgram,
    Not,
    Number,
    Or,
    PrintByte,
    PrintInt,
    PrintText,
    Read,
    SourceOrigin,
    Statement,
    StoreElement,
    Value,
    VariableRef,
    While,
    count_uses,
    names_read,
    names_used,
    upper_bound,
)

_GAP = 3
"""The number of blank columns between the code and the remarks."""


def generate(program: IrProgram, *, comments: bool = False) -> Generated:
    """Compile a program; see :class:`esoplay.codegen.generated.Generator`."""
    page = Page()
    order = _names_by_use(program)
    for name in order:
        label = program.labels.get(name, name)
        if name in program.arrays:
            array = program.arrays[name]
            page.array(name, array.type, array.length, label)
        else:
            page.variable(name, program.variables[name], label)
    at_zero = _names_read_before_assignment(program)
    for name in order:
        if name in at_zero:
            if name in program.arrays:
                page.clear(name)
            else:
                page.set(name, 0)
    statements = BefungeStatements(page, program)
    statements.block(program.body)
    block = page.block()
    if comments:
        _write_remarks(block, statements.marks)
    rows = block.rows()
    text = "".join(f"{row}\n" for row in rows)
    return Generated(text, _spans(block, rows, statements.marks), _places(program, page))


def _write_remarks(block: TextBlock, marks: list[StatementMark]) -> None:
    """Describe, to the right of the code, the statements that begin in each row."""
    started: dict[int, int] = {}
    for one in sorted(block.texts, key=lambda one: (one.y, one.x)):
        if one.mark is not None:
            started.setdefault(one.mark, one.y)
    first = min(started.values(), default=0)
    right = max((one.x + len(one.text) for one in block.texts if one.y >= first), default=0)
    remarks: dict[int, list[str]] = {}
    for mark, y in sorted(started.items()):
        remarks.setdefault(y, []).append(marks[mark].what)
    for y, words in remarks.items():
        block.put(right + _GAP, y, "; ".join(words), None)


def _places(program: IrProgram, page: Page) -> dict[str, VariablePlace]:
    places = {name: page.cells(name).place() for name in program.variables}
    for name, array in program.arrays.items():
        cells = page.cells(name)
        for index in range(array.length):
            places[f"{name}[{index}]"] = cells.place(index)
    return places


# Statements on a page, each marked with its number.


@dataclass(frozen=True, slots=True)
class StatementMark:
    """A statement whose code on the page is marked with a number.

    what: a short description, such as ``while x < 10``.  parent: the mark number of the enclosing
    statement, or None.
    """

    origin: SourceOrigin
    what: str
    parent: int | None


class BefungeStatements:
    """A writer of statements; ``marks[n]`` is the statement whose code has the mark ``n``."""

    def __init__(self, page: Page, program: IrProgram):
        self.marks: list[StatementMark] = []
        self._page = page
        self._program = program
        self._expressions = BefungeExpressions(page)
        self._wording = SourceWording(program.labels)
        self._enclosing_mark: int | None = None

    def block(self, block: Block) -> None:
        """Write the statements of a block."""
        enclosing_mark = self._enclosing_mark
        for statement in block:
            mark = len(self.marks)
            self.marks.append(
                StatementMark(statement.origin, self._wording.describe(statement), enclosing_mark)
            )
            self._enclosing_mark = mark
            with self._page.marked(mark):
                self._write(statement)
        self._enclosing_mark = enclosing_mark

    def _write(self, statement: Statement) -> None:
        page, expressions = self._page, self._expressions
        match statement:
            case Assign(name, value):
                self._assign(name, value)
            case StoreElement(array, index, value):
                self._store(array, index, value)
            case Clear(array):
                page.clear(array)
            case Append(name, digit):
                page.fetch(name)
                page.code("a*")
                expressions.push(digit)
                page.code("+")
                page.store(name)
            case Read(name):
                page.read()
                page.store(name)
            case PrintByte(value):
                expressions.push(value)
                page.write()
            case PrintText(text):
                page.print_text(text)
            case PrintInt(value):
                expressions.push(value)
                page.print_number(signed=not isinstance(value, Convert))
            case If():
                self._if(statement)
            case While():
                self._while(statement)

    def _assign(self, name: str, value: Value) -> None:
        """Write an assignment.

        Copies, constants and additions of 1 or -1 change an int limb by limb.
        """
        page = self._page
        if self._program.variables[name] == "byte":
            self._expressions.push(value)
            page.store(name)
            return
        itself = VariableRef(name, "int")
        match value:
            case Number(number):
                page.set(name, number)
            case Convert(byte):
                self._expressions.push(byte)
                page.store_byte(name, upper_bound(byte))
            case Binary("+", left, Number(1)) | Binary("-", left, Number(-1)) if left == itself:
                page.add_one(name)
            case Binary("-", left, Number(1)) | Binary("+", left, Number(-1)) if left == itself:
                page.subtract_one(name)
            case VariableRef(source):
                self._copy(page.cells(source).position_codes(), name)
            case Element(source, Number(index)):
                self._copy(page.cells(source).position_codes(index), name)
            case Element(source, index):
                self._expressions.push_column(index)
                rows, cells = page.cells(source).rows, page.cells(name).position_codes()
                for row, cell in zip(rows[:-1], cells[:-1], strict=True):
                    page.code(f":{row}g{cell}p")
                page.code(f"{rows[-1]}g{cells[-1]}p")
            case _:
                self._expressions.push(value)
                page.store(name)

    def _copy(self, cells: tuple[str, ...], name: str) -> None:
        for source, target in zip(cells, self._page.cells(name).position_codes(), strict=True):
            self._page.code(f"{source}g{target}p")

    def _store(self, array: str, index: Value, value: Value) -> None:
        page, expressions = self._page, self._expressions
        cells = page.cells(array)
        limbs = self._limbs(value) if cells.type == "int" else []
        match index:
            case Number(number) if limbs:
                for limb, cell in zip(limbs, cells.position_codes(number), strict=True):
                    page.code(f"{limb}{cell}p")
            case Number(number):
                expressions.push(value)
                page.store_at(array, number)
            case _ if limbs:
                expressions.push_column(index)
                for limb, row in zip(limbs[:-1], cells.rows[:-1], strict=True):
                    page.code(f":{limb}\\{row}p")
                page.code(f"{limbs[-1]}\\{cells.rows[-1]}p")
            case _:
                expressions.push(value)
                expressions.push_column(index)
                page.store_element(array)

    def _limbs(self, value: Value) -> list[str]:
        """Return code that pushes each limb of an int, or [] if the int must be computed."""
        match value:
            case Number(number):
                return macros.limbs(number)
            case VariableRef(name):
                return [f"{cell}g" for cell in self._page.cells(name).position_codes()]
            case _:
                return []

    def _if(self, statement: If) -> None:
        condition, then, otherwise = statement.condition, statement.then, statement.otherwise
        if not then:
            condition, then, otherwise = Not(condition), otherwise, then
        with self._page.choice() as choice:
            self._expressions.test(condition)
            choice.test()
            self.block(then)
            choice.otherwise()
            self.block(otherwise)

    def _while(self, statement: While) -> None:
        with self._page.loop() as loop:
            self.block(statement.before)
            self._expressions.test(statement.condition)
            loop.test()
            self.block(statement.body)


# Values and conditions are pushed by code without loops and branches.


class BefungeExpressions:
    """Appends the code that computes values and conditions to a page, which holds the program.

    Both operands of ``and`` and ``or`` are always computed, because they have no side effects.  A
    division by 0 must be avoided even if its result is unused, because it is a fault in the dialect
    ``benchmark``.
    """

    def __init__(self, page: Page):
        self._page = page
        self._may_be_unused = False
        """Whether the value to push may stay unused, as in the second operand of ``and``."""

    # Values

    def push(self, value: Value) -> None:
        """Push a value."""
        page = self._page
        match value:
            case Number(number):
                page.push(number)
            case VariableRef(name):
                page.fetch(name)
            case Element(array, Number(index)):
                page.fetch_at(array, index)
            case Element(array, index):
                self.push_column(index)
                page.fetch_element(array)
            case Binary(operator, left, right):
                self.push(left)
                self.push(right)
                if (
                    self._may_be_unused
                    and operator in ("//", "%")
                    and not isinstance(right, Number)
                ):
                    page.code(":!+")
                page.code(operator[0])
            case Convert(inner):
                self.push(inner)

    def push_column(self, index: Value) -> None:
        """Push the column of the array element at an index."""
        match index:
            case Number(number):
                self._page.push(number)
                self._page.column()
            case Binary("+", left, Number(number)):
                self.push(left)
                self._page.column(number)
            case Binary("-", left, Number(number)):
                self.push(left)
                self._page.column(-number)
            case _:
                self.push(index)
                self._page.column()

    # Conditions

    def test(self, condition: Condition) -> None:
        """Push 0 if a condition is false, else a nonzero number."""
        match condition:
            case Not(Compare("==", left, right)):
                self._push_difference(left, right)
            case _:
                self._push_truth(condition)
        self._may_be_unused = False

    def _push_truth(self, condition: Condition) -> None:
        """Push a small positive number if a condition is true, else 0."""
        page = self._page
        match condition:
            case Not(inner):
                self._push_truth(inner)
                page.code("!")
            case And(first, second) | Or(first, second):
                self._push_truth(first)
                self._may_be_unused = True
                self._push_truth(second)
                page.code("*" if isinstance(condition, And) else "+")
            case Compare("<", left, right):
                self.push(right)
                self.push(left)
                page.code("`")
            case Compare(_, left, right):
                self._push_difference(left, right)
                page.code("!")

    def _push_difference(self, left: Value, right: Value) -> None:
        """Push 0 if two values are equal, else a nonzero number."""
        if left == Number(0, left.type):
            left, right = right, left
        self.push(left)
        if right != Number(0, right.type):
            self.push(right)
            self._page.code("-")


# The spans of a source map from marked characters.


class _MarkedRun(NamedTuple):
    """Adjacent characters of a row that belong to the same statements.

    ``start`` and ``end`` are offsets in the program.  ``path`` has the mark numbers of the
    statements, outermost first.
    """

    start: int
    end: int
    path: tuple[int, ...]


def _spans(
    block: TextBlock, rows: Sequence[str], marks: Sequence[StatementMark]
) -> tuple[Span, ...]:
    """Return the spans of the statements: one for each contiguous part of their code in a row."""
    starts = [0]
    for row in rows:
        starts.append(starts[-1] + len(row) + 1)
    paths = _paths(marks)
    found: list[Span] = []
    texts = sorted(block.texts, key=lambda one: (one.y, one.x))
    for y, parts in groupby(texts, key=lambda one: one.y):
        runs = [
            _MarkedRun(start, end, () if one.mark is None else paths[one.mark])
            for one in parts
            for start, end in _trimmed_range(starts[y] + one.x, one.text)
        ]
        found += _nested_spans(runs, 0, marks)
    return tuple(found)


def _trimmed_range(start: int, text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of a text without the spaces around it; nothing if it is blank."""
    bare = text.strip()
    if bare:
        first = start + len(text) - len(text.lstrip())
        yield first, first + len(bare)


def _paths(marks: Sequence[StatementMark]) -> list[tuple[int, ...]]:
    paths: list[tuple[int, ...]] = []
    for number, mark in enumerate(marks):
        parent_path = () if mark.parent is None else paths[mark.parent]
        paths.append((*parent_path, number))
    return paths


def _nested_spans(
    runs: Sequence[_MarkedRun], depth: int, marks: Sequence[StatementMark]
) -> Iterator[Span]:
    """Yield the spans of the statements in a row, each one before the spans that it contains.

    runs: the marked characters of the row.  depth: number of outer marks of each run to ignore.
    marks: the statement of each mark.
    """
    deeper = [run for run in runs if len(run.path) > depth]
    if not deeper:
        return
    for number, group in groupby(
        runs, key=lambda run: run.path[depth] if len(run.path) > depth else None
    ):
        inner = list(group)
        if number is not None:
            mark = marks[number]
            yield Span(inner[0].start, inner[-1].end, mark.origin, mark.what)
            yield from _nested_spans(inner, depth + 1, marks)


# The use of variables, and reads of variables that may be unset.


def _names_by_use(program: IrProgram) -> list[str]:
    """Return the names of variables and arrays, most used first.

    An int array needs five rows, so each use counts 1/5.
    """
    uses = count_uses(program)
    names = [*program.variables, *program.arrays]
    ints = {name for name, array in program.arrays.items() if array.type == "int"}
    return sorted(names, key=lambda name: -uses[name] / (5 if name in ints else 1))


def _names_read_before_assignment(program: IrProgram) -> set[str]:
    """Return the variables and arrays that may be read before they are assigned."""
    found: set[str] = set()
    _find_unset_reads(program.body, set(), found)
    return found


def _find_unset_reads(block: Block, assigned: set[str], unset: set[str]) -> None:
    """Add names read before assignment to ``unset``, definitely assigned names to ``assigned``."""
    for statement in block:
        if isinstance(statement, While):
            _find_unset_reads(statement.before, assigned, unset)
        read = set(names_read(statement))
        if isinstance(statement, Append | StoreElement):
            read |= set(names_used(statement))
        unset |= read - assigned
        match statement:
            case If(_, then, otherwise):
                one, other = set(assigned), set(assigned)
                _find_unset_reads(then, one, unset)
                _find_unset_reads(otherwise, other, unset)
                assigned |= one & other
            case While(_, _, body):
                _find_unset_reads(body, set(assigned), unset)
            case Assign(name) | Read(name) | Clear(name):
                assigned.add(name)
            case _:
                pass
