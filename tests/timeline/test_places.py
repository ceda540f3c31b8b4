"""Places in programs: offsets, points, names and instructions all become addresses."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies.brainfuck import sources

from esolangs.brainfuck import LANGUAGE
from esolangs.brainfuck.program import BrainfuckMachine, BrainfuckProgram
from esolangs.limits import Limits
from esolangs.source import locate
from esolangs.stops import StopSet
from esoplay.debugging.debugger import BreakpointSpec, Debugger, Recording
from esoplay.errors import ConditionError, UsageError
from esoplay.timeline.breakpoints import Breakpoint

SOURCE = b"+>+\n[-]\n."


class NamedProgram(BrainfuckProgram):
    """A program that names some of its places."""

    def places(self) -> dict[str, int]:
        return {"label STS": 2, "Act I, Scene II": 5, "label sts": 8}


class PlaneMachine(BrainfuckMachine):
    """A machine whose code lies on a plane: column and row, from 0."""

    @property
    def location(self) -> Any:
        return self.program.address_at(super().location)

    def _watch_core(self, stops: StopSet, scanning: bool) -> None:
        points = {self.program.address_at(at): at for at, _ in self.program.spans()}
        offsets = frozenset(points[at] for at in stops.locations if at in points)
        super()._watch_core(stops._replace(locations=offsets), scanning)


class PlaneProgram(BrainfuckProgram):
    machine_class = PlaneMachine

    def address_at(self, offset: int) -> tuple[int, int]:
        line, column = locate(self.source, offset)
        return column - 1, line - 1


NAMED = NamedProgram(LANGUAGE, SOURCE, LANGUAGE.configure())
PLANE = PlaneProgram(LANGUAGE, SOURCE, LANGUAGE.configure())


def locations(program: BrainfuckProgram, **parts: Any) -> Any:
    return Breakpoint(1, BreakpointSpec(**parts), program).locations


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"offset": 4}, {4}),
        ({"place": "label STS"}, {2}),
        ({"place": "label sts"}, {8}),  # as it is written comes first
        ({"place": "ACT i,  scene ii"}, {5}),
        ({"place": "scene ii"}, {5}),
        ({"instruction": "+"}, {0, 2}),
        ({"instruction": "+", "place": "Label STS"}, {2}),
        ({"instruction": ".", "cell": 1}, {8}),
    ],
)
def test_places_become_offsets(parts: dict[str, Any], expected: set[int]) -> None:
    assert locations(NAMED, **parts) == expected


@pytest.mark.parametrize(
    ("parts", "expected"),
    [
        ({"offset": 5}, {(1, 1)}),
        ({"position": (1, 1)}, {(1, 1)}),
        ({"position": (-5, 10**9)}, {(-5, 10**9)}),  # a program may write code there
        ({"instruction": "+"}, {(0, 0), (2, 0)}),
    ],
)
def test_places_become_points(parts: dict[str, Any], expected: set[tuple[int, int]]) -> None:
    assert locations(PLANE, **parts) == expected


@pytest.mark.parametrize(
    ("program", "parts", "words"),
    [
        (
            NAMED,
            {"place": "label T"},
            "'label T'; known places: label STS, Act I, Scene II, label sts",
        ),
        (NAMED, {"place": "sts"}, "'sts'; known places"),  # two names end so
        (PLANE, {"place": "x"}, "no named places"),
        (NAMED, {"position": (1, 1)}, "not on a plane"),
        (NAMED, {"offset": 9}, "no instruction at offset 9"),
        (NAMED, {"instruction": "x"}, "no instruction of the program has the text 'x'"),
        (NAMED, {"instruction": "+", "offset": 8}, "matches all of these locations"),
        (NAMED, {}, "needs at least one of offset"),
        (NAMED, {"log": "here"}, "needs at least one of offset"),
    ],
)
def test_unknown_places_are_reported(
    program: BrainfuckProgram, parts: dict[str, Any], words: str
) -> None:
    with pytest.raises(UsageError) as caught:
        locations(program, **parts)
    assert words in str(caught.value)


def test_conditions_know_the_registers_of_the_program() -> None:
    class OtherProgram(BrainfuckProgram):
        def register_names(self) -> dict[str, str]:
            return {"delta": "where to"}

    program = OtherProgram(LANGUAGE, SOURCE, LANGUAGE.configure())
    Breakpoint(1, BreakpointSpec(condition="delta == 3", log="{delta}"), program)
    for parts in ({"condition": "ptr == 3"}, {"offset": 0, "log": "{ptr}"}):
        with pytest.raises(ConditionError, match="step, hits, output, input, delta"):
            Breakpoint(1, BreakpointSpec(**parts), program)


def test_a_breakpoint_at_an_instruction_stops_before_each() -> None:
    for program in (NAMED, PLANE):
        debugger = Debugger(program, recording())
        debugger.add_breakpoint(BreakpointSpec(instruction="+"))
        debugger.seek(100)
        met = [debugger.resume(reverse=True).step for _ in range(2)]
        assert met == [2, 0]
        assert debugger.resume().reasons[0].text == "breakpoint 1: before any '+'"


def recording(source: bytes = SOURCE) -> Recording:
    limits = Limits(steps=400)
    return Recording("brainfuck", "standard", LANGUAGE.configure(), source, limits=limits)


@given(sources(), st.lists(st.integers(0, 400), max_size=4), st.booleans())
def test_a_step_by_row_is_a_step_by_line(source: bytes, starts: list[int], reverse: bool) -> None:
    """The one looks at every state, the other lets the engine watch for offsets."""
    source = source.replace(b"x", b"\n")
    options = LANGUAGE.configure()
    on_lines = Debugger(BrainfuckProgram(LANGUAGE, source, options), recording(source))
    on_rows = Debugger(PlaneProgram(LANGUAGE, source, options), recording(source))
    for start in starts:
        moved = []
        for debugger in (on_lines, on_rows):
            debugger.seek(start)
            moved.append(debugger.step_by(granularity="line", reverse=reverse).step)
        assert moved[0] == moved[1]


def test_step_by_row_can_be_cancelled() -> None:
    program = PlaneProgram(LANGUAGE, b"+[]", LANGUAGE.configure())
    debugger = Debugger(program, Recording("brainfuck", "standard", program.options, b"+[]"))
    debugger.seek(10)
    asked: list[int] = []

    def refuse(done: int, total: int) -> bool:
        asked.append(done)
        return False

    stop = debugger.step_by(granularity="line", ticker=refuse)
    assert (stop.reasons[0].kind, debugger.step, len(asked)) == ("cancelled", 10, 1)


def test_finish_without_a_construct_is_reported() -> None:
    stop = Debugger(NAMED, recording()).step_by(granularity="finish")
    assert stop.reasons[0].text == "nothing to step out of here"
