"""Letters that pop and push many cells, and are refused in the middle: nothing has changed."""

from __future__ import annotations

import pytest
from engines import engine_names, program

from esolangs.limits import Limits

SOURCES = {
    "a roll": '"HTRF"4($$12345aaa**L@',
    "two strings": '"NRTS"4($$0"abc"9876540"xyzzy"A0"ab"0"cd"AA@',
    "matches": '"PXER"4($$0")+b(a"1C5670"bbbbbbbbbbbbbbbbbbbbba"0E@',
}


@pytest.mark.parametrize("engine", engine_names("befunge-98"))
@pytest.mark.parametrize("cell", [64, "unbounded"])
@pytest.mark.parametrize("source", SOURCES.values(), ids=SOURCES)
def test_a_refused_letter_leaves_the_stack_unchanged(
    engine: str, cell: int | str, source: str
) -> None:
    code = program("befunge-98", source.encode(), engine, cell=cell)
    whole = code.start()
    stacks: list[list[int]] = [[]]
    while whole.step() is not None:
        stacks.append(whole.core.ip.buffer[: whole.core.ip.depth])
    refused = 0
    for less in (1, 100, 200, 400):
        machine = code.start(limits=Limits(memory=whole.memory - less))
        machine.run(1000)
        assert (machine.status, machine.limit) == ("limited", "memory")
        assert machine.core.ip.buffer[: machine.core.ip.depth] == stacks[machine.steps]
        refused += machine.steps > 0
    assert refused
