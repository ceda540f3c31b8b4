"""Diagnostics for Brainfuck: keys that identify states, and advice for faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from esolangs.diagnosis import PARSE_ERROR, Diagnostics, UnexpectedEffect

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from esolangs.brainfuck._core import Core
    from esolangs.brainfuck.program import BrainfuckMachine
    from esolangs.language import Options
    from esolangs.machine import Machine
    from esolangs.stops import Step

_AT_END = {
    "0": "',' stores 0",
    "-1": "',' stores -1, all bits set",
    "unchanged": "',' leaves the cell unchanged",
}


class BrainfuckDiagnostics(Diagnostics):
    """The diagnostics of Brainfuck; see :class:`esolangs.diagnosis.Diagnostics`."""

    advice: Mapping[str, str] = {
        "tape_underflow": (
            "count the '<' and '>' on the way here: a loop whose body does not return to its "
            "first cell can leave the tape; begin one cell further right with '>', or set "
            "tape=wrap if the program expects it"
        ),
        "tape_overflow": (
            "look for a '[>]' or another loop that moves right without finding a 0; a larger "
            "size= adds cells, and size=0 lets the tape grow"
        ),
        PARSE_ERROR: (
            "add the matching bracket; brackets in comments count too, so spell them out"
        ),
    }
    unexpected_effects: Mapping[str, tuple[str, str]] = {
        "wrap": (
            "a cell wrapped around",
            "if this is unintended, look at earlier writes to the cell",
        )
    }

    def key(self, machine: Machine) -> Hashable:
        core = _core(machine)
        first = core.low
        tape = bytes(core.buffer[first : core.high])
        width = core.bits // 8
        blank = (len(tape) - len(tape.lstrip(b"\0"))) // width
        tape = tape[blank * width :].rstrip(b"\0")
        start = first + blank - core.base if tape else 0
        return core.ip, core.pointer - core.base, start, tape

    def partial_key(self, machine: Machine) -> Hashable:
        core = _core(machine)
        return core.ip, core.pointer - core.base, core.buffer[core.pointer]

    def describe_end_of_input(self, options: Options) -> str:
        return _AT_END[str(options["eof"])]

    def parse_error_advice(self, message: str) -> str:
        if message.startswith("'['"):
            return "close the loop with a ']'; brackets in comments count too, so spell them out"
        return "remove the ']' or open a loop before it; brackets in comments count too"

    def unexpected_effect(self, machine: Machine, step: Step) -> UnexpectedEffect | None:
        if step.read is not None:
            return None
        for write in step.writes:
            if abs(write.new - write.old) > 1:
                text = f"cell {write.address} wrapped around, from {write.old} to {write.new}"
                return UnexpectedEffect("wrap", text)
        return None


DIAGNOSTICS = BrainfuckDiagnostics()


def _core(machine: Machine) -> Core:
    return cast("BrainfuckMachine", machine).core
