"""A log from outside: events with their shape checked, and decided a second time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, cast, get_args

from esoplay.sessions import commands, events
from esoplay.sessions.commands import Command
from esoplay.sessions.events import Event, decode
from esoplay.sessions.machine import decide
from esoplay.sessions.protocols import upgraded_row
from esoplay.sessions.shape import misfit
from esoplay.sessions.state import State

CAUSES: Mapping[type[Event], type[Command]] = {
    events.SessionStarted: commands.Start,
    events.ProblemFetched: commands.Fetch,
    events.ProgramRun: commands.RecordRun,
    events.SubmissionReserved: commands.Submit,
    events.SubmissionGraded: commands.RecordVerdict,
    events.SubmissionVoided: commands.VoidSubmission,
    events.ProblemSkipped: commands.Skip,
    events.VisibleProcessesAccepted: commands.AcceptVisibleProcesses,
    events.SessionClosed: commands.Close,
}
"""Which command causes which event; an event carries all that its command said."""


class Unfit(ValueError):
    """An event that is not as it should be, in one ``field`` of its body or as a whole."""

    def __init__(self, text: str, field: str = ""):
        super().__init__(text)
        self.field = field


_KINDS: Mapping[str, type[Event]] = {kind.kind: kind for kind in get_args(Event)}


def read_event(kind: str, body: Mapping[str, Any]) -> Event:
    """The event that was written; raises Unfit."""
    if kind not in _KINDS:
        raise Unfit(f"unknown event {kind!r}", "kind")
    wrong = misfit(_upgraded(body), _KINDS[kind])
    if wrong is not None:
        field, _, text = wrong.partition(": ")
        raise Unfit(text, field)
    try:
        return decode(kind, body)
    except ValueError as error:
        raise Unfit(str(error)) from error


def _upgraded(body: Mapping[str, Any]) -> Mapping[str, Any]:
    """The body with the rules of a session as this version writes them."""
    row = body.get("protocol")
    if not isinstance(row, dict):
        return body
    return {**body, "protocol": upgraded_row(cast("dict[str, Any]", row))}


def decide_again(state: State | None, event: Event) -> None:
    """Ask the rules for ``event``; RejectedCommand or UnknownProblem where they forbid it.

    Raises Unfit where they would have made another event of the command.
    """
    cause = CAUSES[type(event)]
    said = {one.name: getattr(event, one.name) for one in fields(cause) if hasattr(event, one.name)}
    decided = decide(state, cause(**said))
    if event in decided:
        return
    for other in decided:
        for one in fields(other):
            was, should = getattr(event, one.name, None), getattr(other, one.name)
            if was != should:
                raise Unfit(f"is {was!r}; the rules make it {should!r}", one.name)
    raise Unfit("nothing happens here by the rules")
