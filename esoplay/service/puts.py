"""The façade of questions about places, cells or slots: which steps put values there."""

from __future__ import annotations

from esoplay.service.debugging import Debugger, Ticker
from esoplay.timeline import puts as asked
from esoplay.timeline.puts import Place, Put

__all__ = ["Place", "Put", "next_put", "puts"]


def puts(
    debugger: Debugger,
    place: Place,
    *,
    before: int | None = None,
    limit: int = 1,
    ticker: Ticker | None = None,
) -> list[Put]:
    """The last steps up to ``before`` (default: here) that put a value there, newest first.

    Raises Cancelled.
    """
    upto = debugger.step if before is None else before
    return asked.puts_before(debugger.timeline, place, upto, limit, ticker)


def next_put(
    debugger: Debugger, place: Place, after: int, ticker: Ticker | None = None
) -> Put | None:
    """The first step after step ``after``, in known history, that put a value there.

    Raises Cancelled.
    """
    return asked.put_after(debugger.timeline, place, after, ticker)
