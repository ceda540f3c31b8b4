"""Memory in snapshots: copied exactly, and shared where it is equal."""

from __future__ import annotations

import gc
import weakref
from array import array
from importlib import import_module

import pytest
from engines import engine_names, program
from hypothesis import given
from hypothesis import strategies as st

from esolangs import pages
from esolangs.pages import PAGE_CELLS, SLICE_NUMBERS, SavedMemory, load_memory, save_memory
from esoplay.timeline.timeline import Checkpoints

RANGES = {
    "B": (0, (1 << 8) - 1),
    "H": (0, (1 << 16) - 1),
    "I": (0, (1 << 32) - 1),
    "i": (-(1 << 31), (1 << 31) - 1),
    "q": (-(1 << 63), (1 << 63) - 1),
}
PLAY = b"""Memories.

Romeo, who remembers.
Juliet, who asks.

Act I: One.
Scene I: One.
[Enter Romeo and Juliet]
Scene II: Two.
Juliet: Remember a big big cat. Let us return to Scene II.
"""
GROWING: dict[str, tuple[bytes, dict[str, str | int]]] = {
    "brainfuck": (b"+[>+]", {}),
    "befunge-98": (b"1+:", {}),
    "whitespace": (b"label a\npush 70\njmp a", {"notation": "assembly"}),
    "unlambda": (b"```sii``sii" + b"`k" * 9 + b"i", {}),
    "shakespeare": (PLAY, {}),
}


