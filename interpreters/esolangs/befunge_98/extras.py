"""The rare instructions ``y ( ) i o`` and the letters of fingerprints: which code executes each.

Written once, in Python, for both twins.  Nothing has changed when one cannot be executed.
"""

from __future__ import annotations

from esolangs.befunge_98.hands import Hands, Refused
from esolangs.befunge_98.opcodes import CELL
from esolangs.reasons import BUDGET

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.befunge_98._core import IP, Core
    from esolangs.limits import World


def execute(core: Core, ip: IP, op: int, world: World | None) -> int:
    """Execute the instruction ``op`` of the core's active IP; the reason as for ``run``."""
    hands = Hands(core, ip, world)
    core.effort += 16
    used, room = core.used, CELL * ip.room
    try:
        _instruction(hands, op)
    except Refused as refused:
        hands.undo()
        # Room that was made stays, and is paid for.
        core.used = used + CELL * ip.room - room
        return refused.reason
    return BUDGET


def _instruction(hands: Hands, op: int) -> None:
    if op == 121:  # y
        from esolangs.befunge_98.sysinfo import tell

        tell(hands)
    elif op in b"()":
        from esolangs.befunge_98.fingerprints import load, unload

        (load if op == 40 else unload)(hands)
    elif op in b"io":
        from esolangs.befunge_98.files import load_file, store_file

        if hands.world is None or hands.world.folder is None:
            hands.unknown()
        else:
            (load_file if op == 105 else store_file)(hands)
    else:
        from esolangs.befunge_98.fingerprints import FINGERPRINTS

        names = hands.ip.semantics[op]
        FINGERPRINTS[names[len(names) - 1]][chr(op)](hands)
