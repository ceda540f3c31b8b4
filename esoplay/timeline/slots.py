"""What stands on the stacks of a state, as its view tells."""

from __future__ import annotations

from collections.abc import Iterator

from esolangs.machine import Machine
from esolangs.stops import Slot
from esolangs.view import Number, Stack, StackOfStacks, Stage, View, Window

DEEPEST = 100_000
"""Places below the top of a stack that are looked at for a value."""


def stacks_of(view: View) -> Iterator[Stack]:
    """All stacks that a view shows."""
    for panel in view.panels:
        if isinstance(panel, Stack):
            yield panel
        elif isinstance(panel, StackOfStacks):
            yield from panel.stacks
        elif isinstance(panel, Stage):
            for actor in panel.actors:
                yield actor.stack


def has_stacks(machine: Machine) -> bool:
    """Whether programs of the machine's language have any."""
    return any(True for _ in stacks_of(machine.view(_window(1))))


def stack_of(machine: Machine, key: int, depth: int = 1) -> Stack | None:
    """The stack of this key with its upper ``depth`` values; None when the view has no such one."""
    for each in stacks_of(machine.view(_window(depth))):
        if each.key == key:
            return each
    return None


def value_at(machine: Machine, slot: Slot) -> Number | None:
    """What stands in a place; None when nothing does, or it is out of sight."""
    some = stack_of(machine, slot.stack) or stack_of(machine, slot.stack, DEEPEST)
    if some is None:
        return None
    down = some.depth - 1 - slot.level
    if not 0 <= down < min(some.depth, DEEPEST):
        return None
    if down >= len(some.values):
        some = stack_of(machine, slot.stack, down + 1)
    return None if some is None or down >= len(some.values) else some.values[down]


def _window(depth: int) -> Window:
    return Window(cells=1, depth=depth, width=1, height=1)
