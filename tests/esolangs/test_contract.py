"""What every language must do, shown by its own sample program."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from esolangs.errors import EngineError, OptionError, ParseError, UnknownLanguage
from esolangs.language import Language, Program
from esolangs.limits import Limits
from esolangs.machine import Machine
from esolangs.registry import find_language, language_ids, language_of_file
from esolangs.source import locate
from esolangs.stops import StopSet
from esolangs.view import View, Window, as_json

STDIN = b"esolang"
ANY_OUTPUT = StopSet(output_values=frozenset(range(256)))
ANY_INPUT_OR_OUTPUT = ANY_OUTPUT._replace(inputs=True)
FAR = 10**6


@pytest.fixture(params=language_ids())
def language(request: pytest.FixtureRequest) -> Language:
    return find_language(request.param)


def states(language: Language, **limits: int) -> Iterator[Machine]:
    """The sample's machine at every step, from step 0 to its end."""
    machine = language.parse(language.sample()).start(STDIN, limits=Limits(**limits))
    yield machine
    while machine.step() is not None:
        yield machine


def test_each_language_describes_itself(language: Language) -> None:
    assert language.name
    assert {"standard", "benchmark"} <= set(language.dialects)
    assert not language.dialects["standard"]
    assert language.extensions
    for extension in language.extensions:
        assert extension == extension.lower()
        assert language_of_file(f"program{extension.upper()}") is language


def test_dialects_are_sets_of_options(language: Language) -> None:
    names = [option.name for option in language.options]
    assert len(set(names)) == len(names)
    for dialect in language.dialects:
        options = language.configure(dialect)
        assert set(options) == set(names)
        language.parse(language.sample(), options)
    for option in language.options:
        assert option.help
        assert option.read(option.default) == option.default
        for value in option.values:
            assert language.configure("standard", {option.name: str(value)})[option.name] == value
        with pytest.raises(OptionError, match=option.name):
            language.configure("standard", {option.name: "no such value"})
    with pytest.raises(OptionError, match="standard"):
        language.configure("no such dialect")
    with pytest.raises(OptionError, match="no such option"):
        language.configure("standard", {"no such option": 1})


def test_every_dialect_has_a_card(language: Language) -> None:
    for dialect in language.dialects:
        card = language.card(dialect)
        assert card.startswith("# ")
        assert language.name in card


def test_the_starter_of_an_empty_editor_ends(language: Language) -> None:
    for dialect in language.dialects:
        machine = language.parse(language.starter(), language.configure(dialect)).start(STDIN)
        assert machine.run(10_000) == "halted"
        assert not machine.take_output()


def test_the_sample_runs_to_its_end_and_prints(language: Language) -> None:
    for dialect in language.dialects:
        machine = language.parse(language.sample(), language.configure(dialect)).start(STDIN)
        assert machine.run(FAR) == "halted"
        assert machine.take_output()


def test_run_equals_single_steps(language: Language) -> None:
    program = language.parse(language.sample())
    runner, stepper = program.start(STDIN), program.start(STDIN)
    while stepper.step() is not None:
        runner.run(1)
        assert runner.view() == stepper.view()
    assert runner.take_printed() == stepper.take_printed()
    assert runner.take_reads() == stepper.take_reads()
    assert runner.status == "halted"


def test_a_step_reports_its_effects(language: Language) -> None:
    machine = language.parse(language.sample()).start(STDIN)
    printed, read, step = b"", b"", machine.step()
    while step is not None:
        assert step.number == machine.steps
        printed += step.printed
        read += step.read or b""
        for address, value in {write.address: write.new for write in step.writes}.items():
            assert machine.peek(address) == value
        step = machine.step()
    assert printed == machine.take_output()
    assert read == STDIN[: machine.input_position]


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


def test_views_are_json(language: Language) -> None:
    for machine in states(language):
        view = machine.view()
        assert json.loads(json.dumps(as_json(view)))["step"] == machine.steps
        assert hash(view.panels) == hash(machine.view().panels)
        assert view.output_length == machine.output_length
        assert view.input_position == machine.input_position
        assert view.memory == machine.memory


