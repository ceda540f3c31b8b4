"""What a person sees of a Befunge machine: the plane, the stacks, and the IPs if several.

Costs by the window that is asked for, not by the size of the state.
"""

from __future__ import annotations

from esolangs.befunge_98.explain import explain, spelled
from esolangs.befunge_98.machine import BefungeMachine
from esolangs.befunge_98.opcodes import STACKS
from esolangs.numbers import shown
from esolangs.source import locate
from esolangs.view import Grid, Location, Panel, Pointer, Stack, StackOfStacks, Table, View, Window

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.befunge_98._core import IP

_MOST_IPS = 1024  # pointers looked at for the grid


def view_of(machine: BefungeMachine, window: Window | None = None) -> View:
    """The machine's view."""
    window = window or Window()
    core = machine.core
    panels: list[Panel] = [_grid(machine, window), _stacks(core.ip, window)]
    if len(core.ips) > 1:
        panels.append(_pointers(machine, window))
    return View(
        step=core.steps,
        status=machine.status,
        location=_location(machine),
        panels=tuple(panels),
        output_length=core.printed,
        input_position=machine.input_position,
        memory=machine.memory,
        fault=machine.fault,
        limit=machine.limit,
    )


def _location(machine: BefungeMachine) -> Location:
    point = machine.location
    span = machine.span_at(*point)
    line, column = locate(machine.program.source, span[0])
    over = machine.core.ended or machine.core.lost
    instruction = "" if over else spelled(machine.next_value())
    return Location(span[0], line, column, span, instruction, explain(machine), point)


def _grid(machine: BefungeMachine, window: Window) -> Grid:
    core, layout = machine.core, machine.program.layout
    if core.loose:
        core.tighten()
    low = core.low_x, core.low_y
    high = core.high_x, core.high_y
    if low[0] > high[0]:
        low = high = core.ip.x, core.ip.y
    left, top = window.corner or (
        _follow(core.ip.x, low[0], high[0], window.width),
        _follow(core.ip.y, low[1], high[1], window.height),
    )
    columns, rows = range(left, left + window.width), range(top, top + window.height)
    cells = [[core.get(x, y) for x in columns] for y in rows]
    written = tuple(
        (x, y)
        for y, row in zip(rows, cells, strict=True)
        for x, value in zip(columns, row, strict=True)
        if value != layout.loaded(x, y)
    )
    pointers = tuple(
        Pointer(ip.id, (ip.x, ip.y), (ip.dx, ip.dy), (ip.ox, ip.oy), ip is core.ip)
        for ip in [core.ip, *core.ips[:_MOST_IPS]]
        if (ip is core.ip or (ip.x in columns and ip.y in rows))
    )
    # The active pointer was put first, in case it is not among those looked at.
    pointers = pointers[:1] + tuple(one for one in pointers[1:] if not one.active)
    return Grid(
        "fungespace",
        left,
        top,
        tuple(tuple(shown(value) for value in row) for row in cells),
        low,
        high,
        pointers,
        tuple(core.trail()),
        written,
    )


def _follow(at: int, low: int, high: int, size: int) -> int:
    """Where a window that holds ``at`` begins: as much as possible of what is in use."""
    if high - low < size and low <= at <= high:
        return low
    first = at - size // 2
    if low <= at <= high:
        first = max(low, min(first, high - size + 1))
    return first


def _stacks(ip: IP, window: Window) -> StackOfStacks:
    key = ip.id * STACKS + len(ip.below)
    found = [_stack("TOSS", ip.buffer, ip.depth, window, key)]
    for back in range(1, min(len(ip.below), window.depth - 1) + 1):
        buffer, depth = ip.below[len(ip.below) - back]
        name = "SOSS" if back == 1 else f"stack {back + 1}"
        found.append(_stack(name, buffer, depth, window, key - back))
    return StackOfStacks("stacks", tuple(found), len(ip.below) + 1)


def _stack(name: str, buffer: list[int], depth: int, window: Window, key: int) -> Stack:
    first = max(0, depth - window.depth)
    return Stack(name, tuple([shown(value) for value in buffer[first:depth]][::-1]), depth, key)


def _pointers(machine: BefungeMachine, window: Window) -> Table:
    """In the order of a tick, from the active one's place on where there are too many."""
    core = machine.core
    first = max(0, min(core.turn - window.depth // 2, len(core.ips) - window.depth))
    chosen = core.ips[first : first + window.depth]
    rows = tuple(
        (ip.id, ip.x, ip.y, ip.dx, ip.dy, ip.depth, spelled(core.get(ip.x, ip.y))) for ip in chosen
    )
    columns = "id", "x", "y", "dx", "dy", "depth", "cell"
    return Table("pointers", columns, rows, len(core.ips), core.turn - first)
