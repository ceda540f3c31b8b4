"""A snapshot of a plane has few bytes, and restores each cell and its meaning."""

from __future__ import annotations

from typing import Any

import pytest
from engines import engine_names, program
from hypothesis import given
from hypothesis import strategies as st

from esoplay.timeline.timeline import Checkpoints

WIDTH, HEIGHT = 300, 40  # three pages
BITS = st.sampled_from([8, 16, 32, 63])
CHANGES = st.lists(
    st.tuples(st.integers(0, WIDTH - 1), st.integers(0, HEIGHT - 1), BITS, st.integers()),
    max_size=40,
)


def wide_program(engine: str, cell: str = "64") -> Any:
    source = b"\n".join([b"1".ljust(WIDTH - 1) + b"@"] * HEIGHT)
    return program("befunge-98", source, engine, cell=cell)


def changed(number: int, bits: int) -> int:
    """A value of a cell that needs about this many bits."""
    return (number % (1 << bits)) - (1 << bits - 1)


@pytest.mark.parametrize("cell", ["64", "unbounded"])
@pytest.mark.parametrize("engine", engine_names("befunge-98"))
@given(before=CHANGES, after=CHANGES)
def test_restoring_undoes_later_writes(
    engine: str,
    cell: str,
    before: list[tuple[int, int, int, int]],
    after: list[tuple[int, int, int, int]],
) -> None:
    machine = wide_program(engine, cell).start()
    for x, y, bits, number in before:
        machine.poke((x, y), changed(number, bits))
    plane, codes = list(machine.core.plane), bytes(machine.core.plane_codes)
    snapshot = machine.snapshot()
    for x, y, bits, number in after:
        machine.poke((x, y), changed(number, bits))
    machine.restore(snapshot)
    assert list(machine.core.plane) == plane
    assert bytes(machine.core.plane_codes) == codes
    resumed = machine.program.resume(snapshot)
    assert list(resumed.core.plane) == plane


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
def test_blank_pages_take_nearly_no_space(engine: str) -> None:
    machine = wide_program(engine).start()
    cells = len(machine.core.plane)
    assert Checkpoints(machine.snapshot()).size < 2 * cells + 20_000
    machine.poke((0, 0), 1 << 60)
    assert Checkpoints(machine.snapshot()).size > 8 * 4096
