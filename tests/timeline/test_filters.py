"""Conditions compiled to filters ≡ conditions evaluated in Python at every stop."""

from __future__ import annotations

import ast
from contextlib import suppress
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest
from engines import engine_names, program
from hypothesis import assume, given
from hypothesis import strategies as st
from selection import slow_except
from strategies import strategies_of

from esolangs.brainfuck import LANGUAGE
from esolangs.errors import OptionError, ParseError
from esolangs.filters import (
    FILTER_ADD,
    FILTER_CONSTANT,
    FILTER_LEVEL,
    FILTER_POINT,
    FILTER_REGISTER,
    MAX_FILTER_DEPTH,
    Filter,
)
from esolangs.language import Program
from esolangs.limits import Limits
from esolangs.machine import Machine
from esolangs.registry import language_ids
from esolangs.stops import Address, Slot, Step, StopSet
from esoplay.timeline import search
from esoplay.timeline.breakpoint_spec import BreakpointSpec
from esoplay.timeline.breakpoints import Breakpoint
from esoplay.timeline.conditions import Condition
from esoplay.timeline.filters import compile_filter
from esoplay.timeline.states import MachineState
from esoplay.timeline.timeline import Recording, Timeline

STEPS = 300
MEMORY = {"brainfuck": 200, "befunge-98": 50_000}
LARGE = [255, 256, 1 << 40, 1 << 62, (1 << 63) - 1]


def limits_of(language_id: str) -> Limits:
    return Limits(steps=STEPS, output=50, memory=MEMORY.get(language_id, 4000))


