"""A sorting program generated from source, open in the debug pane with its source map."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

from debug_app import NARROW, PaneApp, settle
from textual.pilot import Pilot

from esoplay.programs.generation import GeneratedProgram, generate
from esoplay.tui.debug.pane import DebugPane

SORT = '''\
"""Sorts the numbers that it reads."""

from esoplay.codegen.source import ints, print_int, putc, read_int


def main() -> None:
    n = read_int()
    a = ints(10)
    for i in range(byte(n)):
        a[i] = read_int()
    i: byte = 0
    while i < byte(n):
        j = i
        while j > 0 and a[j - 1] > a[j]:
            kept = a[j]
            a[j] = a[j - 1]
            a[j - 1] = kept
            j -= 1
        i += 1
    for k in range(byte(n)):
        print_int(a[k])
        putc(ord(" "))
'''
INPUT, SORTED = b"3 20 5 11", b"5 11 20 "
READ, SWAP, PRINT = 7, 17, 21
"""Numbers of source lines, from 1."""


def sort_in(language: str) -> GeneratedProgram:
    return generate(SORT, language, name="sort.py")


@asynccontextmanager
async def sorting(
    language: str = "brainfuck", size: tuple[int, int] = NARROW
) -> AsyncGenerator[tuple[Pilot[None], DebugPane, PaneApp]]:
    """Open the sorting program with its source map in a focused pane."""
    made = sort_in(language)
    pane = DebugPane(id="debug")
    app = PaneApp(pane)
    async with app.run_test(size=size) as pilot:
        pane.open(language, made.source, INPUT, SORTED, "standard", source_map=made.source_map)
        pane.focus()
        await settle(pilot)
        yield pilot, pane, app


def line_of(pane: DebugPane) -> int | None:
    assert pane.time.target is not None
    sourced = pane.time.target.snapshot.source_position
    return None if sourced is None else sourced.line
