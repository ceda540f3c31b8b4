"""Moves to the steps that wrote or made a value, and moves that list these steps in the log."""

from __future__ import annotations

from collections.abc import Callable

from esolangs.numbers import abbreviate
from esolangs.source import locate
from esolangs.stops import Slot
from esoplay.debugging import output_chain
from esoplay.debugging.debugger import CellWrite, Stop, Ticker, address_text
from esoplay.debugging.output_chain import ChainLink
from esoplay.debugging.provenance import (
    Place,
    TermCreation,
    TermOrigin,
    ValueWrite,
    current_term,
    end_text,
    last_created_part,
    next_value_write,
    origin,
    origin_of_output,
    origin_of_part,
    value_writes,
)
from esoplay.errors import UsageError
from esoplay.tui.debug.byte_glyphs import format_int
from esoplay.tui.debug.moves import Move, query_move, stop_with_text
from esoplay.tui.debug.place_text import (
    copied_from_text,
    instruction_text,
    place_text,
    shorten_term,
    term_end_text,
)
from esoplay.tui.debug.target import DebugTarget

# Queries about a part of a term: the step that made it, and what it was made of.


def move_to_creation(target: DebugTarget, part: int) -> Move:
    """Return a move that goes to the step that made a part of a term, and selects the part."""
    debugger, window = target.debugger, target.viewport.window

    def run(ticker: Ticker | None) -> Stop:
        found = origin_of_part(debugger, part, window, ticker, max_length=1)
        name = shorten_term(found.text)
        if not found.links:
            return stop_with_text(
                target, f"{name} is written in the program, at {found.line}:{found.column}"
            )
        step = found.links[0].step
        if step == debugger.step:
            text = f"the last step made {name}; p shows its origin"
            return stop_with_text(target, text)
        stop = debugger.seek(step, ticker)
        if stop.step == step:
            target.part_selection.select(last_created_part(debugger, window, ticker), window)
        return stop

    return query_move(target, "looking for the origin of a term", run)


def move_to_application(target: DebugTarget, part: int) -> Move:
    """Return a move to the state before the step that made a part of the current term.

    The move also logs the applications that made the part, and selects the application that the
    step reduces.
    """
    debugger, window = target.debugger, target.viewport.window

    def run(ticker: Ticker | None) -> Stop:
        found = origin_of_part(debugger, part, window, ticker)
        if not found.links:
            target.part_selection.store_origin(found)
            return stop_with_text(target, term_end_text(found))
        step = found.links[0].step - 1
        stop = debugger.seek(step, ticker)
        if stop.step != step:
            return stop
        _log_chain(target, found)
        term = current_term(debugger, window)
        redex = term.parts.index(term.redex) if term.redex in term.parts else None
        target.part_selection.select(redex, window)
        return stop_with_text(target, f"the next step makes {shorten_term(found.text)}")

    return query_move(target, "looking for the origin of a term", run, shows_all_reasons=True)


def list_creations(target: DebugTarget, part: int) -> Move:
    """Return a move that logs how a part of the term was made, back to the source.

    part: index of the part in the displayed term (Unlambda).
    """
    debugger, window = target.debugger, target.viewport.window

    def run(ticker: Ticker | None) -> Stop:
        found = origin_of_part(debugger, part, window, ticker)
        _log_chain(target, found)
        message = (
            f"the steps that made {shorten_term(found.text)} are listed in the log"
            if found.links
            else term_end_text(found)
        )
        return stop_with_text(target, message)

    return query_move(target, "looking for the origin of a term", run)


def _log_chain(target: DebugTarget, origin: TermOrigin) -> None:
    """Log the applications that made a term, oldest first."""
    target.log_line(term_end_text(origin))
    for creation in reversed(origin.links):
        target.log_line(_creation_text(creation), creation.step)
    target.log_line(f"the result is {shorten_term(origin.text)}")


def _creation_text(creation: TermCreation) -> str:
    return f"{shorten_term(creation.instruction)} applied in {shorten_term(creation.application)}"


MAX_LISTED_COPIES = 50
"""Maximum number of copies of a value that a query logs: those nearest to the value's origin."""
MAX_LISTED_WRITES = 20
"""Maximum number of writes that one query logs."""


# Queries about the selection: a part of a term, or else a cell or a slot


def move_to_write(target: DebugTarget, *, reverse: bool) -> Move:
    """Return a move to the previous or next step that wrote to the selection.

    Raises UsageError if nothing is selected, or for the next write to a term, because a term never
    changes.
    """
    part = target.snapshot.selected_part
    if part is None:
        return move_to_place_write(target, _selected_place(target), reverse=reverse)
    if not reverse:
        raise UsageError("a term never changes; w goes to the step that made it")
    return move_to_creation(target, part)


def list_writes(target: DebugTarget) -> Move:
    """Return a move that logs the last writes to the selection, or how a part of a term was made.

    Raises UsageError if nothing is selected.
    """
    part = target.snapshot.selected_part
    if part is None:
        return list_place_writes(target, _selected_place(target), MAX_LISTED_WRITES)
    return list_creations(target, part)


def move_to_origin_of_selection(target: DebugTarget) -> Move:
    """Return a move that logs the origin of the selected value, and moves to it.

    Raises UsageError if nothing is selected.
    """
    part = target.snapshot.selected_part
    return (
        move_to_origin(target, _selected_place(target))
        if part is None
        else move_to_application(target, part)
    )


