"""Every letter of every fingerprint on any stack: twins and oracle agree, and memory is bounded."""

from __future__ import annotations

import pytest
from engines import engine_names, program
from hypothesis import given
from hypothesis import strategies as st
from test_befunge_98_equals_oracle import assert_same, assert_same_cells, both, too_large

from esolangs.befunge_98.fingerprints import FOLDER_FINGERPRINTS, MODULES, letters_of
from esolangs.befunge_98.opcodes import HOVER, INVERT, QUEUE, SWITCH
from esolangs.befunge_98.program import BefungeMachine
from esolangs.limits import Limits

ENGINES = engine_names("befunge-98")
NAMES = [
    name for name in sorted(MODULES) if int.from_bytes(name.encode()) not in FOLDER_FINGERPRINTS
]
"""Fingerprints that use files have their own tests."""
MAX_CELL = (1 << 63) - 1
STACKS = st.lists(
    st.one_of(
        st.integers(-3, 12),
        st.integers(0, 255),
        st.sampled_from(
            [0, 0, 1, 61, 65, 90, -1, 1 << 31, -(1 << 31), (1 << 63) - 1, -(1 << 63) + 1]
        ),
        # Two sizes of 512 or more make a block that takes the oracle minutes, and the oracle does
        # not know whether it fits into memory.
        st.integers(-(1 << 63) + 1, (1 << 63) - 1).filter(
            lambda value: not 1 << 9 <= abs(value) < 1 << 21
        ),
    ),
    max_size=10,
)
"""The values of a stack, the lowest first."""
MODES = st.sampled_from([0, 0, 0, HOVER, INVERT, QUEUE, SWITCH, INVERT | QUEUE])
DATA = "012 34\nab=cd\n 5%d6\n"


def source(name: str, letter: str, values: list[int]) -> tuple[bytes, bytes]:
    """A program that reaches a letter with this stack, and its input."""
    row = f'"{name[::-1]}"4($${"&" * len(values)}{letter}z.@'
    return f"{row}\n{DATA}".encode(), " ".join(map(str, values)).encode()


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("letter", "FG")
def test_matrix_without_columns_may_have_any_number_of_rows(engine: str, letter: str) -> None:
    text, stdin = source("TOYS", letter, [0, MAX_CELL, 5, 5])
    machine, oracle = both(engine, text, {}, stdin)
    machine.run(steps_before(text) + 1)
    oracle.run(steps_before(text) + 1)
    assert_same(machine, oracle)


def steps_before(text: bytes) -> int:
    """The steps before the letter: one for each cell, since there are no spaces."""
    return len(text.partition(b"\n")[0]) - 4


def picture(machine: BefungeMachine) -> object:
    """All that an instruction may change, but for the room of stacks."""
    core = machine.core
    cells = [value for value in core.plane if value != 32], dict(core.far)
    ips = [
        (
            (ip.id, ip.x, ip.y, ip.dx, ip.dy, ip.ox, ip.oy, ip.modes, ip.in_string),
            [list(buffer[:depth]) for buffer, depth in (*ip.below, (ip.buffer, ip.depth))],
            {letter: names for letter, names in ip.semantics.items() if names},
            dict(ip.states),
        )
        for ip in core.ips
    ]
    rest = core.random, core.tick, machine.input_position, machine.output_length
    return cells, ips, dict(core.states), rest, core.exit_code


def known_letters(name: str) -> list[str]:
    return [*(letters_of(int.from_bytes(name.encode())) or ())]


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_every_letter_matches_the_oracle(engine: str, name: str, data: st.DataObject) -> None:
    letter = data.draw(st.sampled_from(known_letters(name)), "letter")
    values, modes = data.draw(STACKS, "values"), data.draw(MODES, "modes")
    text, stdin = source(name, letter, values)
    machine, oracle = both(engine, text, {}, stdin)
    machine.run(steps_before(text))
    oracle.run(steps_before(text))
    machine.core.ip.modes = modes
    ip = oracle.ips[0]
    ip.hover, ip.invert = modes & HOVER > 0, modes & INVERT > 0
    ip.queue, ip.switch = modes & QUEUE > 0, modes & SWITCH > 0
    for _ in range(5):
        assert_same(machine, oracle)
        assert_same_cells(machine, oracle)
        machine.run(1)
        oracle.run(1)
        if too_large(machine, oracle):
            return
    assert machine.take_output() == bytes(oracle.output)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
def test_a_letter_is_executed_completely_or_not_at_all(
    engine: str, name: str, data: st.DataObject
) -> None:
    letter = data.draw(st.sampled_from(known_letters(name)), "letter")
    values, modes = data.draw(STACKS, "values"), data.draw(MODES, "modes")
    text, stdin = source(name, letter, values)
    code = program("befunge-98", text, engine)
    free = code.start(stdin)
    free.run(steps_before(text))
    free.core.ip.modes = modes
    more = data.draw(st.integers(0, 400) | st.integers(0, 10_000), "bytes of memory left")
    bound = code.resume(free.snapshot(), stdin, limits=Limits(memory=free.core.used + more))
    before = picture(bound)
    bound.run(1)
    free.run(1)
    assert bound.core.used <= bound.core.max_memory
    if bound.limit == "memory":
        assert picture(bound) == before
    else:
        assert bound.status == free.status
        assert picture(bound) == picture(free)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("number", [b"-1", b"-9223372036854775807", b"0", b"9223372036854775807"])
def test_a_number_that_is_not_a_fingerprint_reflects(engine: str, number: bytes) -> None:
    machine = program("befunge-98", b"&#v1(2.@\n  >3.@", engine).start(number)
    machine.run(100)
    assert machine.take_output() == b"3 "
