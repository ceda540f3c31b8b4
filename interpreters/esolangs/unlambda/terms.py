"""Values and expressions as text, in bounded space: what is deep or long is elided."""

from __future__ import annotations

from esolangs.unlambda.opcodes import (
    ATOMS,
    CONT,
    GIVE,
    K1,
    LATER,
    LATER_PAIR,
    LATER_TERM,
    OPERAND,
    PAYLOAD,
    PRINT,
    S1,
    S2,
    SHARE,
    TAG,
    TEST,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.unlambda.machine import UnlambdaMachine

Part = int | str
"""Text as it is, a value as its word, or ``~node`` for the expression at a node."""

ELIDED = "…"
_HEADS = {K1: "`k", S1: "`s", S2: "``s", LATER: "`d", LATER_PAIR: "`d`", LATER_TERM: "`d"}


def atom_text(word: int) -> str:
    """An atom as in source; bytes that are no visible character are written in hexadecimal."""
    tag, byte = word & TAG, word >> PAYLOAD
    if tag == CONT:
        return "<c>"
    if tag == PRINT and byte == 10:
        return "r"
    character = chr(ATOMS[tag])
    if tag not in (PRINT, TEST):
        return character
    return character + (chr(byte) if 32 < byte < 127 else f"\\x{byte:02x}")


def text_of(machine: UnlambdaMachine, parts: list[Part], width: int, depth: int) -> str:
    """The parts one after the other, in at most ``width`` characters and an elision.

    depth: terms inside terms that are shown; what is deeper is one ``…``.
    """
    code, heap = machine.program.code, machine.core.words()
    text: list[str] = []
    length = 0
    to_show: list[tuple[Part, int]] = [(part, depth) for part in reversed(parts)]
    while to_show:
        part, level = to_show.pop()
        inner: list[Part] = []
        if isinstance(part, str):
            some = part
        elif level < 0:
            some = ELIDED
        elif part < 0:
            word = code[~part]
            if word & TAG == OPERAND:
                some = "`"
                inner += part - 1, ~(word >> PAYLOAD)  # ~(node + 1) is ~node - 1
            else:
                some = atom_text(word)
        else:
            tag, at = part & TAG, part >> PAYLOAD
            some = _HEADS.get(tag) or atom_text(part)
            if tag == LATER_TERM:
                inner.append(~at)
            elif tag in (S2, LATER_PAIR):
                inner += heap[at : at + 2]
            elif tag in _HEADS:
                inner.append(heap[at])
        if length + len(some) > width:
            text.append(ELIDED)
            break
        text.append(some)
        length += len(some)
        to_show += [(each, level - 1) for each in reversed(inner)]
    return "".join(text)


def around(machine: UnlambdaMachine, frame: int, kept: int) -> tuple[list[Part], list[Part]]:
    """What a frame puts before and after the value that is returned to it.

    kept: the value that a SHARE or GIVE keeps besides.
    """
    tag, at = frame & TAG, frame >> PAYLOAD
    if tag == OPERAND:
        return ["`"], [~at]
    if tag == SHARE:
        return ["`"], ["`", machine.core.words()[at + 1], kept]
    if tag == GIVE:
        return ["`"], [kept]
    return ["`", frame], []


def application(machine: UnlambdaMachine) -> list[Part]:
    """The application that is made next; at the end the value that is left."""
    core = machine.core
    if machine.ended:
        return [core.arg]
    return ["`", core.fun, *operand(machine)]


def operand(machine: UnlambdaMachine) -> list[Part]:
    """What the next function gets; an expression, or an application to be, when `d` delays it."""
    core = machine.core
    tag, at = core.arg & TAG, core.arg >> PAYLOAD
    if tag == OPERAND:
        return [~at]
    if tag == SHARE:
        return ["`", core.words()[at + 1], core.frames()[core.sp - 1]]
    return [core.arg]
