"""The next application in plain English, with what it meets now."""

from __future__ import annotations

from esolangs.unlambda.machine import UnlambdaMachine
from esolangs.unlambda.opcodes import (
    CONT,
    EXIT,
    K1,
    LATER,
    LATER_PAIR,
    LATER_TERM,
    OPERAND,
    PAYLOAD,
    PRINT,
    READ,
    REPRINT,
    S1,
    S2,
    SHARE,
    TAG,
    TEST,
    C,
    D,
    I,
    K,
    S,
    V,
)
from esolangs.unlambda.terms import Part, operand, text_of

WIDTH, DEPTH = 24, 5


def explain(machine: UnlambdaMachine) -> str:
    """One line on what the next step does, or why there is none."""
    core = machine.core
    if machine.ended:
        return "the program has ended"
    tag, at = core.fun & TAG, core.fun >> PAYLOAD
    x = _text(machine, operand(machine))
    if tag == D:
        return _delay(machine, x)
    if tag == PRINT:
        return f"print {_byte(at)} and return {x}"
    if tag == READ:
        return _read(machine, x)
    if tag in (TEST, REPRINT):
        return _look(machine, x)
    if tag in (LATER, LATER_PAIR, LATER_TERM):
        return f"force the promise {_text(machine, [core.fun])} and apply its value to {x}"
    held = _held(machine)
    return {
        K: f"k gets its first operand {x}: returns a function that always gives that",
        K1: f"k with {held[0]} gets its second operand {x}: forgets it and returns {held[0]}",
        S: f"s gets its first operand {x}",
        S1: f"s with {held[0]} gets its second operand {x}",
        S2: f"s with two operands gets its third: apply {held[0]} to {x}, {held[1]} to {x}, "
        "and the one result to the other",
        I: f"i returns its operand {x}",
        V: f"v forgets its operand {x} and returns v",
        C: f"c applies {x} to the current continuation, of {_frames(machine.depth)}",
        CONT: f"return {x} to the continuation that c captured, leaving {_frames(machine.depth)}",
        EXIT: f"e ends the program with the value {x}",
    }[tag]


def _delay(machine: UnlambdaMachine, x: str) -> str:
    if machine.core.arg & TAG in (OPERAND, SHARE):
        return f"d promises {x} without evaluating it"
    return f"d promises {x}, which is a value already"


def _read(machine: UnlambdaMachine, x: str) -> str:
    byte = machine.next_input()
    if byte is not None:
        return f"read {_byte(byte)} as the current character and apply {x} to i"
    if not machine.core.closed:
        return "read a character: waiting for input"
    return f"read: the input has ended, so there is no current character; apply {x} to v"


def _look(machine: UnlambdaMachine, x: str) -> str:
    current, tag = machine.core.current, machine.core.fun & TAG
    is_ = f"the current character is {_byte(current)}" if current >= 0 else "no current character"
    if tag == REPRINT:
        gets = "the function that prints it" if current >= 0 else "v"
        return f"{is_}: apply {x} to {gets}"
    wanted = machine.core.fun >> PAYLOAD
    if current == wanted:
        return f"{is_}, as asked for: apply {x} to i"
    return f"{is_}, not {_byte(wanted)}: apply {x} to v"


def _held(machine: UnlambdaMachine) -> tuple[str, str]:
    """What the function of the next application was given before."""
    fun, words = machine.core.fun, machine.core.words()
    tag, at = fun & TAG, fun >> PAYLOAD
    first = _text(machine, [words[at]]) if tag in (K1, S1, S2) else ""
    return first, _text(machine, [words[at + 1]]) if tag == S2 else ""


def _text(machine: UnlambdaMachine, parts: list[Part]) -> str:
    return text_of(machine, parts, WIDTH, DEPTH)


def _frames(depth: int) -> str:
    return "1 frame" if depth == 1 else f"{depth} frames"


def _byte(byte: int) -> str:
    """A byte as people write it: ``'A' (65)``, ``newline (10)``, ``byte 200``."""
    names = {9: "tab", 10: "newline", 13: "carriage return", 27: "escape", 32: "space"}
    if byte in names:
        return f"{names[byte]} ({byte})"
    return f"'{chr(byte)}' ({byte})" if 32 < byte < 127 else f"byte {byte}"
