"""Where a move ended, and why."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from esoplay.timeline.timeline import Timeline

ReasonKind = Literal[
    "step",
    "breakpoint",
    "start",
    "end",
    "fault",
    "limit",
    "needs_input",
    "budget",
    "cancelled",
]


@dataclass(frozen=True, slots=True)
class Reason:
    """One of the reasons of a stop; ``breakpoint`` is the id of the one that applied."""

    kind: ReasonKind
    text: str
    breakpoint: int | None = None


@dataclass(frozen=True, slots=True)
class Stop:
    """Where a move ended and why; ``logs`` are the lines noted on the way."""

    step: int
    reasons: tuple[Reason, ...]
    logs: tuple[str, ...] = ()


def ending(timeline: Timeline) -> Reason:
    """Why the run goes no further than its current, last state."""
    machine = timeline.machine
    fault = machine.fault
    if fault is not None:
        return Reason("fault", f"line {fault.line}, column {fault.column}: {fault.message}")
    if machine.limit is not None:
        return Reason("limit", f"the {machine.limit} limit was reached")
    if machine.status == "needs_input":
        return Reason("needs_input", "the program waits for input")
    return Reason("end", "the program ended")


def arrived(timeline: Timeline, wanted: int) -> Stop:
    """The stop after a move to step ``wanted``."""
    if wanted < 0:
        reason = Reason("start", "start of history")
    elif timeline.step < wanted or (timeline.step == timeline.end and timeline.status != "running"):
        reason = ending(timeline)
    else:
        reason = Reason("step", f"step {timeline.step}")
    return Stop(timeline.step, (reason,))


def travelled(timeline: Timeline, found: bool, reverse: bool, began: int) -> Stop:
    """The stop after a move from step ``began``; ``found``: whether what was looked for is here."""
    if not found and (timeline.step > 0 if reverse else timeline.status == "running"):
        taken = abs(timeline.step - began)
        steps = f"{taken} step{'' if taken == 1 else 's'} {'taken back' if reverse else 'executed'}"
        return Stop(timeline.step, (Reason("budget", f"{steps} without coming there"),))
    if not found and not reverse:
        return Stop(timeline.step, (ending(timeline),))
    return arrived(timeline, -1 if not found and timeline.step == 0 else timeline.step)
