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
    adding, _ = programs(dialect)
    assert grade_source("E04", "befunge-98", adding, dialect=dialect).solved


@each_dialect
@pytest.mark.parametrize("text", ["", "a", "two words", "\n"])
def test_the_program_that_reads_to_the_end_counts_characters(dialect: str, text: str) -> None:
    _, counting = programs(dialect)
    assert output_of(counting, text, dialect) == f"{len(text)} ".encode()


@each_dialect
def test_what_the_card_says_about_the_minus_is_so(dialect: str) -> None:
    for text, output in (("5 -7", b"-7 5 "), ("- 7 1", b"1 7 ")):
        assert output_of(b"&&..@", text, dialect) == output
