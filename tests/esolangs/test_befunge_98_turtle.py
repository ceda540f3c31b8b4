"""TURT: the turtle's drawing, as part of the state and as the oracle has it."""

from __future__ import annotations

from typing import Any

import pytest
from engines import engine_names, one_fast_engine, program
from hypothesis import given
from hypothesis import strategies as st
from oracles.befunge_98 import Oracle
from oracles.befunge_98.turtle import Turtle
from test_befunge_98_equals_oracle import assert_same

from esolangs.befunge_98.program import BefungeMachine
from esolangs.limits import Limits
from esolangs.view import Drawing, Line, Window

engines = pytest.mark.parametrize("engine", engine_names("befunge-98"))
TURT = '"TRUT"4($$'
EVERYTHING = Window(lines=1 << 20)


def start(engine: str, code: str, **limits: int) -> BefungeMachine:
    return program("befunge-98", (TURT + code).encode(), engine).start(limits=Limits(**limits))


def finished(engine: str, code: str, **limits: int) -> BefungeMachine:
    machine = start(engine, code, **limits)
    machine.run(100_000)
    return machine


def shown(machine: BefungeMachine, window: Window = EVERYTHING) -> Drawing | None:
    found = [panel for panel in machine.view(window).panels if isinstance(panel, Drawing)]
    assert len(found) <= 1
    return found[0] if found else None


def points(drawing: Drawing | None) -> list[tuple[int, ...]]:
    assert drawing is not None
    return [(*line.start, *line.end, line.color) for line in drawing.lines]


_NUMBERS = st.sampled_from(
    ["0", "1", "2", "5", "9", "f", "01-", "07-", "a9*", "65*", "f3*", "f4*", "aa*", "ff*f*f*f*"]
)
_ONE = st.tuples(_NUMBERS, st.sampled_from("BCDFHLNPRPFFB"))
_PIECE = st.one_of(
    _ONE.map("".join),
    st.sampled_from(["1P", "0P", "I", "A.", "E.", "Q..", "U....", "#vt"]),
    st.tuples(_NUMBERS, _NUMBERS, st.just("T")).map("".join),
    st.sampled_from(["4a*8*H", "f2*H", "1P1F"]),
)


@pytest.mark.parametrize("engine", one_fast_engine("befunge-98"))
@given(pieces=st.lists(_PIECE, max_size=30), cut=st.integers(0, 100))
def test_drawings_match_the_oracle(engine: str, pieces: list[str], cut: int) -> None:
    source = TURT + "".join(pieces) + "@"
    machine = start(engine, source[len(TURT) :])
    oracle = Oracle(source.encode())
    for budget in (cut, 400):
        machine.run(budget)
        oracle.run(budget)
        assert_same(machine, oracle)
        turtle: Turtle = oracle.states.get("TURT", Turtle())
        drawing = shown(machine)
        if drawing is None:
            assert turtle == Turtle()
            continue
        assert points(drawing) == list(turtle.lines)
        assert (drawing.position, drawing.heading) == ((turtle.x, turtle.y), turtle.heading)
        assert (drawing.pen, drawing.color, drawing.paper) == (
            turtle.pen == 1, turtle.color, turtle.paper,
        )  # fmt: skip
        if turtle.lines:
            xs = [x for line in turtle.lines for x in (line[0], line[2])]
            ys = [y for line in turtle.lines for y in (line[1], line[3])]
            assert drawing.low == (min(xs), min(ys))
            assert drawing.high == (max(xs), max(ys))
        paper, lines = turtle.printed or (turtle.paper, turtle.lines)
        handed_out = machine.drawing()
        if lines:
            assert handed_out is not None
            assert (handed_out.paper, points(handed_out)) == (paper, list(lines))
        else:
            assert handed_out is None


@engines
def test_a_turtle_draws_a_square(engine: str) -> None:
    drawing = shown(finished(engine, "1P" + "5Fa9*R" * 4 + "@"))
    assert points(drawing) == [(0, 0, 5, 0, 0), (5, 0, 5, 5, 0), (5, 5, 0, 5, 0), (0, 5, 0, 0, 0)]


