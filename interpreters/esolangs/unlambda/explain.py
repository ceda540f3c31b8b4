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
    PLACE,
    PLACES,
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
from esolangs.unlambda.terms import Terms

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.unlambda.terms import Item

WIDTH, DEPTH = 24, 5


def explain(machine: UnlambdaMachine) -> str:
    """One line on what the next step does, or why there is none."""
    if machine.ended:
        return "the program has ended"
    core, terms = machine.core, Terms(machine)
    tag, at = core.fun & TAG, core.fun >> PAYLOAD
    x = _text(terms, terms.operand())
    if tag == PRINT:
        return f"print {_byte(at)} and return {x}"
    if tag == READ:
        return _read(machine, x)
    if tag in (TEST, REPRINT):
        return _look(machine, x)
    if tag == D:
        return _delay(machine, x)
    if tag in (LATER, LATER_PAIR, LATER_TERM):
        return _force(terms, core.fun, x)
    if tag in (C, CONT):
        return _continue(machine, x)
    return _combine(terms, core.fun, x)


def _combine(terms: Terms, fun: int, x: str) -> str:
    """What k, s, i, v and e do, by how many operands they have."""
    tag, at = fun & TAG, fun >> PAYLOAD
    if tag == K1:
        held = _text(terms, terms.held(at))
        return f"k returns {held}, its first operand, and forgets {x}"
    if tag == S2:
        first, second = (_text(terms, terms.held(each)) for each in (at, at + 1))
        return f"s applies {first} and {second} to {x} each, then the one result to the other"
    return {
        K: f"k makes a function that always gives {x}",
        S: f"s takes {x} as its first operand and waits for two more",
        S1: f"s takes {x} as its second operand and waits for one more",
        I: f"i returns its operand {x}",
        V: f"v forgets its operand {x} and returns v",
        EXIT: f"e ends the program with the value {x}",
    }[tag]


def _delay(machine: UnlambdaMachine, x: str) -> str:
    if machine.core.arg & TAG in (OPERAND, SHARE):
        return f"d promises {x} without evaluating it"
    return f"d promises {x}, which is a value already"


def _force(terms: Terms, promise: int, x: str) -> str:
    held = _text(terms, terms.promised(promise))
    if promise & TAG == LATER:
        return f"force the promise of the value {held}: apply it to {x}"
    return f"force the promise of {held}: evaluate it and apply its value to {x}"


def _continue(machine: UnlambdaMachine, x: str) -> str:
    core = machine.core
    now = _frames(machine.depth)
    if core.fun & TAG == C:
        return f"c applies {x} to the current continuation, of {now}"
    at = core.fun >> PAYLOAD
    if at == 0:
        return f"return {x} to the continuation that c captured, the end of the program"
    captured = (core.words()[at + 1] >> PLACE & PLACES) + 1
    return (
        f"return {x} to the continuation of {_frames(captured)} that c captured, "
        f"dropping the {now} here"
    )


def _read(machine: UnlambdaMachine, x: str) -> str:
    byte = machine.next_input()
    if byte is not None:
        return f"read {_byte(byte)} as the current character and apply {x} to i"
    if not machine.core.closed:
        return f"read a character and apply {x} to i: waiting for input"
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


def _text(terms: Terms, item: Item) -> str:
    return terms.text([item], WIDTH, DEPTH)[0]


def _frames(depth: int) -> str:
    return "1 frame" if depth == 1 else f"{depth} frames"


def _byte(byte: int) -> str:
    """A byte as people write it: ``'A' (65)``, ``newline (10)``, ``byte 200``."""
    names = {9: "tab", 10: "newline", 13: "carriage return", 27: "escape", 32: "space"}
    if byte in names:
        return f"{names[byte]} ({byte})"
    return f"'{chr(byte)}' ({byte})" if 32 < byte < 127 else f"byte {byte}"
