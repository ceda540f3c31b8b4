"""The programs of the walks have one planted error each, and are as long as the walks say."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import pytest

from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.packs.grading import grade_source

FOLDER = Path(__file__).parents[1] / "walks"


class Planted(NamedTuple):
    """A program; its length; what it is to solve; the error, and what should be there instead."""

    file: str
    language: str
    lines: int
    problem: str
    wrong: bytes
    right: bytes


SEVEN = b"digit_7:\n    \t  \t\n \n\n"
PUSH_SIX, PUSH_SEVEN = b"   \t\t \n", b"   \t\t\t\n"

PLANTED = (
    Planted("roman.b98", "befunge-98", 87, "X18", b"8a*-", b"9a*-"),
    Planted("digits.ws", "whitespace", 309, "H08", SEVEN + PUSH_SIX, SEVEN + PUSH_SEVEN),
)


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted.file)
def test_one_edit_fixes_the_program(planted: Planted) -> None:
    source = (FOLDER / planted.file).read_bytes()
    assert source.count(b"\n") == planted.lines
    assert source.count(planted.wrong) == 1
    assert not _solves(planted, source)
    assert _solves(planted, source.replace(planted.wrong, planted.right))


def _solves(planted: Planted, source: bytes) -> bool:
    report = grade_source(planted.problem, planted.language, source, seed=PRACTICE_SEED)
    return report.passed == report.total