def test_a_view_is_bounded_by_its_window(language: Language) -> None:
    def size(view: View) -> int:
        return len(repr(as_json(view)))

    machine = language.parse(language.sample()).start(STDIN)
    machine.run(30)
    small = size(machine.view(Window(cells=4, depth=1, width=4, height=1)))
    large = size(machine.view(Window(cells=400, depth=100, width=200, height=100)))
    assert small < large


def test_every_instruction_has_a_place_and_an_explanation(language: Language) -> None:
    source = language.sample()
    program = language.parse(source)
    spans = program.spans()
    assert list(spans) == sorted(spans)
    for start, end in spans:
        assert 0 <= start < end <= len(source)
        assert program.instruction_at(start) == (start, end)
    for machine in states(language):
        at = machine.view().location
        assert at.explanation
        assert "\n" not in at.explanation
        assert at.address == machine.location
        assert (at.line, at.column) == locate(source, at.offset)
        if at.instruction and machine.status == "running":
            assert at.span[0] <= at.offset <= at.span[1]


def test_location_stops_are_at_the_addresses_of_the_program(language: Language) -> None:
    """Breakpoints at offsets, at occurrences and at named places all lead to locations."""
    program = language.parse(language.sample())
    visited = {machine.location for machine in states(language)}
    addresses = [program.address_at(start) for start, _ in program.spans()]
    assert visited & set(addresses)
    addresses += program.places().values()
    for address in [each for each in dict.fromkeys(addresses) if each in visited][:50]:
        machine = program.start(STDIN)
        if machine.location != address:
            assert machine.run(FAR, StopSet(locations=frozenset({address}))) == "stopped"
        assert machine.location == address


def test_occurrences_are_found_by_their_text(language: Language) -> None:
    source = language.sample()
    program = language.parse(source)
    start, end = program.spans()[0]
    try:
        text = source[start:end].decode()
    except UnicodeDecodeError:
        return
    assert program.address_at(start) in program.occurrences(text)
    assert not program.occurrences("no instruction is written like this")


def test_registers_match_the_names_of_the_program(language: Language) -> None:
    names = language.parse(language.sample()).register_names()
    for name, help in names.items():
        assert name.isidentifier()
        assert help
    for machine in states(language):
        registers = machine.registers()
        assert set(registers) == set(names)
        assert all(isinstance(value, int) for value in registers.values())


def test_invalid_addresses_are_refused(language: Language) -> None:
    machine = language.parse(language.sample()).start(STDIN)
    for address in (10**30, -(10**30), (10**30, 10**30), (1, 2, 3), ()):
        try:
            value = machine.peek(address)
        except ValueError:
            value = 0
        assert value == 0
    with pytest.raises(ValueError, match=r"."):
        machine.peek("ptr")  # pyright: ignore[reportArgumentType]


def test_a_leap_has_a_target_or_is_none(language: Language) -> None:
    for machine in states(language):
        for kind in ("over", "out", "back_over", "back_out"):
            leap = machine.leap(kind)
            assert leap is None or leap.extra >= 0


def test_limits_are_exact(language: Language) -> None:
    program = language.parse(language.sample())
    whole = program.start(STDIN)
    whole.run(FAR)
    enough = program.start(STDIN, limits=Limits(steps=whole.steps, output=whole.output_length))
    assert enough.run(FAR) == "halted"
    fewer = program.start(STDIN, limits=Limits(steps=whole.steps - 1))
    assert (fewer.run(FAR), fewer.limit, fewer.steps) == ("limited", "steps", whole.steps - 1)
    less = program.start(STDIN, limits=Limits(output=whole.output_length - 1))
    assert (less.run(FAR), less.limit) == ("limited", "output")
    assert less.take_output() == whole.take_output()[:-1]
    tight = program.start(STDIN, limits=Limits(memory=1))
    assert (tight.run(FAR), tight.limit) == ("limited", "memory")
    fits = program.start(STDIN, limits=Limits(memory=whole.memory))
    assert fits.run(FAR) == "halted"


