"""What is typed: commands, breakpoints, searches."""

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from esolangs.brainfuck import LANGUAGE
from esolangs.brainfuck.program import BrainfuckProgram
from esolangs.stops import Address, Slot
from esoplay.service.debugging import BreakpointSpec
from esoplay.tui.debug.breakpoint_text import BreakpointTextError, read_spec, write_spec
from esoplay.tui.debug.commands import (
    Break,
    CommandError,
    Delete,
    Feed,
    GoBy,
    GoTo,
    GoToShare,
    Printed,
    Quit,
    ReadBy,
    SelectCell,
    SelectSlot,
    SetCell,
    SetInput,
    Speed,
    read_command,
    unescape,
)
from esoplay.tui.debug.text_search import find_next, find_previous, matching_bracket

SOURCE = b"++[>+<-]\n>.[-]\n"


@pytest.mark.parametrize(
    ("text", "command"),
    [
        ("123", GoTo(123)),
        ("1,204", GoTo(1204)),
        ("+10", GoBy(10)),
        ("-10", GoBy(-10)),
        ("50%", GoToShare(50.0)),
        ("250%", GoToShare(100.0)),
        ("b", Break("")),
        ("b cell[3]==10", Break("cell[3]==10")),
        ("break at 1:2", Break("at 1:2")),
        ("d 2", Delete(2)),
        ("o 2", Printed(2)),
        ("i 0", ReadBy(0)),
        ("cell -3", SelectCell(-3)),
        ("cell 3,-4", SelectCell((3, -4))),
        ("top", SelectSlot(None, -1)),
        ("top 2", SelectSlot(None, -3)),
        ("slot 5", SelectSlot(0, 5)),
        ("slot 2:5", SelectSlot(2, 5)),
        ("set 3 0x41", SetCell(3, 65)),
        ("set 3, -4 65", SetCell((3, -4), 65)),
        (r"input a\n\x00", SetInput(b"a\n\x00")),
        ("feed 7", Feed(b"7")),
        ("speed 0", Speed(1)),
        ("q", Quit()),
    ],
)
def test_commands(text: str, command: object) -> None:
    assert read_command(text) == command


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("frob", "'frob'"),
        ("o x", "a number"),
        ("set 1", "a cell and a number"),
        ("cell 1,x", "a number"),
        ("slot", "a number"),
        ("slot 1:", "a number"),
        ("slot -1", "from 0 on"),
        ("top x", "a number"),
    ],
)
def test_a_wrong_command_is_told_what_is_right(text: str, part: str) -> None:
    with pytest.raises(CommandError, match=part):
        read_command(text)


@given(st.text(max_size=30))
def test_any_line_is_a_command_or_an_error(text: str) -> None:
    with suppress(CommandError):
        assert read_command(text) is not None


@given(st.binary(max_size=30))
def test_typed_input_keeps_every_byte(data: bytes) -> None:
    typed = "".join(f"\\x{byte:02x}" for byte in data)
    assert unescape(typed) == data


class Labelled(BrainfuckProgram):
    """A program with names for two of its places."""

    def places(self) -> dict[str, Address]:
        return {"label STS": 2, "act I scene II": 9, "sync": 0}


PROGRAM = Labelled(LANGUAGE, SOURCE, LANGUAGE.configure())

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
    assert read_spec(write_spec(spec, SOURCE), PROGRAM) == spec


PLACES = st.one_of(
    st.builds(BreakpointSpec, position=st.tuples(st.integers(), st.integers())),
    st.builds(BreakpointSpec, place=st.sampled_from(list(PROGRAM.places()))),
    st.builds(BreakpointSpec, instruction=st.text(min_size=1, max_size=5)),
)
CELLS = st.one_of(st.none(), st.integers(), st.tuples(st.integers(), st.integers()))


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
    assert read_spec(write_spec(spec, SOURCE), PROGRAM) == spec


SLOTS = st.builds(Slot, st.integers(0), st.integers(0))


@given(st.one_of(st.just(BreakpointSpec()), PLACES), SLOTS, CONDITIONS, LOGS)
def test_slots_read_back_as_they_were_written(place, slot, condition, log):  # type: ignore[no-untyped-def]
    spec = replace(place, slot=slot, condition=condition, log=log)
    assert read_spec(write_spec(spec, SOURCE), PROGRAM) == spec


@given(PLACES, CELLS, st.sampled_from([None, "output"]), CONDITIONS, LOGS)
def test_every_kind_of_place_reads_back_as_it_was_written(place, cell, effect, condition, log):  # type: ignore[no-untyped-def]
    spec = replace(place, cell=cell, effect=effect, condition=condition, log=log)
    assert read_spec(write_spec(spec, SOURCE), PROGRAM) == spec


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
        ("value", BreakpointSpec(condition="value")),
    ],
)
def test_places_may_be_named_briefly(text: str, spec: BreakpointSpec) -> None:
    assert read_spec(text, PROGRAM) == spec


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("", "say where"),
        ("at 9:1", "no line 9"),
        ("at 1:99", "no column 99"),
        ("at label foo", "there is no place 'label foo'"),
        ("at here", "expected at LINE:COLUMN"),
        ("at here", "there are: label STS, act I scene II"),
        ("on fire", "on write|output|input"),
        ("backwards", "say where"),
    ],
)
def test_a_wrong_breakpoint_is_told_what_is_right(text: str, part: str) -> None:
    with pytest.raises(BreakpointTextError) as caught:
        read_spec(text, PROGRAM)
    assert part in str(caught.value)


def test_brackets_find_their_partners_in_both_directions() -> None:
    source = b"[[a](]b)]"
    assert matching_bracket(source, 1) == 3
    assert matching_bracket(source, 3) == 1
    assert matching_bracket(source, 4) == 7
    assert matching_bracket(source, 2) is None
    assert matching_bracket(b"[[", 0) is None
    assert matching_bracket(b"[" + b"+" * 50 + b"]", 0, reach=10) is None


@given(st.lists(st.sampled_from([b"[", b"]", b"+"]), max_size=40).map(b"".join))
def test_partners_are_mutual(source: bytes) -> None:
    for offset in range(len(source)):
        partner = matching_bracket(source, offset)
        if partner is not None:
            assert matching_bracket(source, partner) == offset


def test_searching_goes_round() -> None:
    source = b"ab ab ab"
    assert find_next(source, b"ab", 0) == 3
    assert find_next(source, b"ab", 6) == 0
    assert find_previous(source, b"ab", 6) == 3
    assert find_previous(source, b"ab", 0) == 6
    assert find_next(source, b"zz", 0) is None
    assert find_next(source, b"", 0) is None
