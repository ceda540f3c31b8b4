"""Breakpoints that a client has asked for: they may come before the program, and outlive it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import count
from typing import Any

from esoplay.dap.breakpoints import Entry, Group
from esoplay.dap.requests import Arguments, RequestError
from esoplay.dap.session import Session
from esoplay.dap.specs import wanted_in


class Wishes:
    """The last request of each kind, and of each source, with the numbers it was answered by.

    ids: numbers for the client, none given out twice.
    """

    def __init__(self) -> None:
        self.ids = count(1)
        self._requests: dict[str, tuple[Group, Arguments, Sequence[int]]] = {}

    def take(
        self, group: Group, key: str, arguments: Arguments, session: Session | None
    ) -> Sequence[Entry]:
        """Carry out a request, or keep it until there is a program; raises RequestError."""
        if session is not None:
            entries = session.breakpoints.set(group, arguments)
        else:
            entries = [
                Entry(next(self.ids), shown=_line_of(each), message="no program was launched yet")
                for each in wanted_in(arguments)
            ]
        self._requests[key] = (group, arguments, [entry.id for entry in entries])
        return entries

    def set_all(self, session: Session) -> Iterator[Entry]:
        """Carry out all that is kept for a program that was launched."""
        for group, arguments, ids in self._requests.values():
            try:
                yield from session.breakpoints.set(group, arguments, ids)
            except RequestError as error:  # it came before there was a program to look at it with
                yield from (Entry(id, message=str(error)) for id in ids)


def _line_of(wanted: Arguments) -> dict[str, Any]:
    """The line of a breakpoint that cannot be looked at yet."""
    line = wanted.get("line")
    return {"line": line} if type(line) is int else {}