def expressions(of: Program) -> st.SearchStrategy[str]:
    """Expressions of the condition language, nearly all of which a filter can compute."""
    names = of.filter_names()
    assert names is not None
    numbers = st.one_of(st.integers(-3, 9), st.integers(0, 255), st.sampled_from(LARGE)).map(str)
    atoms = [numbers, st.sampled_from(names.registers), st.just("'A'")]
    places = [st.sampled_from([-1, 0, 1, 2]).map(str), numbers, st.sampled_from(names.registers)]
    if names.coordinates:
        point = st.tuples(*[st.one_of(places)] * names.coordinates)
        atoms.append(point.map(lambda parts: f"cell[{', '.join(parts)}]"))
    if names.has_levels:
        atoms.append(st.one_of(places).map("stack[{}]".format))

    def combined(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
        operators = st.sampled_from(["+", "-", "*", "//", "%", "==", "!=", "<", "<=", ">", ">="])
        forms = [
            st.builds("({} {} {})".format, inner, operators, inner),
            st.builds("({} {} {})".format, inner, st.sampled_from(["and", "or"]), inner),
            st.builds("({} < {} <= {})".format, inner, inner, inner),
            st.builds("(not {})".format, inner),
            st.builds("(-{})".format, inner),
        ]
        number = inner.filter(lambda text: text != "'A'")
        if names.coordinates == 1:
            forms.append(st.builds("cell[{}]".format, number))
        if names.coordinates == 2:
            forms.append(st.builds("cell[{}, {}]".format, number, number))
        if names.has_levels:
            forms.append(st.builds("stack[{}]".format, inner))
        return st.one_of(forms)

    return st.recursive(st.one_of(atoms), combined, max_leaves=8)


def filter_of_text(text: str, of: Program) -> Filter | None:
    names = of.filter_names()
    assert names is not None
    return compile_filter([Condition(text, of.register_names()).tree], names)


def addresses(of: Program) -> list[Address]:
    """The locations of instructions."""
    return [of.address_at(start) for start, _ in of.spans()] or [0]


def cells(of: Program) -> st.SearchStrategy[Address]:
    names = of.filter_names()
    number = st.integers(-1, 3)
    return st.tuples(number, number) if names and names.coordinates == 2 else number


def stop_sets(of: Program) -> st.SearchStrategy[StopSet]:
    slots = st.builds(Slot, st.integers(0, 1), st.integers(0, 3))
    return st.one_of(
        st.just(StopSet(every=True)),
        st.frozensets(st.sampled_from(addresses(of)), min_size=1).map(
            lambda found: StopSet(locations=found)
        ),
        st.frozensets(cells(of), min_size=1).map(lambda found: StopSet(writes=found)),
        st.frozensets(slots, min_size=1).map(lambda found: StopSet(slots=found)),
        st.just(StopSet(output_values=frozenset(range(256)), inputs=True)),
    )


class CheckedState(MachineState):
    """A state that records whether an expression used a level that is too large to compute with."""

    huge = False

    def level(self, level: int) -> int:
        if isinstance(self.levels.at(level), str):
            self.huge = True
        return super().level(level)


class Expected:
    """The steps of the stops at which a condition is true, and at which a filter may give up."""

    def __init__(self, text: str, of: Program) -> None:
        registers = of.register_names()
        self._condition = Condition(text, registers)
        self._parts = [
            Condition(ast.unparse(node), registers)
            for node in ast.walk(self._condition.tree)
            if isinstance(node, ast.expr)
            and not isinstance(node, ast.Tuple)
            and getattr(node, "id", "") not in ("cell", "stack")
        ]
        self.true: list[int] = []
        self.last_steps: list[Step | None] = []
        self.large: list[int] = []

    def run(self, machine: Machine, stops: StopSet) -> None:
        while machine.run(STEPS, stops) == "stopped":
            state = CheckedState(machine)
            if self._condition.value(state):
                self.true.append(machine.steps)
                self.last_steps.append(machine.last_step)
            elif any(abs(each.value(state)) >= 1 << 62 for each in self._parts) or state.huge:
                self.large.append(machine.steps)


def draw_program(language_id: str, engine: str, data: st.DataObject) -> Any:
    strategies = strategies_of(language_id)
    source = data.draw(strategies.sources(), "source")
    chosen = data.draw(strategies.options(), "options")
    try:
        return program(language_id, source, engine, **chosen)
    except (ParseError, OptionError):
        return None


TWINS = [(id, engine) for id in language_ids() for engine in engine_names(id)]


@pytest.mark.parametrize(
    ("language_id", "engine"),
    [
        pytest.param(*twin, marks=[] if twin == ("brainfuck", "compiled") else [pytest.mark.slow])
        for twin in TWINS
    ],
)
@given(st.data())
def test_a_filter_leaves_out_the_stops_where_the_condition_is_false(
    language_id: str, engine: str, data: st.DataObject
) -> None:
    of = draw_program(language_id, engine, data)
    assume(of is not None)
    text = data.draw(expressions(of), "condition")
    made = filter_of_text(text, of)
    assume(made is not None)
    stops = data.draw(stop_sets(of), "stops")
    stdin = data.draw(strategies_of(language_id).stdins(), "stdin")
    limits = limits_of(language_id)
    expected = Expected(text, of)
    expected.run(of.start(stdin, limits=limits), stops)
    filtered = stops._replace(filter=made)
    machine = of.start(stdin, limits=limits)
    found: list[int] = []
    last_steps: list[Step | None] = []
    while machine.run(STEPS, filtered) == "stopped":
        found.append(machine.steps)
        if machine.steps not in expected.large:
            last_steps.append(machine.last_step)
    assert [step for step in found if step not in expected.large] == expected.true
    assert last_steps == expected.last_steps
    hits = of.start(stdin, limits=limits).scan(STEPS, filtered)
    assert (hits.total, hits.first, hits.last) == (
        len(found), found[0] if found else None, found[-1] if found else None,
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
def conditional(draw: st.DrawFn, of: Program) -> list[BreakpointSpec]:
    starts = [start for start, _ in of.spans()]
    assume(starts)
    specs = [
        st.builds(BreakpointSpec, offset=st.sampled_from(starts)),
        st.builds(BreakpointSpec, cell=cells(of)),
        st.builds(BreakpointSpec, effect=st.sampled_from(["write", "output", "input"])),
        st.builds(BreakpointSpec, every=st.integers(1, 9)),
        st.builds(BreakpointSpec, slot=st.builds(Slot, st.just(0), st.integers(0, 2))),
        st.just(BreakpointSpec()),
    ]
    if of.cell_readers(0) is not None:
        specs.append(st.builds(BreakpointSpec, read=st.integers(0, 2)))
    spec = st.one_of(specs)
    texts = expressions(of) | st.sampled_from(["hits == 2", "step > 9 and output < 2"])
    logs = st.sampled_from([None, None, "{step}: {output}"])
    count = draw(st.integers(1, 3))
    return [replace(draw(spec), condition=draw(texts), log=draw(logs)) for _ in range(count)]


@pytest.mark.parametrize("language_id", slow_except(language_ids(), "brainfuck"))
@given(st.data())
def test_breakpoints_stop_log_and_count_the_same_without_filters(
    language_id: str, data: st.DataObject
) -> None:
    of = draw_program(language_id, engine_names(language_id)[0], data)
    assume(of is not None)
    specs = data.draw(conditional(of))
    limits = limits_of(language_id)
    recording = Recording(language_id, "", of.options, of.source, limits=limits)
    edits = data.draw(st.lists(st.integers(0, 30), max_size=2))
    address = data.draw(cells(of))
    results: list[list[object]] = []
    for filtered in (True, False):
        timeline = Timeline(of, recording, 17)
        for step in sorted(edits):
            timeline.seek(step)
            with suppress(ValueError):
                timeline.edit(address, 1)
        timeline.seek(0)
        breakpoints = [Breakpoint(number, spec, of) for number, spec in enumerate(specs)]
        with mock.patch.object(
            search, "build_filter", search.build_filter if filtered else no_filter
        ):
            results.append(all_stops(timeline, breakpoints))
    assert results[0] == results[1]


def no_filter(_breakpoints: list[Breakpoint]) -> None:
    return None


@pytest.mark.parametrize(
    "text",
    ["hits == 3", "input == 1", "stack[-1] == 0", "cell[0, 1] == 1", f"value == {1 << 63}"],
)  # fmt: skip
def test_other_conditions_are_not_compiled(text: str) -> None:
    assert filter_of_text(text, LANGUAGE.parse(b"+")) is None


PLAY = b"""A loop.

Romeo, who counts.
Juliet, who listens.

Act I: One.
Scene I: One.
[Enter Romeo and Juliet]
Scene II: Two.
Juliet: You are as good as the sum of you and a flower. Let us return to Scene II.
"""
COUNTING = b"   \t\n\n  \t\n   \t\n\t   \n \n\t\n"  # push 1; label: push 1, add, jump to label
HOT = {
    "brainfuck": (b"+[>+<]", 3, "cell[1] + 1 == 256", 3 + 5 * 255),
    "befunge-98": (
        b"0>1+v\n ^  <",
        3,
        "stack[-2] + 1 == 41 and cell[x, y] == '+'",
        3 + 6 * 40,
    ),
    "whitespace": (COUNTING, 10, "top == 2 * 20 and stack[0] == top and depth < 2", 2 + 4 * 39),
    "shakespeare": (PLAY, PLAY.index(b"You"), "romeo % 41 == 40 or cell[0] > 40", 1 + 2 * 40),
    "unlambda": (b"```sii``sii", 9, "step // 3 == 40 and depth == 1 and char == -1", 122),
}


@pytest.mark.parametrize(("language_id", "engine"), TWINS)
def test_a_hot_breakpoint_does_not_stop_the_engine(language_id: str, engine: str) -> None:
    source, offset, condition, step = HOT[language_id]
    of = program(language_id, source, engine)
    recording = Recording(language_id, "", of.options, source)
    timeline = Timeline(of, recording)
    breakpoint = Breakpoint(1, BreakpointSpec(offset=offset, condition=condition), of)
    checked = mock.Mock(side_effect=breakpoint.holds)
    breakpoint.holds = checked
    assert search.run_forward(timeline, [breakpoint], 9000).step == step
    assert checked.call_count == 1


SQUARES = PLAY.replace(b"the sum of you and a flower", b"the square of the sum of you and a flower")
# A program, a register that grows, and the bits that a core has for it.
LARGE_NUMBERS: dict[str, tuple[bytes, dict[str, str], str, int]] = {
    "whitespace": (b"   \t" + b" " * 40 + b"\n" + b" \n \t  \n" * 3, {}, "top", 63),
    "befunge-98": (b"99*:*:*:*:*:*@", {"cell": "unbounded"}, "top", 63),
    "shakespeare": (SQUARES, {}, "romeo", 62),
}


@pytest.mark.parametrize("language_id", LARGE_NUMBERS)
def test_a_large_number_passes_the_filter_and_python_decides(language_id: str) -> None:
    source, options, register, bits = LARGE_NUMBERS[language_id]
    for engine in engine_names(language_id):
        of = program(language_id, source, engine, **options)
        expected: list[int] = []
        machine = of.start()
        while machine.run(1, StopSet(every=True)) == "stopped" and machine.steps <= 20:
            if machine.registers()[register].bit_length() > bits:
                expected.append(machine.steps)
        assert expected
        stops = StopSet(every=True, filter=filter_of_text(f"{register} < 0", of))
        machine, found = of.start(), list[int]()
        while machine.run(20 - machine.steps, stops) == "stopped":
            found.append(machine.steps)
        assert found == expected


@pytest.mark.parametrize(
    "code",
    [
        (),
        (FILTER_CONSTANT,),
        (FILTER_ADD, 0),
        (FILTER_CONSTANT, 1, FILTER_CONSTANT, 1),
        (FILTER_REGISTER, 5),
        (FILTER_CONSTANT, 1, FILTER_CONSTANT, 1, FILTER_POINT, 0),
        (FILTER_CONSTANT, 1, FILTER_LEVEL, 0),
        (FILTER_CONSTANT, 1 << 63),
        (99, 0),
        (FILTER_CONSTANT, 1) * (MAX_FILTER_DEPTH + 1) + (FILTER_ADD, 0) * MAX_FILTER_DEPTH,
    ],
)
def test_an_invalid_filter_is_refused(code: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r"filter|argument"):
        LANGUAGE.parse(b"+").start().run(1, StopSet(every=True, filter=Filter(code)))


def test_a_filter_has_a_stack_of_limited_depth() -> None:
    of = LANGUAGE.parse(b"+")
    deepest = "1 + (" * (MAX_FILTER_DEPTH - 1) + "1" + ")" * (MAX_FILTER_DEPTH - 1)
    made = filter_of_text(f"{deepest} == {MAX_FILTER_DEPTH}", of)
    assert of.start().run(1, StopSet(every=True, filter=made)) == "stopped"
    made = filter_of_text(f"{deepest} != {MAX_FILTER_DEPTH}", of)
    assert of.start().run(1, StopSet(every=True, filter=made)) == "halted"
    assert filter_of_text(f"1 + ({deepest})", of) is None
