"""The origin of values, and stops at places on stacks, as JSON-RPC clients see them."""

from __future__ import annotations

from typing import Any

import pytest
from debug_shapes import Span, Writes
from rpc_client import Ask
from rpc_shapes import Shape

ASSEMBLY = {"language": "whitespace", "options": {"notation": "assembly"}}
COPIES = "push 0\nreadn\npush 0\nretrieve\ndup\nswap\npush 2\nmul\nprintn\nprintn"


class Slot(Shape):
    stack: int
    level: int


class Place(Shape):
    cell: int | tuple[int, int] | None = None
    slot: Slot | None = None


class Link(Place, rename={"source": "from"}):
    step: int = -1
    value: int | str | None = None
    instruction: str = ""
    span: Span = (0, 0)
    source: Place | None = None
    position: tuple[int, int] | None = None


class End(Place):
    kind: str = ""
    step: int = -1


class Origin(Shape):
    value: int | str | None
    links: list[Link]
    end: End


class Pushes(Shape):
    writes: list[Link]


def opened(ask: Ask, step: int = 0, **params: Any) -> str:
    """A debugger at a step."""
    debug: str = ask.client.call("debug.open", **params)["debug"]
    ask.client.call("debug.seek", debug=debug, step=step)
    return debug


def stops(ask: Ask, debug: str, **params: Any) -> list[tuple[int, int]]:
    """Step and breakpoint of every stop on the way."""
    met: list[tuple[int, int]] = []
    while True:
        stop = ask.client.call("debug.continue", debug=debug, **params)
        if "breakpoint" not in stop["stopped"][0]:
            return met
        met.append((stop["step"], stop["stopped"][0]["breakpoint"]))


def test_a_chain_leads_to_the_step_that_read_the_value(ask: Ask) -> None:
    debug = opened(ask, 6, **ASSEMBLY, program=COPIES, stdin="21\n")
    found = ask(Origin, "debug.origin", debug=debug, slot={"level": 1})
    assert found.value == 21
    assert [(link.step, link.instruction, link.value) for link in found.links] == [
        (6, "swap", 21),
        (4, "retrieve", 21),
        (2, "readn", 21),
    ]
    assert [link.slot for link in found.links] == [Slot(0, 1), Slot(0, 0), None]
    assert [link.source for link in found.links] == [Place(slot=Slot(0, 0)), Place(cell=0), None]
    assert found.links[0].span == (
        COPIES.encode().index(b"swap"),
        COPIES.encode().index(b"\npush 2"),
    )
    assert found.end == End(cell=0, kind="read", step=2)
    ask.client.call("debug.seek", debug=debug, step=8)
    found = ask(Origin, "debug.origin", debug=debug, slot={"stack": 0, "level": 1})
    assert (found.value, len(found.links), found.end.kind) == (42, 1, "computed")


def test_a_value_set_by_hand_ends_a_chain(ask: Ask) -> None:
    debug = opened(ask, 3, **ASSEMBLY, program=COPIES, stdin="21\n")
    ask.client.call("debug.set", debug=debug, cell=0, value=5)
    ask.client.call("debug.seek", debug=debug, step=6)
    found = ask(Origin, "debug.origin", debug=debug, slot={"level": 0})
    assert [link.step for link in found.links] == [6, 5, 4]
    assert found.value == 5
    assert found.end == End(cell=0, kind="edited", step=3)
    untouched = ask(Origin, "debug.origin", debug=debug, cell=7)
    assert untouched == Origin(0, [], End(cell=7, kind="initial", step=0))


def test_pushes_are_listed_like_writes(ask: Ask) -> None:
    debug = opened(ask, 100, **ASSEMBLY, program=COPIES, stdin="21\n")
    found = ask(Pushes, "debug.writes", debug=debug, slot={"level": 1}, limit=9).writes
    assert [link.step for link in found] == [8, 6, 5]
    before = ask(Pushes, "debug.writes", debug=debug, slot={"level": 1}, before=7).writes
    assert before == found[1:2]
    assert [each.new for each in ask(Writes, "debug.writes", debug=debug, cell=0).writes] == [21]


def test_a_run_stops_where_a_place_on_a_stack_is_written(ask: Ask) -> None:
    debug = opened(ask, **ASSEMBLY, program=COPIES, stdin="21\n")
    watched = [{"slot": {"level": 1}}, {"slot": {"level": 2}, "condition": "top == 2"}]
    ask.client.call("debug.breakpoints", debug=debug, set=watched)
    met = stops(ask, debug)
    assert met == [(5, 1), (6, 1), (7, 2), (8, 1)]
    assert stops(ask, debug, reverse=True) == met[::-1]
    listed = ask.client.call("debug.breakpoints", debug=debug)["breakpoints"]
    assert [each["slot"] for each in listed] == [{"stack": 0, "level": 1}, {"stack": 0, "level": 2}]


def test_points_of_a_plane_are_not_places_on_stacks(ask: Ask) -> None:
    debug = opened(ask, 8, language="befunge-98", program="7:11p11g.@")
    found = ask(Origin, "debug.origin", debug=debug, slot={"level": 1})
    assert [link.cell or link.slot for link in found.links] == [
        Slot(0, 1),
        (1, 1),
        Slot(0, 1),
        Slot(0, 0),
    ]
    assert found.links[0].position == (7, 0)
    ask.client.call("debug.set", debug=debug, cell=[0, 1], value=9)
    found = ask(Origin, "debug.origin", debug=debug, slot={"level": 1})
    assert (found.end.kind, found.end.step) == ("computed", 1)


@pytest.mark.parametrize(
    "params",
    [
        {},
        {"cell": 1, "slot": {"level": 1}},
        {"slot": {}},
        {"slot": {"level": -1}},
        {"slot": {"level": 1.5}},
        {"slot": {"level": 1, "depth": 2}},
        {"slot": [0, 1]},
    ],
)
def test_parameters_that_name_no_place_or_several_are_refused(
    params: dict[str, Any], ask: Ask
) -> None:
    opened(ask, **ASSEMBLY, program=COPIES)
    for method in ("debug.origin", "debug.writes"):
        assert ask.client.refuse(method, debug="d1", **params)["code"] == -32602


def test_unknown_places_are_refused(ask: Ask) -> None:
    opened(ask, **ASSEMBLY, program=COPIES)
    error = ask.client.refuse("debug.origin", debug="d1", slot={"level": 0})
    assert error["message"] == "there is no level 0 now: the stack is empty"
    far = {"level": (1 << 63) - 1, "stack": (1 << 63) - 1}
    assert ask.client.call("debug.writes", debug="d1", slot=far) == {"writes": []}
    for language, program in (("brainfuck", "+."), ("unlambda", "`.ai")):
        debug = opened(ask, language=language, program=program)
        for method, params in (
            ("origin", {"slot": {"level": 0}}),
            ("writes", {"slot": {"level": 0}}),
            ("breakpoints", {"set": [{"slot": {"level": 0}}]}),
        ):
            error = ask.client.refuse(f"debug.{method}", debug=debug, **params)
            assert error["data"]["kind"] == "usage"
            assert error["message"].endswith("has no stacks")
