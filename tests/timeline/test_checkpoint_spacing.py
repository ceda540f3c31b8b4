"""Checkpoints are far enough apart that saving them does not slow down a run much."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from esolangs.brainfuck.program import BrainfuckMachine
from esolangs.machine import Snapshot
from esolangs.registry import find_language
from esolangs.stops import StopSet
from esolangs.view import Status
from esoplay.timeline import timeline as module
from esoplay.timeline.timeline import Recording, Timeline


@pytest.mark.parametrize("saving", [0.000_001, 0.001, 0.010, 0.100], ids=str)
def test_saving_takes_at_most_a_fifth_of_a_run(
    saving: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The clock is a variable: a step takes 1 µs, and saving a checkpoint a fixed time."""
    clock = SimpleNamespace(now=0.0, saved=0)
    monkeypatch.setattr(module, "time", SimpleNamespace(perf_counter=lambda: clock.now))
    run, snapshot = BrainfuckMachine.run, BrainfuckMachine.snapshot

    def run_with_clock(
        machine: BrainfuckMachine, budget: int, stops: StopSet | None = None
    ) -> Status:
        before = machine.steps
        status = run(machine, budget, stops)
        clock.now += (machine.steps - before) * 1e-6
        return status

    def snapshot_with_clock(machine: BrainfuckMachine) -> Snapshot:
        clock.now += saving
        clock.saved += 1
        return snapshot(machine)

    monkeypatch.setattr(BrainfuckMachine, "run", run_with_clock)
    monkeypatch.setattr(BrainfuckMachine, "snapshot", snapshot_with_clock)
    program = find_language("brainfuck").parse(b"+[]")
    timeline = Timeline(program, Recording("brainfuck", "", program.options, program.source))
    timeline.seek(3_000_000)  # 3 seconds
    began, saved_before = clock.now, clock.saved
    timeline.seek(30_000_000)
    seconds, saved = clock.now - began, clock.saved - saved_before
    assert saved * saving <= 0.2 * seconds
    spacing = 27 / saved
    assert spacing < max(0.02, 10 * saving)  # no further apart than needed
