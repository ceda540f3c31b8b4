"""What is typed: commands, breakpoints, searches."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from esolangs.brainfuck import LANGUAGE
from esolangs.brainfuck.program import BrainfuckProgram
from esolangs.stops import Address, Slot
from esoplay.debugging.command_line import typed_bytes
from esoplay.debugging.debugger import BreakpointSpec, Debugger, Recording
from esoplay.debugging.locations import breakpoint_text, parse_breakpoint
from esoplay.errors import UsageError
from esoplay.tui.debug.command_runner import screen_table
from esoplay.tui.debug.text_layout import find_next, find_previous, matching_bracket

SOURCE = b"++[>+<-]\n>.[-]\n"


@given(st.binary(max_size=30))
def test_typed_input_keeps_every_byte(data: bytes) -> None:
    typed = "".join(f"\\x{byte:02x}" for byte in data)
    assert typed_bytes(typed) == data
    assert typed_bytes(r"\q") == rb"\q"


@given(st.text(max_size=30))
def test_any_line_is_a_command_or_an_error(text: str) -> None:
    with suppress(UsageError):
        screen_table().parse(text)


class Labelled(BrainfuckProgram):
    """A program with names for two of its places."""

    def places(self) -> dict[str, Address]:
        return {"label STS": 2, "act I scene II": 9, "sync": 0}


class Plane(Labelled):
    """The same where places are points."""

    def address_at(self, offset: int) -> Address:
        return offset, 0


def opened(kind: type[Labelled]) -> Debugger:
    options = LANGUAGE.configure()
    recording = Recording(LANGUAGE.id, "standard", options, SOURCE)
    return Debugger(kind(LANGUAGE, SOURCE, options), recording)


LINES, PLANE = opened(Labelled), opened(Plane)


def read(spec: BreakpointSpec) -> BreakpointSpec:
    """A spec after it was written and read."""
    points = (spec.position, spec.cell, spec.read)
    debugger = PLANE if any(isinstance(each, tuple) for each in points) else LINES
    return parse_breakpoint(debugger, breakpoint_text(spec, SOURCE))


CONDITIONS = st.sampled_from([None, "cell[3] == 10", "hits > 5 and value != 0"])
LOGS = st.sampled_from([None, "saw {cell[3]}"])
OUTPUTS = st.one_of(
    st.none(), st.integers(0, 99), st.integers(0, 255).map(lambda byte: bytes((byte,)))
)


@given(
    st.one_of(st.none(), st.integers(0, 7)),
    st.one_of(st.none(), st.integers(-9, 99)),
    OUTPUTS,
    st.sampled_from([None, "write", "output", "input"]),
    CONDITIONS,
    LOGS,
)
def test_a_breakpoint_reads_back_as_it_was_written(offset, cell, output, effect, condition, log):  # type: ignore[no-untyped-def]
    spec = BreakpointSpec(
        offset=offset, cell=cell, output=output, effect=effect, condition=condition, log=log
    )
    if spec == BreakpointSpec(log=log):
        return
    assert read(spec) == spec


SMALL = st.integers(-(1 << 60), 1 << 60)
POINTS = st.one_of(st.none(), st.tuples(SMALL, SMALL))
CELLS = st.one_of(st.none(), SMALL)
PLACES = st.one_of(
    st.builds(BreakpointSpec, position=st.tuples(SMALL, SMALL)),
    st.builds(BreakpointSpec, place=st.sampled_from(list(LINES.program.places()))),
    st.builds(BreakpointSpec, instruction=st.text(min_size=1, max_size=5)),
)


@given(
    st.one_of(st.just(BreakpointSpec()), PLACES),
    st.one_of(st.none(), st.integers(0, 9), st.binary(min_size=1, max_size=9)),
    st.one_of(st.none(), st.integers(1)),
    st.one_of(st.none(), st.integers(1)),
    st.booleans(),
    st.sampled_from([None, "forwards", "backwards"]),
)
def test_times_and_directions_read_back(place, output, step, every, new, direction):  # type: ignore[no-untyped-def]
    assume(place != BreakpointSpec() or output is not None or step or every or new)
    spec = replace(place, output=output, step=step, every=every, new=new, direction=direction)
    assert read(spec) == spec


SLOTS = st.builds(Slot, st.integers(0), st.integers(0))


@given(st.one_of(st.just(BreakpointSpec()), PLACES), SLOTS, CONDITIONS, LOGS)
def test_slots_read_back_as_they_were_written(place, slot, condition, log):  # type: ignore[no-untyped-def]
    spec = replace(place, slot=slot, condition=condition, log=log)
    assert read(spec) == spec


@given(PLACES, CELLS, POINTS, st.sampled_from([None, "output"]), CONDITIONS, LOGS)
def test_every_kind_of_place_reads_back_as_it_was_written(  # type: ignore[no-untyped-def]
    place, cell, point, effect, condition, log
):
    cell = cell if place.position is None else point
    spec = replace(place, cell=cell, effect=effect, condition=condition, log=log)
    assert read(spec) == spec


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("label sts", BreakpointSpec(place="label STS")),
        (
            "ACT i  scene ii if value == 3",
            BreakpointSpec(place="act I scene II", condition="value == 3"),
        ),
        ("sync", BreakpointSpec(place="sync")),
        ("3,-4", BreakpointSpec(position=(3, -4))),
        ("at 3 , 4 log here", BreakpointSpec(position=(3, 4), log="here")),
        ("'['", BreakpointSpec(instruction="[")),
        ("new", BreakpointSpec(new=True)),
        ("read 3,4 if value", BreakpointSpec(read=(3, 4), condition="value")),
        ("step 1000", BreakpointSpec(step=1000)),
        ("every 1000 if value > 2", BreakpointSpec(every=1000, condition="value > 2")),
        ("step > 3", BreakpointSpec(condition="step > 3")),
        ('output "12"', BreakpointSpec(output=b"12")),
        ("output 'né\\n'", BreakpointSpec(output="né\n".encode())),
        (
            "backwards new at 3,4",
            BreakpointSpec(direction="backwards", new=True, position=(3, 4)),
        ),
        ("[", BreakpointSpec(instruction="[")),
        ("at - if hits > 2", BreakpointSpec(instruction="-", condition="hits > 2")),
        ("write 3,4", BreakpointSpec(cell=(3, 4))),
        ("if value", BreakpointSpec(condition="value")),
        ("value > 3 and ptr", BreakpointSpec(condition="value > 3 and ptr")),
        ("3", BreakpointSpec(offset=3)),
        ("read 3 if value", BreakpointSpec(read=3, condition="value")),
    ],
)
def test_places_have_short_names(text: str, spec: BreakpointSpec) -> None:
    points = (spec.position, spec.cell, spec.read)
    debugger = PLANE if any(isinstance(each, tuple) for each in points) else LINES
    assert parse_breakpoint(debugger, text) == spec


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("at 9:1", "line 9 column 1 is outside"),
        ("at 1:99", "line 1 column 99 is outside the program"),
        ("at label foo", "no place 'label foo'"),
        ("at here", "a line and column such as 3:7"),
        ("at here", "known places: label STS, act I scene II"),
        ("on fire", "is not an offset"),
        ("99", "no instruction at 99"),
        ("write 3 fire", "cannot read 'fire'"),
    ],
)
def test_breakpoint_error_suggests_the_correct_form(text: str, part: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse_breakpoint(LINES, text)
    assert part in str(caught.value)


def test_brackets_find_their_partners_in_both_directions() -> None:
    source = b"[[a](]b)]"
    assert matching_bracket(source, 1) == 3
    assert matching_bracket(source, 3) == 1
    assert matching_bracket(source, 4) == 7
    assert matching_bracket(source, 2) is None
    assert matching_bracket(b"[[", 0) is None
    assert matching_bracket(b"[" + b"+" * 50 + b"]", 0, max_distance=10) is None


@given(st.lists(st.sampled_from([b"[", b"]", b"+"]), max_size=40).map(b"".join))
def test_partners_are_mutual(source: bytes) -> None:
    for offset in range(len(source)):
        partner = matching_bracket(source, offset)
        if partner is not None:
            assert matching_bracket(source, partner) == offset


def test_search_wraps_around() -> None:
    source = b"ab ab ab"
    assert find_next(source, b"ab", 0) == 3
    assert find_next(source, b"ab", 6) == 0
    assert find_previous(source, b"ab", 6) == 3
    assert find_previous(source, b"ab", 0) == 6
    assert find_next(source, b"zz", 0) is None
    assert find_next(source, b"", 0) is None
