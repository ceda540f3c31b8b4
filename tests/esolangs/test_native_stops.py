"""Runs to locations, and scans that count them, are the same in compiled code and in the core.

The trials of the tiers compare random programs; these tests say which runs and scans use the tier.
"""

from __future__ import annotations

from typing import Any

import pytest
from engines import program
from tier_pairs import start

from esolangs import compiled, core
from esolangs.brainfuck import native as brainfuck_native
from esolangs.filters import FILTER_CONSTANT, Filter
from esolangs.stops import Hits, StopSet
from esolangs.whitespace import native as whitespace_native

STEPS = 40_000_000  # more than the core of Brainfuck executes without a pause
# Each program has a loop, an outer loop around it, and code that is executed only once.
BRAINFUCK = b"+[>-[>-[>+[>]<[-]<-]<-]<]"
WHITESPACE = b"""\
push 0
label outer
push 1
add
push 5000
label inner
push 1
sub
dup
jz done
jump inner
label done
discard
jump outer
"""
PROGRAMS: dict[str, tuple[bytes, dict[str, str | int], Any, dict[str, int]]] = {
    "brainfuck": (
        BRAINFUCK,
        {},
        brainfuck_native.TapeTier,
        {"once": 0, "outer": BRAINFUCK.index(b">-[>+"), "inner": BRAINFUCK.index(b"[>]")},
    ),
    "whitespace": (
        WHITESPACE,
        {"notation": "assembly"},
        whitespace_native.StackTier,
        {
            "once": 0,
            "outer": WHITESPACE.index(b"add"),
            "inner": WHITESPACE.index(b"sub"),
        },
    ),
}