def test_a_run_waits_for_open_input(language: Language) -> None:
    """However it arrives; a sample that reads only some of it ends before the rest is there."""
    program = language.parse(language.sample())
    all_at_once, bit_by_bit = program.start(STDIN), program.start(b"", closed=False)
    all_at_once.run(FAR)
    assert bit_by_bit.run(FAR) == "needs_input", "a sample shows how to read"
    for byte in STDIN:
        bit_by_bit.feed(bytes([byte]))
        bit_by_bit.run(FAR)
    bit_by_bit.close_input()
    bit_by_bit.run(FAR)
    assert bit_by_bit.status == "halted"
    assert bit_by_bit.view() == all_at_once.view()
    assert bit_by_bit.take_printed() == all_at_once.take_printed()
    assert bit_by_bit.take_reads() == all_at_once.take_reads()
    with pytest.raises(ValueError, match="closed"):
        bit_by_bit.feed(b"more")


def test_waiting_for_input_changes_nothing(language: Language) -> None:
    machine = language.parse(language.sample()).start(b"", closed=False)
    assert machine.run(FAR) == "needs_input"
    steps, view = machine.steps, machine.view()
    assert machine.step() is None
    assert machine.run(5) == "needs_input"
    assert (machine.steps, machine.view()) == (steps, view)
    machine.feed(b"")
    assert machine.status == "needs_input"
    machine.feed(STDIN)
    assert machine.status == "running"
    machine.run(FAR)
    machine.close_input()
    assert machine.status != "needs_input"


def test_a_scan_counts_the_stops_of_single_runs(language: Language) -> None:
    program = language.parse(language.sample())
    runner, scanner = program.start(STDIN), program.start(STDIN)
    met: list[int] = []
    while runner.run(FAR, ANY_INPUT_OR_OUTPUT) == "stopped":
        met.append(runner.steps)
    hits = scanner.scan(FAR, ANY_INPUT_OR_OUTPUT)
    assert (hits.total, hits.first, hits.last) == (len(met), met[0], met[-1])


def test_random_bytes_are_a_program_or_a_parse_error(language: Language) -> None:
    """Nothing else leaves a parser; an error says where, inside the source or at its end."""
    sample = language.sample()
    rubbish = [b"", b"\0", b"\xff\xfe", b"\n" * 50, bytes(range(256)), b"[(`" * 20_000, b"\xc3"]
    rubbish += [sample[: len(sample) * part // 7] for part in range(7)]
    rubbish += [sample[::-1], sample * 3, sample.upper(), sample.replace(b"\n", b"\r\n")]
    for source in rubbish:
        for dialect in language.dialects:
            try:
                program = language.parse(source, language.configure(dialect))
            except ParseError as error:
                refused = error
            else:
                _run_a_little(program)
                continue
            start, end = refused.span
            assert 0 <= start <= end <= len(source)
            assert (refused.line, refused.column) == locate(source, start)
            assert 0 < len(refused.message) < 1000


def _run_a_little(program: Program) -> None:
    machine = program.start(STDIN, limits=Limits(steps=2000, memory=1 << 20))
    machine.run(3000)
    assert json.dumps(as_json(machine.view()))
    fault = machine.fault
    if fault is not None:
        assert fault.kind.replace("_", "").isalnum()
        assert fault.message
        assert min(fault.line, fault.column) >= 1
        assert fault.step == machine.steps


def test_errors_name_the_wrong_language_or_option() -> None:
    with pytest.raises(UnknownLanguage, match="brainfuck"):
        find_language("cobol")
    with pytest.raises(UnknownLanguage, match="befunge_98"):
        find_language("befunge_98")  # the folder's name is not an id
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
    assert issubclass(ParseError, EngineError)
