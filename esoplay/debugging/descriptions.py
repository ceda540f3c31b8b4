"""Views and stops as plain sentences: one thought a line, nothing drawn, nothing coloured."""

from __future__ import annotations

from esolangs.numbers import shown
from esolangs.view import View
from esoplay.debugging.panels import times
from esoplay.service.debugging import Breakpoint, CellWrite, Stop, address_text
from esoplay.service.watches import Watch
from esoplay.timeline.breakpoint_spec import breakpoint_words

_SAID_BY_WHERE = frozenset({"end", "fault", "limit", "needs_input"})
_LONGEST_INSTRUCTION = 80  # characters
_PASSING = 0  # the breakpoint of "run to here", which nobody has set


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
    return f"{breakpoint.id}: {breakpoint_words(breakpoint.spec)}, {hits}{off}"


def write_line(write: CellWrite) -> str:
    """One write of a cell."""
    old, new = shown(write.old), shown(write.new)
    at = write.location if isinstance(write.location, tuple) else write.span[0]
    return f"step {write.step}: {old} to {new}, by the instruction at {address_text(at)}"


def visible(text: str) -> str:
    """Lines as they are, but for characters that would steer a terminal: those are escaped."""
    return "".join(
        sign if sign == "\n" or sign.isprintable() else repr(sign)[1:-1] for sign in text
    )
