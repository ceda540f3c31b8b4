"""Moves of many steps of one size: called off as a whole, or not at all."""

from __future__ import annotations

import pytest

from esoplay.debugging.debugger import BreakpointSpec, Debugger, Granularity

SOURCE = b"++[\n->+\n<]\n" * 30


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("granularity", ["loop", "line"])
def test_many_steps_are_cancelled_together(granularity: Granularity, reverse: bool) -> None:
    debugger = Debugger.open("brainfuck", SOURCE)
    debugger.seek(200)
    calls: list[int] = []

    def ticker(done: int, total: int) -> bool:
        calls.append(done)
        return len(calls) < 4

    stop = debugger.step_by(50, granularity=granularity, reverse=reverse, ticker=ticker)
    assert stop.reasons[0].kind == "cancelled"
    assert (debugger.step, stop.step) == (200, 200)
    assert max(calls) > 0
    moved = debugger.step_by(3, granularity=granularity, reverse=reverse, ticker=lambda *_: True)
    assert moved.step != 200


@pytest.mark.parametrize(
    ("spec", "kinds"),
    [
        (BreakpointSpec(offset=0), ["breakpoint"]),
        (BreakpointSpec(instruction="+", condition="value == 0"), ["breakpoint"]),
        (BreakpointSpec(offset=0, new=True), ["breakpoint"]),
        (BreakpointSpec(offset=0, condition="value == 1"), ["start"]),
        (BreakpointSpec(offset=0, direction="forwards"), ["start"]),
        (BreakpointSpec(offset=0, enabled=False), ["start"]),
        (BreakpointSpec(offset=0, log="here"), ["start"]),
        (BreakpointSpec(every=2), ["start"]),
        (BreakpointSpec(offset=1), ["start"]),
    ],
)
def test_step_back_stops_at_the_first_instruction(spec: BreakpointSpec, kinds: list[str]) -> None:
    debugger = Debugger.open("brainfuck", b"+>")
    added = debugger.add_breakpoint(spec)
    debugger.seek(1)
    stop = debugger.resume(reverse=True)
    assert (stop.step, [each.kind for each in stop.reasons]) == (0, kinds)
    assert added.hits == ("breakpoint" in kinds)
    again = debugger.resume(reverse=True)  # there is no way back from here
    assert [each.kind for each in again.reasons] == ["start"]


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("granularity", ["loop", "finish", "line"])
@pytest.mark.parametrize(
    ("language", "source"),
    [
        ("brainfuck", SOURCE),
        ("befunge-98", b"v  >1-:v\n>a ^   _@\n"),
    ],
)
def test_move_stops_at_the_end_of_the_budget(
    language: str, source: bytes, granularity: Granularity, reverse: bool
) -> None:
    debugger = Debugger.open(language, source)
    tried = 0
    for began in range(3, 40):
        debugger.seek(began)
        if debugger.step < began:
            break
        freely = debugger.step_by(granularity=granularity, reverse=reverse)
        distance = abs(freely.step - began)
        for budget in {1, distance - 1, distance, distance + 1} - {-1, 0}:
            debugger.seek(began)
            stop = debugger.step_by(granularity=granularity, reverse=reverse, budget=budget)
            if budget >= distance:
                assert stop == freely or freely.reasons[0].kind != "step"
                continue
            tried += 1
            assert stop.step == debugger.step == began + (-budget if reverse else budget)
            assert stop.reasons[0].kind == "budget"
            assert stop.reasons[0].text.startswith(f"{budget} step")
    assert tried or language == "befunge-98"


def test_budget_covers_all_steps_and_ends_endless_moves() -> None:
    debugger = Debugger.open("brainfuck", b"+[]")
    debugger.seek(1)
    stop = debugger.step_by(granularity="loop", budget=1000)
    assert (stop.step, stop.reasons[0].kind) == (1001, "budget")
    lines = Debugger.open("brainfuck", b"+++\n" * 9)
    assert lines.step_by(9, granularity="line", budget=7).step == 7


def test_printed_text_is_quoted() -> None:
    assert str(BreakpointSpec(output="é".encode())) == "output 'é'"
    assert str(BreakpointSpec(output=b"\xff")) == r"output '\\xff'"
    assert str(BreakpointSpec(output=3)) == "output 3"
