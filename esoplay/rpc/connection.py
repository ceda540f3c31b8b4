"""One client of a server: its calls in flight, its debuggers, and what it may do.

A debugger shows more than a run does, so a solver may debug only where the rules of the session
or the operator of this server say so.  Then each recording that is opened, forked or given another
input counts as a local run of the session: it is executed once under the session's limits, logged
as a run for debugging, and refused when no run is left.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import cached_property
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from esolangs.limits import MEBIBYTE, Limits
from esoplay.benchmark.sessions import Sessions
from esoplay.debugging.debugger import Debugger
from esoplay.errors import UnknownDebugger
from esoplay.rpc.protocol import Id, Request, cancelled, domain_error, invalid_params, rejected
from esoplay.running.worker import Worker

PROGRESS_SECONDS = 0.2
"""Between two ``progress`` notifications of one request, and before its first."""

_LARGEST_TOTAL = 2**53 - 1  # RFC 8259, 6: beyond it, readers differ about what a number is

Notify = Callable[[str, dict[str, Any]], None]


class Call:
    """One request and its state.

    ``cancel`` may come from any thread; everything else belongs to the thread that works.
    """

    def __init__(self, request: Request, connection: Connection, notify: Notify):
        self.request = request
        self.connection = connection
        self._notify = notify
        self._cancelled = threading.Event()
        self._next_progress = 0.0

    @property
    def is_cancelled(self) -> bool:
        return self._cancelled.is_set()

    def cancel(self) -> None:
        """Ask the work to end; it does so at its next tick, or never begins."""
        self._cancelled.set()

    def begin(self) -> None:
        """Start the clock of progress; raises when the request was cancelled while it waited."""
        self._next_progress = time.monotonic() + PROGRESS_SECONDS
        self.check()

    def check(self) -> None:
        """Raise the error that answers a cancelled request."""
        if self.is_cancelled:
            raise cancelled()

    def tick(self, done: int, total: int | None = None) -> bool:
        """Report progress now and then; return False when the work should end."""
        self.progress(done, total)
        return not self.is_cancelled

    def progress(self, done: int, total: int | None = None) -> None:
        """Report progress, at most once every ``PROGRESS_SECONDS``."""
        now = time.monotonic()
        if now >= self._next_progress and not self.request.is_notification:
            self._next_progress = now + PROGRESS_SECONDS
            if total is not None and total > _LARGEST_TOTAL:
                total = None  # the limit of a practically endless run is not informative
            self._notify("progress", {"id": self.request.id, "done": done, "total": total})


class CallsInFlight:
    """Calls waiting or at work, by id: what ``cancel`` looks in.  Safe from any thread."""

    def __init__(self) -> None:
        self._calls: dict[int, Call] = {}
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        """Whether there are any."""
        return bool(self._calls)

    def add(self, call: Call) -> None:
        with self._lock:
            self._calls[id(call)] = call

    def remove(self, call: Call) -> None:
        with self._lock:
            del self._calls[id(call)]

    def discard(self, call: Call) -> None:
        """Remove a call that may have been removed before."""
        with self._lock:
            self._calls.pop(id(call), None)

    def cancel(self, request_id: Id) -> bool:
        """Cancel the calls with this id; False when there is none (any more)."""
        with self._lock:
            found = [
                call
                for call in self._calls.values()
                if not call.request.is_notification and call.request.id == request_id
            ]
        for call in found:
            call.cancel()
        return bool(found)

    def cancel_all(self) -> None:
        with self._lock:
            found = list(self._calls.values())
        for call in found:
            call.cancel()


MAX_DEBUGGERS = 8
"""Open at a time; each may hold a machine and 64 MB of history."""

DEBUG_LIMITS = Limits(output=2 * MEBIBYTE, memory=64 * MEBIBYTE)
"""Of a debugged run, at most; steps are free, as an endless loop can be cancelled."""

MAX_INPUT = 16 * MEBIBYTE
"""Bytes of input that a recording may have, however many times it is fed."""


class DebuggerQuota:
    """How many debuggers all clients of a server may have open together.  Safe from any thread."""

    def __init__(self, size: int = MAX_DEBUGGERS):
        self.size = size
        self._taken = threading.Semaphore(size)

    def take(self) -> bool:
        """A place, if there is one."""
        return self._taken.acquire(blocking=False)

    def give_back(self) -> None:
        self._taken.release()


class Debuggers:
    """Open debuggers by name (``d1``, ``d2``, …); names are never used twice.

    room: shared with other clients; None for a client who is alone.
    """

    def __init__(self, room: DebuggerQuota | None = None) -> None:
        self._room = room or DebuggerQuota()
        self._open: dict[str, Debugger] = {}
        self._names = (f"d{number}" for number in count(1))

    def check_room(self) -> None:
        """Raise when no further debugger may be opened."""
        if len(self._open) >= MAX_DEBUGGERS:
            raise domain_error("limit", f"{MAX_DEBUGGERS} debuggers are open; close one first")

    def add(self, debugger: Debugger) -> str:
        """Keep a debugger and name it."""
        self.check_room()
        if not self._room.take():
            raise domain_error(
                "limit", f"{self._room.size} debuggers are open, including other clients' debuggers"
            )
        name = next(self._names)
        self._open[name] = debugger
        return name

    def get(self, name: str) -> Debugger:
        """The debugger of this name; raises UnknownDebugger."""
        try:
            return self._open[name]
        except KeyError:
            known = ", ".join(self._open) or "none"
            raise UnknownDebugger(f"no debugger {name!r} is open; open: {known}") from None

    def remove(self, name: str) -> None:
        """Forget a debugger and its history; raises UnknownDebugger."""
        self.get(name)
        del self._open[name]
        self._room.give_back()

    def close(self) -> None:
        """Forget all of them."""
        for name in list(self._open):
            self.remove(name)


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
        room: DebuggerQuota | None = None,
    ):
        self.solver_session = solver_session
        self.solver_may_debug = solver_may_debug
        self.seed_file = seed_file
        self.debuggers = Debuggers(room)
        self.in_flight = CallsInFlight()
        # Programs outside of sessions share the scheduler with the programs of sessions.  Their key
        # is not the connection: the scheduler remembers keys for longer than a client is connected.
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
        """Release the client's worker, debuggers and other resources."""
        self.worker.close()
        self.debuggers.close()
        if "sessions" in self.__dict__ and self._shared_sessions is None:
            self.sessions.close()


