"""A program of statements as a page, and what is known of it."""

from __future__ import annotations

from esoplay.codegen.befunge_98.layout import TextBlock
from esoplay.codegen.befunge_98.page import Page
from esoplay.codegen.befunge_98.spans import spans
from esoplay.codegen.befunge_98.statements import Mark, Statements
from esoplay.codegen.befunge_98.usage import by_use, unset
from esoplay.codegen.generated import Generated, Place
from esoplay.codegen.ir import Program

_GAP = 3
"""Blank columns between the code and remarks."""


def generate(program: Program, *, comments: bool = False) -> Generated:
    """See :class:`esoplay.codegen.generated.Generator`."""
    page = Page()
    order = by_use(program)
    for name in order:
        label = program.labels.get(name, name)
        if name in program.arrays:
            array = program.arrays[name]
            page.array(name, array.type, array.length, label)
        else:
            page.variable(name, program.variables[name], label)
    at_zero = unset(program)
    for name in order:
        if name in at_zero:
            if name in program.arrays:
                page.clear(name)
            else:
                page.set(name, 0)
    statements = Statements(page, program)
    statements.block(program.body)
    block = page.block()
    if comments:
        _remark(block, statements.marks)
    rows = block.rows()
    text = "".join(f"{row}\n" for row in rows)
    return Generated(text, spans(block, rows, statements.marks), _places(program, page))


def _remark(block: TextBlock, marks: list[Mark]) -> None:
    """Beside each row, to the right of all code, what the statements that begin in it do."""
    begun: dict[int, int] = {}
    for one in sorted(block.placed, key=lambda one: (one.y, one.x)):
        if one.mark is not None:
            begun.setdefault(one.mark, one.y)
    first = min(begun.values(), default=0)
    right = max((one.x + len(one.text) for one in block.placed if one.y >= first), default=0)
    remarks: dict[int, list[str]] = {}
    for mark, y in sorted(begun.items()):
        remarks.setdefault(y, []).append(marks[mark].what)
    for y, words in remarks.items():
        block.put(right + _GAP, y, "; ".join(words), None)


def _places(program: Program, page: Page) -> dict[str, Place]:
    places = {name: page.cells(name).place() for name in program.variables}
    for name, array in program.arrays.items():
        cells = page.cells(name)
        for index in range(array.length):
            places[f"{name}[{index}]"] = cells.place(index)
    return places
