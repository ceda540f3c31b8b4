"""Time travel: how long a seek takes, what history costs in memory and in speed."""

from __future__ import annotations

import random
import time
import tracemalloc
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from statistics import median

import lists
import unlambda
from measure import (
    FOLDER,
    Row,
    WrongAnswerError,
    cpu_seconds,
    in_turns,
    percentile,
    power_of_ten,
    use_tier,
)

from esolangs.language import Program
from esolangs.limits import UNLIMITED, Limits
from esolangs.registry import find_language
from esoplay.debugging.debugger import BreakpointSpec, Debugger
from esoplay.running.run import SLICE
from esoplay.timeline.timeline import DEBUG_LIMITS, Recording, Timeline

HISTORY = 10_000_000  # steps
LONG_HISTORY = 1_000_000_000
SEEKS = 200
MOST_SEEK_SECONDS = 0.050
MOST_BYTES = 64 << 20
MOST_SLOWDOWN = 1.3
MOST_REVERSE_SECONDS = 2.0
VISITS = 200_000
MOST_VISIT_SECONDS = 1e-6
FIRST_COMMANDS = 20  # of mandelbrot.bf: executed once


@dataclass(frozen=True, slots=True)
class Subject:
    """A program that can run for a long time, with the options it needs."""

    name: str
    source: bytes
    options: dict[str, str | int]
    language: str = "brainfuck"

    def debugger(self) -> Debugger:
        return Debugger.open(self.language, self.source, options=self.options)

    def program(self) -> Program:
        language = find_language(self.language)
        return language.parse(self.source, language.configure("standard", self.options))

    def timeline(self, program: Program) -> Timeline:
        recording = Recording(self.language, "standard", program.options, self.source)
        return Timeline(program, recording)


SUBJECTS = (
    Subject("mandelbrot", (FOLDER / "programs" / "mandelbrot.bf").read_bytes(), {}),
    # Round and round a tape of fixed size, all of which belongs to the state.
    Subject("1 MB of cells", b"<+[>+]", {"tape": "wrap", "size": 1_000_000}),
    # A byte every six steps, as many as a debugger's output limit allows in 10^7 steps.
    Subject("much output", b"+[>+<.]", {}),
)

UNLAMBDA = (
    # Almost all words stay alive: 6 million after 10^7 steps.
    Subject("numerals, Unlambda", unlambda.growing(22), {}, "unlambda"),
    # Most of the words that a reversal makes soon are garbage, and the list before it, too.
    Subject("lists of 2¹⁷, Unlambda", lists.reversals(17, 4), {}, "unlambda"),
    Subject("lists of 2¹⁰, Unlambda", lists.reversals(10, 800), {}, "unlambda"),
)


@dataclass(frozen=True, slots=True)
class Loop:
    """An endless loop of so many steps that visits ``offset`` once, and a condition false there."""

    language: str
    source: bytes
    offset: int
    steps: int
    condition: str


PLAY = b"""A loop.

Romeo, who counts.
Juliet, who listens.

Act I: One.
Scene I: One.
[Enter Romeo and Juliet]
Scene II: Two.
Juliet: You are as good as the sum of you and a flower. Let us return to Scene II.
"""
COUNTER = b"   \t\n\n  \t\n   \t\n\t   \n \n\t\n"  # push 1; label; push 1, add, jump to it
LOOPS = (
    Loop("brainfuck", b"+[>+<+-]", 4, 7, "cell[1] == 300 and ptr == 0"),
    Loop("befunge-98", b"0>1+v\n ^  <", 3, 6, "stack[-2] == -1 and x == 3"),
    Loop("whitespace", COUNTER, 10, 4, "top == -1 and depth == 1"),
    Loop("unlambda", b"```sii``sii", 9, 3, "depth == 3 and char == -1"),
    Loop("shakespeare", PLAY, PLAY.index(b"You"), 2, "romeo == -1 and juliet < 1"),
)


