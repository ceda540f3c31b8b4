"""A machine's state as expressions see it, and the values on its stacks."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from esolangs.machine import Machine
from esolangs.stops import Address, Slot
from esolangs.view import Number, Stack, StackOfStacks, Stage, View, Window

MAX_DEPTH = 100_000
"""The deepest level below the top of a stack that is searched for a value."""

_DEPTHS = (64, 4096, MAX_DEPTH)  # depths of larger views, if a smaller one is not sufficient


def shown_stacks(view: View) -> Iterator[Stack]:
    """Yield all stacks that a view shows."""
    for panel in view.panels:
        if isinstance(panel, Stack):
            yield panel
        elif isinstance(panel, StackOfStacks):
            yield from panel.stacks
        elif isinstance(panel, Stage):
            for actor in panel.actors:
                yield actor.stack


def character_names(view: View) -> dict[int, str]:
    """Return the names of a play's characters by their keys.

    A key identifies a character's stack and cell.
    """
    return {
        actor.stack.key: actor.name
        for panel in view.panels
        if isinstance(panel, Stage)
        for actor in panel.actors
    }


def has_stacks(machine: Machine) -> bool:
    """Return whether programs of the machine's language have stacks."""
    return any(True for _ in shown_stacks(machine.view(_window(1))))


def stack_with_key(machine: Machine, key: int, depth: int = 1) -> Stack | None:
    """Return the stack with a key, with at least its top ``depth`` values.

    Returns None if views do not show the stack, because it does not exist or belongs to another
    instruction pointer.
    """
    for wide in (depth, *(each for each in _DEPTHS if each > depth)):
        view = machine.view(_window(wide))
        for each in shown_stacks(view):
            if each.key == key:
                return each
        if all(
            len(panel.stacks) == panel.depth
            for panel in view.panels
            if isinstance(panel, StackOfStacks)
        ):
            break
    return None


def stacks_by_key(machine: Machine, depth: int) -> dict[int, Stack]:
    """Return the stacks that a view shows, by key, with at least their top ``depth`` values."""
    view = machine.view(_window(min(depth, MAX_DEPTH)))
    return {each.key: each for each in shown_stacks(view)}


def first_stack(machine: Machine, depth: int = 1) -> Stack | None:
    """Return the first stack of a view, with at least its top ``depth`` values.

    In a play, this is the stack of the addressed character. Returns None if no stack is shown.
    """
    view = machine.view(_window(depth))
    for panel in view.panels:
        if isinstance(panel, Stage):
            return next((each.stack for each in panel.actors if each.role == "addressee"), None)
    return next(shown_stacks(view), None)


class StackLevels:
    """The values on the first stack in the view of a state, by level.

    They are cached, because views of deep stacks are slow.
    """

    def __init__(self, machine: Machine):
        """Prepare to read values of ``machine``, which must not run while this object is used."""
        self._machine = machine
        self._searched_depth = 0
        self._stack: Stack | None = None

    @property
    def exists(self) -> bool:
        """Whether a stack is shown in the state, so that levels can be read."""
        return self._stack_to_depth(1) is not None

    def at(self, level: int) -> Number | None:
        """Return the value at a level, or None if the level does not exist or is too deep.

        Levels count from the bottom, which is 0; negative levels count from the top, which is -1.
        """
        some = self._stack_to_depth(1)
        if some is None:
            return None
        down = -1 - level if level < 0 else some.depth - 1 - level
        if not 0 <= down < min(some.depth, MAX_DEPTH):
            return None
        some = self._stack_to_depth(down + 1)
        return None if some is None or down >= len(some.values) else some.values[down]

    def _stack_to_depth(self, depth: int) -> Stack | None:
        """Return the stack with at least its top ``depth`` values; None without a stack."""
        if depth > self._searched_depth:
            self._searched_depth = depth
            self._stack = first_stack(self._machine, depth)
        return self._stack


def value_at(machine: Machine, slot: Slot) -> Number | None:
    """Return the value in a slot, or None if it does not exist or is too deep."""
    some = stack_with_key(machine, slot.stack)
    if some is None:
        return None
    down = some.depth - 1 - slot.level
    if not 0 <= down < min(some.depth, MAX_DEPTH):
        return None
    if down >= len(some.values):
        some = stack_with_key(machine, slot.stack, down + 1)
    return None if some is None or down >= len(some.values) else some.values[down]


def _window(depth: int) -> Window:
    return Window(cells=1, depth=depth, width=1, height=1)


class MachineState:
    """The state of a machine for conditions; the machine must not run while this object is used."""

    def __init__(
        self,
        machine: Machine,
        hits: int = 0,
        levels: StackLevels | None = None,
        read_variable: Callable[[str, Machine], int] | None = None,
    ):
        """Create the state for the machine's current step.

        hits: the value of the name ``hits`` in conditions. levels: the levels of the first stack,
        which states of the same step can share. read_variable: returns the value of a source
        variable.
        """
        self._read_variable = read_variable
        self._machine = machine
        self._hits = hits
        self._levels = levels

    def peek(self, address: Address) -> int:
        """Return the value of a cell; 0 if it does not exist, because evaluation never fails."""
        try:
            return self._machine.peek(address)
        except ValueError:
            return 0

    def level(self, level: int) -> int:
        """Return the value at a level of the first stack, 0 if it is missing or too large."""
        value = self.levels.at(level)
        return value if isinstance(value, int) else 0

    @property
    def levels(self) -> StackLevels:
        """The values on the first stack, by level."""
        if self._levels is None:
            self._levels = StackLevels(self._machine)
        return self._levels

    def variable(self, name: str) -> int:
        """Return the value of a source variable; 0 if it has no value."""
        return 0 if self._read_variable is None else self._read_variable(name, self._machine)

    def lookup(self, name: str) -> int:
        machine = self._machine
        if name == "step":
            return machine.steps
        if name == "hits":
            return self._hits
        if name == "output":
            return machine.output_length
        if name == "input":
            return machine.input_position
        return machine.registers().get(name, 0)
