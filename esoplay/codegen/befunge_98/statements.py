"""Statements on a page, each marked with its number."""

from __future__ import annotations

from dataclasses import dataclass

from esoplay.codegen.befunge_98 import macros
from esoplay.codegen.befunge_98.expressions import Expressions
from esoplay.codegen.befunge_98.page import Page
from esoplay.codegen.bounds import most
from esoplay.codegen.ir import (
    Append,
    Assign,
    Binary,
    Block,
    Clear,
    Convert,
    Element,
    If,
    Not,
    Number,
    Origin,
    Program,
    Read,
    Statement,
    Store,
    Value,
    Variable,
    While,
    Write,
    WriteInt,
    WriteText,
)
from esoplay.codegen.wording import Wording


@dataclass(frozen=True, slots=True)
class Mark:
    """A statement.  around: the number of the mark of the one that it stands in."""

    origin: Origin
    what: str
    around: int | None


class Statements:
    """marks: by the numbers that the page hands back."""

    def __init__(self, page: Page, program: Program):
        self.marks: list[Mark] = []
        self._page = page
        self._program = program
        self._expressions = Expressions(page)
        self._wording = Wording(program.labels)
        self._around: int | None = None

    def block(self, block: Block) -> None:
        """Write the statements of a block."""
        around = self._around
        for statement in block:
            mark = len(self.marks)
            self.marks.append(Mark(statement.origin, self._wording.of(statement), around))
            self._around = mark
            with self._page.marked(mark):
                self._write(statement)
        self._around = around

    def _write(self, statement: Statement) -> None:
        page, expressions = self._page, self._expressions
        match statement:
            case Assign(name, value):
                self._assign(name, value)
            case Store(array, index, value):
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
            case Write(value):
                expressions.push(value)
                page.write()
            case WriteText(text):
                page.print_text(text)
            case WriteInt(value):
                expressions.push(value)
                page.print_number(signed=not isinstance(value, Convert))
            case If():
                self._if(statement)
            case While():
                self._while(statement)

    def _assign(self, name: str, value: Value) -> None:
        """Ints that are copied, counted, or come from a constant or a byte, need not be joined."""
        page = self._page
        if self._program.variables[name] == "byte":
            self._expressions.push(value)
            page.store(name)
            return
        itself = Variable(name, "int")
        match value:
            case Number(number):
                page.set(name, number)
            case Convert(byte):
                self._expressions.push(byte)
                page.store_byte(name, most(byte))
            case Binary("+", left, Number(1)) | Binary("-", left, Number(-1)) if left == itself:
                page.add_one(name)
            case Binary("-", left, Number(1)) | Binary("+", left, Number(-1)) if left == itself:
                page.subtract_one(name)
            case Variable(source):
                self._copy(page.cells(source).at(), name)
            case Element(source, Number(index)):
                self._copy(page.cells(source).at(index), name)
            case Element(source, index):
                self._expressions.push_column(index)
                rows, cells = page.cells(source).rows, page.cells(name).at()
                for row, cell in zip(rows[:-1], cells[:-1], strict=True):
                    page.code(f":{row}g{cell}p")
                page.code(f"{rows[-1]}g{cells[-1]}p")
            case _:
                self._expressions.push(value)
                page.store(name)

    def _copy(self, cells: tuple[str, ...], name: str) -> None:
        for source, target in zip(cells, self._page.cells(name).at(), strict=True):
            self._page.code(f"{source}g{target}p")

    def _store(self, array: str, index: Value, value: Value) -> None:
        page, expressions = self._page, self._expressions
        cells = page.cells(array)
        limbs = self._limbs(value) if cells.type == "int" else []
        match index:
            case Number(number) if limbs:
                for limb, cell in zip(limbs, cells.at(number), strict=True):
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
        """Code that pushes each limb of an int; none where the int must be worked out."""
        match value:
            case Number(number):
                return macros.limbs(number)
            case Variable(name):
                return [f"{cell}g" for cell in self._page.cells(name).at()]
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
