"""Two runs of the same text side by side, and what is told of where they differ."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Literal

from esolangs.machine import FINAL, Machine
from esolangs.numbers import shown
from esolangs.stops import Step
from esoplay.timeline.places import address_text
from esoplay.timeline.timeline import Ticker, Timeline, tick

Kind = Literal["input", "state", "output", "path", "end"]

_SINGLY = 100_000  # steps that are compared one by one before slices are
_SINGLY_AFTER = 30_000  # steps of the same after the first difference
_CHUNK = 10_000  # steps of such a slice
_TICK = 0.02  # seconds between two calls of a ticker


@dataclass(frozen=True, slots=True)
class Side:
    """One run where it parts from the other: the state after ``step`` steps.

    instruction: what is about to be executed there; empty at the end.
    what: what this run did that the other did not.
    """

    step: int
    place: str
    instruction: str
    explanation: str
    what: str


@dataclass(frozen=True, slots=True)
class Difference:
    """input, state, output: a step read, wrote or printed something else.

    path: another instruction is next.  end: one run ends here, or otherwise than the other.
    """

    kind: Kind
    this: Side
    other: Side


class Lockstep:
    """Two machines of the same text, side by side.

    first: the first difference.  path: the first one of the path.  exact: whether every step
    before these was looked at.  skipped: whether there are some that were not.
    """

    def __init__(self, this: Timeline, other: Timeline, ticker: Ticker | None):
        self._runs = this, other
        self._ticker = ticker
        self._ticked = time.monotonic()
        self._diagnostics = this.program.language.diagnostics()
        self._machines = [this.machine_at(0), other.machine_at(0)]
        self._compared = 0  # steps, one by one
        self._patience = _SINGLY
        self.skipped = False
        self._parted = False
        self.first: Difference | None = None
        self.path: Difference | None = None
        self.exact = True

    def run(self, low: int, high: int) -> None:
        """Compare up to step ``high``, which both may not reach; ``low`` steps are the same."""
        if self.first is None and self._machines[0].steps < low:
            self._machines = [run.machine_at(low) for run in self._runs]
        while not self._parted and self._machines[0].steps < high:
            end = min(high, self._machines[0].steps + _CHUNK)
            if self._compared >= self._patience:
                ahead = [run.machine_at(min(end, run.known)) for run in self._runs]
                looks = [self._look(machine, self.first is None) for machine in ahead]
                if looks[0] == looks[1] and ahead[0].steps == end:
                    self.skipped = True
                    self._machines = ahead
                    self._look_up(end, high)
                    continue
            self._parted = not self._singly(self._machines, end, high)

    def _look(self, machine: Machine, whole: bool = True) -> object:
        """What is compared of a state; not the ``whole`` where only the path still matters."""
        if not whole or self._diagnostics is None:
            return machine.steps, machine.location, machine.output_length
        brief = self._diagnostics.brief(machine)
        return machine.steps, machine.location, machine.output_length, brief

    def _singly(self, machines: list[Machine], end: int, high: int) -> bool:
        """Go on step by step to ``end``; whether both runs got there without parting."""
        this, other = machines
        while this.steps < end:
            self._compared += 1
            steps = [machine.step() for machine in machines]
            for run, machine in zip(self._runs, machines, strict=True):
                run.apply_edits(machine)
            a, b = steps
            if a is None or b is None:
                if (a is None) != (b is None):
                    self._note("end", machines, _done(a, this), _done(b, other))
                return False
            kind = _kind(a, b)
            if kind is not None:
                self._note(kind, machines, _did(kind, a), _did(kind, b))
            elif self._look(this) != self._look(other) and this.location == other.location:
                self._note("state", machines, "its state is another", "its state is another")
            if this.location != other.location:
                self._note("path", machines, "it goes on here", "it goes on here")
                return False
            self._look_up(this.steps, high)
        return True

    def _note(self, kind: Kind, machines: list[Machine], what: str, others: str) -> None:
        if self.first is not None and kind not in ("path", "end"):
            return
        this, other = self._runs
        sides = side_of(this, machines[0], what), side_of(other, machines[1], others)
        difference = Difference(kind, *sides)
        self.exact = self.exact and not self.skipped
        if self.first is None:
            self.first = difference
            self._patience = self._compared + _SINGLY_AFTER
        if kind == "path":
            self.path = difference

    def _look_up(self, done: int, total: int) -> None:
        if time.monotonic() - self._ticked > _TICK:
            self._ticked = time.monotonic()
            tick(self._ticker, done, total)


def _kind(a: Step, b: Step) -> Kind | None:
    """In what two steps of the same number differ."""
    if a.printed != b.printed:
        return "output"
    if a.read != b.read:
        return "input"
    return None if a.location == b.location and stored(a) == stored(b) else "state"


def stored(step: Step) -> object:
    """What a step put into places, whatever stood there before."""
    return step.pushes, [(write.address, write.new) for write in step.writes]


def _did(kind: Kind, step: Step) -> str:
    """What a step did, of the kind in which it differs."""
    number = f"step {step.number:,}"
    if kind == "output":
        return f"{number} printed {text_of(step.printed) if step.printed else 'nothing'}"
    if kind == "input":
        if step.read is None:
            return f"{number} read nothing"
        return f"{number} read {text_of(step.read) if step.read else 'the end of the input'}"
    writes = ", ".join(
        f"{shown(write.new)} to cell {address_text(write.address)}" for write in step.writes[:3]
    )
    return f"{number} wrote {writes or 'nothing'}"


def _done(step: Step | None, machine: Machine) -> str:
    if step is not None:
        return "it goes on"
    return "it has ended" if machine.status in FINAL else "it waits for input"


def side_of(timeline: Timeline, machine: Machine, what: str) -> Side:
    """A run in the state of ``machine``, and what it did."""
    at = machine.view().location
    if isinstance(at.address, tuple) and len(at.address) == 2:
        place = f"at ({address_text(at.address)})"
    else:
        place = f"line {at.line}, column {at.column}"
    return Side(machine.steps, place, " ".join(at.instruction.split()), at.explanation, what)


def text_of(data: bytes) -> str:
    """Bytes in quotes, the first of many."""
    return repr(data[:40])[1:]
