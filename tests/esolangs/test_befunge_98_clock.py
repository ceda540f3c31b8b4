"""The clock of HRTI and TIME: the start of the run and a microsecond for each step."""

from __future__ import annotations

import datetime

import pytest
from engines import engine_names, one_fast_engine, program
from hypothesis import given
from hypothesis import strategies as st

from esolangs.limits import World
from esolangs.registry import find_language
from esoplay.debugging.debugger import Debugger
from esoplay.timeline.diagnosis import look_ahead
from esoplay.timeline.timeline import Recording, Timeline

ENGINES = engine_names("befunge-98")
PARTS = b'"EMIT"4($$YODHMSFW........@'
READINGS = b'"ITRH"4($$MSTS....@'
SECONDS_1 = int(datetime.datetime(1, 1, 2, tzinfo=datetime.UTC).timestamp())
SECONDS_9999 = int(datetime.datetime(9999, 12, 30, tzinfo=datetime.UTC).timestamp())


def timeline(source: bytes, started: int) -> Timeline:
    language = find_language("befunge-98")
    options = language.configure()
    recording = Recording("befunge-98", "standard", options, source, started=started)
    return Timeline(language.parse(source, options), recording, 3)


@pytest.mark.parametrize("engine", ENGINES)
@given(st.integers(SECONDS_1, SECONDS_9999))
def test_the_parts_of_the_time_match_the_calendar(engine: str, started: int) -> None:
    machine = program("befunge-98", PARTS, engine).start(world=World(started))
    machine.run(1_000)
    now = datetime.datetime(1970, 1, 1) + datetime.timedelta(seconds=started)
    day = now.timetuple().tm_yday - 1
    parts = now.isoweekday() % 7 + 1, day, now.second, now.minute, now.hour
    expected = *parts, now.day, now.month, now.year
    assert [int(part) for part in machine.take_output().split()] == list(expected)


@pytest.mark.parametrize("engine", one_fast_engine("befunge-98"))
def test_a_second_passes_after_a_million_steps(engine: str) -> None:
    # Waits for second 30, and prints the minute and the microseconds since.
    loop = '"EMIT"4($$>S3a*-#v_'
    source = f'{loop}M."ITRH"4($$S.@\n{"^":>11}{"<":>7}'.encode()
    machine = program("befunge-98", source, engine).start(world=World(7 * 60 + 29))
    machine.run(999_000)
    assert machine.status == "running"
    machine.run(2_000)
    assert machine.status == "halted"
    minute, micros = map(int, machine.take_output().split())
    assert minute == 7
    assert 0 <= micros < 100


@given(st.integers(0, 2**40), st.lists(st.integers(0, 20), min_size=1, max_size=5))
def test_any_order_of_seeks_reads_the_same_times(started: int, steps: list[int]) -> None:
    travelled, straight = timeline(READINGS, started), timeline(READINGS, started)
    straight.seek(20)
    for step in steps:
        travelled.seek(step)
        fresh = timeline(READINGS, started)
        fresh.seek(step)
        assert travelled.machine.view() == fresh.machine.view()
    travelled.seek(20)
    assert travelled.machine.view() == straight.machine.view()


@pytest.mark.parametrize("started", [0, 1_000_000_000])
def test_a_copied_machine_reads_the_clock_of_its_run(started: int) -> None:
    source = b'"EMIT"4($$Y.@'
    machine = find_language("befunge-98").parse(source).start(world=World(started))
    machine.run(10)
    copy = machine.copy()
    machine.run(10)
    copy.run(10)
    assert copy.take_output() == machine.take_output() == (b"2001 " if started else b"1970 ")


def test_a_loop_that_waits_for_the_clock_is_not_reported_as_endless() -> None:
    waiting = Debugger.open("befunge-98", b'"ITRH"4($$>S$v\n          ^  <')
    endless = Debugger.open("befunge-98", b'"ITRH"4($$>1$v\n          ^  <')
    assert look_ahead(waiting.timeline, bound=2_000).recurrence is None
    assert look_ahead(endless.timeline, bound=2_000).recurrence is not None
