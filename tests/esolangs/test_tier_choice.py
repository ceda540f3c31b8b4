"""Which runs get a native tier, for every language that has one."""

from __future__ import annotations

import sys
from importlib import import_module
from time import monotonic, sleep
from typing import Any

import befunge_tier_trials
import pytest
from engines import program
from tier_pairs import start, state

from esolangs import compiled, core
from esolangs.stops import StopSet

PLAY = b"""A count.

Romeo, who counts.
Juliet, who listens.

Act I: One.
Scene I: One.
[Enter Romeo and Juliet]
Scene II: Two.
Juliet: You are the sum of yourself and a rose. Let us return to Scene II.
"""
ENDLESS: dict[str, tuple[bytes, dict[str, str | int]]] = {
    # no nest of counted loops, whose rounds the core would skip
    "brainfuck": (b"+[>-[>-[>-[>+[>]<[-]<-]<-]<-]<[<]>]", {}),
    "befunge-98": (b"v\n>1+::f%3p", {}),
    "whitespace": (b"push 0\nlabel next\npush 1\nadd\njump next\n", {"notation": "assembly"}),
    "shakespeare": (PLAY, {}),
}


@pytest.fixture(params=ENDLESS)
def code(request: pytest.FixtureRequest) -> Any:
    source, options = ENDLESS[request.param]
    return program(request.param, source, "compiled", **options)


@pytest.fixture
def compiled_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add the tier to a machine, and compile its program, after few steps."""
    monkeypatch.setattr(core, "TIER_SECONDS", 0.0)
    monkeypatch.setattr(compiled, "MIN_CORE_SECONDS", 0.0)
    for language in ENDLESS:
        module = import_module(f"esolangs.{language.replace('-', '_')}.native")
        for name in ("MIN_CORE_SECONDS", "_SECONDS_PER_SENTENCE", "_SECONDS_PER_INSTRUCTION"):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, 0.0)


# A history runs in slices of 1 or 2 ms, in which a slow core executes few steps.
SLICES = [1 << 23, 20_000]


def run_until_compiled(machine: Any, slice_steps: int = 1 << 23) -> None:
    until = monotonic() + 100
    while not (machine.tier and machine.tier.visits) and monotonic() < until:
        machine.run(slice_steps)
        sleep(0.001)


@pytest.mark.usefixtures("wasmtime")
@pytest.mark.parametrize("tier", ["auto", ""])
@pytest.mark.parametrize("slice_steps", SLICES)
def test_a_long_run_continues_in_compiled_code(
    slice_steps: int,
    tier: str,
    code: Any,
    compiled_soon: None,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    machine = start(monkeypatch, tier, code)
    run_until_compiled(machine, slice_steps)
    assert machine.tier.visits > 0
    other = start(monkeypatch, "core", code)
    other.run(machine.steps)
    assert other.tier is None
    state_of = befunge_tier_trials.state if code.language.id == "befunge-98" else state
    assert state_of(machine) == state_of(other)


@pytest.mark.usefixtures("wasmtime")
def test_later_machines_of_the_program_use_compiled_code_at_once(
    code: Any, compiled_soon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = start(monkeypatch, "auto", code)
    run_until_compiled(machine)
    snapshot = machine.snapshot()
    for later in (code.start(), code.resume(snapshot)):
        later.run(1 << 26)
        assert later.tier.visits > 0


@pytest.mark.usefixtures("wasmtime")
def test_a_short_replay_does_not_copy_its_state_to_compiled_code(
    code: Any, compiled_soon: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    machine = start(monkeypatch, "auto", code)
    run_until_compiled(machine)
    replay = code.resume(machine.snapshot())
    replay.run(1 << 15)
    assert replay.tier
    assert not replay.tier.visits


def test_a_short_run_has_no_tier(
    code: Any, monkeypatch: pytest.MonkeyPatch, compiled_soon: None
) -> None:
    machine = start(monkeypatch, "auto", code)
    for _ in range(20):
        machine.run(10_000)
    assert machine.tier is None


@pytest.mark.usefixtures("wasmtime")
@pytest.mark.parametrize("language", ["brainfuck", "whitespace"])
@pytest.mark.parametrize("slice_steps", SLICES)
def test_a_long_run_to_a_location_continues_in_compiled_code(
    slice_steps: int, language: str, monkeypatch: pytest.MonkeyPatch, compiled_soon: None
) -> None:
    source, options = ENDLESS[language]
    machine = start(monkeypatch, "auto", program(language, source, "compiled", **options))
    until = monotonic() + 100
    visits = 0
    while not visits and monotonic() < until:
        assert machine.run(slice_steps, StopSet(frozenset({0}))) == "running"
        visits = sum(tier.visits for _, tier in machine._watching_tiers.values())
        sleep(0.001)
    assert visits > 0


def test_a_run_that_watches_for_other_stops_gets_no_tier(
    code: Any, monkeypatch: pytest.MonkeyPatch, compiled_soon: None
) -> None:
    machine = start(monkeypatch, "auto", code)
    machine.run(1 << 22, StopSet(inputs=True))
    assert machine.steps == 1 << 22
    assert machine.tier is None


def test_without_wasmtime_the_core_runs(
    code: Any, monkeypatch: pytest.MonkeyPatch, compiled_soon: None
) -> None:
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    machine = start(monkeypatch, "auto", code)
    machine.run(1 << 22)
    machine.run(1 << 22)
    assert machine.steps == 1 << 23
    assert machine.tier is None


@pytest.mark.usefixtures("wasmtime")
def test_without_another_thread_the_core_runs(
    code: Any, monkeypatch: pytest.MonkeyPatch, compiled_soon: None
) -> None:
    def refuse(_thread: object) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(compiled.threading.Thread, "start", refuse)
    machine = start(monkeypatch, "auto", code)
    for _ in range(4):
        machine.run(1 << 22)
    assert machine.steps == 1 << 24
    assert machine.tier.compiler.refused
    assert not machine.tier.visits
