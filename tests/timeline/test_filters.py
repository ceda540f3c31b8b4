"""Conditions compiled to filters ≡ conditions evaluated in Python at every stop."""

from __future__ import annotations

from dataclasses import replace
from unittest import mock

import pytest
from engines import engine_names, program
from hypothesis import assume, given
from hypothesis import strategies as st
from strategies.brainfuck import options, sources, stdins

from esolangs.brainfuck import LANGUAGE
from esolangs.filters import FILTER_ADD, FILTER_CONSTANT, FILTER_DEPTH, FILTER_REGISTER, Filter
from esolangs.language import Program
from esolangs.limits import Limits
from esolangs.machine import Machine
from esolangs.registry import find_language
from esolangs.stops import StopSet
from esoplay.timeline import search
from esoplay.timeline.breakpoint_spec import BreakpointSpec
from esoplay.timeline.breakpoints import Breakpoint
from esoplay.timeline.conditions import Condition
from esoplay.timeline.filters import compile_filter
from esoplay.timeline.states import MachineState
from esoplay.timeline.timeline import Recording, Timeline

LIMITS = Limits(steps=2000, output=50, memory=200)
REGISTERS = ["step", "output", "ptr", "value", "depth"]


def expressions() -> st.SearchStrategy[str]:
    """Expressions of the condition language, most of which a filter can compute."""
    numbers = st.one_of(st.integers(-3, 9), st.sampled_from([255, 256, 1 << 40, 1 << 62, 1 << 63]))
    atoms = st.one_of(
        numbers.map(str),
        st.sampled_from([*REGISTERS, "cell[0]", "cell[1]", "cell[-1]", "cell[ptr]", "'A'"]),
    )

    def combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        operators = st.sampled_from(["+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">="])
        return st.one_of(
            st.builds("({} {} {})".format, inner, operators, inner),
            st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or"]), inner),
            st.builds("({} < {} <= {})".format, inner, inner, inner),
            st.builds("(not {})".format, inner),
            st.builds("(-{})".format, inner),
            st.builds("cell[{}]".format, inner.filter(lambda text: text != "'A'")),
        )

    return st.recursive(atoms, combined, max_leaves=8)


def filter_of_text(text: str, of: Program) -> Filter | None:
    names = of.filter_names()
    assert names is not None
    return compile_filter([Condition(text, of.register_names()).tree], names)


def stop_sets(source: bytes) -> st.SearchStrategy[StopSet]:
    commands = [at for at, byte in enumerate(source) if chr(byte) in "><+-.,[]"] or [0]
    return st.one_of(
        st.just(StopSet(every=True)),
        st.frozensets(st.sampled_from(commands), min_size=1).map(lambda at: StopSet(locations=at)),
        st.frozensets(st.integers(-1, 2), min_size=1).map(lambda cells: StopSet(writes=cells)),
        st.just(StopSet(output_values=frozenset(range(256)), inputs=True)),
    )


def passing_steps(machine: Machine, stops: StopSet, condition: Condition) -> list[int]:
    """The steps of the stops at which a condition is true."""
    steps: list[int] = []
    while machine.run(LIMITS.steps, stops) == "stopped":
        if condition.value(MachineState(machine)):
            steps.append(machine.steps)
    return steps


@pytest.mark.parametrize("engine", engine_names("brainfuck"))
@given(sources(), options(), stdins(), expressions(), st.data())
def test_filtered_stops_are_those_where_the_condition_is_true(
    engine: str,
    source: bytes,
    chosen: dict[str, str | int],
    stdin: bytes,
    text: str,
    data: st.DataObject,
) -> None:
    of = program("brainfuck", source, engine, "standard", **chosen)
    made = filter_of_text(text, of)
    assume(made is not None)
    condition = Condition(text, of.register_names())
    stops = data.draw(stop_sets(source))
    expected = passing_steps(of.start(stdin, limits=LIMITS), stops, condition)
    filtered = stops._replace(filter=made)
    machine = of.start(stdin, limits=LIMITS)
    found: list[int] = []
    while machine.run(LIMITS.steps, filtered) == "stopped":
        found.append(machine.steps)
    assert found == expected
    hits = of.start(stdin, limits=LIMITS).scan(LIMITS.steps, filtered)
    assert (hits.total, hits.first, hits.last) == (
        len(expected), expected[0] if expected else None, expected[-1] if expected else None,
    )  # fmt: skip


def all_stops(timeline: Timeline, breakpoints: list[Breakpoint]) -> list[object]:
    """The stops and log lines of a run to the end, and back to the start, and the hits."""
    stops: list[object] = []
    for move in (search.run_forward, search.run_backward):
        while True:
            stop = move(timeline, breakpoints)
            stops.append(stop)
            if stop.reasons[0].kind != "breakpoint":
                break
    return [*stops, *(each.hits for each in breakpoints)]


@st.composite
def conditional(draw: st.DrawFn, source: bytes) -> list[BreakpointSpec]:
    commands = [at for at, byte in enumerate(source) if chr(byte) in "><+-.,[]"]
    assume(commands)
    spec = st.one_of(
        st.builds(BreakpointSpec, offset=st.sampled_from(commands)),
        st.builds(BreakpointSpec, cell=st.integers(0, 2)),
        st.builds(BreakpointSpec, effect=st.sampled_from(["write", "output", "input"])),
        st.builds(BreakpointSpec, every=st.integers(1, 9)),
        st.builds(BreakpointSpec, read=st.integers(0, 2)),
        st.just(BreakpointSpec()),
    )
    texts = expressions() | st.sampled_from(["hits == 2", "value == 1", "cell[1] > 1 and ptr < 2"])
    logs = st.sampled_from([None, None, "{step}: {value}"])
    count = draw(st.integers(1, 3))
    return [replace(draw(spec), condition=draw(texts), log=draw(logs)) for _ in range(count)]


@given(sources(), st.data())
def test_breakpoints_stop_log_and_count_the_same_without_filters(
    source: bytes, data: st.DataObject
) -> None:
    specs = data.draw(conditional(source))
    of = LANGUAGE.parse(source)
    recording = Recording("brainfuck", "", LANGUAGE.configure(), source, limits=LIMITS)
    edits = data.draw(st.lists(st.integers(0, 30), max_size=2))
    results: list[list[object]] = []
    for filtered in (True, False):
        timeline = Timeline(of, recording, 17)
        for step in sorted(edits):
            timeline.seek(step)
            timeline.edit(0, 1)
        timeline.seek(0)
        breakpoints = [Breakpoint(number, spec, of) for number, spec in enumerate(specs)]
        with mock.patch.object(search, "filter_of", search.filter_of if filtered else no_filter):
            results.append(all_stops(timeline, breakpoints))
    assert results[0] == results[1]


def no_filter(_breakpoints: list[Breakpoint]) -> None:
    return None


@pytest.mark.parametrize(
    "text",
    ["hits == 3", "input == 1", "stack[-1] == 0", "step + 1 > 9", "(value - 1) % 3", "cell[step]",
     "cell[0, 1] == 1", "value == 9223372036854775808"],
)  # fmt: skip
def test_other_conditions_are_not_compiled(text: str) -> None:
    assert filter_of_text(text, LANGUAGE.parse(b"+")) is None


def test_a_hot_breakpoint_does_not_stop_the_engine() -> None:
    source = b"+[>+<]"
    of = LANGUAGE.parse(source)
    recording = Recording("brainfuck", "", LANGUAGE.configure(), source)
    timeline = Timeline(of, recording)
    breakpoint = Breakpoint(1, BreakpointSpec(offset=3, condition="cell[1] == 255"), of)
    checked = mock.Mock(side_effect=breakpoint.holds)
    breakpoint.holds = checked
    assert search.run_forward(timeline, [breakpoint]).step == 3 + 5 * 255
    assert checked.call_count == 1


@pytest.mark.parametrize(
    "code",
    [
        (),
        (FILTER_CONSTANT,),
        (FILTER_ADD, 0),
        (FILTER_CONSTANT, 1, FILTER_CONSTANT, 1),
        (FILTER_REGISTER, len(REGISTERS)),
        (FILTER_CONSTANT, 1 << 63),
        (99, 0),
        (FILTER_CONSTANT, 1) * (FILTER_DEPTH + 1) + (FILTER_ADD, 0) * FILTER_DEPTH,
    ],
)
def test_an_invalid_filter_is_refused(code: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"filter|argument"):
        LANGUAGE.parse(b"+").start().run(1, StopSet(every=True, filter=Filter(code)))


def test_a_filter_has_a_stack_of_limited_depth() -> None:
    of = LANGUAGE.parse(b"+")
    deepest = "1 + (" * (FILTER_DEPTH - 1) + "1" + ")" * (FILTER_DEPTH - 1)
    made = filter_of_text(f"{deepest} == {FILTER_DEPTH}", of)
    assert of.start().run(1, StopSet(every=True, filter=made)) == "stopped"
    made = filter_of_text(f"{deepest} != {FILTER_DEPTH}", of)
    assert of.start().run(1, StopSet(every=True, filter=made)) == "halted"
    assert filter_of_text(f"1 + ({deepest})", of) is None


def test_a_language_without_filters_stops_everywhere() -> None:
    assert find_language("unlambda").parse(b"i").filter_names() is None
