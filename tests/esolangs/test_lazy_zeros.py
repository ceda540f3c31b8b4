"""Large buffers grow without being copied, and what runs in them is the same."""

from __future__ import annotations

import sys
from array import array
from typing import Any

import pytest
from engines import engine_names, program
from saved_states import comparable_state

from esolangs import lazy_zeros
from esolangs.lazy_zeros import extend_with_zeros

WINDOW = 1 << 18
WIDEN = "".join(f"push {4000 << bit}\npush 3\nstore\n" for bit in range(7))
WORK = f"""
push 0
label fill
dup
dup
push 5
add
store
dup
push {1 << 70}
add
push 70000
push 9
store
swap
push 1
add
dup
push 3000
sub
jn fill
{WIDEN}
label deep
push 6
push {1 << 65}
store
push 4000
retrieve
printn
push {1 << 40}
push {1 << 66}
store
call deep
"""


def unavailable(size: int, code: str) -> None:
    """What ``lazy_zeros`` is where it does not work."""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows commits what is reserved")
@pytest.mark.parametrize("code", ["i", "q"])
def test_a_large_buffer_grows_in_place(code: str) -> None:
    before = lazy_zeros.PART_BYTES // array(code).itemsize
    small = array(code, [7]) * (before - 1)
    assert extend_with_zeros(small, before, 1 << 30) is small
    large = extend_with_zeros(small, before + 1, 1 << 30)
    mapping = large.obj
    size = before
    for size in range(before + 2, 64 * before, before):
        large[-1] = size
        old, large = large, extend_with_zeros(large, size, 1 << 30)
        assert large.obj is mapping
        assert (large[len(old) - 1], sum(large[len(old) :][:99])) == (size, 0)
    assert (large[0], large[before - 2], large[before - 1], len(large)) == (7, 7, 0, size)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows commits what is reserved")
def test_a_smaller_buffer_is_mapped_on_request() -> None:
    assert hasattr(extend_with_zeros(array("q", [7]), 8, 1 << 30, 64), "typecode")
    mapped = extend_with_zeros(array("q", [7]), 9, 1 << 30, 64)
    assert mapped.tolist() == [7] + 8 * [0]
    assert extend_with_zeros(mapped, 99, 1 << 30, 64).obj is mapped.obj


@pytest.mark.parametrize("lazily", [True, False], ids=["lazily", "in place"])
def test_a_buffer_without_room_is_copied(lazily: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lazy_zeros, "RESERVED_BYTES", 0)
    size = 200_000
    buffer: Any = extend_with_zeros(array("q", [1, 2]), size, 0)
    for more in (size + 1, 3 * size, 9 * size):
        if not lazily:
            monkeypatch.setattr(lazy_zeros, "lazy_zeros", unavailable)
        buffer[-1] = more
        last = len(buffer) - 1
        buffer = extend_with_zeros(buffer, more, 0)
        assert hasattr(buffer, "typecode") is not lazily
        assert (len(buffer), buffer[0], buffer[1], buffer[last]) == (more, 1, 2, more)
        assert not any(buffer[last + 1 :])


def test_no_buffer_is_reserved_in_a_limited_address_space(monkeypatch: pytest.MonkeyPatch) -> None:
    resource: Any = pytest.importorskip("resource")

    def limited(which: int) -> tuple[int, int]:
        most: int = 1 << 40 if which == resource.RLIMIT_AS else resource.RLIM_INFINITY
        return most, most

    monkeypatch.setattr(resource, "getrlimit", limited)
    assert lazy_zeros.lazy_zeros(1 << 20, "q") is None


@pytest.mark.parametrize("engine", engine_names("whitespace"))
@pytest.mark.parametrize("lazily", [True, False], ids=["lazily", "in place"])
def test_a_run_of_whitespace_in_large_buffers_is_the_same(
    engine: str, lazily: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = program("whitespace", WORK.encode(), engine, notation="assembly")
    expected = code.start()
    expected.run(100_000)
    assert (expected.core.cells, len(expected.core.far_cells())) == (WINDOW, 1)
    monkeypatch.setattr(lazy_zeros, "PART_BYTES", 256)
    monkeypatch.setattr(lazy_zeros, "RESERVED_BYTES", 4096)
    if not lazily:
        monkeypatch.setattr(lazy_zeros, "lazy_zeros", unavailable)
    machine: Any = code.start()
    for steps in (30_000, 5_000, 10_000, 55_000):
        machine.run(steps)
        machine = code.resume(machine.snapshot())
    assert comparable_state(machine.snapshot()) == comparable_state(expected.snapshot())


STACKS = (
    "aaa**k1aaa**k2aaa**2/{70{123aaa**4/u5aaa**3/0\\-u4taaa**5/}aaa**9/0\\-{"
    '"HTRF"4(9aa*Laa*PaaaD0aa*k{}}"NRTS"4(N}@'
)


def befunge_state(machine: Any) -> tuple[Any, ...]:
    (plane, *_), *rest = comparable_state(machine.snapshot())
    return plane, bytes(machine.core.plane_codes), machine.core.far, rest


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
@pytest.mark.parametrize("lazily", [True, False], ids=["lazily", "in place"])
def test_a_run_of_befunge_on_large_stacks_is_the_same(
    engine: str, lazily: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = program("befunge-98", STACKS.encode(), engine)
    expected = code.start()
    expected.run(2100)
    assert len(expected.core.ips) > 1
    monkeypatch.setattr(lazy_zeros, "PART_BYTES", 256)
    monkeypatch.setattr(lazy_zeros, "RESERVED_BYTES", 4096)
    monkeypatch.setattr(sys.modules[type(expected.core).__module__], "_PART_CELLS", 100)
    if not lazily:
        monkeypatch.setattr(lazy_zeros, "lazy_zeros", unavailable)
    machine: Any = code.start()
    for steps in [500] * 4 + [10] * 10:
        machine.run(steps)
        machine = code.resume(machine.snapshot())
    assert befunge_state(machine) == befunge_state(expected)
    assert machine.run(999) == expected.run(999) == "halted"
    assert befunge_state(machine) == befunge_state(expected)