def _selected_place(target: DebugTarget) -> Place:
    place = target.cell if target.slot is None else target.slot
    if place is None:
        raise UsageError("nothing is selected: press j or k in the state column, or click there")
    return place


# Queries about a place


def move_to_place_write(target: DebugTarget, place: Place, *, reverse: bool) -> Move:
    """Return a move to the next step that wrote to a place; if ``reverse``, to the previous one."""
    name, debugger = place_text(place, target.snapshot.view), target.debugger

    def run(ticker: Ticker | None) -> Stop:
        here = debugger.step
        if reverse:
            earlier = value_writes(debugger, place, before=here - 1, ticker=ticker) if here else []
            found = next(iter(earlier), None)
        else:
            found = next_value_write(debugger, place, here, ticker)
        if found is not None:
            return debugger.seek(found.step, ticker)
        noun = "push" if isinstance(place, Slot) else "write"
        missing = (
            f"earlier {noun}{_initial_text(target, place)}"
            if reverse
            else f"later {noun} in the history known so far"
        )
        return stop_with_text(target, f"{name}: no {missing}")

    return query_move(
        target, f"looking for writes to {name}", run, in_thread=not target.is_history_short
    )


def list_place_writes(target: DebugTarget, place: Place, limit: int) -> Move:
    """Return a query that logs the last ``limit`` writes to a place, up to the current step.

    The query runs like a move, but does not change the current step.
    """
    name, debugger = place_text(place, target.snapshot.view), target.debugger

    def run(ticker: Ticker | None) -> Stop:
        if isinstance(place, Slot):
            kind, never = "pushes", "never pushed"
            pushes = value_writes(debugger, place, limit=limit, ticker=ticker)
            lines = [
                (f"{name}: {_describe_write(target, put)}{_location_text(target, put)}", put.step)
                for put in pushes
            ]
        else:
            kind, never = "writes", "never written"
            writes = debugger.writes(place, limit=limit, ticker=ticker)
            lines = [
                (
                    (
                        f"{name}: {abbreviate(each.old)} → {abbreviate(each.new)}"
                        f"{_location_text(target, each)}"
                    ),
                    each.step,
                )
                for each in writes
            ]
        for line, step in reversed(lines):
            target.log_line(line, step)
        never = f"{never} so far{_initial_text(target, place)}"
        return stop_with_text(
            target, f"{name}: {f'its {kind} are listed in the log' if lines else never}"
        )

    return query_move(
        target, f"listing writes to {name}", run, in_thread=not target.is_history_short
    )


def move_to_origin(target: DebugTarget, place: Place) -> Move:
    """Return a move to the step that made the value in ``place``.

    The move also logs the copies by which the value reached ``place``.
    """
    view, debugger = target.snapshot.view, target.debugger
    name = place_text(place, view)

    def run(ticker: Ticker | None) -> Stop:
        found = origin(debugger, place, ticker)
        end = end_text(found, view)
        message = end if end.startswith(name) else f"{name}: {end}"
        if found.links:
            stop = debugger.seek(found.links[-1].step, ticker)
            if stop.step != found.links[-1].step:
                return stop
        for put in found.links[-MAX_LISTED_COPIES:]:
            target.log_line(
                f"{place_text(put.place, view)}: {_describe_write(target, put)}", put.step
            )
        target.log_line(message, debugger.step)
        return stop_with_text(target, message)

    return query_move(
        target,
        f"looking for the origin of {name}",
        run,
        in_thread=not target.is_history_short,
        shows_all_reasons=True,
    )


# Queries about a byte of the output


def list_output_origin(target: DebugTarget, index: int, on_listed: Callable[[int], None]) -> Move:
    """Return a move that logs the origin of an output byte.

    on_listed: called afterwards with the number of log lines. A log line about one step refers to
    the state before that step, in which the step's instruction is the next one.
    """
    debugger = target.debugger
    chain: list[ChainLink] = []

    def run(ticker: Ticker | None) -> Stop:
        chain.clear()
        found = origin_of_output(debugger, index, ticker)
        chain.extend(output_chain.chain_links(debugger, found, target.snapshot.view))
        name = output_chain.byte_text(target.snapshot.output, index)
        return stop_with_text(
            target,
            f"byte {format_int(index)}, {name}: the log lists its origin; Enter goes to the "
            "step of a line",
        )

    def log_chain() -> None:
        for link in chain:
            step = None if link.step is None else link.step - 1
            target.log_line(link.text, step, show_step=step is not None)
        if chain:
            on_listed(len(chain))

    move = query_move(
        target, f"looking for the origin of byte {format_int(index)}", run, shows_all_reasons=True
    )
    return move._replace(in_thread=not target.is_history_short, on_complete=log_chain)


def _describe_write(target: DebugTarget, write: ValueWrite) -> str:
    verb = "pushed" if isinstance(write.place, Slot) else "written"
    value = "" if write.value is None else f"{write.value} "
    source = copied_from_text(write, target.snapshot.view)
    return f"{value}{verb} by {instruction_text(write)}{source}"


def _location_text(target: DebugTarget, write: ValueWrite | CellWrite) -> str:
    """Return ``, at 3:4``: the location of the instruction, or its cell on a plane."""
    if isinstance(write.location, tuple):
        return f", at {address_text(write.location)}"
    line, column = locate(target.debugger.program.source, write.span[0])
    return f", at {line}:{column}"


def _initial_text(target: DebugTarget, place: Place) -> str:
    """Return text about the initial value of an unwritten place; "" if it is not always 0."""
    return "" if target.is_on_plane or isinstance(place, Slot) else "; its initial value is 0"
