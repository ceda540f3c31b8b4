"""What made a part of a term: the application, and those before it; with that as JSON."""

from __future__ import annotations

from typing import Any

from esolangs.view import Term, Window
from esoplay.errors import UsageError
from esoplay.service.debugging import Debugger, Ticker
from esoplay.timeline import provenance
from esoplay.timeline.provenance import MOST_LINKS, Making, TermOrigin, term_of

__all__ = [
    "Making",
    "TermOrigin",
    "origin_of_part",
    "part_made_here",
    "term_here",
    "term_of",
    "term_origin_as_json",
]


def term_here(debugger: Debugger, window: Window | None = None) -> Term:
    """The term as a view shows it now.  UsageError in a language that has none."""
    term = term_of(debugger.view(window))
    if term is None:
        raise UsageError(f"{debugger.program.language.name} has no terms")
    return term


def origin_of_part(
    debugger: Debugger,
    part: int,
    window: Window | None = None,
    ticker: Ticker | None = None,
    longest: int = MOST_LINKS,
) -> TermOrigin:
    """What made the part, numbered from 0, of the term that such a view shows now.

    Raises Cancelled, and UsageError when there is no such part or too much memory is in use.
    """
    try:
        return provenance.term_origin(debugger.timeline, part, window, ticker, longest)
    except ValueError as error:
        raise UsageError(str(error)) from None


def part_made_here(
    debugger: Debugger, window: Window | None = None, ticker: Ticker | None = None
) -> int | None:
    """The outermost part of the term shown now that the last step made.  Raises Cancelled."""
    return provenance.part_made_here(debugger.timeline, window, ticker)


def term_origin_as_json(origin: TermOrigin) -> dict[str, Any]:
    """The term, the steps that made it and what they applied, and where the chain ends."""
    end: dict[str, Any] = {"kind": origin.end}
    if origin.span is not None:
        end |= {"span": list(origin.span), "line": origin.line, "column": origin.column}
    links = [
        {
            "step": each.step,
            "instruction": each.instruction,
            "span": list(each.span),
            "application": each.application,
        }
        for each in origin.links
    ]
    return {"part": origin.part, "text": origin.text, "links": links, "end": end}