@engines
def test_nothing_is_drawn_with_the_pen_up(engine: str) -> None:
    machine = finished(engine, "5F@")
    drawing = shown(machine)
    assert drawing is not None
    assert (drawing.size, drawing.position, machine.drawing()) == (0, (5, 0), None)


@engines
def test_a_program_without_a_turtle_has_no_drawing(engine: str) -> None:
    assert shown(finished(engine, "AQ@")) is None


@engines
def test_a_view_has_the_last_lines(engine: str) -> None:
    machine = finished(engine, "1P" + "1F" * 30 + "@")
    drawing = shown(machine, Window(lines=2))
    assert drawing is not None
    assert (drawing.size, drawing.low, drawing.high) == (30, (0, 0), (30, 0))
    assert drawing.lines == (Line((28, 0), (29, 0), 0), Line((29, 0), (30, 0), 0))


@engines
def test_the_printed_drawing_is_returned(engine: str) -> None:
    machine = finished(engine, "1P5FI0N3Fa9*R1F@")
    handed_out = machine.drawing()
    assert handed_out is not None
    assert (points(handed_out), handed_out.paper) == ([(0, 0, 5, 0, 0)], 0xFFFFFF)
    drawing = shown(machine)
    assert drawing is not None
    assert (drawing.size, drawing.paper) == (2, 0)


@engines
@pytest.mark.parametrize("code", ["{far}1-", "{far}8*", "0{far}-", "0{far}2/-1-"])
def test_a_turtle_does_not_leave_its_paper(engine: str, code: str) -> None:
    row = TURT + "1P" + code.format(far="2:*:*:*:*:*") + "#vF1.@"  # 2 to the 32nd
    source = f"{row}\n{' ' * row.index('v')}>2.@\n"
    machine: BefungeMachine = program("befunge-98", source.encode(), engine).start()
    machine.run(1000)
    assert machine.take_output() == b"2 "
    drawing = shown(machine)
    assert drawing is not None
    assert (drawing.position, drawing.size) == ((0, 0), 0)


@engines
def test_all_ips_share_one_turtle(engine: str) -> None:
    drawing = shown(finished(engine, "1P#@F2t3F@"))
    assert points(drawing) == [(0, 0, 0, 0, 0), (0, 0, 2, 0, 0), (2, 0, 5, 0, 0)]


@engines
def test_a_snapshot_has_the_drawing(engine: str) -> None:
    machine = start(engine, "1P" + "5Fa9*R" * 4 + "@")
    machine.run(20)
    before = shown(machine)
    twin: Any = machine.program.resume(machine.snapshot(), limits=Limits())
    machine.run(1000)
    assert shown(twin) == before != shown(machine)
    twin.run(1000)
    assert shown(twin) == shown(machine)
    assert twin.memory == machine.memory


@engines
def test_lines_are_counted_as_memory(engine: str) -> None:
    row = TURT + "1P>1F01-Fv"
    loop = f"{row}\n{'^'.rjust(row.index('>') + 1)}{'<'.rjust(len(row) - row.index('>') - 1)}\n"
    machine: BefungeMachine = program("befunge-98", loop.encode(), engine).start(
        limits=Limits(memory=1_000_000)
    )
    machine.run(1_000_000)
    assert (machine.status, machine.limit) == ("limited", "memory")
    drawing = shown(machine)
    assert drawing is not None
    assert 3000 < drawing.size < 1_000_000 // 256
    machine = finished(engine, "1P" + "1F" * 30 + "0N@")
    small = finished(engine, "1P0N@")
    assert machine.core.states["TURT"][1] == small.core.states["TURT"][1]


@engines
def test_printed_lines_are_counted_once_and_after_clearing(engine: str) -> None:
    def cost(code: str) -> int:
        return finished(engine, code).core.states["TURT"][1]

    drawn = cost("1P5F5F@")
    assert cost("1P5F5FI@") == drawn
    assert cost("1P5F5FI0N@") == drawn
    assert cost("1P5F5FI0N5F@") > drawn
    assert cost("1P5F5FI0N5FI@") < drawn
