"""Moves of many steps of one size: called off as a whole, or not at all."""

from __future__ import annotations

import pytest

from esoplay.service.debugging import Debugger, Granularity

SOURCE = b"++[\n->+\n<]\n" * 30


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("granularity", ["loop", "line"])
def test_many_steps_are_called_off_together(granularity: Granularity, reverse: bool) -> None:
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
