"""From where the next sentence copies a value: from a character, or from the top of a stack."""

from __future__ import annotations

from esolangs.shakespeare.machine import ShakespeareMachine
from esolangs.shakespeare.opcodes import POP, PUSH, SET, WIDTH, YOU
from esolangs.stops import Slot

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.stops import Address


def copied_from(machine: ShakespeareMachine, place: Address | Slot) -> Address | Slot | None:
    """See :meth:`esolangs.machine.Machine.copied_from`; None also where the step would fault."""
    core, code = machine.core, machine.program.code
    if core.ip >= core.end:
        return None
    op, speaker, _, source = code[core.ip * WIDTH : core.ip * WIDTH + 4]
    you = core.other(speaker) if 0 <= speaker < core.cast else -1
    if you < 0:
        return None
    if op == POP:
        depth = core.stack_depth(you)
        return Slot(you, depth - 1) if depth and not isinstance(place, Slot) else None
    if op != (PUSH if isinstance(place, Slot) else SET):
        return None
    if source == YOU:
        return you
    return source if 0 <= source < core.cast else None
