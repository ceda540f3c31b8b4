"""Heat, coverage and nesting: how often instructions were executed, and how deeply in loops.

A step counts for the location where it was executed. An instruction is a span of the source. Code
that a program wrote outside its source has counts, but is not an instruction.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from math import log
from typing import Any
from weakref import WeakKeyDictionary

from esolangs.language import Program
from esolangs.machine import Machine
from esolangs.source import Span, locate
from esolangs.stops import Address
from esolangs.tally import Tally
from esolangs.view import CallStack, Window
from esoplay.debugging.debugger import Bucket, Debugger, Ticker, address_text
from esoplay.timeline.profile import cached_profile
from esoplay.timeline.timeline import Recording, Timeline, first_changed_step

MAX_LEVEL = 9
"""The highest level of an execution count (see ``heat_level``); level 0 means never executed."""


@dataclass(frozen=True, slots=True)
class InstructionHeat:
    """An instruction with its execution count.

    last: the last step that executed the instruction, 0 if none.
    """

    location: Address
    span: Span
    line: int
    column: int
    instruction: str
    count: int
    last: int

    @property
    def place(self) -> str:
        """The location for display: line and column, or a point of the plane."""
        on_plane = isinstance(self.location, tuple)
        return address_text(self.location) if on_plane else f"{self.line}:{self.column}"


@dataclass(frozen=True, slots=True)
class ProgramLineHeat:
    """A line of the program with its execution counts.

    count: number of steps executed on the line. executed, instructions: numbers of its executed
    instructions and of all its instructions. last: the last step executed on the line, 0 if none.
    """

    line: int
    count: int
    executed: int
    instructions: int
    last: int


@dataclass(frozen=True, slots=True)
class Coverage:
    """The number of instructions executed in steps 1 to ``step``, and the first unexecuted ones.

    instructions: the number of all instructions of the program.
    """

    step: int
    instructions: int
    executed: int
    unexecuted: tuple[InstructionHeat, ...]

    @property
    def percent(self) -> int:
        """The percentage of instructions executed, rounded down; 100 only if all were executed."""
        return 100 * self.executed // self.instructions if self.instructions else 100


def heat_level(count: int, maximum: int) -> int:
    """Map a count to a logarithmic scale: 0 for 0, 1 for 1, ``MAX_LEVEL`` for ``maximum``."""
    if count <= 0:
        return 0
    if maximum <= 1:
        return 1
    return 1 + int((MAX_LEVEL - 1) * log(count) / log(maximum) + 1e-9)


class Heat:
    """The execution counts of steps 1 to ``step``.

    max_count: the highest count of any location.
    """

    def __init__(self, tally: Tally) -> None:
        self._tally = tally
        self.step = tally.steps
        self.max_count = tally.max_count

    def count_and_last_step(self, location: Address) -> tuple[int, int]:
        """Return how often a location was executed, and the last step that executed it (or 0)."""
        return self._tally.count_and_last_step(location)

    def level(self, count: int) -> int:
        """Return the level of a count: 0 for 0, 1 for 1, ``MAX_LEVEL`` for the highest count."""
        return heat_level(count, self.max_count)

    def recency(self, step: int) -> int:
        """Return how recent ``step`` is: 0 for step 0, up to ``MAX_LEVEL`` for the last step.

        The scale is logarithmic.
        """
        if step <= 0:
            return 0
        if self.step <= 1:
            return MAX_LEVEL
        return MAX_LEVEL - int((MAX_LEVEL - 1) * log(self.step - step + 1) / log(self.step) + 1e-9)


def heat(debugger: Debugger, *, whole_history: bool = False, ticker: Ticker | None = None) -> Heat:
    """Return the execution counts up to the current step.

    whole_history: whether to count all known history instead. Raises MoveCancelled if ``ticker``
    returns False.
    """
    upto = debugger.known_steps if whole_history else debugger.step
    return Heat(cached_profile(debugger.timeline).tally_at(debugger.timeline, upto, ticker))


def coverage(
    debugger: Debugger,
    limit: int,
    *,
    whole_history: bool = False,
    ticker: Ticker | None = None,
) -> Coverage:
    """Return the coverage up to the current step, or in all known history if ``whole_history``.

    Raises MoveCancelled if ``ticker`` returns False. limit: maximum number of unexecuted
    instructions to list.
    """
    counts = heat(debugger, whole_history=whole_history, ticker=ticker)
    program, never, missing = debugger.program, list[Span](), 0
    spans = program.spans()
    for span in spans:
        if not counts.count_and_last_step(program.address_at(span[0]))[0]:
            missing += 1
            if len(never) < limit:
                never.append(span)
    spots = tuple(_instruction_heats(program, counts, never))
    return Coverage(counts.step, len(spans), len(spans) - missing, spots)


def hottest_instructions(counts: Heat, program: Program, limit: int) -> list[InstructionHeat]:
    """Return up to ``limit`` instructions, most frequently executed first."""
    ranked = (
        (-counts.count_and_last_step(program.address_at(span[0]))[0], span)
        for span in program.spans()
    )
    chosen = nsmallest(limit, (each for each in ranked if each[0]))
    return list(_instruction_heats(program, counts, [span for _, span in chosen]))


def hottest_lines(counts: Heat, program: Program, limit: int) -> list[ProgramLineHeat]:
    """Return up to ``limit`` lines of the program, most frequently executed first."""
    lines: dict[int, list[int]] = {}
    line, at = 1, 0
    for start, _ in sorted(program.spans()):
        line += program.source.count(b"\n", at, start)
        at = start
        count, last = counts.count_and_last_step(program.address_at(start))
        total = lines.setdefault(line, [0, 0, 0, 0])
        total[0] += count
        total[1] += count > 0
        total[2] += 1
        total[3] = max(total[3], last)
    rows = (ProgramLineHeat(line, *total) for line, total in lines.items())
    return nsmallest(limit, rows, key=lambda row: (-row.count, row.line))


def _instruction_heats(
    program: Program, counts: Heat, spans: Iterable[Span]
) -> Iterable[InstructionHeat]:
    for span in spans:
        location = program.address_at(span[0])
        line, column = locate(program.source, span[0])
        text = program.source[slice(*span)].decode("utf-8", "replace")
        yield InstructionHeat(
            location, span, line, column, text, *counts.count_and_last_step(location)
        )


def instruction_as_json(instruction: InstructionHeat, counts: Heat | None = None) -> dict[str, Any]:
    """Return an instruction as JSON; with ``counts``, also its count, last step and level."""
    data: dict[str, Any] = {
        "span": list(instruction.span),
        "line": instruction.line,
        "column": instruction.column,
        "instruction": instruction.instruction,
    }
    if isinstance(instruction.location, tuple):
        data["position"] = list(instruction.location)
    if counts is not None:
        data |= {
            "count": instruction.count,
            "last": instruction.last,
            "level": counts.level(instruction.count),
        }
    return data


def line_as_json(line_heat: ProgramLineHeat) -> dict[str, int]:
    """Return a line of the program with its counts as JSON."""
    return {
        "line": line_heat.line,
        "count": line_heat.count,
        "executed": line_heat.executed,
        "instructions": line_heat.instructions,
        "last": line_heat.last,
    }


def coverage_as_json(coverage: Coverage) -> dict[str, Any]:
    """Return coverage as JSON: the counts, and the first instructions that were not executed."""
    return {
        "step": coverage.step,
        "instructions": coverage.instructions,
        "executed": coverage.executed,
        "percent": coverage.percent,
        "never": [instruction_as_json(spot) for spot in coverage.unexecuted],
        "more": coverage.instructions - coverage.executed - len(coverage.unexecuted),
    }


def coverage_text(coverage: Coverage) -> str:
    """Return the coverage as one sentence."""
    words = (
        f"{coverage.executed} of {coverage.instructions} instructions executed "
        f"({coverage.percent} %) up to step {coverage.step}"
    )
    if coverage.unexecuted:
        places = " ".join(spot.place for spot in coverage.unexecuted)
        more = coverage.instructions - coverage.executed - len(coverage.unexecuted)
        words += f"; never: {places}" + (f" and {more} more" if more else "")
    return words


# Nesting: the number of loops, calls and frames around a step, sampled for each part of history.
# Each call of ``nesting_depths`` adds a few samples, so it takes at most a few milliseconds.

MAX_QUERY_SECONDS = 0.008
"""Maximum seconds that one call of ``nesting_depths`` samples; later calls add more samples."""

MAX_SAMPLE_STEPS = {"compiled": 20_000, "plain": 4_000}
"""The maximum number of steps to run from a checkpoint to a sample, by engine."""

_SMALL_WINDOW = Window(cells=1, depth=1, width=1, height=1)


class _Samples:
    """The sampled nesting depths of one timeline, keyed by step."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.depths: dict[int, int] = {}


