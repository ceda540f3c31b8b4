"""The origin of a value, through all copies, and the applications that made a part of a term."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from esolangs.limits import MEBIBYTE, Limits
from esolangs.machine import FINAL, Machine
from esolangs.numbers import abbreviate
from esolangs.source import Span, locate
from esolangs.stops import Address, Slot
from esolangs.view import Number, PartOrigin, Term, View, Window
from esoplay.timeline.history import SMALLEST_WINDOW, ValueWrite, value_writes_before
from esoplay.timeline.last_writes import Place
from esoplay.timeline.states import value_at
from esoplay.timeline.timeline import CellEdit, MoveCancelled, Ticker, Timeline

MAX_VALUE_LINKS = 1000
"""The maximum number of copies to follow back to the origin of a value."""

End = Literal["computed", "read", "edited", "initial", "more"]


@dataclass(frozen=True, slots=True)
class ValueOrigin:
    """The chain of copies that brought a value to a place.

    ``links`` are the steps that stored the value, newest first; each copied it from the place of
    the next link. ``end`` says where the last link's value came from: ``computed``: the last link
    computed the value or stored a constant; ``read``: the last link read the value from the input;
    ``edited``: the user wrote the value into ``place`` after ``step`` steps; ``initial``: ``place``
    had the value from the start; ``more``: there are more than ``MAX_VALUE_LINKS`` links.
    """

    links: tuple[ValueWrite, ...]
    end: End
    place: Place
    step: int
    value: Number | None = None


def origin(
    timeline: Timeline, place: Place, step: int, ticker: Ticker | None = None
) -> ValueOrigin:
    """Return the origin of the value in ``place`` after ``step`` steps.

    Raises MoveCancelled if ``ticker`` returns False.
    """
    links: list[ValueWrite] = []
    upto = min(step, timeline.known_steps)
    while len(links) < MAX_VALUE_LINKS:
        found = value_writes_before(timeline, place, upto, 1, _partial_ticker(ticker, upto, step))
        edit = _last_edit(timeline, place, found[0].step if found else 0, upto)
        if edit is not None:
            return _value_origin(links, "edited", place, edit.step, abbreviate(edit.value))
        if not found:
            return _value_origin(links, "initial", place, 0, _initial_value(timeline, place))
        links += found
        put = links[-1]
        if put.copied_from is None:
            end = "computed" if put.read is None else "read"
            return _value_origin(links, end, put.place, put.step, None)
        place, upto = put.copied_from, put.step - 1
        if ticker is not None and not ticker(step - upto, step):
            raise MoveCancelled
    return _value_origin(links, "more", place, upto, None)


def _value_origin(
    links: list[ValueWrite], end: End, place: Place, step: int, value: Number | None
) -> ValueOrigin:
    values = (each.value for each in links if each.value is not None)
    return ValueOrigin(tuple(links), end, place, step, next(values, value))


def _last_edit(timeline: Timeline, place: Place, low: int, high: int) -> CellEdit | None:
    """Return the last edit of ``place`` at steps ``low`` to ``high``; None for a stack slot."""
    if isinstance(place, Slot):  # a slot can compare equal to a point
        return None
    return next(
        (
            edit
            for edit in reversed(timeline.recording.edits)
            if edit.address == place and low <= edit.step <= high
        ),
        None,
    )


def _initial_value(timeline: Timeline, place: Place) -> Number | None:
    if isinstance(place, Slot):
        return None
    return abbreviate(timeline.machine_at(0).peek(place))


def _partial_ticker(ticker: Ticker | None, start: int, step: int) -> Ticker | None:
    """Return a ticker for the part below ``start`` of a search backward from ``step`` to 0.

    It reports the steps from ``step`` down to ``start`` as done.
    """
    if ticker is None:
        return None
    return lambda done, _total: ticker(step - start + done, step)


# Terms: a tracing machine records which application made each term.  Snapshots do not contain this
# record, so the machine runs from step 0. The timeline caches the last machine; a query for a later
# step resumes it.

MAX_TERM_LINKS = 100
"""The maximum number of applications to follow back to the origin of a term."""
_SLICE = 100_000
"""The number of steps between two calls of a ticker."""
MAX_TRACED_MEMORY = 64 * MEBIBYTE
"""The memory limit of a traced program, in its language's cost model.

