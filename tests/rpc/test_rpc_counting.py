"""``debug.heat`` and ``debug.coverage``, and the stops that look at the past."""

from __future__ import annotations

from debug_shapes import Breakpoints, Moved, Opened
from rpc_client import Ask
from rpc_shapes import Shape

PROGRAM = "++[>+++<-]>.\n,"


class Spot(Shape):
    span: tuple[int, int]
    line: int
    column: int
    instruction: str
    position: tuple[int, int] | None = None


class Coverage(Shape):
    step: int
    instructions: int
    executed: int
    percent: int
    never: list[Spot]
    more: int


class HotSpot(Shape):
    span: tuple[int, int]
    line: int
    column: int
    instruction: str
    count: int
    last: int
    level: int
    position: tuple[int, int] | None = None


class HotLine(Shape):
    line: int
    count: int
    executed: int
    instructions: int
    last: int


class Heat(Shape):
    step: int
    most: int
    instructions: list[HotSpot] | None = None
    lines: list[HotLine] | None = None


def test_heat_and_coverage_are_reported(ask: Ask) -> None:
    mine = {
        "debug": ask(Opened, "debug.open", language="brainfuck", program=PROGRAM, stdin="").debug
    }
    ask(Moved, "debug.seek", **mine, step=10**6)
    ask(Moved, "debug.seek", **mine, step=5)
    told = ask(Coverage, "debug.coverage", **mine, limit=2)
    assert (told.step, told.executed, told.instructions, told.percent) == (5, 5, 13, 38)
    assert [(spot.line, spot.column) for spot in told.never] == [(1, 6), (1, 7)]
    assert told.more == 6
    told = ask(Coverage, "debug.coverage", **mine, all=True)
    assert (told.executed, told.never, told.more) == (13, [], 0)
    heat = ask(Heat, "debug.heat", **mine, all=True, limit=1)
    assert heat.instructions is not None
    (spot,) = heat.instructions
    assert (spot.instruction, spot.count, spot.level, heat.most) == ("[", 2, 9, 2)
    heat = ask(Heat, "debug.heat", **mine, all=True, by="line")
    assert heat.lines is not None
    assert [(row.line, row.count) for row in heat.lines] == [(1, 20), (2, 1)]


def test_coverage_of_a_plane_names_points(ask: Ask) -> None:
    opened = ask.client.call("debug.open", language="befunge-98", program="12+.@", stdin="")
    told = ask(Coverage, "debug.coverage", debug=opened["debug"])
    assert [spot.position for spot in told.never] == [(x, 0) for x in range(5)]


def test_every_kind_of_stop_can_be_requested(ask: Ask) -> None:
    mine = {
        "debug": ask(Opened, "debug.open", language="brainfuck", program="+[.+.]", stdin="").debug
    }
    kinds = [
        {"step": 7},
        {"every": 100, "direction": "forwards"},
        {"new": True, "direction": "backwards"},
        {"output": "\x02\x03"},
    ]
    kept = ask(Breakpoints, "debug.breakpoints", **mine, set=kinds).breakpoints
    assert [(each.step, each.every, each.new, each.output) for each in kept] == [
        (7, None, False, None),
        (None, 100, False, None),
        (None, None, True, None),
        (None, None, False, "\x02\x03"),
    ]
    assert [each.direction for each in kept] == [None, "forwards", "backwards", None]
    # `+[.+.]` prints 1 2 at steps 3 and 5, 2 3 in the next round, at 8 and 10
    assert [ask(Moved, "debug.continue", **mine).step for _ in range(3)] == [7, 10, 100]
    assert [ask(Moved, "debug.continue", **mine, reverse=True).step for _ in range(3)] == [10, 7, 5]
    refused = ask.client.refuse("debug.breakpoints", **mine, set=[{"direction": "forwards"}])
    assert refused["code"] == -32602
