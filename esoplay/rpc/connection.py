"""Connection of one client: its running calls, its debuggers and its permissions.

A debugger reveals more than a run, so a solver may debug only if the rules of the session or the
operator of this server allow it. Each request to open, fork or compare a recording, or to replace a
value or the whole input, costs a solver one local run of the session: the program is run once under
the session's limits and logged as a run for debugging. The request is refused if no runs are left.
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
from esoplay.rpc.presentation import Presentation
from esoplay.rpc.protocol import (
    Id,
    Request,
    cancelled_error,
    domain_error,
    invalid_params,
    rejected_error,
)
from esoplay.running.worker import Worker

PROGRESS_SECONDS = 0.2
"""Minimum seconds between two ``progress`` notifications of a request, and before the first."""

_MAX_TOTAL = 2**53 - 1  # the largest integer that all JSON parsers read exactly (RFC 8259, 6)

Notify = Callable[[str, dict[str, Any]], None]


class Call:
    """State of one request; threads that do not execute it may call only ``cancel``."""

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
        """Cancel the call: it stops at its next check for cancellation, or does not start."""
        self._cancelled.set()

    def begin(self) -> None:
        """Start the progress timer; raise RpcError if the request is already cancelled."""
        self._next_progress = time.monotonic() + PROGRESS_SECONDS
        self.raise_if_cancelled()

    def raise_if_cancelled(self) -> None:
        """Raise RpcError if the request is cancelled."""
        if self.is_cancelled:
            raise cancelled_error()

    def tick(self, done: int, total: int | None = None) -> bool:
        """Report progress; return False if the call is cancelled and should stop."""
        self.progress(done, total)
        return not self.is_cancelled

    def progress(self, done: int, total: int | None = None) -> None:
        """Report progress, at most once every ``PROGRESS_SECONDS``."""
        now = time.monotonic()
        if now >= self._next_progress and not self.request.is_notification:
            self._next_progress = now + PROGRESS_SECONDS
            if total is not None and total > _MAX_TOTAL:
                total = None  # not an estimate: practically no limit
            self._notify("progress", {"id": self.request.id, "done": done, "total": total})


class CallsInFlight:
    """Waiting and running calls by request id, for ``cancel``. Thread-safe."""

    def __init__(self) -> None:
        self._calls: dict[int, Call] = {}
        self._lock = threading.Lock()

    def __bool__(self) -> bool:
        """Return whether any call is in flight."""
        return bool(self._calls)

    def add(self, call: Call) -> None:
        with self._lock:
            self._calls[id(call)] = call

    def remove(self, call: Call) -> None:
        with self._lock:
            del self._calls[id(call)]

    def discard(self, call: Call) -> None:
        """Remove a call; do nothing if it is already removed."""
        with self._lock:
            self._calls.pop(id(call), None)

    def cancel(self, request_id: Id) -> bool:
        """Cancel the calls with a request id; return whether any were found."""
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
"""Maximum number of open debuggers; each can store one running program and 64 MB of history."""

DEBUG_LIMITS = Limits(output=2 * MEBIBYTE, memory=64 * MEBIBYTE)
"""Highest limits of a debugged run; steps are unlimited, because a call can be cancelled."""

MAX_INPUT_BYTES = 16 * MEBIBYTE
"""Maximum size of a recording's input in bytes, including input that is added later."""


class DebuggerQuota:
    """Shared limit on the open debuggers of all clients. Thread-safe."""

    def __init__(self, size: int = MAX_DEBUGGERS):
        self.size = size
        self._free = threading.Semaphore(size)

    def acquire(self) -> bool:
        """Reserve a debugger; return False if the limit is reached."""
        return self._free.acquire(blocking=False)

    def release(self) -> None:
        self._free.release()


class Debuggers:
    """Open debuggers by name (``d1``, ``d2``, …); names are never reused.

    quota: shared with other clients; None if the server has one client.
    """

    def __init__(self, quota: DebuggerQuota | None = None) -> None:
        self._quota = quota or DebuggerQuota()
        self._open: dict[str, Debugger] = {}
        self._names = (f"d{number}" for number in count(1))

    def check_room(self) -> None:
        """Raise RpcError if the maximum number of debuggers is open."""
        if len(self._open) >= MAX_DEBUGGERS:
            raise domain_error("limit", f"{MAX_DEBUGGERS} debuggers are open; close one first")

    def add(self, debugger: Debugger) -> str:
        """Store a debugger and return its name."""
        self.check_room()
        if not self._quota.acquire():
            raise domain_error(
                "limit",
                f"{self._quota.size} debuggers are open, including other clients' debuggers; "
                "close one, or try again later",
            )
        name = next(self._names)
        self._open[name] = debugger
        return name

    def get(self, name: str) -> Debugger:
        """Return a debugger by name; raise UnknownDebugger if none has this name."""
        try:
            return self._open[name]
        except KeyError:
            known = ", ".join(self._open) or "none"
            raise UnknownDebugger(f"no debugger {name!r} is open; open: {known}") from None

    def remove(self, name: str) -> None:
        """Close a debugger and discard its history; raise UnknownDebugger if none has this name."""
        self.get(name)
        del self._open[name]
        self._quota.release()

    def close(self) -> None:
        """Close all debuggers."""
        for name in list(self._open):
            self.remove(name)