Tracing itself needs about six times as much in addition.
"""


@dataclass(frozen=True, slots=True)
class TermCreation:
    """A step that created a term by applying ``instruction``, which is at ``span``.

    ``application`` is the application that the step reduced, shortened to a small window.
    """

    step: int
    span: Span
    instruction: str
    application: str


@dataclass(frozen=True, slots=True)
class TermOrigin:
    """The chain of applications that made a term.

    ``text`` is the term as the view showed it. The first of ``links`` is the step that made the
    term; each further link is the step that made the application which the previous link reduced.
    ``end`` is ``more`` if there are more than ``MAX_TERM_LINKS`` links. Otherwise it is ``source``:
    the application of the last link, or the term itself if there are no links, is in the source at
    ``span``, which begins at ``line`` and ``column``.
    """

    part: int
    text: str
    links: tuple[TermCreation, ...]
    end: Literal["source", "more"]
    span: Span | None = None
    line: int = 0
    column: int = 0


def shown_term(view: View) -> Term | None:
    """Return the term of a view, or None in a language without terms."""
    return next((panel for panel in view.panels if isinstance(panel, Term)), None)


def term_origin(
    timeline: Timeline,
    part: int,
    window: Window | None = None,
    ticker: Ticker | None = None,
    max_links: int = MAX_TERM_LINKS,
    step: int | None = None,
) -> TermOrigin:
    """Return the origin of a part of the term that a view through ``window`` shows at ``step``.

    part: the index of the part in ``Term.parts``. max_links: the maximum length of the returned
    chain. step: a step in known history; None is the current step. Raises MoveCancelled if
    ``ticker`` returns False, and ValueError if the part does not exist or tracing exceeds
    ``MAX_TRACED_MEMORY``.
    """
    here = timeline.step if step is None else step
    shown_by = timeline.machine if here == timeline.step else timeline.machine_at(here)
    term = shown_term(shown_by.view(window))
    if term is None:
        raise ValueError(f"{timeline.program.language.name} has no terms")
    if not 0 <= part < len(term.parts):
        count = len(term.parts)
        raise ValueError(f"expected a part number from 0 to {count - 1}, not {part}")
    machine = _traced_machine(timeline, here, ticker)
    made = machine.part_origins(window)[part]
    text = term.text[slice(*term.parts[part])]
    links: list[TermCreation] = []
    while made.step > 0:
        links.append(_creation(timeline, made.step))
        known = machine.application_origin(made.step)
        if len(links) == max_links and (known is None or known.step > 0):
            return TermOrigin(part, text, tuple(links), "more")
        if known is None:  # the machine no longer has the record
            machine = _traced_machine(timeline, made.step, ticker)
            known = machine.application_origin(made.step)
            assert known is not None, "a tracing machine knows the origin of the last application"
        made = known
        if ticker is not None and not ticker(here - made.step, here):
            raise MoveCancelled
    return _source_origin(timeline, part, text, links, made)


def part_of_last_step(
    timeline: Timeline, window: Window | None = None, ticker: Ticker | None = None
) -> int | None:
    """Return the index of the part of the visible term that the last step created.

    If the step created several parts, the result is the outermost one. Returns None if the step did
    not create a visible part.

    Raises MoveCancelled if ``ticker`` returns False.
    """
    here = timeline.step
    known = _traced_machine(timeline, here, ticker).part_origins(window)
    return next((part for part, made in enumerate(known) if here and made.step == here), None)


def _source_origin(
    timeline: Timeline, part: int, text: str, links: list[TermCreation], part_origin: PartOrigin
) -> TermOrigin:
    assert part_origin.span is not None, "a part without a creating step must be in the source"
    line, column = locate(timeline.program.source, part_origin.span[0])
    return TermOrigin(part, text, tuple(links), "source", part_origin.span, line, column)


def _creation(timeline: Timeline, step: int) -> TermCreation:
    view = timeline.machine_at(step - 1).view()
    term = shown_term(view)
    assert term is not None
    application = "" if term.redex is None else term.text[slice(*term.redex)]
    return TermCreation(step, view.location.span, view.location.instruction, application)


def _traced_machine(timeline: Timeline, step: int, ticker: Ticker | None) -> Machine:
    """Return a machine at ``step`` that has recorded which steps created the parts of its term."""
    recording, limits = timeline.recording, timeline.recording.limits
    cached = timeline.traced
    if cached is not None and cached[0] is recording and cached[1].steps <= step:
        machine = cached[1]
    else:
        timeline.traced = None
        machine = timeline.program.start(
            recording.stdin,
            closed=recording.closed,
            seed=recording.seed,
            limits=Limits(limits.steps, limits.output, min(limits.memory, MAX_TRACED_MEMORY)),
            world=recording.world,
        )
        if not machine.trace():
            raise ValueError(f"{timeline.program.language.name} does not record what made a term")
        timeline.traced = recording, machine
    while machine.steps < step:
        status = machine.run(min(_SLICE, step - machine.steps))
        machine.take_printed()
        machine.take_reads()
        if status in FINAL or status == "needs_input":
            break
        if ticker is not None and not ticker(machine.steps, step):
            raise MoveCancelled
    if machine.steps < step:
        most = MAX_TRACED_MEMORY // MEBIBYTE
        raise ValueError(
            f"cannot trace terms of a program that uses more than {most} MiB of memory"
        )
    return machine


# Output: the value that a step printed, and its origin.


@dataclass(frozen=True, slots=True)
class OutputOrigin:
    """The origin of a byte of the output.

    ``index`` counts from 0; ``byte`` is its value, and ``step`` printed it. ``span``, ``location``
    and ``instruction`` are as in :class:`~esoplay.timeline.history.ValueWrite`. ``place`` contained
    the printed value before that step; None if the value was not in a place. ``number`` is the
    value, None if views do not show it. ``origin`` is the origin of the value in ``place``.
    ``term`` is the origin of the function that printed the byte, in a language with terms.
    """

    index: int
    byte: int
    step: int
    span: Span
    location: Address
    instruction: str
    place: Place | None
    number: Number | None = None
    origin: ValueOrigin | None = None
    term: TermOrigin | None = None


def output_origin(timeline: Timeline, index: int, ticker: Ticker | None = None) -> OutputOrigin:
    """Return the origin of an output byte in known history.

    Raises MoveCancelled if ``ticker`` returns False, and ValueError if the byte has not been
    printed.
    """
    step = timeline.step_that_printed(index) if 0 <= index < len(timeline.output) else None
    if step is None:
        raise ValueError(f"output byte {index} has not been printed in the history known so far")
    machine = timeline.machine_at(step - 1)
    here, place = machine.view(SMALLEST_WINDOW).location, machine.printed_from()
    byte, number, chain, term = timeline.output[index], None, None, None
    if place is not None:
        number = (
            value_at(machine, place) if isinstance(place, Slot) else abbreviate(machine.peek(place))
        )
        chain = origin(timeline, place, step - 1, ticker)
    else:
        part = _applied_part(machine)
        if part is not None:
            term = term_origin(timeline, part, ticker=ticker, step=step - 1)
    return OutputOrigin(
        index, byte, step, here.span, here.address, here.instruction, place, number, chain, term
    )


def _applied_part(machine: Machine) -> int | None:
    """Return the index in ``parts`` of the function that the next step applies.

    Return None if the view of the machine does not show that function.
    """
    term = shown_term(machine.view())
    if term is None or term.redex is None:
        return None
    function = term.redex[0] + 1
    return next((at for at, (start, _) in enumerate(term.parts) if start == function), None)
