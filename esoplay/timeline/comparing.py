"""Where two runs part: two inputs, two versions of a program, or two dialects.

Runs of the same text are compared step by step: the instruction executed, what it wrote, read
and printed, and where it led.  Everything before the first read of a byte in which the inputs
differ is the same in both, and is passed at speed.  Runs of different texts have no steps in
common, so only their output is compared.
"""

from __future__ import annotations

from dataclasses import dataclass

from esoplay.timeline.lockstep import Difference, Lockstep, Side, side_of, text_of
from esoplay.timeline.stop import ending
from esoplay.timeline.timeline import Ticker, Timeline, tick

BUDGET = 10_000_000
"""Steps of either run that are looked at, unless another number is asked for."""

_FIRST_SLICE = 5_000  # steps to the first look at both outputs
_SLICE = 200_000  # steps between two such looks, at most
_FURTHER = 300_000  # steps beyond a difference in which another one is looked for


@dataclass(frozen=True, slots=True)
class Comparison:
    """differences: the first one of all, then the first of the path and of the output.

    same_program: whether steps could be compared, not only output.  steps: how far each run
    was looked at.  complete: both ended (or wait for input) within that.  exact: no step
    before a difference of steps was passed over by looking at slices only.
    """

    differences: tuple[Difference, ...]
    same_program: bool
    steps: tuple[int, int]
    complete: bool
    exact: bool = True


def compare(
    this: Timeline, other: Timeline, budget: int = BUDGET, ticker: Ticker | None = None
) -> Comparison:
    """The first differences between two runs.  Both keep their positions.  Raises Cancelled."""
    before = this.step, other.step
    try:
        return _compare(this, other, budget, ticker)
    finally:
        this.seek(before[0])
        other.seek(before[1])


def _compare(this: Timeline, other: Timeline, budget: int, ticker: Ticker | None) -> Comparison:
    same = _text(this) == _text(other)
    lockstep = Lockstep(this, other, ticker) if same else None
    target, slice, limit = 0, _FIRST_SLICE, budget
    output: Difference | None = None
    while target < limit:
        target = min(target + slice, limit)
        slice = min(2 * slice, _SLICE)
        this.seek(target)
        other.seek(target)
        tick(ticker, target, budget)
        if lockstep is not None and lockstep.path is None:
            lockstep.run(_common_steps(this, other, target), target)
            if lockstep.first is not None:
                limit = min(limit, _step_of(lockstep.first) + _FURTHER)
        output = _output(this, other)
        if output is not None or (_is_over(this, target) and _is_over(other, target)):
            break
    found: list[Difference] = []
    if lockstep is not None:
        found += [each for each in (lockstep.first, lockstep.path) if each is not None]
    if output is not None and (not found or found[0].kind != "output"):
        found.append(output)
    if not found:
        found += _endings(this, other)
    steps = min(this.known, target), min(other.known, target)
    complete = all(_is_over(each, target) for each in (this, other))
    exact = lockstep is None or (lockstep.exact and not (lockstep.skipped and not found))
    return Comparison(tuple(dict.fromkeys(found)), same, steps, complete, exact)


def _step_of(difference: Difference) -> int:
    return max(difference.this.step, difference.other.step)


def _text(timeline: Timeline) -> tuple[str, bytes]:
    return timeline.recording.language, timeline.recording.source


def _is_over(timeline: Timeline, target: int) -> bool:
    """Whether a run that was sought to ``target`` goes no further."""
    return timeline.step < target or timeline.step == timeline.end


def _common_steps(this: Timeline, other: Timeline, target: int) -> int:
    """Steps up to ``target`` that both have in common because nothing made them differ yet."""
    a, b = this.recording, other.recording
    if (dict(a.options), a.seed, a.edits, a.started) != (
        dict(b.options),
        b.seed,
        b.edits,
        b.started,
    ):
        return 0
    shared = _common(a.stdin, b.stdin)
    reads = [step for each in (this, other) if (step := each.read_by(shared)) is not None]
    return min([*reads, this.known, other.known, target]) - 1 if target else 0


def _common(a: bytes | bytearray, b: bytes | bytearray) -> int:
    """Bytes at the beginning that are the same."""
    length = min(len(a), len(b))
    if a[:length] == b[:length]:
        return length
    low, high = 0, length
    while high - low > 1:
        middle = (low + high) // 2
        if a[low:middle] == b[low:middle]:
            low = middle
        else:
            high = middle
    return low


def _output(this: Timeline, other: Timeline) -> Difference | None:
    """The first output byte that one printed and the other will not, as far as is known."""
    a, b = this.output, other.output
    at = _common(a, b)
    sides: list[Side] = []
    for mine, timeline in ((a, this), (b, other)):
        if at < len(mine):
            step = timeline.output_steps[at]
            what = f"step {step:,} printed {_byte(mine[at])} as output byte {at:,}"
        elif at == len(a) == len(b) or timeline.end is None:
            return None  # it may print that yet
        else:
            step = timeline.end
            what = f"it ended before output byte {at:,}"
        sides.append(side_of(timeline, timeline.machine_at(step), what))
    return Difference("output", sides[0], sides[1])


def _endings(this: Timeline, other: Timeline) -> list[Difference]:
    """That two runs which printed the same ended differently."""
    if this.end is None and this.status != "needs_input":
        return []
    if other.end is None and other.status != "needs_input":
        return []
    machines = [each.machine_at(each.known) for each in (this, other)]
    told: list[str] = []
    for each in (this, other):
        each.seek(each.known)
        each.machine.run(1)
        told.append(ending(each).text)
    fault = [each.machine.fault for each in (this, other)]
    kinds = [None if each is None else each.kind for each in fault]
    if this.machine.status == other.machine.status and kinds[0] == kinds[1]:
        return []
    sides = [
        side_of(each, machine, what)
        for each, machine, what in zip((this, other), machines, told, strict=True)
    ]
    return [Difference("end", sides[0], sides[1])]


def _byte(value: int) -> str:
    return text_of(bytes([value]))
