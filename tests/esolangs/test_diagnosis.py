"""What languages know about states: equal keys go on alike, however the state was reached."""

from __future__ import annotations

import sys
import threading
from concurrent.futures import ThreadPoolExecutor, wait
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from engines import engine_names, program
from hypothesis import assume, given
from hypothesis import strategies as st

from esolangs.errors import ParseError
from esolangs.limits import Limits
from esolangs.registry import find_language, language_ids

LIMITS = Limits(steps=300, output=2_000)


def started(language: str, data: st.DataObject, engine: str | None = None) -> Any:
    some = import_module(f"strategies.{language.replace('-', '_')}")
    source, stdin = data.draw(some.sources()), data.draw(some.stdins())
    options: dict[str, Any] = data.draw(some.options())
    try:
        if engine is not None:
            return program(language, source, engine, **options).start(stdin, limits=LIMITS)
        found = find_language(language)
        chosen = found.configure("standard", options)
        return found.parse(source, chosen).start(stdin, limits=LIMITS)
    except ParseError:
        assume(False)
        raise


@pytest.mark.parametrize("language", language_ids())
@given(st.data())
def test_machines_in_the_same_state_have_the_same_key(language: str, data: st.DataObject) -> None:
    """Run at once, step by step, or resumed: and looking at the key changes nothing."""
    diagnostics = find_language(language).diagnostics()
    assert diagnostics is not None
    machine = started(language, data)
    steps = data.draw(st.integers(0, 200))
    stdin: bytes = machine._stdin
    other = machine.program.start(stdin, limits=LIMITS)
    machine.run(steps)
    for _ in range(machine.steps):
        diagnostics.key(other)
        other.step()
    resumed = machine.program.resume(machine.snapshot(), stdin, limits=LIMITS)
    keys = [diagnostics.key(each) for each in (machine, other, resumed)]
    assert keys[0] == keys[1] == keys[2]
    assert len({hash(key) for key in keys}) == 1
    partial_keys = [diagnostics.partial_key(each) for each in (machine, other, resumed)]
    assert partial_keys[0] == partial_keys[1] == partial_keys[2]
    for each in (machine, other, resumed):
        each.run(1_000)
    assert machine.steps == other.steps == resumed.steps
    assert machine.output_length == other.output_length == resumed.output_length


def test_a_space_in_a_string_is_not_in_the_key_of_later_states() -> None:
    """Befunge-98 remembers it to skip the spaces that follow; out of strings it says nothing."""
    language = find_language("befunge-98")
    diagnostics = language.diagnostics()
    assert diagnostics is not None
    code = language.parse(b'" "')
    for steps in range(12):
        machine, other = code.start(limits=LIMITS), code.start(limits=LIMITS)
        machine.run(steps)
        while other.steps < steps:
            other.step()
        assert diagnostics.key(machine) == diagnostics.key(other)


@pytest.mark.slow
@pytest.mark.parametrize("language", language_ids())
@given(st.data())
def test_equal_keys_mean_equal_partial_keys_and_equal_next_steps(
    language: str, data: st.DataObject
) -> None:
    diagnostics = find_language(language).diagnostics()
    assert diagnostics is not None
    machine = started(language, data)
    seen: dict[object, tuple[object, ...]] = {}
    while machine.steps < 200:
        position, key = machine.input_position, diagnostics.key(machine)
        partial_key, location = diagnostics.partial_key(machine), machine.location
        step = machine.step()
        if step is None:
            break
        after = (
            partial_key,
            location,
            step.printed,
            step.read,
            step.writes,
            diagnostics.key(machine),
        )
        assert seen.setdefault((position, key), after) == after


@pytest.mark.parametrize("language", language_ids())
def test_both_engines_have_the_same_keys(language: str) -> None:
    found = find_language(language)
    diagnostics = found.diagnostics()
    assert diagnostics is not None
    told: list[list[object]] = []
    for engine in engine_names(language):
        machine = program(language, found.sample(), engine).start(b"esolang")
        keys: list[object] = []
        while machine.step() is not None and machine.steps < 2_000:
            keys.append((diagnostics.key(machine), diagnostics.partial_key(machine)))
        told.append(keys)
    assert all(keys == told[0] for keys in told)


@pytest.mark.parametrize("language", language_ids())
def test_every_set_of_options_says_what_happens_at_the_end_of_input(language: str) -> None:
    found = find_language(language)
    diagnostics = found.diagnostics()
    assert diagnostics is not None
    for option in found.options:
        for value in option.values:
            assert diagnostics.describe_end_of_input(
                found.configure("standard", {option.name: value})
            )


def test_a_language_waits_for_a_module_that_another_thread_imports(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A module is in ``sys.modules`` before its names exist."""
    import_began, go_on = threading.Event(), threading.Event()
    monkeypatch.setattr(threading, "import_events", (import_began, go_on), raising=False)
    folder = tmp_path / "slow_language"
    folder.mkdir()
    (folder / "__init__.py").write_text(
        "from esolangs.brainfuck import Brainfuck\nclass Slow(Brainfuck):\n    pass\n"
    )
    (folder / "diagnosis.py").write_text(
        "import threading\n"
        "began, go_on = threading.import_events\n"
        "began.set()\n"
        "go_on.wait(60)\n"
        "DIAGNOSTICS = 'complete'\n"
    )
    monkeypatch.setattr(sys, "path", [str(tmp_path), *sys.path])
    language = import_module("slow_language").Slow()
    with ThreadPoolExecutor(2) as threads:
        first = threads.submit(language.diagnostics)
        assert import_began.wait(60)
        second = threads.submit(language.diagnostics)
        wait([second], timeout=0.1)  # time enough to return an incomplete module
        go_on.set()
        assert (first.result(), second.result()) == ("complete", "complete")
    for name in ("slow_language", "slow_language.diagnosis"):
        monkeypatch.delitem(sys.modules, name)