def nesting_depths(debugger: Debugger, buckets: Sequence[Bucket]) -> tuple[int, ...]:
    """Return the nesting depth at one step of each bucket, near its end.

    If that step is far from a checkpoint, uses the step of the checkpoint before it. The depth is
    the number of loops or calls around the step; 0 if it is not known yet.
    """
    timeline = debugger.timeline
    samples = _SAMPLES.get(timeline)
    if samples is None:
        samples = _SAMPLES[timeline] = _Samples(timeline.recording)
    _discard_changed_samples(samples, timeline)
    deadline = time.monotonic() + MAX_QUERY_SECONDS
    max_steps = MAX_SAMPLE_STEPS.get(timeline.program.engine, 0)
    depths: list[int] = []
    for bucket in buckets:
        step = _sample_step(bucket)
        nearest = timeline.checkpoints.nearest_before(step).steps
        step = step if step - nearest <= max_steps else nearest
        if step not in samples.depths and time.monotonic() < deadline:
            samples.depths[step] = _depth(timeline.machine_at(step))
        depths.append(samples.depths.get(step, 0))
    return tuple(depths)


def _sample_step(bucket: Bucket) -> int:
    """Return a step within a bucket, rounded so that it rarely changes while history grows."""
    width = max(1, bucket.last_step - bucket.first_step)
    return bucket.last_step >> (width.bit_length() - 1) << (width.bit_length() - 1)


def _depth(machine: Machine) -> int:
    panels = machine.view(_SMALL_WINDOW).panels
    return next((panel.depth for panel in panels if isinstance(panel, CallStack)), 0)


def _discard_changed_samples(samples: _Samples, timeline: Timeline) -> None:
    recording = timeline.recording
    if recording is samples.recording:
        return
    edited = first_changed_step(samples.recording, recording)
    samples.recording = recording
    if edited is not None:
        samples.depths = {step: depth for step, depth in samples.depths.items() if step < edited}


_SAMPLES: WeakKeyDictionary[Timeline, _Samples] = WeakKeyDictionary()
