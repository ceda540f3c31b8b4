"""From where the next step copies a number into a place of the stack or the heap."""

from __future__ import annotations

from esolangs.stops import Slot
from esolangs.whitespace.machine import WhitespaceMachine
from esolangs.whitespace.opcodes import COPY, DUP, RETRIEVE, SLIDE, STORE, SWAP

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.stops import Address


def copied_from(machine: WhitespaceMachine, place: Address | Slot) -> Address | Slot | None:
    """See :meth:`esolangs.machine.Machine.copied_from`; None also where the step would fault."""
    code, core = machine.program.code, machine.core
    op, top = code.ops[core.ip], core.depth() - 1
    if not isinstance(place, Slot):
        return Slot(0, top) if op == STORE and top > 0 else None
    if op == RETRIEVE:
        return core.value(top) if top >= 0 else None
    if op in (DUP, SLIDE):
        level = top
    elif op == COPY:
        level = top - code.args[core.ip]
    elif op == SWAP:
        level = 2 * top - 1 - place.level
    else:
        return None
    return Slot(0, level) if 0 <= level <= top else None