@pytest.fixture(params=["compiled", "plain"])
def functions(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Use the compiled or the plain functions."""
    name: str = request.param
    module = pytest.importorskip("esolangs._pages_c" if name == "compiled" else "esolangs._pages")
    monkeypatch.setattr(pages, "_engines", [module])
    return name


def zeros(code: str, count: int) -> array[int]:
    return array(code, [0]) * count


@st.composite
def fillings(draw: st.DrawFn) -> tuple[str, int, list[list[tuple[int, list[int]]]]]:
    """An ``array`` type, a number of cells, and several rounds of runs of cells to write."""
    code = draw(st.sampled_from(sorted(RANGES)))
    count = draw(st.sampled_from([0, 1, 1000, PAGE_CELLS, 3 * PAGE_CELLS + 5, 70 * PAGE_CELLS]))
    low, high = RANGES[code]
    bound = draw(st.sampled_from([1, 200, 255, 256, 32767, 32768, (1 << 31) - 1, 1 << 31, high]))
    values = st.integers(max(low, -bound), min(high, bound))
    run = st.tuples(st.integers(0, max(0, count - 1)), st.lists(values, min_size=1, max_size=5))
    return code, count, draw(st.lists(st.lists(run, max_size=4), min_size=1, max_size=4))


@given(filling=fillings())
def test_memory_is_restored_and_pages_are_shared_exactly_if_they_are_equal(
    filling: tuple[str, int, list[list[tuple[int, list[int]]]]],
) -> None:
    code, count, rounds = filling
    memory = zeros(code, count)
    before: bytes | SavedMemory = b""
    for runs in rounds:
        for begin, values in runs:
            for offset, value in enumerate(values * 300):
                if begin + offset < count:
                    memory[begin + offset] = value
        saved = save_memory(memory, count, before)
        restored = zeros(code, count)
        load_memory(saved, restored)
        assert restored == memory
        if isinstance(saved, SavedMemory) and isinstance(before, SavedMemory):
            for new, old in zip(saved.parts, before.parts, strict=True):
                for page, old_page in zip(new.parts, old.parts, strict=True):
                    equal = (page.width, page.data) == (old_page.width, old_page.data)
                    assert equal == (page is old_page)
                assert (new is old) == (new.parts == old.parts)
        before = saved


@given(filling=fillings())
def test_the_compiled_and_the_plain_functions_make_the_same_pages(
    filling: tuple[str, int, list[list[tuple[int, list[int]]]]],
) -> None:
    compiled = pytest.importorskip("esolangs._pages_c")
    code, count, rounds = filling
    memory = zeros(code, count)
    for begin, values in rounds[0]:
        memory[begin : begin + len(values)] = array(code, values)
        memory = memory[:count]
    found = [
        [[(page.width, page.data) for page in group.parts] for group in groups]
        for groups in (
            module.save_groups(memory, memory.itemsize, len(memory), ())
            for module in (compiled, import_module("esolangs._pages"))
        )
    ]
    assert found[0] == found[1]
    for module in (compiled, import_module("esolangs._pages")):
        groups = compiled.save_groups(memory, memory.itemsize, len(memory), ())
        restored = zeros(code, len(memory))
        module.load_groups(groups, restored, len(memory))
        assert restored == memory


def test_a_list_of_numbers_is_restored_and_shares_what_is_equal() -> None:
    numbers = [None if n % 5 == 0 else n << (n % 200) for n in range(3 * SLICE_NUMBERS + 7)]
    first = save_memory(numbers, len(numbers), b"")
    assert save_memory(list(numbers), len(numbers), first) is first
    restored: list[int | None] = []
    load_memory(first, restored)
    assert restored == numbers
    numbers[SLICE_NUMBERS] = 1 << 300
    second = save_memory(numbers, len(numbers) - 1, first)
    assert isinstance(first, SavedMemory)
    assert isinstance(second, SavedMemory)
    shared = [a is b for a, b in zip(first.parts, second.parts, strict=True)]
    assert shared == [True, False, True, False]
    restored = []
    load_memory(second, restored)
    assert restored == numbers[:-1]
    assert sum(part.size for part in first.parts) > sum(n.bit_length() for n in restored if n) / 8


def test_unchanged_memory_is_the_same_object(functions: str) -> None:
    memory = array("q", range(3 * PAGE_CELLS))
    first = save_memory(memory, len(memory), b"")
    assert save_memory(memory, len(memory), first) is first
    memory[PAGE_CELLS] += 1
    second = save_memory(memory, len(memory), first)
    assert isinstance(first, SavedMemory)
    assert isinstance(second, SavedMemory)
    shared = [a is b for a, b in zip(first.parts[0].parts, second.parts[0].parts, strict=True)]
    assert shared == [True, False, True]


def test_blank_memory_takes_nearly_no_space(functions: str) -> None:
    memory = zeros("q", 1 << 20)
    saved = save_memory(memory, len(memory), b"")
    assert isinstance(saved, SavedMemory)
    assert sum(part.size for part in {saved, *saved.parts}) < 10_000
    assert len({page for group in saved.parts for page in group.parts}) == 1


@pytest.mark.parametrize("downwards", [False, True], ids=["up", "down"])
@pytest.mark.parametrize("language_id", [each for each in GROWING if each != "unlambda"])
def test_a_snapshot_takes_what_changed_since_the_last_one(
    language_id: str, downwards: bool
) -> None:
    source, options = GROWING[language_id]
    if downwards:
        if language_id != "brainfuck":
            pytest.skip("only tapes grow downwards")
        source, options = b"+[<+]", {"tape": "both-ways"}
    machine = program(language_id, source, engine_names(language_id)[0], **options).start()
    machine.run(200_000)
    checkpoints = Checkpoints(machine.snapshot())
    first = checkpoints.size
    assert first > 2_000
    machine.run(100)
    checkpoints.add(machine.snapshot(), 1.0)
    assert checkpoints.size < 1.5 * first
    machine = machine.copy()  # a restored machine shares memory with the snapshot, too
    machine.run(100)
    checkpoints.add(machine.snapshot(), 1.0)
    assert checkpoints.size < 1.5 * first


def test_a_machine_does_not_keep_the_memory_of_its_last_snapshot() -> None:
    machine = program("brainfuck", b"+[>+]", engine_names("brainfuck")[0]).start()
    machine.run(200_000)
    (part,) = machine.snapshot().parts
    reference = weakref.ref(part)
    del part
    assert reference() is None


@pytest.mark.parametrize("tier", ["core", "auto"])
@pytest.mark.parametrize("language_id", GROWING)
def test_the_memory_of_an_unused_machine_is_freed_at_once(
    language_id: str, tier: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if tier != "core":
        pytest.importorskip("wasmtime", reason="wasmtime is not installed: esoplay[native]")
    monkeypatch.setenv("ESOPLAY_TIER", tier)
    source, options = GROWING[language_id]
    code = program(language_id, source, engine_names(language_id)[0], **options)
    machine = code.start()
    machine.run(1000)
    copy = code.resume(machine.snapshot())
    gc.disable()
    try:
        core = weakref.ref(machine), weakref.ref(copy)
        del machine, copy
        assert [each() for each in core] == [None, None]
    finally:
        gc.enable()
