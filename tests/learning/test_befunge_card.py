"""The programs on the cards of Befunge-98 run as the cards say, each in its dialect."""

from __future__ import annotations

import re

import pytest

from esolangs.api import parse, run
from esolangs.limits import Limits
from esolangs.registry import find_language
from esoplay.packs.grading import grade_source

each_dialect = pytest.mark.parametrize("dialect", ["standard", "benchmark"])


def programs(dialect: str) -> list[bytes]:
    card = find_language("befunge-98").card(dialect)
    return [block.encode() for block in re.findall(r"```befunge\n(.*?)```", card, re.DOTALL)]


def output_of(source: bytes, text: str, dialect: str) -> bytes:
    program = parse("befunge-98", source, dialect=dialect)
    result = run(program, text.encode(), limits=Limits(steps=10_000))
    assert result.status == "halted", result
    return result.output


@each_dialect
def test_the_program_that_prints_a_sum_solves_e04(dialect: str) -> None:
    _, adding, _ = programs(dialect)
    assert grade_source("E04", "befunge-98", adding, dialect=dialect).solved


@each_dialect
@pytest.mark.parametrize("text", ["", "a", "two words", "\n"])
def test_the_program_that_reads_to_the_end_counts_characters(dialect: str, text: str) -> None:
    _, _, counting = programs(dialect)
    assert output_of(counting, text, dialect) == f"{len(text)} ".encode()


@each_dialect
def test_the_card_is_right_about_the_minus(dialect: str) -> None:
    for text, output in (("5 -7", b"-7 5 "), ("- 7 1", b"1 7 ")):
        assert output_of(b"&&..@", text, dialect) == output


@each_dialect
def test_the_loop_of_two_rows_counts_down(dialect: str) -> None:
    loop, _, _ = programs(dialect)
    assert output_of(loop, "5", dialect) == b"5 4 3 2 1 "


ROW_9 = "\n" * 9 + "      ;"
"""Rows enough for the dialect in which the plane is as large as the program."""

# Each piece of code in the table of patterns: a program that has it, its input and its output.
SNIPPETS = {
    '"txet">:#,_@': ('"txet">:#,_@', "", "text"),
    '0"txet">:#,_$@': ('0"txet">:#,_$@', "", "text"),
    "a,": ("a,@", "", "\n"),
    "#@~,": ("#@~,", "two words", "two words"),
    "~:1+!#@_,": ("~:1+!#@_,", "two words", "two words"),
    "#v_A": ("&#v_1.@\n  >2.@", "0", "1 "),
    ">B": ("&#v_1.@\n  >2.@", "7", "2 "),
    "-!": ("&&-!.@", "5 5", "1 "),
    ":0\\`": ("&:0\\`..@", "-3", "1 -3 "),
    "&:&-:0`*-": ("&:&-:0`*-.@", "8 -3", "-3 "),
    "&:&-:0\\`*-": ("&:&-:0\\`*-.@", "-3 8", "8 "),
    "> #;": ("&> #;:.1-:#;_@", "3", "3 2 1 "),
    ":#;_": ("&> #;:.1-:#;_@", "1", "1 "),
    ";text;": ("1;text;.@", "", "1 "),
    "99*": ("99*.@", "", "81 "),
    "'~": ("'~.@", "", "126 "),
    "aa*": ("aa*.@", "", "100 "),
    "05-": ("05-.@", "", "-5 "),
    "v09p": (f"709p09g.@{ROW_9}", "", "7 "),
    "09p": (f"709p09g.@{ROW_9}", "", "7 "),
    "09g": (f"709p09g.@{ROW_9}", "", "7 "),
    "v i9p": (f"739p39g.@{ROW_9}", "", "7 "),
    "i9g": (f"739p39g.@{ROW_9}", "", "7 "),
    "0\\-": ("70\\-.@", "", "-7 "),
    "2%!": ("&2%!.@", "6", "1 "),
    "\\:09p\\09g": (f"12\\:09p\\09g...@{ROW_9}", "", "1 2 1 "),
    "'d:*:*": ("'d:*:*.@", "", "100000000 "),
    ":'d:*:*/": ("&'d:*:**&+:'d:*:*/.@", "12 34", "12 "),
    ":'d:*:*%": ("&'d:*:**&+:'d:*:*%.@", "12 34", "34 "),
}


def snippets(dialect: str) -> set[str]:
    """What the table of patterns has as code, but for single instructions."""
    card = find_language("befunge-98").card(dialect)
    table = card.partition("## Patterns\n")[2].partition("\n\n")[0]
    spans = re.findall(r"`` (.+?) ``|`([^`]+)`", table)
    return {span for pair in spans for span in pair if len(span) > 1}


@each_dialect
def test_every_pattern_does_what_the_card_says(dialect: str) -> None:
    found = snippets(dialect)
    assert len(found) >= 20
    for snippet in found:
        program, text, output = SNIPPETS[snippet]
        assert output_of(program.encode(), text, dialect) == output.encode(), snippet


SMALLER = "&:&-:0`*-"

FIBONACCI = r"""
&1>\1-:#v_$'d:*:*%0\>:a%'0+\a/:#v_$>:#,_@
                    ^           <
        >\:'d:*:*/\'d:*:*%:'d:*:**++v
  ^                                 <
"""


@each_dialect
def test_e12_and_m08_are_solved_with_what_the_card_shows(dialect: str) -> None:
    _, adding, _ = programs(dialect)
    first, second = adding.decode().splitlines()
    smaller = f"{first.replace('&&+', SMALLER)}\n{' ' * (len(SMALLER) - 3)}{second}"
    assert grade_source("E12", "befunge-98", smaller.encode(), dialect=dialect).solved
    fibonacci = FIBONACCI.removeprefix("\n").encode()
    assert grade_source("M08", "befunge-98", fibonacci, dialect=dialect).solved
