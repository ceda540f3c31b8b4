"""Finding the next cell on a path: what is found, and how many cells are looked at for it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from engines import one_fast_engine, program
from hypothesis import example, given, settings
from hypothesis import strategies as st
from oracles.befunge_98 import Oracle

from esolangs.limits import Limits

engines = pytest.mark.parametrize("engine", one_fast_engine("befunge-98"))
LIMITS = Limits(memory=64 << 20)


def assert_same_run(source: bytes, stdin: bytes, engine: str, cuts: list[int]) -> None:
    """The engine's run is the oracle's, step by step or in these pieces."""
    machine = program("befunge-98", source, engine).start(stdin, limits=LIMITS)
    oracle = Oracle(source, stdin)
    oracle.run(0)
    for budget in cuts:
        machine.run(budget)
        oracle.run(budget)
        assert machine.limit != "memory"
        assert (machine.steps, machine.status) == (oracle.steps, oracle.status)
        if oracle.status in ("halted", "faulted"):
            break
        ip = oracle.ips[oracle.turn]
        registers = machine.registers()
        assert machine.location == (oracle.location() or machine.location)
        assert (registers["dx"], registers["dy"]) == ip.delta
        assert registers["ips"] == len(oracle.ips)
    machine.core.tighten_bounds()
    core, bounds = machine.core, oracle.space.bounds()
    if oracle.space.cells:
        assert (core.low_x, core.low_y, core.high_x, core.high_y) == bounds


@st.composite
def sparse_sources(draw: st.DrawFn) -> bytes:
    """A few cells in a plane of some thousand columns or rows, many of them semicolons."""
    wide = draw(st.booleans())
    long = draw(st.sampled_from([40, 70, 200, 5000]))
    lines = draw(st.integers(1, 3))
    cells = st.tuples(
        st.integers(0, lines - 1),
        st.one_of(st.integers(0, 4), st.integers(0, long), st.integers(long - 5, long)),
        st.sampled_from(';;;z12+"#$rk>v<^[]'),
    )
    rows = [[" "] * (long + 1) for _ in range(lines)]
    for line, at, char in draw(st.lists(cells, max_size=12)):
        rows[line][at] = char
    for at in draw(st.lists(st.integers(0, long - 80), max_size=2)) if long > 80 else []:
        for offset in range(70):
            rows[draw(st.integers(0, lines - 1))][at + offset] = draw(st.sampled_from("; z"))
    start = draw(st.sampled_from([">", "v", "<", "^", "z", "", "20x", "02x", "21x"]))
    if wide:
        rows[0][: len(start)] = start
        return "\n".join("".join(row).rstrip() for row in rows).encode()
    columns = ["".join(column) for column in zip(*rows, strict=True)]
    columns[0] = start + columns[0][len(start) :]
    return "\n".join(columns).encode()


@pytest.mark.slow
@engines
@settings(max_examples=150)
@given(source=sparse_sources(), cuts=st.lists(st.integers(0, 40), min_size=1, max_size=5))
@example(source=b"z;" + b" " * 100 + b"1;;;;", cuts=[1, 1, 1, 5])
@example(source=b"<" + b" " * 5000 + b";" * 100 + b"1;", cuts=[1, 1, 1, 5])
@example(source=b"v\n" + b";\n" * 300 + b"2\n;", cuts=[1, 1, 1, 5])
@example(source=b";" * 5001, cuts=[5])
def test_an_ip_takes_the_same_path_through_a_large_window_as_the_oracle(
    engine: str, source: bytes, cuts: list[int]
) -> None:
    assert_same_run(source, b"", engine, cuts)


POINT = st.one_of(
    st.integers(-3, 3), st.integers(-60, 60), st.sampled_from([-(10**12), 10**12, 5 * 10**11])
)
CELL = st.tuples(st.sampled_from([*b";;;z1rk#>v<^", 32, 32, 300]), POINT, POINT)
DELTAS = ["", "r", "[", "]", "20x", "0f-0x", "02x", "12x", "a1x", "&&x"]


@engines
@settings(max_examples=60)
@given(
    cells=st.lists(CELL, max_size=30),
    delta=st.sampled_from(DELTAS),
    cuts=st.lists(st.integers(0, 60), min_size=1, max_size=5),
)
def test_an_ip_takes_the_same_path_through_far_cells_as_the_oracle(
    engine: str, cells: list[tuple[int, int, int]], delta: str, cuts: list[int]
) -> None:
    """Cells are put, erased and put again; then the IP leaves in any direction."""
    source = "&&&p" * len(cells) + delta + "\n"
    numbers = [number for cell in cells for number in cell] + [10**11, 10**11]
    text = b" ".join(b"%d" % number for number in numbers)
    assert_same_run(source.encode(), text, engine, [4 * len(cells), *cuts])


@engines
def test_a_flight_that_wraps_finds_far_cells_after_its_start(engine: str) -> None:
    cells = [(59, -(10**12), 0), (59, 10**12, 0), (ord("z"), -2, 0)]
    source = "&&&p" * len(cells) + "20x"
    text = b" ".join(b"%d" % number for cell in cells for number in cell)
    assert_same_run(source.encode(), text, engine, [4 * len(cells), 2, 1, 5])
    machine = program("befunge-98", source.encode(), engine).start(text)
    machine.run(4 * len(cells) + 3)
    assert machine.location == (-2, 0)


@engines
@pytest.mark.parametrize("along", [True, False])
def test_many_far_cells_of_a_row_are_found_in_order(engine: str, along: bool) -> None:
    """More than fit one chunk of the order, put at random, then half of them erased again."""
    draw = random.Random(7)
    places = [10**6 + 3 * n for n in range(3000)]
    machine = program("befunge-98", b"z", engine).start(limits=LIMITS)
    left = set(places)
    for number, at in enumerate(draw.sample(places, len(places))):
        machine.poke((at, 0) if along else (0, at), ord("z"))
        if number % 2:
            gone = draw.choice(sorted(left & set(places[: number + 1]))[:50])
            machine.poke((gone, 0) if along else (0, gone), 32)
            left.discard(gone)
            machine.poke((gone, 5) if along else (5, gone), ord("z"))
    cells = {point[0 if along else 1] for point in machine.core.far if not point[1 if along else 0]}
    source = b"z" if along else b"v"
    machine = machine.program.resume(machine.snapshot())
    machine.poke((0, 0), source[0])
    found: list[int] = []
    for _ in range(2 * len(cells) + 2):
        found.append(machine.location[0 if along else 1])
        machine.run(1)
    assert found == ([0, *sorted(cells)] * 3)[: len(found)]


class CellReads:
    """How many cells were looked at."""

    cells = 0


class CountingCodes(bytearray):
    """The codes of a window, which count each look."""

    def __getitem__(self, index: Any) -> Any:
        CellReads.cells += 1
        return super().__getitem__(index)


class CountingFarCells(dict[tuple[int, int], int]):
    """Far cells, which count each look."""

    def __getitem__(self, point: tuple[int, int]) -> int:
        CellReads.cells += 1
        return super().__getitem__(point)

    def __iter__(self) -> Iterator[tuple[int, int]]:
        CellReads.cells += len(self)
        return super().__iter__()


def reads_per_step(source: bytes, steps: int, warm: int, stdin: bytes = b"") -> float:
    """Cells that the plain engine looks at for each step, after some steps at the beginning."""
    machine = program("befunge-98", source, "plain").start(stdin, limits=LIMITS)
    core = machine.core
    machine.run(warm)
    core.plane_codes = core.codes = CountingCodes(core.codes)
    core.set_far(CountingFarCells(core.far))
    machine.run(100)  # the order of the far cells is made once
    CellReads.cells = 0
    machine.run(steps)
    assert machine.status == "running"
    assert machine.steps == warm + 100 + steps
    return CellReads.cells / steps


WIDE = 30_000
# In each round of most of these a cell is written and erased: no search can be remembered.


@pytest.mark.parametrize(
    "source",
    [
        b"1+" + b" " * WIDE + b"z",
        b"'z99*0p' 99*0p" + b" " * WIDE + b"z",
        b"'z99*0p' 99*0p;" + b"x" * WIDE + b";z",
        b"'z99*0p' 99*0p" + b";;" * (WIDE // 2) + b"z",
        b"'z99*0p' 99*0p" + b"; ;" * (WIDE // 3) + b"z",
        b"v\n'\nz\n0\n9\n9\n*\np\n'\n \n0\n9\n9\n*\np\n" + b"\n" * WIDE + b"z",
        b"v\n'\nz\n0\n9\n9\n*\np\n'\n \n0\n9\n9\n*\np\n" + b";\n" * WIDE + b"z",
        b"<" + b" " * 20_000 + b"z+1\n" + b"z\n" * 20_000,
        b"v" + b"z" * 20_000 + b"\n" + b"z\n" * 10 + b">1+\n" + b"z\n" * 20_000,
        b"v\n" + b"\n" * 20_000 + b">" + b" " * 20_000 + b"v",
        # The last column and the last row with a cell change in each round.
        b"'z&5p ' &5p" + b"\n" * 10 + b" " * WIDE + b"\n",
        b"'z5&p ' 5&p" + b"\n" * 20_000 + b" ",
        b"'z&5p ' &5p",
    ],
    ids=range(13),
)
def test_runs_of_cells_are_skipped(source: bytes) -> None:
    stdin = b"19000 " * 1000 if b"&" in source else b""
    assert reads_per_step(source, 600, 300, stdin) < 120


@pytest.mark.parametrize("place", ["0", "5\\", ":"])
def test_cost_of_a_put_does_not_grow_with_distance(place: str) -> None:
    """Along a row, a column and a diagonal, with a wrap past all of them in each round."""
    source = f"&v\n >1+:'z\\{place}p".encode()
    few = reads_per_step(source, 500, 500, b"1000000")
    many = reads_per_step(source, 500, 8000, b"1000000")
    assert many < few + 30
