"""Pairs of a machine in the core and one in the native tier, for trials that compare them."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator
from contextlib import contextmanager
from math import inf
from random import Random
from typing import TYPE_CHECKING, Any, NamedTuple

from saved_states import comparable_state

from esolangs import compiled, core
from esolangs.limits import Limits
from esolangs.machine import Snapshot
from esolangs.stops import StopSet

if TYPE_CHECKING:
    import pytest


class Result(NamedTuple):
    """How often compiled code was entered, and the steps of the run."""

    visits: int
    steps: int


@contextmanager
def eager_watching() -> Generator[None]:
    """Watch for stops in compiled code even in short runs and in runs with many stops."""
    scanned = core.MIN_WATCHING_STEPS, compiled.MIN_STEPS_BETWEEN_STOPS
    speed = compiled.MAX_WATCHED_STEPS_PER_SECOND
    core.MIN_WATCHING_STEPS = compiled.MIN_STEPS_BETWEEN_STOPS = 0
    compiled.MAX_WATCHED_STEPS_PER_SECOND = inf
    try:
        yield
    finally:
        core.MIN_WATCHING_STEPS, compiled.MIN_STEPS_BETWEEN_STOPS = scanned
        compiled.MAX_WATCHED_STEPS_PER_SECOND = speed


@contextmanager
def tier_restored() -> Generator[None]:
    """Set ``ESOPLAY_TIER`` back to its value afterwards."""
    chosen = os.environ.get("ESOPLAY_TIER")
    try:
        yield
    finally:
        os.environ.pop("ESOPLAY_TIER", None)
        if chosen is not None:
            os.environ["ESOPLAY_TIER"] = chosen


def state(machine: Any) -> list[Any]:
    """Everything that a user can ask for, and what was printed and read since the last call."""
    fault = machine.fault and (machine.fault.kind, machine.fault.step, machine.fault.span)
    snapshot = machine.snapshot()
    return [
        (machine.steps, machine.status, machine.limit, fault, machine.memory, machine.work),
        (machine.location, machine.input_position, machine.output_length, snapshot.size),
        machine.registers(),
        machine.take_printed(),
        machine.take_reads(),
        comparable_state(snapshot),
    ]


def assert_same_states(core: list[Any], tier: list[Any], where: str) -> None:
    """Assert that all parts of two states are equal; the error shows the different parts."""
    parts = [f"{left}\n{right}\n" for left, right in zip(core, tier, strict=True) if left != right]
    assert not parts, f"{where}\n{''.join(parts)}"


def start(monkeypatch: pytest.MonkeyPatch, tier: str, code: Any, **more: Any) -> Any:
    """Start a machine under a value of ``ESOPLAY_TIER``."""
    monkeypatch.setenv("ESOPLAY_TIER", tier)
    return code.start(**more)


def assert_same_runs(
    monkeypatch: pytest.MonkeyPatch,
    code: Any,
    budget: int = 1 << 40,
    state: Callable[[Any], list[Any]] = state,
    **more: Any,
) -> Any:
    """Run in the core and in the tier; return the machine of the tier."""
    core = start(monkeypatch, "core", code, **more)
    tier = start(monkeypatch, "native", code, **more)
    core.run(budget)
    tier.run(budget)
    assert_same_states(state(core), state(tier), f"after {core.steps:,} steps")
    assert tier.tier is not None
    assert tier.tier.visits > 0
    return tier


class MachinePair:
    """The machine of the core and that of the tier.  more_input: what ``give_input`` feeds."""

    more_input = b""

    def __init__(self, code: Any, limits: Limits, stdin: bytes, closed: bool, seed: int = 0):
        self.code = code
        self._limits = limits
        self._stdin = stdin
        self._closed = closed
        self._seed = seed
        self._visits = 0
        self.core, self.tier = self._machine("core", None), self._machine("native", None)

    @property
    def machines(self) -> tuple[Any, Any]:
        return self.core, self.tier

    @property
    def visits(self) -> int:
        return self._visits + (self.tier.tier.visits if self.tier.tier is not None else 0)

    def _machine(self, tier: str, snapshot: Snapshot | None) -> Any:
        os.environ["ESOPLAY_TIER"] = tier
        more: dict[str, Any] = {"closed": self._closed, "limits": self._limits}
        if snapshot is None:
            return self.code.start(self._stdin, seed=self._seed, **more)
        return self.code.resume(snapshot, self._stdin, **more)

    def can_continue(self, chance: Random) -> bool:
        """Return whether the run can continue; machines that wait get input, or the end of it."""
        if self.core.status == "needs_input":
            self.give_input(chance.random() < 0.5)
            return True
        return self.core.status in ("running", "stopped")

    def give_input(self, more: bool) -> None:
        """Feed some bytes, or close the input."""
        for machine in self.machines:
            if more:
                machine.feed(self.more_input)
            else:
                machine.close_input()
        if more:
            self._stdin += self.more_input
        else:
            self._closed = True

    def run_to_location(self, steps: int, locations: frozenset[Any]) -> None:
        """Run to the first stop at one of the locations; both must report the same last step."""
        core, tier = [
            (machine.run(steps, StopSet(locations)), machine.last_step) for machine in self.machines
        ]
        assert core == tier, f"run of {steps} steps to {sorted(locations)}: {core}, {tier}"

    def scan(self, steps: int, locations: frozenset[Any]) -> None:
        """Count the stops at locations in both machines, which must agree."""
        core, tier = [machine.scan(steps, StopSet(locations)) for machine in self.machines]
        assert core == tier, f"scan of {steps} steps for {sorted(locations)}: {core}, {tier}"

    def swap_machines(self) -> None:
        """Continue the tier's state in the core, and the reverse."""
        self._visits = self.visits
        snapshots = self.tier.snapshot(), self.core.snapshot()
        self.core, self.tier = (
            self._machine("core", snapshots[0]),
            self._machine("native", snapshots[1]),
        )

    def edit_cell(self, address: Any, value: int) -> None:
        """Write a cell in both machines, which must agree whether that is possible."""
        refusals: list[str] = []
        for machine in self.machines:
            try:
                machine.poke(address, value)
                refusals.append("")
            except ValueError as error:
                refusals.append(str(error))
        assert refusals[0] == refusals[1]