@pytest.fixture(params=PROGRAMS)
def language(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture(autouse=True)
def watching_visits(
    wasmtime: None, language: str, monkeypatch: pytest.MonkeyPatch
) -> list[compiled.Compiler]:
    """Compile early; return the compiler of each visit of compiled code that watches for stops."""
    visits: list[compiled.Compiler] = []
    tier = PROGRAMS[language][2]
    visit = tier._visit

    def record_visit(self: Any, *arguments: Any) -> Any:
        if self.compiler.marks is not None:
            visits.append(self.compiler)
        return visit(self, *arguments)

    monkeypatch.setattr(tier, "_visit", record_visit)
    for module in (brainfuck_native, whitespace_native):
        monkeypatch.setattr(module, "MIN_CORE_STEPS", 1 << 17)
    monkeypatch.setattr(compiled, "MIN_VISIT_STEPS", 1 << 10)
    monkeypatch.setattr(compiled, "MIN_STEPS_BETWEEN_STOPS", 1 << 10)
    return visits


def scan_in_both(
    language: str, monkeypatch: pytest.MonkeyPatch, stops: StopSet, steps: int = STEPS
) -> Hits:
    """Scan in the core and in the tier, which must agree; return what they found."""
    source, options, _, _ = PROGRAMS[language]
    found: list[tuple[Hits, int, Any]] = []
    for tier in ("core", "native"):
        machine = start(monkeypatch, tier, program(language, source, "compiled", **options))
        hits = machine.scan(steps, stops)
        found.append((hits, machine.steps, machine.registers()))
    assert found[0] == found[1]
    return found[0][0]


def location(language: str, name: str) -> StopSet:
    return StopSet(frozenset({PROGRAMS[language][3][name]}))


@pytest.mark.parametrize("name", ["once", "outer"])
def test_a_scan_that_rarely_stops_runs_in_compiled_code(
    name: str, language: str, watching_visits: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    hits = scan_in_both(language, monkeypatch, location(language, name))
    if name == "outer":
        assert hits.total > 10
    assert watching_visits


def test_a_scan_that_stops_often_stays_in_the_core(
    language: str, watching_visits: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert scan_in_both(language, monkeypatch, location(language, "inner")).total > 1000
    assert not watching_visits


def test_a_short_scan_stays_in_the_core(
    language: str, watching_visits: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    scan_in_both(language, monkeypatch, location(language, "once"), core.MIN_WATCHING_STEPS - 1)
    assert not watching_visits


@pytest.mark.parametrize(
    "more",
    [
        {"filter": Filter((FILTER_CONSTANT, 1))},
        {"output_values": frozenset({10})},
        {"inputs": True},
        {"writes": frozenset({3})},
    ],
)
def test_a_scan_for_other_stops_stays_in_the_core(
    more: dict[str, Any],
    language: str,
    watching_visits: list[Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    scan_in_both(language, monkeypatch, location(language, "outer")._replace(**more))
    assert not watching_visits


def test_short_scans_together_are_worth_compiling(
    language: str, watching_visits: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, options, _, _ = PROGRAMS[language]
    code = program(language, source, "compiled", **options)
    machine = start(monkeypatch, "native", code)
    for _ in range(80):
        machine.scan(core.MIN_WATCHING_STEPS, location(language, "once"))
    assert watching_visits


def test_each_set_of_stops_is_compiled_once(
    language: str, watching_visits: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, options, _, _ = PROGRAMS[language]
    machine = start(monkeypatch, "native", program(language, source, "compiled", **options))
    expected = [
        scan_in_both(language, monkeypatch, location(language, name)) for name in ("once", "outer")
    ]
    watching_visits.clear()
    first = machine.scan(STEPS, location(language, "once"))
    second = machine.copy().scan(STEPS, location(language, "outer"))
    assert first == expected[0]
    assert second.total > 10
    for name in ("once", "outer"):
        machine.copy().scan(STEPS, location(language, name))
    assert len(set(map(id, watching_visits))) == 2


@pytest.mark.parametrize("name", ["once", "outer"])
def test_a_run_to_a_far_location_runs_in_compiled_code(
    name: str, language: str, watching_visits: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    source, options, _, _ = PROGRAMS[language]
    found: list[tuple[Any, ...]] = []
    for tier in ("core", "native"):
        machine = start(monkeypatch, tier, program(language, source, "compiled", **options))
        machine.run(STEPS // 2)
        for _ in range(2 if name == "once" else 200):
            status = machine.run(STEPS // 2, location(language, name))
            found.append((tier, status, machine.steps, machine.last_step, machine.registers()))
    stops = [[stop[1:] for stop in found if stop[0] == tier] for tier in ("core", "native")]
    assert stops[0] == stops[1]
    assert {stop[0] for stop in stops[0]} == {"stopped" if name == "outer" else "running"}
    assert watching_visits


def test_a_run_after_an_edit_stops_at_the_same_step(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, options, _, _ = PROGRAMS[language]
    steps: list[int] = []
    for tier in ("core", "native"):
        machine = start(monkeypatch, tier, program(language, source, "compiled", **options))
        machine.run(STEPS, location(language, "once"))
        if language == "brainfuck":
            machine.poke(1, 0)
        machine.run(STEPS, location(language, "outer"))
        steps.append(machine.steps)
    assert steps[0] == steps[1]


def test_nests_are_skipped_after_a_part_that_was_compiled(
    language: str, watching_visits: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    if language != "brainfuck":
        pytest.skip("only Brainfuck has nests of counted loops")
    slow = b"+" * 250 + b"[>" + b"+" * 250 + b"[>" + b"+" * 200 + b"[>+[>]<[-]<-]<-]<-]"
    nest = b">>>>>>" + b"-[>" * 3 + b"-[-]" + b"<-]" * 3 + b"<+"
    code = program(language, slow + nest, "compiled", cell=16)
    after = StopSet(frozenset({len(slow + nest) - 1}))
    machine = start(monkeypatch, "native", code)
    assert machine.run(10**15, after) == "running"  # takes days without skipping rounds
    assert machine.steps == 10**15
    assert watching_visits


def test_only_the_tier_in_use_has_an_instance(
    language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source, options, _, _ = PROGRAMS[language]
    machine = start(monkeypatch, "native", program(language, source, "compiled", **options))
    machine.run(STEPS)
    machine.run(STEPS, location(language, "once"))
    machine.scan(STEPS, location(language, "once"))
    tiers = [machine.tier, *(tier for _, tier in machine._watching_tiers.values())]
    assert [tier._instance is not None for tier in tiers] == [False, False, True]
