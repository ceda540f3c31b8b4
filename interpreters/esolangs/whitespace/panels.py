"""What a person sees of a Whitespace machine: stack, heap, calls, and the code in mnemonics."""

from __future__ import annotations

from heapq import nsmallest

from esolangs.numbers import shown
from esolangs.source import locate
from esolangs.view import CallStack, Frame, Location, Stack, Table, View, Window
from esolangs.whitespace.explain import explain
from esolangs.whitespace.machine import WhitespaceMachine


def view_of(machine: WhitespaceMachine, window: Window | None = None) -> View:
    """The machine's view; only far cells are looked through, everything else is bounded."""
    window = window or Window()
    core = machine.core
    return View(
        step=core.steps,
        status=machine.status,
        location=_location(machine),
        panels=(
            _stack(machine, window),
            _heap(machine, window),
            _calls(machine, window),
            _code(machine, window),
        ),
        output_length=core.printed,
        input_position=machine.input_position,
        memory=machine.memory,
        fault=machine.fault,
        limit=machine.limit,
    )


def _location(machine: WhitespaceMachine) -> Location:
    program, at = machine.program, machine.core.ip
    spans = program.spans()
    size = len(program.source)
    span = spans[at] if at < len(spans) else (size, size)
    line, column = locate(program.source, span[0])
    return Location(span[0], line, column, span, program.brief(at), explain(machine), span[0])


def _stack(machine: WhitespaceMachine, window: Window) -> Stack:
    core = machine.core
    depth = core.depth()
    lowest = max(0, depth - window.depth)
    values = tuple(shown(core.value(at)) for at in range(depth - 1, lowest - 1, -1))
    return Stack("stack", values, depth)


def _heap(machine: WhitespaceMachine, window: Window) -> Table:
    """The window's cells from ``window.first`` on, with far ones before and after them."""
    core, far = machine.core, machine.core.far_cells()
    rows: list[tuple[int, int]] = []
    if window.first is None and far:
        rows = [(at, far[at]) for at in nsmallest(window.depth // 2, far)]
    first = max(0, window.first or 0)
    rows += core.near_cells(first, window.depth - len(rows))
    if window.first is not None and len(rows) < window.depth and far:
        beyond = [at for at in far if at >= window.first]
        rows += [(at, far[at]) for at in nsmallest(window.depth - len(rows), beyond)]
    rows.sort()
    told = tuple((shown(at), shown(value)) for at, value in rows)
    return Table("heap", ("address", "value"), told, core.cells + len(far))


def _calls(machine: WhitespaceMachine, window: Window) -> CallStack:
    program, core = machine.program, machine.core
    frames: list[Frame] = []
    known: dict[int, Frame] = {}  # recursion calls from few places
    for depth in range(core.calls - 1, max(-1, core.calls - 1 - window.depth), -1):
        call = core.frame(depth) - 1
        if call not in known:
            span = program.spans()[call]
            line, column = locate(program.source, span[0])
            known[call] = Frame(program.label_of(call), span, line, column, 1)
        frames.append(known[call])
    return CallStack("calls", tuple(frames), core.calls)


def _code(machine: WhitespaceMachine, window: Window) -> Table:
    program, at = machine.program, machine.core.ip
    count = len(program.code.ops) - 1
    first = max(0, min(at - window.depth // 2, count - window.depth))
    end = min(count, first + window.depth)
    starts, line, counted = program.starts, 1, 0
    rows: list[tuple[int, str, str]] = []
    for here in range(first, end):
        line += program.source.count(b"\n", counted, starts[here])
        counted = starts[here]
        rows.append((line, program.brief(here), program.spelled(here)))
    current = at - first if first <= at < end else None
    return Table("code", ("line", "instruction", "spelled"), tuple(rows), count, current)
