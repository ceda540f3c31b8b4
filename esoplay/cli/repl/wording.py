"""Views and stops as plain sentences: one thought a line, nothing drawn, nothing coloured."""

from __future__ import annotations

from collections.abc import Iterable

from esolangs.numbers import shown
from esolangs.view import View
from esoplay.cli.repl.panels import times
from esoplay.service.debugging import Breakpoint, BreakpointSpec, CellWrite, Stop, address_text
from esoplay.service.provenance import place_text
from esoplay.service.watches import Watch

_NAMES = {0x0A: r"\n", 0x09: r"\t", 0x0D: r"\r", 0x22: r"\"", 0x5C: r"\\"}
_SAID_BY_WHERE = frozenset({"end", "fault", "limit", "needs_input"})
_LONGEST_INSTRUCTION = 80  # characters
_PASSING = 0  # the breakpoint of "run to here", which nobody has set


def quoted(data: bytes, limit: int = 1_000) -> str:
    r"""Bytes in double quotes, on one line: printable text as it is, the rest as ``\xHH``.

    Of more than ``limit`` bytes the last ones are shown, after the number of them all.
    """
    text = data[-limit:].decode("utf-8", "surrogateescape")
    shown = '"' + "".join(map(_shown, text)) + '"'
    return shown if len(data) <= limit else f"({len(data)} bytes, the last are) {shown}"


def _shown(character: str) -> str:
    code = ord(character)
    if code in _NAMES:
        return _NAMES[code]
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is no UTF-8
        return f"\\x{code - 0xDC00:02x}"
    if character.isprintable():
        return character
    return "".join(f"\\x{byte:02x}" for byte in character.encode())


def where(view: View) -> str:
    """The position in time and in the program, and what comes next."""
    at = view.location
    if view.fault is not None:
        return (
            f"step {view.step}, fault at line {view.fault.line} column {view.fault.column}: "
            f"{view.fault.message}"
        )
    if view.limit is not None:
        return f"step {view.step}, stopped by the limit on {view.limit}"
    if view.status == "halted" or not at.instruction:
        return f"step {view.step}, the program has ended"
    if isinstance(at.address, tuple):
        place = f"at {address_text(at.address)}"
    else:
        place = f"line {at.line} column {at.column}"
    return f"step {view.step}, {place}: {instruction_words(at.instruction)}  {at.explanation}"


def instruction_words(instruction: str) -> str:
    """An instruction's text; a sentence may be broken over lines, and long."""
    text = " ".join(instruction.split()) or instruction
    return text if len(text) <= _LONGEST_INSTRUCTION else text[: _LONGEST_INSTRUCTION - 1] + "…"


def stop_lines(stop: Stop) -> list[str]:
    """Why a move ended, where ``where`` does not say it, and what log points said on the way."""
    reasons = [
        reason.text
        for reason in stop.reasons
        if reason.kind not in _SAID_BY_WHERE
        and reason.text != f"step {stop.step}"
        and reason.breakpoint != _PASSING
    ]
    return [f"log: {text}" for text in stop.logs] + reasons


def watch_line(watch: Watch) -> str:
    """A watch expression with its value."""
    if watch.value is None:
        return f"watch {watch.id}: {watch.text}: {watch.error}"
    missing = f" ({watch.missing})" if watch.missing else ""
    return f"watch {watch.id}: {watch.text} is {shown(watch.value)}{missing}"


def change_line(watch: Watch) -> str:
    """A watch expression whose value a move has changed."""
    assert watch.before is not None
    return f"{watch_line(watch)}, was {shown(watch.before)}"


def breakpoint_line(breakpoint: Breakpoint) -> str:
    """A breakpoint in one line."""
    hits = "never hit" if not breakpoint.hits else f"hit {times(breakpoint.hits)}"
    off = "" if breakpoint.spec.enabled else ", switched off"
    return f"{breakpoint.id}: {spec_words(breakpoint.spec)}, {hits}{off}"


def spec_words(spec: BreakpointSpec) -> str:
    """What a breakpoint stops at."""
    parts = [*_stops(spec)]
    if spec.direction is not None:
        parts.append(f"going {spec.direction}")
    if spec.condition is not None:
        parts.append(f"if {spec.condition}")
    if spec.log is not None:
        parts.append(f"log {spec.log}")
    return " ".join(parts)


def write_line(write: CellWrite) -> str:
    """One write of a cell."""
    old, new = shown(write.old), shown(write.new)
    at = write.location if isinstance(write.location, tuple) else write.span[0]
    return f"step {write.step}: {old} to {new}, by the instruction at {address_text(at)}"


def _stops(spec: BreakpointSpec) -> Iterable[str]:
    if spec.offset is not None:
        yield f"at offset {spec.offset}"
    if spec.position is not None:
        yield f"at {address_text(spec.position)}"
    if spec.place is not None:
        yield f"at {spec.place}"
    if spec.instruction is not None:
        yield f"at any {quoted(spec.instruction.encode('utf-8', 'surrogateescape'))}"
    if spec.source_line is not None:
        yield f"at line {spec.source_line} of the source"
    if spec.cell is not None:
        yield f"when cell {address_text(spec.cell)} is written"
    if spec.slot is not None:
        yield f"when a value is put into {place_text(spec.slot)}"
    if spec.read is not None:
        yield f"before cell {address_text(spec.read)} is read"
    if isinstance(spec.output, int):
        yield f"when output byte {spec.output} is printed"
    elif spec.output is not None:
        character = spec.output.encode() if isinstance(spec.output, str) else spec.output
        yield f"when {quoted(character)} is printed"
    if spec.step is not None:
        yield f"at step {spec.step}"
    if spec.every is not None:
        yield f"at every step that is a multiple of {spec.every}"
    if spec.new:
        yield "at any instruction that was never executed before"
    if spec.effect is not None:
        yield {
            "write": "at any write",
            "output": "at any output",
            "input": "at any read of input",
        }[spec.effect]
