"""The reference card of Brainfuck: what it shows runs, and is enough for three problems."""

from __future__ import annotations

import re

import pytest

from esolangs.api import parse, run
from esolangs.limits import Limits
from esolangs.registry import find_language
from esoplay.packs.grading import grade_source

CARD = find_language("brainfuck").card("standard")
BLOCKS = re.findall(r"```\n(.*?)```", CARD, re.DOTALL)
READ, COMPARE, DIVIDE, PRINT, ADD, SHOW = BLOCKS

CARRY = SHOW.split("]\n>>>++<")[0].removeprefix("+[") + "]"
"""Lines 1 to 5 of the last block: they carry once."""

NEXT, BACK = ">" * 7, "<" * 7
FIRST = f"{BACK}[-{NEXT}+{BACK}]{NEXT}"
"""At the end of a loop over groups: from cell 5 of a group, take the count along."""

MINIMUM = (
    ADD
    # In each group: the digit of the first number is copied to the cell for you and negated.
    + ">>>>>+++++[->>[->>>>>>+<<<<<<]>>>>>>[-<+<<<<<->>>>>>]<[->+<]"
    + FIRST
    + "]"
    + "<" * 40
    + ADD
    + CARRY
    # The second minus the first is not negative: a 1 in cell 5 of the last group.
    + ">>--<<+>>[+<<->>>+<]>[-<->]<<<"
    # The first number, plus the difference if that is negative.
    + "<<<<[[-]>>>>[<<<[-]>>>[-<<<<<<<+>>>>>>>]]<<<[-<<+>>]>>>>[-<<<<<<+>>>>>>]"
    + "<<<<<<<<<<<<]>>>>[-]<<<<<"
    + SHOW
)

FIBONACCI = (
    # N in cell 1; 1 and 0 in the cells for you and the values.
    READ
    + "[-<+>]<"
    + ">" * 13
    + "+"
    + "<" * 13
    + "[->>>>>++++++++[->>[->>+<<]>>>>>>[-<<<<<<+>>>>>>]<<<<[-<<+>>>>>>+<<<<]<++++++++++<"
    + DIVIDE
    + ">[-]>[-<<+>>]>[->>>>>>>>>>+<<<<<<<<<<]>>"
    + FIRST
    + "]"
    + "<" * 61
    + "]"
    + SHOW.replace("<<+++++[", "<<++++++++[")
)


def output_of(program: str, text: str = "") -> bytes:
    result = run(parse("brainfuck", program.encode()), text.encode(), limits=Limits(steps=100_000))
    assert result.status == "halted", result
    return result.output


def put(*cells: int) -> str:
    """Cells from the one of the pointer on; ends on the first."""
    return ">".join("+" * cell for cell in cells) + "<" * (len(cells) - 1)


def shown(cells: int) -> str:
    """Print so many cells, from the one of the pointer on, as bytes."""
    return ">".join("." * cells)


def snippet(row: str) -> str:
    """The code in the row of the card's patterns that begins like this."""
    line = next(line for line in CARD.splitlines() if line.startswith(f"| {row}"))
    return line.split("`")[1]


@pytest.mark.parametrize(
    ("row", "before", "after"),
    [
        ("set the cell to 0", [7], [0]),
        ("add the cell to the next one", [7, 3], [0, 10]),
        ("subtract it from the next one", [7, 3], [0, 252]),
    ],
)
def test_patterns_change_cells_as_the_card_says(
    row: str, before: list[int], after: list[int]
) -> None:
    assert output_of(put(*before) + snippet(row) + shown(len(after))) == bytes(after)


def test_the_pattern_that_keeps_a_number_ends_on_its_spare_cell() -> None:
    code = put(7, 3, 0) + snippet("add it to the next one but keep it")
    assert output_of(f"{code}<<{shown(3)}") == bytes([7, 10, 0])


@pytest.mark.parametrize("number", [0, 1, 9])
def test_patterns_that_test_for_zero_work(number: int) -> None:
    flag = snippet("set the next cell to 1 if the cell is 0")
    assert output_of(f"{put(number)}{flag}.<.") == bytes([number == 0, number])
    choose = snippet("else").replace("something", ">>+.[-]<<").replace("else", ">++.[-]<")
    assert output_of(f"{put(number)}{choose}{shown(3)}") == bytes([1 + (number == 0), 0, 0, 0])
    once = snippet("do something once").replace("something", ">+.[-]<")
    assert output_of(put(number) + once) == (b"\1" if number else b"")


