"""Breakpoints and watches come back with their program, and damage costs nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esolangs.stops import Slot
from esoplay.debugging.autosave import EMPTY_STATE, FOLDER, SavedDebugState, load_state, save_state
from esoplay.debugging.debugger import BreakpointSpec, Debugger
from esoplay.debugging.watches import shared_watches

PROGRAM = Debugger.open("brainfuck", b"+[-]").program

NUMBERS = st.integers(-(1 << 70), 1 << 70)
SPECS = st.builds(
    BreakpointSpec,
    offset=st.none() | st.integers(0, 1 << 40),
    position=st.none() | st.tuples(NUMBERS, NUMBERS),
    cell=st.none() | NUMBERS | st.tuples(NUMBERS, NUMBERS),
    slot=st.none() | st.builds(Slot, st.integers(0, 9), st.integers(0, 9)),
    output=st.none() | st.integers(0, 9) | st.text(max_size=5) | st.binary(min_size=1, max_size=5),
    condition=st.none() | st.text(max_size=20),
    effect=st.none() | st.sampled_from(["write", "output", "input"]),
    log=st.none() | st.text(max_size=20),
    enabled=st.booleans(),
    every=st.none() | st.integers(1, 9),
    new=st.booleans(),
    direction=st.none() | st.sampled_from(["forwards", "backwards"]),
)


@settings(max_examples=40)
@given(st.lists(SPECS, max_size=4), st.lists(st.text(max_size=20), max_size=3))
def test_saved_state_is_restored(
    tmp_path_factory: pytest.TempPathFactory, specs: list[BreakpointSpec], watches: list[str]
) -> None:
    folder = tmp_path_factory.getbasetemp() / "kept-properties"
    kept = SavedDebugState(tuple(specs), tuple(watches))
    save_state(PROGRAM, folder, kept)
    assert load_state(PROGRAM, folder) == kept


@pytest.mark.parametrize(
    "text",
    [
        "",
        "{",
        "[]",
        '{"format": 9, "breakpoints": [], "watches": []}',
        '{"format": 1, "breakpoints": [{"offset": "x"}], "watches": []}',
        '{"format": 1, "breakpoints": [{"surprise": 1}], "watches": []}',
        '{"format": 1, "breakpoints": [], "watches": [1]}',
    ],
)
def test_a_damaged_file_is_set_aside(tmp_path: Path, text: str) -> None:
    save_state(PROGRAM, tmp_path, SavedDebugState((), ("value",)))
    (file,) = (tmp_path / FOLDER).iterdir()
    file.write_text(text)
    assert load_state(PROGRAM, tmp_path) == EMPTY_STATE
    assert not file.exists()
    assert file.with_suffix(".damaged").exists()


def test_empty_state_is_not_saved(tmp_path: Path) -> None:
    save_state(PROGRAM, tmp_path, SavedDebugState((), ("value",)))
    save_state(PROGRAM, tmp_path, EMPTY_STATE)
    assert not list((tmp_path / FOLDER).iterdir())


EXPRESSIONS = {
    "befunge-98": (b"72*:@", 3, {"stack[-1]": 14, "cell[1, 0]": ord("2"), "x": 3}),
    "brainfuck": (b"+++", 3, {"cell[0] * 2": 6, "value": 3}),
    "unlambda": (b"`.ai", 1, {"step": 1, "output": 1}),
    "whitespace": (b"   \t \n   \t\t\n\n\n\n", 2, {"stack[0]": 2, "stack[-1] - top": 0}),
}


@pytest.mark.parametrize("language", list(EXPRESSIONS))
def test_watches_work_in_every_language(language: str) -> None:
    source, step, wanted = EXPRESSIONS[language]
    debugger = Debugger.open(language, source)
    watches = shared_watches(debugger)
    watches.restore(wanted)
    debugger.seek(step)
    assert {each.text: each.value for each in watches.values(debugger)} == wanted
    assert watches is shared_watches(debugger)


def test_watches_read_characters_of_a_play() -> None:
    from esolangs.registry import find_language

    debugger = Debugger.open("shakespeare", find_language("shakespeare").sample())
    names = list(debugger.program.register_names())
    watches = shared_watches(debugger)
    watches.restore([names[0], "stack[-1]", "cell[99]"])
    debugger.seek(5)
    first, stack, cell = watches.values(debugger)
    assert first.value == debugger.registers()[names[0]]
    assert (stack.value, stack.missing) == (0, stack.missing)
    assert stack.missing in ("there is no stack", "the stack has no level -1")
    assert cell.value == 0
    assert cell.missing


def test_changes_and_errors_of_watches_are_shown() -> None:
    debugger = Debugger.open("brainfuck", b"+>+")
    watches = shared_watches(debugger)
    watches.add("cell[0]")
    watches.add("ptr", strict=False)
    watches.add("cel[0]", strict=False)
    before = {each.text: each.value for each in watches.values(debugger)}
    debugger.seek(1)
    one, two, three = watches.values(debugger, before)
    assert (one.changed, one.previous_value, one.value) == (True, 0, 1)
    assert not two.changed
    assert three.value is None
    assert "only cell and stack can be indexed" in three.error
    assert not three.changed