class RecordingPermit(NamedTuple):
    """How a recording is to be made.  ``dialect`` is None where the caller may choose."""

    dialect: str | None
    limits: Limits


def may_debug(connection: Connection) -> bool:
    """Whether the client may debug at all."""
    if connection.solver_session is None or connection.solver_may_debug:
        return True
    return connection.sessions.status(connection.solver_session).state.protocol.debug


def permit_recording(
    connection: Connection, source: bytes, stdin: bytes, language: str | None = None
) -> RecordingPermit:
    """Account for one recording that is about to start; raises RejectedCommand.

    language: what the caller says the program is written in, None for a recording that exists.
    """
    if connection.solver_session is None:
        return RecordingPermit(None, DEBUG_LIMITS)
    state = connection.sessions.status(connection.solver_session).state
    started = state.started
    if not may_debug(connection):
        raise rejected(f"debugging is off in protocol {state.protocol.id}")
    if language not in (None, started.language):
        raise rejected(f"this session is about {started.language}")
    connection.sessions.run(connection.solver_session, source, stdin, debug=True)
    limits = started.limits
    return RecordingPermit(
        state.protocol.dialect,
        Limits(
            limits.steps,
            min(limits.output, DEBUG_LIMITS.output),
            min(limits.memory, DEBUG_LIMITS.memory),
        ),
    )