def test_patterns_that_read_and_print_text_work() -> None:
    assert output_of(snippet("print the letter A")) == b"A"
    assert output_of(snippet("echo"), "a, b") == b"a, b"
    assert output_of(snippet("store the input") + "[.<]", "abc") == b"cba"
    assert output_of(snippet("skip the rest") + ",[.,]", "one\ntwo\n3") == b"two\n3"


@pytest.mark.parametrize("number", [0, 7, 65, 100, 255])
def test_a_number_in_one_cell_is_read_and_printed(number: int) -> None:
    assert output_of(f"{READ}.", str(number)) == bytes([number])
    assert output_of(f">{put(number)}{PRINT}>{shown(8)}") == str(number).encode() + bytes(8)


def test_the_changes_for_a_newline_and_a_space_read_a_number() -> None:
    line = READ.replace(",", ",----------").replace("++++++[-<<-------->>]<<", "<<" + "-" * 38)
    assert output_of(f"{line}.,.", "120\nx") == b"\x78x"
    word = READ.replace(",", "," + "-" * 32).replace("++++++[-<<-------->>]<<", "<<" + "-" * 16)
    assert output_of(f"{word}.,.", "120 x") == b"\x78x"


@pytest.mark.parametrize(("a", "b"), [(0, 1), (3, 7), (7, 3), (5, 5), (4, 5), (255, 1), (0, 255)])
def test_the_pattern_that_compares_two_cells_works(a: int, b: int) -> None:
    assert output_of(f"{put(1, 0, a, b)}>>{COMPARE}<.") == bytes([a < b])


@pytest.mark.parametrize(("n", "d"), [(0, 2), (9, 10), (10, 10), (255, 10), (255, 2), (30, 7)])
def test_the_pattern_that_divides_a_cell_works(n: int, d: int) -> None:
    expected = bytes([0, d - n % d, n % d, n // d, 0, 0])
    assert output_of(put(n, d) + DIVIDE + shown(6)) == expected


@pytest.mark.parametrize("dialect", ["standard", "benchmark"])
@pytest.mark.parametrize(
    ("problem", "program"),
    [("E04", ADD + ADD + SHOW), ("E12", MINIMUM), ("M08", FIBONACCI)],
    ids=["E04", "E12", "M08"],
)
def test_a_program_from_patterns_of_the_card_solves_its_problem(
    problem: str, program: str, dialect: str
) -> None:
    assert grade_source(problem, "brainfuck", program.encode(), dialect=dialect).solved


def test_a_number_can_be_subtracted() -> None:
    assert output_of(ADD + ">>>>>-<<<<<" + ADD + SHOW, "30 -12") == b"42"
    assert output_of(ADD + ">>>>>-<<<<<" + ADD + SHOW, "30 42") == b"-12"


def test_patterns_that_go_to_the_next_zero_work() -> None:
    line = next(line for line in CARD.splitlines() if line.startswith("| go to the next 0"))
    right, left = line.split("`")[1::2]
    assert (right, left) == ("[>]", "[<]")
    cells = ">" + put(1, 2, 3)
    assert output_of(f"{cells}{right}++++.<.") == bytes([4, 3])
    assert output_of(f"{cells}>>{left}+++++.>.") == bytes([5, 1])


TRIED = (
    "set the cell to 0",
    "add the cell to the next one",
    "add it to the next one but keep it",
    "subtract it from the next one",
    "print the letter A",
    "do something once",
    "else",
    "set the next cell to 1 if the cell is 0",
    "echo",
    "store the input",
    "go to the next 0",
    "skip the rest",
)
"""How the rows of the card's patterns begin; the tests above run the code of each."""


def test_every_pattern_of_the_card_is_tried() -> None:
    table = CARD.partition("## Patterns\n")[2].partition("\n## ")[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    assert len(rows) == len(TRIED)
    for row, tried in zip(rows, TRIED, strict=True):
        assert row.startswith(f"| {tried}")
