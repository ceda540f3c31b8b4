"""What every language must do, shown by its own sample program."""

from __future__ import annotations

import pytest

from esolangs.errors import OptionError, ParseError, UnknownLanguage
from esolangs.language import Language
from esolangs.limits import Limits
from esolangs.registry import find_language, language_ids, language_of_file
from esolangs.stops import StopSet
from esolangs.view import Window, as_json

STDIN = b"esolang"


@pytest.fixture(params=language_ids())
def language(request: pytest.FixtureRequest) -> Language:
    return find_language(request.param)


def test_it_describes_itself(language: Language) -> None:
    assert language.name
    assert {"standard", "benchmark"} <= set(language.dialects)
    for extension in language.extensions:
        assert language_of_file(f"program{extension.upper()}") is language
    for dialect in language.dialects:
        assert language.name in language.card(dialect)
        options = language.configure(dialect)
        assert set(options) == {option.name for option in language.options}
    language.parse(language.starter())


def test_the_sample_runs_to_its_end_and_prints(language: Language) -> None:
    machine = language.parse(language.sample()).start(STDIN)
    assert machine.run(10**6) == "halted"
    assert machine.take_output()


def test_running_is_stepping(language: Language) -> None:
    program = language.parse(language.sample())
    runner, stepper = program.start(STDIN), program.start(STDIN)
    while stepper.step() is not None:
        runner.run(1)
        assert runner.view() == stepper.view()
    assert runner.take_printed() == stepper.take_printed()
    assert runner.status == "halted"


def test_a_snapshot_resumes_anywhere(language: Language) -> None:
    program = language.parse(language.sample())
    original = program.start(STDIN)
    while original.run(7) == "running":
        resumed = program.resume(original.snapshot(), STDIN)
        assert resumed.view() == original.view()


def test_an_old_view_never_changes(language: Language) -> None:
    machine = language.parse(language.sample()).start(STDIN)
    machine.run(20)
    view = machine.view()
    before = repr(view)
    machine.run(50)
    assert repr(view) == before


def test_a_view_is_bounded_by_its_window(language: Language) -> None:
    machine = language.parse(language.sample()).start(STDIN)
    machine.run(30)
    small = len(repr(as_json(machine.view(Window(cells=4, depth=1)))))
    large = len(repr(as_json(machine.view(Window(cells=400, depth=100)))))
    assert small < large


def test_every_instruction_has_a_place_and_an_explanation(language: Language) -> None:
    source = language.sample()
    program = language.parse(source)
    spans = program.spans()
    assert list(spans) == sorted(spans)
    for start, end in spans:
        assert program.instruction_at(start) == (start, end)
    machine = program.start(STDIN)
    while machine.status == "running":
        assert machine.view().location.explanation
        machine.step()


def test_limits_are_kept_exactly(language: Language) -> None:
    program = language.parse(language.sample())
    whole = program.start(STDIN)
    whole.run(10**6)
    enough = program.start(STDIN, limits=Limits(steps=whole.steps, output=whole.output_length))
    assert enough.run(10**6) == "halted"
    fewer = program.start(STDIN, limits=Limits(steps=whole.steps - 1))
    assert (fewer.run(10**6), fewer.limit, fewer.steps) == ("limited", "steps", whole.steps - 1)
    less = program.start(STDIN, limits=Limits(output=whole.output_length - 1))
    assert (less.run(10**6), less.limit) == ("limited", "output")
    assert less.take_output() == whole.take_output()[:-1]
    tight = program.start(STDIN, limits=Limits(memory=1))
    assert (tight.run(10**6), tight.limit) == ("limited", "memory")


def test_open_input_is_waited_for(language: Language) -> None:
    program = language.parse(language.sample())
    all_at_once, bit_by_bit = program.start(STDIN), program.start(b"", closed=False)
    all_at_once.run(10**6)
    for byte in STDIN:
        assert bit_by_bit.run(10**6) == "needs_input"
        bit_by_bit.feed(bytes([byte]))
    assert bit_by_bit.run(10**6) == "needs_input"
    bit_by_bit.close_input()
    bit_by_bit.run(10**6)
    assert bit_by_bit.view() == all_at_once.view()
    assert bit_by_bit.take_output() == all_at_once.take_output()


def test_a_scan_meets_what_single_runs_meet(language: Language) -> None:
    program = language.parse(language.sample())
    stops = StopSet(output_values=frozenset(range(256)), inputs=True)
    runner, scanner = program.start(STDIN), program.start(STDIN)
    met: list[int] = []
    while runner.run(10**6, stops) == "stopped":
        met.append(runner.steps)
    hits = scanner.scan(10**6, stops)
    assert (hits.total, hits.first, hits.last) == (len(met), met[0], met[-1])


def test_who_is_at_fault_is_said() -> None:
    with pytest.raises(UnknownLanguage, match="brainfuck"):
        find_language("cobol")
    with pytest.raises(UnknownLanguage, match=r"\.xyz"):
        language_of_file("a.xyz")
    brainfuck = find_language("brainfuck")
    with pytest.raises(OptionError, match="standard"):
        brainfuck.configure("strict")
    with pytest.raises(OptionError, match="cell"):
        brainfuck.configure("standard", {"cells": 8})
    with pytest.raises(OptionError, match=r"8 \| 16 \| 32"):
        brainfuck.configure("standard", {"cell": 9})
    with pytest.raises(ParseError) as caught:
        brainfuck.parse(b"+\n[[-]")
    assert (caught.value.line, caught.value.column, caught.value.offset) == (2, 1, 2)
