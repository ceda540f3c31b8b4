"""What went wrong in a play, in words."""

from __future__ import annotations

from esolangs.errors import Fault
from esolangs.shakespeare.opcodes import (
    ALONE,
    BY_ZERO,
    CROWD,
    EMPTY_STACK,
    ENTER,
    NEGATIVE_FACTORIAL,
    NEGATIVE_ROOT,
    NO_CHARACTER,
    NO_DIGITS,
    NO_INPUT,
    NO_PERSON,
    NO_SCENE,
    NOT_ON_STAGE,
    OFF_STAGE,
    ON_STAGE_ALREADY,
    WIDTH,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.shakespeare.machine import ShakespeareMachine

_FAULTS = {
    OFF_STAGE: ("off_stage", "{speaker} speaks, but is not on stage"),
    ALONE: ("nobody_addressed", "{speaker} speaks to somebody, but nobody else is on stage"),
    CROWD: (
        "unclear_addressee",
        "{speaker} speaks to one of several: {count} characters are on stage, not two",
    ),
    ON_STAGE_ALREADY: ("already_on_stage", "{who} enters, but is on stage already"),
    NOT_ON_STAGE: ("not_on_stage", "{who} leaves, but is not on stage"),
    EMPTY_STACK: ("empty_stack", "{you} is to recall something, but remembers nothing"),
    BY_ZERO: ("division_by_zero", "a number is divided by zero"),
    NEGATIVE_ROOT: ("negative_root", "the square root of a negative number is asked for"),
    NEGATIVE_FACTORIAL: ("negative_factorial", "the factorial of a negative number is asked for"),
    NO_CHARACTER: ("no_character", "{you} has a value that is no character"),
    NO_DIGITS: ("no_number", "the input does not go on with a number"),
    NO_INPUT: ("end_of_input", "{you} is to hear a number, but the input has ended"),
    NO_SCENE: ("no_such_scene", "there is no such act or scene to go to"),
    NO_PERSON: ("no_such_character", "the sentence names somebody not in the dramatis personae"),
}


def fault_of(machine: ShakespeareMachine, reason: int) -> Fault:
    """The fault that the next sentence meets."""
    program, core = machine.program, machine.core
    at = core.ip
    kind, message = _FAULTS[reason]
    names = (*program.names, "nobody")
    speaker = program.code[at * WIDTH + 1]
    you = core.other(speaker) if speaker < core.cast else -1
    who = _odd_one(machine, at)
    text = message.format(
        speaker=names[speaker],
        you=names[you] if you >= 0 else "the addressee",
        count=core.count,
        who=names[who] if who >= 0 else "somebody",
    )
    text = f"“{program.text(at, 60)}”: {text}"
    line, column = program.position(at)
    return Fault(kind, text, (program.starts[at], program.ends[at]), line, column, machine.steps)


def _odd_one(machine: ShakespeareMachine, at: int) -> int:
    """The first character of a stage direction who cannot do what it says."""
    code, lists, core = machine.program.code, machine.program.lists, machine.core
    enters = code[at * WIDTH] == ENTER
    seen: set[int] = set()
    for index in lists[code[at * WIDTH + 3] : code[at * WIDTH + 4]]:
        if index < 0 or core.is_on(index) == enters or index in seen:
            return index
        seen.add(index)
    return -1
