"""An overview of the sessions in a store."""

from __future__ import annotations

from collections.abc import Iterator

from esoplay.errors import StoreError
from esoplay.sessions.answers import SessionSummary
from esoplay.sessions.journal import Journal, Moment


def summaries(journal: Journal) -> Iterator[SessionSummary]:
    """Every session, oldest first; one whose log cannot be read hides none of the others."""
    for session in journal.store.sessions():
        try:
            yield _summary(session, journal.now(session))
        except StoreError as error:
            yield SessionSummary(session, error=str(error))


def _summary(session: str, moment: Moment) -> SessionSummary:
    state, started = moment.state, moment.state.started
    return SessionSummary(
        session=session,
        language=started.language,
        protocol=started.protocol.id,
        pack=started.pack,
        solver=started.solver,
        solved=sum(one.status == "solved" for one in state.progress.values()),
        total=len(state.progress),
        closed=state.closed,
        current=state.current,
        time_ms=moment.last.time_ms,
    )
