"""From where the next step copies a value into a place, for those who ask where it came from.

Told for all instructions that move values between stacks and fungespace, for the cell that
``y`` picks from the stack, and for the fingerprints' instructions that copy single values.
What is read, computed, or copied in blocks by a fingerprint counts as computed.
"""

from __future__ import annotations

from esolangs.befunge_98.machine import BefungeMachine
from esolangs.befunge_98.opcodes import STACKS
from esolangs.stops import Slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    from esolangs.befunge_98._core import IP
    from esolangs.stops import Address

    Place = Address | Slot
    Rule = Callable[["_Next", Slot], Place | None]


def copied_from(machine: BefungeMachine, place: Place) -> Place | None:
    """See :meth:`esolangs.machine.Machine.copied_from`."""
    step = _Next(machine)
    if machine.core.ended or machine.core.lost:
        return None
    if not isinstance(place, Slot):
        return step.into_cell()
    if step.ip.string:
        return None if step.value == 34 else (step.ip.x, step.ip.y)
    rule = _RULES.get(chr(step.code)) if step.code > 15 else None
    if rule is None and 65 <= step.code <= 90:
        rule = _FINGERPRINTS.get(step.meaning())
    return None if rule is None else rule(step, place)


class _Next:
    """The step that comes next.

    ip: the pointer that executes it.  depth: of its TOSS before the step.  count: its
    uppermost value, 0 when there is none.  value, code: the cell it executes.
    """

    def __init__(self, machine: BefungeMachine):
        options = machine.program.options
        self.old = options["befunge"] == 93
        self.byte_cells = options["put"] == "byte"
        self.machine = machine
        self.ip: IP = machine.core.ip
        self.depth = self.ip.depth
        self.value = machine.next_value()
        self.code = machine.program.codes[self.value] if 0 <= self.value < 256 else 16
        self.stacks = len(self.ip.below)
        self.count = self.at(0)

    def at(self, down: int) -> int:
        """The value so far below the uppermost of TOSS."""
        return self.ip.buffer[self.depth - 1 - down] if down < self.depth else 0

    def slot(self, level: int, stack: int | None = None) -> Slot | None:
        """A place on one of the IP's stacks, TOSS unless said; None for what is below it."""
        stack = self.stacks if stack is None else stack
        return Slot(self.ip.id * STACKS + stack, level) if level >= 0 else None

    def meaning(self) -> tuple[str, str]:
        """The fingerprint that gives a letter its meaning, and the letter."""
        names = self.ip.semantics.get(self.code)
        if not names:
            return "", ""
        return (names[len(names) - 1]).to_bytes(8, "big").lstrip(b"\0").decode(), chr(self.code)

    def cell(self, x: int, y: int) -> Place | None:
        """The cell at these coordinates; None where a page of fixed size has none."""
        core, wrap = self.machine.core, self.machine.core.wrap
        x, y = wrap(x), wrap(y)
        if not core.torus:
            return x, y
        if 0 <= x < core.width and 0 <= y < core.height:
            return x, y
        return None if self.old else (x % core.width, y % core.height)

    def ahead(self, dx: int, dy: int) -> Place:
        """The cell that one move leads to."""
        core = self.machine.core
        return core.after(self.ip.x, self.ip.y, core.wrap(dx), core.wrap(dy))

    def into_cell(self) -> Place | None:
        """Into whatever cell the step writes."""
        if self.ip.string:
            return None
        letter, ip = chr(self.code), self.ip
        taken = 2 if letter == "p" else 0 if letter == "s" else -1
        if 65 <= self.code <= 90:
            taken = {("TOYS", "Q"): 0, ("ORTH", "P"): 2, ("TOYS", "S"): 4}.get(self.meaning(), -1)
        if taken < 0 or taken >= self.depth:
            return None
        if letter in "ps" and self.byte_cells and not 0 <= self.at(taken) < 256:
            return None
        return Slot(ip.id * STACKS + self.stacks, self.depth - 1 - taken)


# What stands before a step in the places that the step puts values into.


def _doubled(step: _Next, place: Slot) -> Place | None:
    return step.slot(step.depth - 1)


def _swapped(step: _Next, place: Slot) -> Place | None:
    if step.depth == 1:  # the 0 from below goes on top
        return place if place.level == 0 else None
    if step.depth == 0:
        return None
    return step.slot(2 * step.depth - 3 - place.level)


def _got(step: _Next, place: Slot) -> Place | None:
    ip = step.ip
    return step.cell(step.at(1) + ip.ox, step.at(0) + ip.oy)


def _fetched(step: _Next, place: Slot) -> Place | None:
    return step.ahead(step.ip.dx, step.ip.dy)


def _begun(step: _Next, place: Slot) -> Place | None:
    """``{``: the upper values to the new stack; what pads them or the old one is new."""
    if place.stack != step.ip.id * STACKS + step.stacks + 1:
        return None
    below_top = max(0, step.depth - 1)
    return step.slot(below_top - max(0, step.count) + place.level)


def _ended(step: _Next, place: Slot) -> Place | None:
    """``}``: the upper values of TOSS to the stack below, where the storage offset was."""
    base = max(0, step.ip.below[step.stacks - 1][1] - 2)
    below_top, moved = max(0, step.depth - 1), max(0, step.count)
    return step.slot(below_top - moved + place.level - base)


def _moved(step: _Next, place: Slot) -> Place | None:
    """``u``: one by one, so that their order is reversed."""
    soss, toss = step.ip.below[step.stacks - 1][1], max(0, step.depth - 1)
    if step.count >= 0:
        return step.slot(soss - 1 - (place.level - toss), step.stacks - 1)
    return step.slot(toss - 1 - (place.level - soss))


def _split(step: _Next, place: Slot) -> Place | None:
    """``t``: the child has copies of all stacks."""
    return step.slot(place.level, place.stack % STACKS)


def _asked(step: _Next, place: Slot) -> Place | None:
    """``y``: a number beyond what it knows picks a value from the stack."""
    from esolangs.befunge_98.extras import Hands
    from esolangs.befunge_98.sysinfo import cells_of

    machine = step.machine
    if step.depth == 0 or step.count <= 0:
        return None
    known = len(cells_of(Hands(machine.core, step.ip, machine.world)))
    return step.slot(step.depth - 1 - (step.count - known)) if step.count > known else None


_RULES: dict[str, Rule] = {
    ":": _doubled,
    "\\": _swapped,
    "g": _got,
    "'": _fetched,
    "{": _begun,
    "}": _ended,
    "u": _moved,
    "t": _split,
    "y": _asked,
}

_FINGERPRINTS: dict[tuple[str, str], Rule] = {
    ("TOYS", "A"): lambda step, _: step.slot(step.depth - 2),
    ("TOYS", "L"): lambda step, _: step.ahead(step.ip.dy, -step.ip.dx),
    ("TOYS", "R"): lambda step, _: step.ahead(-step.ip.dy, step.ip.dx),
    ("ORTH", "G"): lambda step, _: step.cell(step.at(0), step.at(1)),
}
