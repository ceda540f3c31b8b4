"""Who is at the other end, and what is kept for them."""

from __future__ import annotations

from functools import cached_property
from pathlib import Path

from esoplay.rpc.calls import CallsInFlight
from esoplay.rpc.debuggers import Debuggers, Room
from esoplay.rpc.errors import invalid_params, rejected
from esoplay.running.worker import Worker
from esoplay.service.sessions import Sessions


class Connection:
    """One client: an operator, or a solver who sees one session and nothing else.

    solver_session: the session handed to a solver; None for an operator.
    solver_may_debug: whether the operator lets a solver debug where the protocol would not.
    store: the event store, None for the user's own.  seed_file: where the seed of new
    sessions stands, None to draw one.  sessions and room: shared with other clients of the
    same server; None for a client who is alone.
    """

    def __init__(
        self,
        solver_session: str | None = None,
        *,
        solver_may_debug: bool = False,
        store: Path | None = None,
        seed_file: Path | None = None,
        sessions: Sessions | None = None,
        room: Room | None = None,
    ):
        self.solver_session = solver_session
        self.solver_may_debug = solver_may_debug
        self.seed_file = seed_file
        self.debuggers = Debuggers(room)
        self.in_flight = CallsInFlight()
        # Programs outside of sessions wait for their turns beside those of the sessions.  Their
        # key is not the connection: the scheduler remembers it for longer than the client is there.
        self.worker = Worker(None if sessions is None else sessions.share(object()))
        self._store = store
        self._shared_sessions = sessions

    @property
    def is_operator(self) -> bool:
        return self.solver_session is None

    @property
    def role(self) -> str:
        return "operator" if self.is_operator else "solver"

    @cached_property
    def sessions(self) -> Sessions:
        """The sessions of the store; opened on first use.  A solver's store is there already."""
        if self._shared_sessions is not None:
            return self._shared_sessions
        return Sessions.open(self._store, create=self.is_operator)

    def session(self, named: str | None) -> str:
        """The session a request is about: a solver's own one goes without saying."""
        if self.solver_session is None:
            if named is None:
                raise invalid_params("parameter 'session' is missing")
            return named
        if named not in (None, self.solver_session):
            raise rejected("this connection is for another session")
        return self.solver_session

    def close(self) -> None:
        """Let go of what is kept for the client."""
        self.worker.close()
        self.debuggers.close()
        if "sessions" in self.__dict__ and self._shared_sessions is None:
            self.sessions.close()
