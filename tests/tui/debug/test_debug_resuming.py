"""A new version of the program: the step stays if everything executed before it is the same."""

from __future__ import annotations

import pytest
from debug_app import MID, do, program, settle
from hypothesis import given
from hypothesis import strategies as st

from esoplay.debugging.analysis import count_equal_steps
from esoplay.debugging.debugger import Debugger

FIRST = b"+++[>++<-]\n>.>,.\n"


@pytest.mark.parametrize(
    ("source", "stays"),
    [
        (b"+++[>++<-]\n>.>,.-\n", True),
        (b"a comment in front\n+++[>++<-]\n>.>,.\n", True),
        pytest.param(b"+++[>++<-] more\n>..>,\n", True, marks=pytest.mark.slow),
        pytest.param(b"+++[>+++<-]\n>.>,.\n", False, marks=pytest.mark.slow),
        (b"++++[>++<-]\n>.>,.\n", False),
    ],
)
async def test_step_stays_if_the_executed_prefix_is_equal(source: bytes, stays: bool) -> None:
    async with program(FIRST, b"x", size=MID) as (pilot, pane, _):
        await do(pilot, *"25l")
        pane.open("brainfuck", source, b"x", None, "standard")
        await settle(pilot)
        assert pane.step == (25 if stays else 0)
        assert ("stays here" in pane.time.status_text()) == stays
        await do(pilot, "l", "h", "h")
        assert pane.step == (24 if stays else 0)


async def test_new_input_restarts_at_step_0() -> None:
    async with program(FIRST, b"x", size=MID) as (pilot, pane, _):
        await do(pilot, *"5l")
        pane.open("brainfuck", FIRST + b"+", b"y", None, "standard")
        await settle(pilot)
        assert pane.step == 0


SWAPPED = [
    ("befunge-98", b"123...@", b"123..>@", 5, 5),
    ("befunge-98", b"123...@", b"124...@", 5, 2),
    ("unlambda", b"```.a.b.ci", b"```.a.b.di", 2, 2),
    ("whitespace", b"   \t\n\t\n \t\n\n\n", b"   \t\n \n \t\n \t\n\n\n", 1, 1),
    ("whitespace", b"   \t\n\t\n \t\n\n\n", b"   \t\t\n\t\n \t\n\n\n", 2, 0),
]


@pytest.mark.parametrize(("language", "old", "new", "steps", "same"), SWAPPED)
def test_every_language_reports_the_first_different_step(
    language: str, old: bytes, new: bytes, steps: int, same: int
) -> None:
    a, b = (Debugger.open(language, source, stdin=b"", closed=True) for source in (old, new))
    assert count_equal_steps(a, b, steps) == same
    assert (a.step, b.step) == (0, 0)


@given(st.text("+-<>.,", max_size=30), st.text("+-<>.,", max_size=30), st.integers(1, 40))
def test_common_steps_are_a_common_prefix(old: str, new: str, steps: int) -> None:
    """Of programs without loops, which execute what is written in its order."""
    old, new = ">>>>>>" + old.replace("<", ""), ">>>>>>" + new.replace("<", "")
    common = next(
        (at for at, (x, y) in enumerate(zip(old, new, strict=False)) if x != y),
        min(len(old), len(new)),
    )
    a, b = (Debugger.open("brainfuck", text.encode(), stdin=b"") for text in (old, new))
    assert count_equal_steps(a, b, steps) == min(common, steps)
