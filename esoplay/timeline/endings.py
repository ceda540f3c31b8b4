"""How a run ended, as a finding: a fault, a limit, a wait for input, or by itself.

A finding says how certain it is: *proved* follows from the rules of the machine, *observed* was
seen in this run, *possible* is a guess that the reader has to judge.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from esolangs.diagnosis import Diagnostics, Store
from esolangs.machine import Machine
from esolangs.stops import StopSet
from esoplay.timeline.places import address_text
from esoplay.timeline.scans import stopped_machines
from esoplay.timeline.timeline import Timeline

Certainty = Literal["proved", "observed", "possible"]

_WINDOW = 2_000  # steps that are looked through at once, backwards
_WINDOWS = 20  # how many such windows are


@dataclass(frozen=True, slots=True)
class Moment:
    """A step that a finding is about, and what happened there."""

    step: int
    what: str


@dataclass(frozen=True, slots=True)
class Finding:
    """kind: a stable word.  text: a sentence.  advice: what to try, may be empty.

    moments: where to look; the first one is the first bad moment.
    """

    kind: str
    certainty: Certainty
    text: str
    advice: str
    moments: tuple[Moment, ...] = ()


def how_it_ended(
    timeline: Timeline, machine: Machine, diagnostics: Diagnostics | None, *, quick: bool = False
) -> Iterator[Finding]:
    """How a run ended, by the machine in its last known state; ``quick`` looks back less far."""
    windows = 1 if quick else _WINDOWS
    here, fault, limits = timeline.known, machine.fault, timeline.recording.limits
    if fault is not None:
        advice = diagnostics.advice.get(fault.kind, "") if diagnostics else ""
        text = f"line {fault.line}, column {fault.column}: {fault.message}"
        moments = [Moment(here, "the fault")]
        store = diagnostics.store(machine) if diagnostics else None
        if diagnostics is not None and store is not None:
            level = diagnostics.level(machine, store)
            said, emptied = _emptied(timeline, diagnostics, store, level, windows)
            text = f"{text}; {said}" if said else text
            moments[:0] = emptied
        yield Finding(fault.kind, "observed", text, advice, tuple(moments))
    elif machine.limit == "steps":
        yield Finding(
            "step_limit",
            "observed",
            f"the limit of {limits.steps:,} steps is used up",
            "see what is repeated in the last steps; if all is well, allow more steps",
            (Moment(here, "the last step allowed"),),
        )
    elif machine.limit == "output":
        yield Finding(
            "output_limit",
            "observed",
            f"the limit of {limits.output:,} bytes of output is used up",
            "look for a loop that prints and does not come to its end",
            _printing(timeline),
        )
    elif machine.limit == "memory":
        yield Finding(
            "memory_limit",
            "observed",
            f"the limit of {limits.memory:,} bytes of memory is used up",
            "look for a loop that goes on to new cells, or puts more away than it takes",
            (Moment(here, "what did not fit any more"),),
        )
    elif machine.status == "needs_input":
        yield Finding(
            "needs_input",
            "observed",
            f"the program waits for input, after {len(timeline.read_steps):,} bytes",
            "type what it asks for, or say that the input ends",
            (Moment(here, "the read that waits"),),
        )
    elif machine.status == "halted":
        yield Finding("ended", "observed", f"the program ended by itself after {here:,} steps", "")


def _printing(timeline: Timeline) -> tuple[Moment, ...]:
    return (Moment(timeline.output_steps[0], "the first byte"),) if timeline.output else ()


def _emptied(
    timeline: Timeline, diagnostics: Diagnostics, store: Store, level: int, windows: int
) -> tuple[str, list[Moment]]:
    """Who took what a fault found missing."""
    high = timeline.known
    for _ in range(windows):
        low = max(0, high - _WINDOW)
        machine = timeline.machine_at(low)
        levels = [diagnostics.level(machine, store)]
        for each in stopped_machines(timeline, StopSet(every=True), low, high):
            levels.append(diagnostics.level(each, store))
        fallen = [low + at for at, (a, b) in enumerate(pairwise(levels), 1) if b < a]
        if fallen:
            step = fallen[-1]
            who = _instruction(timeline.machine_at(step - 1))
            left = "emptied" if not level else f"left with {level}"
            said = f"{store.name} was {left} by step {step:,}, {who}"
            return said, [Moment(step, f"{store.name} was {left}")]
        if low == 0:
            return ("" if level else f"nothing was ever put on {store.name}"), []
        high = low
    return "", []


def _instruction(machine: Machine) -> str:
    at = machine.view().location
    text = " ".join(at.instruction.split())
    text = text if len(text) <= 40 else text[:39] + "…"
    place = (
        f"at ({address_text(at.address)})"
        if isinstance(at.address, tuple)
        else f"at line {at.line}, column {at.column}"
    )
    return f"{text!r} {place}" if text else f"the instruction {place}"
