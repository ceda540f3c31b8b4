"""Snapshots of Unlambda share the words of the heap that stay in place, and restore exactly."""

from __future__ import annotations

from array import array
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from engines import engine_names, program
from hypothesis import given
from hypothesis import strategies as st
from strategies.unlambda import sources, stdins

from esolangs.core import CoreMachine
from esolangs.limits import UNLIMITED, Limits
from esolangs.machine import Part, Snapshot
from esolangs.unlambda import _core
from esolangs.unlambda.opcodes import MAX_WORDS, PACKED_WORD, PLACE_MASK, TABLE_ENTRIES, word
from esolangs.unlambda.program import UnlambdaMachine, UnlambdaProgram
from esoplay.timeline.timeline import Checkpoints, Recording, Timeline

ENGINES = engine_names("unlambda")
SUCCESSOR = "``s``s`ksk"
FREE = Limits(UNLIMITED)
PAIR = "``s``s`ks``s`kk``s`ks``s`k`sik`kk"
STEP = f"``si`k``s``s`ksk`k``s`k`s`k`s{PAIR}``s`k`s`kk``s`k`s{PAIR}k"


def numeral(n: int) -> str:
    return SUCCESSOR * (n - 1) + "i"


def growing(exponent: int) -> bytes:
    """Make the numerals up to two to the exponent, each from the last."""
    return f"`.*```{numeral(exponent)}{numeral(2)}`s{SUCCESSOR[2:]}i".encode()


def reversals(exponent: int, rounds: int) -> bytes:
    """Reverse a list of two to the exponent elements some times; see docs/benchmarks/lists.py."""
    repeat = f"`{numeral(exponent)}{numeral(2)}"
    reverse = f"``s`k``si`k`ki``s`k`{repeat}{STEP}``s{PAIR}`ki"
    return f"`.*``{numeral(rounds)}{reverse}``{repeat}`{PAIR}ki".encode()


def code_of(source: bytes, engine: str, nursery: int) -> UnlambdaProgram:
    code: UnlambdaProgram = program("unlambda", source, engine)
    code.nursery = nursery
    return code


def state(machine: CoreMachine) -> tuple[object, ...]:
    return (
        machine.steps,
        machine.status,
        machine.output_length,
        machine.input_position,
        machine.memory,
        machine.registers(),
        machine.core.canonical(),
    )


def parts_of(snapshot: Snapshot) -> Iterator[Part]:
    """The parts of the heap, not of the stack."""
    parts = list(snapshot.parts[:1])
    while parts:
        part = parts.pop()
        yield part
        parts += part.parts


def assert_moves_are_exact(
    code: UnlambdaProgram, stdin: bytes, steps: list[int], moves: list[tuple[int, int]]
) -> None:
    """Go to snapshots in any order, and on from them: all is as in a run without them."""
    machine = code.start(stdin, limits=FREE)
    snapshots = [machine.snapshot()]
    for count in steps:
        machine.run(count)
        snapshots.append(machine.snapshot())
    for index, count in moves:
        snapshot = snapshots[index % len(snapshots)]
        machine = code.resume(snapshot, stdin, limits=FREE, instead_of=machine)
        machine.run(count)
        straight = code.start(stdin, limits=FREE)
        straight.run(snapshot.steps)
        straight.snapshot()
        straight.run(count)
        assert state(machine) == state(straight)
        if count % 2:
            snapshots.append(machine.snapshot())


