"""Why a run ended, or what goes on in it: findings from facts, each with what to try."""

from __future__ import annotations

from dataclasses import dataclass

from esolangs.diagnosis import Diagnostics
from esolangs.stops import StopSet
from esoplay.timeline.endings import Finding, Moment, how_it_ended
from esoplay.timeline.recurrence import Outlook, Recurrence, look_ahead
from esoplay.timeline.scans import stopped_machines
from esoplay.timeline.timeline import Ticker, Timeline, tick

BOUND = 200_000
"""Steps within which a repeated state is looked for, unless more is asked for."""

_ODD = 50_000  # steps that are looked at one by one
_SCAN = 10_000_000  # steps of counting between two calls of a ticker
_QUIET = 10_000  # steps without input and output that are worth a remark


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """What is known of a run.

    findings: the gravest first.  known: steps of history that they are about.
    searched: steps within which no state came twice, where that was looked for in vain; it
    does not mean that the run ends.
    """

    findings: tuple[Finding, ...]
    known: int
    searched: int | None = None


def diagnose(
    timeline: Timeline, bound: int = BOUND, ticker: Ticker | None = None, *, quick: bool = False
) -> Diagnosis:
    """Findings about known history; ``quick`` looks only at how it ended.

    The timeline keeps its position.  Raises Cancelled.
    """
    diagnostics = timeline.program.language.diagnostics()
    machine = timeline.machine_at(timeline.known)
    if timeline.known == timeline.end:
        machine.run(1)  # no step is left; this tells how the program ended
    findings = list(how_it_ended(timeline, machine, diagnostics, quick=quick))
    searched = None
    if not quick and diagnostics is not None:
        if machine.status == "running" or machine.limit in ("steps", "output"):
            outlook = look_ahead(timeline, bound, ticker)
            if outlook.recurrence is not None:
                findings[:0] = [_endless(outlook.recurrence)]
            elif outlook.status == "running":
                searched = bound
                findings[:0] = _quiet(timeline)
            elif machine.status == "running" and outlook.status != "limited":
                findings.append(_ahead(outlook))
        findings += _past_the_input(timeline, diagnostics, ticker)
        findings += _oddities(timeline, diagnostics, ticker)
    return Diagnosis(tuple(findings), timeline.known, searched)


def _endless(found: Recurrence) -> Finding:
    steps = "step" if found.period == 1 else f"{found.period:,} steps"
    return Finding(
        "endless",
        "proved",
        f"the run never ends: the state after step {found.again:,} is that after step "
        f"{found.first:,}, with nothing read in between, so the same is done again every {steps}",
        "find in these steps what was to end the loop, and why it stays the same",
        (Moment(found.first, "the state"), Moment(found.again, "the same state again")),
    )


def _ahead(outlook: Outlook) -> Finding:
    """What a run that is still going on will come to."""
    said = {
        "halted": "ends by itself",
        "faulted": "comes to a fault",
        "needs_input": "waits for input",
    }[outlook.status]
    text = f"looking ahead, the run {said} after {outlook.steps:,} steps"
    return Finding("ahead", "observed", text, "", (Moment(outlook.steps, f"it {said}"),))


def _quiet(timeline: Timeline) -> list[Finding]:
    events = [steps[-1] for steps in (timeline.output_steps, timeline.read_steps) if len(steps)]
    last = max(events, default=0)
    if timeline.known - last < max(_QUIET, timeline.known // 2):
        return []
    since = f"since step {last:,}" if last else "at all"
    return [
        Finding(
            "quiet",
            "possible",
            f"it may be caught in a loop: nothing was printed or read {since}, for "
            f"{timeline.known - last:,} steps",
            "step over loops from there, and watch what their conditions look at",
            (Moment(last, "the last input or output" if last else "the start"),),
        )
    ]


def _past_the_input(
    timeline: Timeline, diagnostics: Diagnostics, ticker: Ticker | None
) -> list[Finding]:
    """Reads that met the end of the input."""
    recording, reads = timeline.recording, timeline.read_steps
    if not recording.closed or len(reads) < len(recording.stdin):
        return []
    low, high = (reads[-1] if reads else 0), timeline.known
    inputs = StopSet(inputs=True)
    first = total = 0
    for machine in stopped_machines(timeline, inputs, low, high, ticker):
        step = machine.last_step
        if step is not None and step.read == b"":
            first = first or step.number
            total += 1
            if total == 2:
                total += _count(timeline, inputs, step.number, high, ticker)
                break
    if not first:
        return []
    reading = "1 read met the end" if total == 1 else f"{total:,} reads met the end"
    policy = diagnostics.at_end_of_input(timeline.program.options)
    return [
        Finding(
            "past_input",
            "observed",
            f"the program went on reading at the end of the input: {reading}, and there {policy}",
            "if it was to stop, test for that after each read; if not, give it more input",
            (Moment(first, "the first read that met the end"),),
        )
    ]


def _count(timeline: Timeline, stops: StopSet, low: int, high: int, ticker: Ticker | None) -> int:
    machine, total = timeline.machine_at(low), 0
    for leg in timeline.legs(low, high):
        while machine.steps < leg:
            before = machine.steps
            total += machine.scan(min(_SCAN, leg - before), stops).total
            tick(ticker, machine.steps, high)
            if machine.steps == before:
                return total
        timeline.apply_edits(machine)
    return total


def _oddities(timeline: Timeline, diagnostics: Diagnostics, ticker: Ticker | None) -> list[Finding]:
    """What often surprises, at its first time within the steps that are looked at."""
    found: dict[str, Finding] = {}
    high = min(timeline.known, _ODD)
    if not diagnostics.odd or not high:
        return []
    for machine in stopped_machines(timeline, StopSet(every=True), 0, high, ticker):
        step = machine.last_step
        odd = None if step is None else diagnostics.oddity(machine, step)
        if odd is None or odd.kind in found or step is None:
            continue
        name, advice = diagnostics.odd[odd.kind]
        text = f"{odd.text}, first by step {step.number:,}"
        moment = Moment(step.number, name)
        found[odd.kind] = Finding(odd.kind, "observed", text, advice, (moment,))
        if len(found) == len(diagnostics.odd):
            break
    return list(found.values())