def rows(quick: bool) -> Iterator[Row]:
    """The rows of this benchmark; ``quick`` takes shorter histories."""
    scale = 100 if quick else 1
    for subject in (*SUBJECTS, *UNLAMBDA):
        yield _seeks(subject, HISTORY // scale, SEEKS // (10 if quick else 1))
    for steps in (HISTORY // scale, LONG_HISTORY // scale):
        for subject in SUBJECTS:
            yield _memory(subject, steps)
    for subject in (*SUBJECTS, *UNLAMBDA):
        yield _slowdown(subject, HISTORY // scale, 1 if quick else 15)
    yield _slowdown(SUBJECTS[0], LONG_HISTORY // scale, 1 if quick else 3)
    yield _back_to_the_start(HISTORY // scale, 1 if quick else 5)
    for loop in LOOPS[:3]:
        yield _to_a_far_breakpoint(loop, LONG_HISTORY // scale, 1 if quick else 3)
    for loop in LOOPS:
        yield _condition(loop, VISITS // scale, 1 if quick else 5)


def _seeks(subject: Subject, steps: int, count: int) -> Row:
    """Seek between random steps of a history."""
    debugger = subject.debugger()
    debugger.seek(steps)
    targets = random.Random(subject.name).sample(range(steps + 1), count)
    seconds: list[float] = []
    for target in targets:
        began = time.perf_counter()
        stop = debugger.seek(target)
        seconds.append(time.perf_counter() - began)
        if stop.step != target:
            raise WrongAnswerError(f"{subject.name}: seek {target} ends at {stop.step}")
    median, most = percentile(seconds, 50), max(seconds)
    return Row(
        f"seek in {power_of_ten(steps)} steps: {subject.name}",
        f"median {median * 1e3:.1f} ms, 95 % {percentile(seconds, 95) * 1e3:.1f} ms, "
        f"slowest {most * 1e3:.1f} ms",
        f"≤ {MOST_SEEK_SECONDS * 1e3:.0f} ms",
        most <= MOST_SEEK_SECONDS,
        {"median": median, "p95": percentile(seconds, 95), "max": most, "seeks": count},
    )


def _memory(subject: Subject, steps: int) -> Row:
    """Measure the memory of a timeline after ``steps`` steps, beside its own count."""
    program = subject.program()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        timeline = subject.timeline(program)
        timeline.seek(steps)
        after, peak = (size - before for size in tracemalloc.get_traced_memory())
    finally:
        tracemalloc.stop()
    indexes = len(timeline.output) + timeline.output_steps.size + timeline.read_steps.size
    known = timeline.checkpoints.size
    ended = "" if timeline.step == steps else f", ended at {timeline.step:,}"
    return Row(
        f"history of {power_of_ten(steps)} steps: {subject.name}",
        f"{after / 2**20:.1f} MiB, at most {peak / 2**20:.1f} "
        f"(checkpoints {known / 2**20:.1f}, indexes {indexes / 2**20:.1f}{ended})",
        f"≤ {MOST_BYTES >> 20} MiB",
        after <= MOST_BYTES,
        {"bytes": after, "peak": peak, "checkpoints": known, "indexes": indexes},
    )


def _slowdown(subject: Subject, steps: int, rounds: int) -> Row:
    """Running with history, against running the way `esoplay run` does."""
    program = subject.program()

    def plainly() -> None:
        machine = program.start(limits=DEBUG_LIMITS)
        while machine.steps < steps:
            if machine.run(min(SLICE[program.engine], steps - machine.steps)) != "running":
                break
            machine.take_output()

    with_history, without = in_turns(
        rounds,
        lambda: cpu_seconds(lambda: subject.timeline(program).seek(steps)),
        lambda: cpu_seconds(plainly),
    )
    return Row(
        f"{power_of_ten(steps)} steps with history: {subject.name}",
        f"{with_history / without:.2f} × running without ({without * 1e3:.1f} ms)",
        f"≤ {MOST_SLOWDOWN:g} ×",
        with_history <= MOST_SLOWDOWN * without,
        {"slowdown": with_history / without, "seconds_without": without},
    )


def _back_to_the_start(steps: int, rounds: int) -> Row:
    """Backwards over all history to a breakpoint that applied once, near its beginning."""
    subject = SUBJECTS[0]
    debugger = Debugger.open("brainfuck", subject.source, limits=Limits(UNLIMITED))
    debugger.add_breakpoint(BreakpointSpec(offset=FIRST_COMMANDS))
    debugger.seek(steps)

    def back() -> float:
        debugger.seek(steps)
        began = time.perf_counter()
        stop = debugger.resume(reverse=True)
        seconds = time.perf_counter() - began
        if stop.step != FIRST_COMMANDS:
            raise WrongAnswerError(f"continuing backwards ends at step {stop.step}")
        return seconds

    (seconds,) = in_turns(rounds, back)
    return Row(
        f"reverse-continue over {power_of_ten(steps)} steps",
        f"{seconds * 1e3:.0f} ms, {steps / seconds / 1e6:.0f} M steps/s",
        figures={"seconds": seconds},
    )


def _to_a_far_breakpoint(loop: Loop, steps: int, rounds: int) -> Row:
    """Forwards and backwards in an endless loop, with a breakpoint before the loop."""
    name = f"continue over {power_of_ten(steps)} steps of {loop.language}, native tier"
    if find_spec("wasmtime") is None:
        return Row(name, "skipped: wasmtime is not installed")

    def move(debugger: Debugger, target: int, *, reverse: bool) -> float:
        began = time.perf_counter()
        stop = debugger.resume(budget=steps, reverse=reverse)
        seconds = time.perf_counter() - began
        if stop.step != target:
            raise WrongAnswerError(f"continuing ends at step {stop.step}, not {target}")
        return seconds

    forwards: list[float] = []
    backwards: list[float] = []
    for _ in range(rounds):
        with use_tier("auto"):
            debugger = Debugger.open(loop.language, loop.source, limits=Limits(UNLIMITED))
            debugger.add_breakpoint(BreakpointSpec(offset=0))
            forwards.append(move(debugger, steps, reverse=False))
            backwards.append(move(debugger, 0, reverse=True))
    ahead, back = median(forwards), median(backwards)
    return Row(
        name,
        f"{ahead:.2f} s forwards, {back:.2f} s backwards",
        f"backwards ≤ {MOST_REVERSE_SECONDS:g} s",
        back <= MOST_REVERSE_SECONDS,
        {"forwards": ahead, "backwards": back},
    )


def _condition(loop: Loop, visits: int, rounds: int) -> Row:
    """A breakpoint in a loop whose condition is false: in the engine, and in Python (``hits``)."""

    def run(condition: str, visits: int) -> float:
        debugger = Debugger.open(loop.language, loop.source)
        debugger.add_breakpoint(BreakpointSpec(offset=loop.offset, condition=condition))
        stop: list[int] = []
        budget = loop.steps * visits
        seconds = cpu_seconds(lambda: stop.append(debugger.resume(budget=budget).step))
        if stop != [budget]:
            raise WrongAnswerError(f"{condition!r} stopped at {stop}")
        return seconds / visits

    engine, python = in_turns(
        rounds,
        lambda: run(loop.condition, visits),
        lambda: run(f"({loop.condition}) and hits", visits // 10),
    )
    return Row(
        f"a false condition in a loop of {loop.steps} steps in {loop.language}",
        f"{engine * 1e9:.0f} ns per visit, {python / engine:.0f} × as fast as in Python",
        f"≤ {MOST_VISIT_SECONDS * 1e6:g} µs",
        engine <= MOST_VISIT_SECONDS,
        {"seconds": engine, "python": python},
    )