@pytest.mark.parametrize("engine", ENGINES)
@given(
    source=sources(),
    stdin=stdins(),
    nursery=st.sampled_from([1, 2, 3, 7, 40, 16384]),
    steps=st.lists(st.integers(0, 200), max_size=6),
    moves=st.lists(st.tuples(st.integers(0, 12), st.integers(0, 200)), max_size=6),
)
def test_moves_between_snapshots_are_exact(
    engine: str,
    source: bytes,
    stdin: bytes,
    nursery: int,
    steps: list[int],
    moves: list[tuple[int, int]],
) -> None:
    assert_moves_are_exact(code_of(source, engine, nursery), stdin, steps, moves)


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("nursery", [100, 16384])
@pytest.mark.parametrize("source", [growing(14), reversals(9, 4)], ids=["growing", "lists"])
def test_moves_in_a_large_heap_are_exact(engine: str, source: bytes, nursery: int) -> None:
    random = Random(nursery)
    most = 10**5 if engine == "compiled" else 2000
    steps = [random.randrange(most) for _ in range(8)]
    moves = [(random.randrange(20), random.randrange(most // 2)) for _ in range(8)]
    assert_moves_are_exact(code_of(source, engine, nursery), b"", steps, moves)


@pytest.mark.parametrize("engine", ENGINES)
def test_snapshots_of_a_growing_heap_share_it(engine: str) -> None:
    machine = code_of(growing(20), engine, 16384).start(limits=FREE)
    machine.run(30_000)
    snapshots = [machine.snapshot()]
    for _ in range(10):
        machine.run(2000)
        snapshots.append(machine.snapshot())
    parts = {part for snapshot in snapshots for part in parts_of(snapshot)}
    words = machine.core.top
    size = sum(part.size for part in parts) + sum(snapshot.size for snapshot in snapshots)
    assert size < (2 if engine == "compiled" else 9) * words + 11 * 5000


def words_like(tags: list[int], places: list[int], references: list[int]) -> array[int]:
    """Words whose kinds and references repeat now and then."""
    return array(
        "q", (word(tag, place, at) for tag, place, at in zip(tags, places, references, strict=True))
    )


@given(
    words=st.integers(1, 80).flatmap(
        lambda count: st.builds(
            words_like,
            *(
                st.lists(numbers, min_size=count, max_size=count)
                for numbers in (
                    st.integers(0, 23),
                    st.sampled_from([0, 1, 2, 70, 71, PLACE_MASK]),
                    st.one_of(st.integers(0, 90), st.integers(0, MAX_WORDS)),
                )
            ),
        )
    ),
    at=st.sampled_from([0, 1, 63, 70_000]),
)
def test_packed_words_are_read_back(words: array[int], at: int) -> None:
    heap = array("q", bytes(8 * at)) + words
    packed = bytearray(PACKED_WORD * len(words))
    plain: Any = _core
    size = plain._pack(heap, at, len(heap), packed, array("q", bytes(8 * TABLE_ENTRIES)))
    read = array("q", bytes(8 * len(heap)))
    plain._unpack(packed[:size], read, at, len(heap), array("q", bytes(8 * TABLE_ENTRIES)))
    assert read[at:] == words


def test_shared_parts_count_once() -> None:
    parts = [Part(1000)]
    for _ in range(3):
        parts.append(Part(1000, (parts[-1],)))
    size = parts[0].size
    shots = [Snapshot(step, 0, 1, None, (parts[index],)) for step, index in enumerate((0, 3, 2, 3))]
    checkpoints = Checkpoints(shots[0])
    assert checkpoints.size == size + 1
    for shot, used in zip(shots[1:], (4, 4, 4), strict=True):
        checkpoints.add(shot, 1.0)
        assert checkpoints.size == used * size + len(checkpoints)
    checkpoints.add(Snapshot(3, 0, 1, None, (parts[1],)), 1.0)  # instead of the last one
    assert checkpoints.size == 4 * size + 4
    checkpoints.drop_after(1)
    assert checkpoints.size == 4 * size + 2
    checkpoints.drop_after(0)
    assert checkpoints.size == size + 1


@pytest.mark.parametrize("engine", ENGINES)
def test_seeks_in_a_large_heap_arrive_at_the_states_of_the_run(engine: str) -> None:
    code = code_of(growing(16), engine, 1000)
    last = 90_000 if engine == "compiled" else 9000
    timeline = Timeline(
        code, Recording("unlambda", "", code.options, code.source, limits=FREE), spacing=last // 50
    )
    timeline.seek(last)
    random = Random(1)
    for step in [random.randrange(last) for _ in range(20)] + [last]:
        timeline.seek(step)
        straight = code.start(limits=FREE)
        straight.run(step)
        machine = timeline.machine
        assert isinstance(machine, UnlambdaMachine)
        assert machine.core.canonical() == straight.core.canonical()
        assert machine.memory == straight.memory
    assert timeline.checkpoints.size < 60 * timeline.machine.registers()["cells"]