class Connection:
    """Connection of one client: an operator, or a solver with access to one session.

    solver_session: the solver's session; None for an operator. solver_may_debug: whether the
    operator allows a solver to debug even if the protocol does not. store: path of the event store;
    None for the user's default store. seed_file: file with the seed of new sessions; None for
    random seeds. sessions and quota: shared with other clients of the server; None if the server
    has one client. version: version of the protocol. presentation: the data that the client has
    received; None if results are not compact.
    """

    def __init__(
        self,
        solver_session: str | None = None,
        *,
        solver_may_debug: bool = False,
        store: Path | None = None,
        seed_file: Path | None = None,
        sessions: Sessions | None = None,
        quota: DebuggerQuota | None = None,
    ):
        self.solver_session = solver_session
        self.solver_may_debug = solver_may_debug
        self.seed_file = seed_file
        self.debuggers = Debuggers(quota)
        self.in_flight = CallsInFlight()
        # Programs outside of sessions share the scheduler with the programs of sessions.  The key
        # is a new object instead of ``self``, because the scheduler stores its keys and would keep
        # a closed connection in memory.
        self.worker = Worker() if sessions is None else sessions.worker(object())
        self.version = 1
        self.presentation: Presentation | None = None
        self._store = store
        self._shared_sessions = sessions

    def use_version(self, version: int, *, compact: bool = True) -> None:
        """Select the version of the protocol, and discard the record of data sent to the client.

        compact: whether results of version 2 omit data that the client has received before.
        """
        self.version = version
        self.presentation = Presentation() if version > 1 and compact else None

    @property
    def is_operator(self) -> bool:
        return self.solver_session is None

    @property
    def role(self) -> str:
        return "operator" if self.is_operator else "solver"

    @cached_property
    def sessions(self) -> Sessions:
        """Return the session store, which is opened on first use.

        A missing store is created for an operator; for a solver, it is an error.
        """
        if self._shared_sessions is not None:
            return self._shared_sessions
        return Sessions.open(self._store, create=self.is_operator)

    def session(self, requested: str | None) -> str:
        """Return the session of a request; the default for a solver is the solver's session."""
        if self.solver_session is None:
            if requested is None:
                raise invalid_params("parameter 'session' is missing")
            return requested
        if requested not in (None, self.solver_session):
            raise rejected_error("this connection is for another session")
        return self.solver_session

    def close(self) -> None:
        """Release the client's worker, debuggers and other resources."""
        self.worker.close()
        self.debuggers.close()
        if "sessions" in self.__dict__ and self._shared_sessions is None:
            self.sessions.close()


class RecordingPermit(NamedTuple):
    """The dialect and the limits with which a client is allowed to make a new recording.

    dialect: None if the client may choose it.
    """

    dialect: str | None
    limits: Limits


def may_debug(connection: Connection) -> bool:
    """Return whether the client is allowed to debug."""
    if connection.solver_session is None or connection.solver_may_debug:
        return True
    return connection.sessions.status(connection.solver_session).state.protocol.debug


def permit_recording(
    connection: Connection, source: bytes, stdin: bytes, language: str | None = None
) -> RecordingPermit:
    """Check that the client may make a recording; return the dialect and limits for it.

    If the client is a solver, the recording is counted as a run of its session. For an operator,
    nothing is counted.

    language: the declared language of the program; None if an existing recording gets new input.
    Raises RpcError or RejectedCommand if the session does not allow the recording.
    """
    if connection.solver_session is None:
        return RecordingPermit(None, DEBUG_LIMITS)
    state = connection.sessions.status(connection.solver_session).state
    started = state.started
    if not may_debug(connection):
        raise rejected_error(f"debugging is off in protocol {state.protocol.id}")
    if language not in (None, started.language):
        raise rejected_error(f"this session is for {started.language}, not {language}")
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
