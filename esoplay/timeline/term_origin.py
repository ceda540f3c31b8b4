"""Which application made a term, which one had made that, and so on back to the source.

A machine that traces knows, but no snapshot does: it replays from step 0.  The timeline keeps
the last one, from which a question about a later step goes on.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from esolangs.limits import MEBIBYTE, Limits
from esolangs.machine import FINAL, Machine
from esolangs.source import Span, locate
from esolangs.view import Made, Term, View, Window
from esoplay.timeline.timeline import Cancelled, Ticker, Timeline

MOST_LINKS = 100
"""Links of a chain."""
_SLICE = 100_000
"""Steps between two looks around."""
MOST_MEMORY = 64 * MEBIBYTE
"""That a program may have alive while it is traced, by its language's cost model: tracing takes
some six times as much besides."""


@dataclass(frozen=True, slots=True)
class Making:
    """Step number ``step`` made a term: it applied ``instruction``, which stands at ``span``.

    application: what it reduced, as far as a small window shows it.
    """

    step: int
    span: Span
    instruction: str
    application: str


@dataclass(frozen=True, slots=True)
class TermOrigin:
    """How a term came about.

    text: of the term, as the view showed it.  links: the step that made it, then the one that
    made the application which that step reduced, and so on.  end: ``source``, the program holds
    what the last link reduced (or the term, without links) at ``span``, which begins at
    ``line`` and ``column``; or ``more``: there are more links than ``MOST_LINKS``.
    """

    part: int
    text: str
    links: tuple[Making, ...]
    end: Literal["source", "more"]
    span: Span | None = None
    line: int = 0
    column: int = 0


def term_of(view: View) -> Term | None:
    """The term of a view; None in a language that has none."""
    return next((panel for panel in view.panels if isinstance(panel, Term)), None)


def term_origin(
    timeline: Timeline,
    part: int,
    window: Window | None = None,
    ticker: Ticker | None = None,
    longest: int = MOST_LINKS,
) -> TermOrigin:
    """The origin of a part of the term that a view through ``window`` shows now.

    Raises Cancelled, and ValueError when there is no such part or too much memory is in use.
    """
    here = timeline.step
    term = term_of(timeline.machine.view(window))
    if term is None:
        raise ValueError(f"{timeline.program.language.name} has no terms")
    if not 0 <= part < len(term.parts):
        count = len(term.parts)
        raise ValueError(f"the term has {count} parts, counted from 0, so there is no part {part}")
    machine = _traced(timeline, here, ticker)
    made = machine.parts_made(window)[part]
    text = term.text[slice(*term.parts[part])]
    links: list[Making] = []
    while made.step > 0:
        links.append(_making(timeline, made.step))
        known = machine.application_made(made.step)
        if len(links) == longest and (known is None or known.step > 0):
            return TermOrigin(part, text, tuple(links), "more")
        if known is None:  # so long ago that it is forgotten
            machine = _traced(timeline, made.step, ticker)
            known = machine.application_made(made.step)
            assert known is not None, "a machine knows who made what it applied last"
        made = known
        if ticker is not None and not ticker(here - made.step, here):
            raise Cancelled
    return _in_source(timeline, part, text, links, made)


def part_made_here(
    timeline: Timeline, window: Window | None = None, ticker: Ticker | None = None
) -> int | None:
    """The outermost part of the term shown now that the last step made.  Raises Cancelled."""
    here = timeline.step
    known = _traced(timeline, here, ticker).parts_made(window)
    return next((part for part, made in enumerate(known) if here and made.step == here), None)


def _in_source(
    timeline: Timeline, part: int, text: str, links: list[Making], made: Made
) -> TermOrigin:
    assert made.span is not None, "what no step made stands in the source"
    line, column = locate(timeline.program.source, made.span[0])
    return TermOrigin(part, text, tuple(links), "source", made.span, line, column)


def _making(timeline: Timeline, step: int) -> Making:
    view = timeline.machine_at(step - 1).view()
    term = term_of(view)
    assert term is not None
    application = "" if term.redex is None else term.text[slice(*term.redex)]
    return Making(step, view.location.span, view.location.instruction, application)


def _traced(timeline: Timeline, step: int, ticker: Ticker | None) -> Machine:
    """A machine that traces, at ``step`` of known history."""
    recording, limits = timeline.recording, timeline.recording.limits
    kept = timeline.traced
    if kept is not None and kept[0] is recording and kept[1].steps <= step:
        machine = kept[1]
    else:
        timeline.traced = None
        machine = timeline.program.start(
            recording.stdin,
            closed=recording.closed,
            seed=recording.seed,
            limits=Limits(limits.steps, limits.output, min(limits.memory, MOST_MEMORY)),
            world=recording.world,
        )
        if not machine.trace():
            raise ValueError(f"{timeline.program.language.name} does not tell what made a term")
        timeline.traced = recording, machine
    while machine.steps < step:
        status = machine.run(min(_SLICE, step - machine.steps))
        machine.take_printed()
        machine.take_reads()
        if status in FINAL or status == "needs_input":
            break
        if ticker is not None and not ticker(machine.steps, step):
            raise Cancelled
    if machine.steps < step:
        most = MOST_MEMORY // MEBIBYTE
        raise ValueError(f"what made a term is not told of programs that take over {most} MiB")
    return machine
