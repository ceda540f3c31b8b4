"""The adapter, which answers the requests of the protocol from ``initialize`` to ``disconnect``."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from esolangs.errors import EngineError
from esoplay.dap.breakpoints import BreakpointRequests, Group
from esoplay.dap.launch import InvalidProgram, LineNumbering, launch
from esoplay.dap.protocol import (
    CAPABILITIES,
    Arguments,
    ClientDisconnected,
    MessageWriter,
    RequestError,
    boolean_argument,
    integer_argument,
    list_argument,
    object_argument,
    text_argument,
)
from esoplay.dap.queries import MOVES, QUERIES, Answer, Move
from esoplay.dap.session import THREAD, ClientLink, Session
from esoplay.errors import EsoplayError


class Adapter:
    """The handler of one client's requests.

    has_message: returns whether a message is waiting or the client's stream has ended.
    is_over: whether the client has sent ``disconnect``.
    """

    def __init__(self, writer: MessageWriter, has_message: Callable[[], bool]):
        self._writer = writer
        self._has_message = has_message
        self._initialized = False
        self._redraws = False
        self._numbering = LineNumbering()
        self._session: Session | None = None
        self._launch_arguments: Arguments = {}
        self._configured = False
        self._breakpoint_requests = BreakpointRequests()
        self._pending: list[Callable[[], None]] = []
        self._handlers: Mapping[str, Callable[[Arguments], Answer | None]] = {
            "initialize": self._initialize,
            "launch": self._launch,
            "restart": self._restart,
            "configurationDone": self._configuration_done,
            "terminate": self._terminate,
            "disconnect": self._disconnect,
            "setBreakpoints": self._set_breakpoints,
            "setFunctionBreakpoints": self._set_functions,
            "setDataBreakpoints": self._set_data,
            "setExceptionBreakpoints": self._set_exceptions,
            "pause": self._pause,
            "threads": self._threads,
        }
        self.is_over = False

    @property
    def is_running(self) -> bool:
        """Whether the program should run while no message waits."""
        return self._session is not None and self._session.is_running

    def proceed(self) -> None:
        """Continue the run; raise ClientDisconnected if the client has stopped reading."""
        assert self._session is not None
        self._run_safely(self._session.proceed)

    def handle(self, message: dict[str, Any] | str) -> None:
        """Handle one message; raise ClientDisconnected if the client has stopped reading.

        A string is the error text for an invalid message.
        """
        if isinstance(message, str):
            self._event("output", {"category": "important", "output": f"esoplay: {message}\n"})
            return
        if message.get("type") != "request":
            return  # this adapter sends no requests, so it ignores responses
        answer: Answer = {"type": "response", "request_seq": 0, "command": ""}
        try:
            answer["request_seq"] = integer_argument(message, "seq") or 0
            answer["command"] = text_argument(message, "command") or ""
            body = self._answer(answer["command"], object_argument(message, "arguments"))
            self._writer.send(
                {**answer, "success": True, **({} if body is None else {"body": body})}
            )
        except ClientDisconnected:
            raise
        except Exception as error:
            self._send_error(answer, _error_message(error))
        # Events that a request caused must be sent after its response.
        while self._pending:
            self._run_safely(self._pending.pop(0))

    def _run_safely(self, work: Callable[[], None]) -> None:
        """Call ``work``; report an error to the client without ending the session."""
        try:
            work()
        except ClientDisconnected:
            raise
        except Exception as error:
            reason = _error_message(error)
            self._event("output", {"category": "important", "output": f"esoplay: {reason}\n"})
            if self._session is not None:
                self._session.halt(reason)

    def _send_error(self, answer: Answer, reason: str) -> None:
        self._pending.clear()
        details = {"error": {"id": 1, "format": _escape_braces(reason), "showUser": True}}
        self._writer.send({**answer, "success": False, "message": reason, "body": details})

    def _answer(self, command: str, arguments: Arguments) -> Answer | None:
        if not self._initialized and command not in ("initialize", "disconnect"):
            raise RequestError("expected `initialize` as the first request")
        handler = self._handlers.get(command)
        if handler is not None:
            return handler(arguments)
        if command in MOVES:
            return self._move(MOVES[command], arguments)
        if command in QUERIES:
            return QUERIES[command](self._launched_session, arguments)
        raise RequestError(f"request {command!r} is not supported")

    def _move(self, move: Move, arguments: Arguments) -> Answer | None:
        """Queue a move and return the response, which is sent before the move starts."""
        session = self._launched_session
        if session.is_running:
            raise RequestError("the program is running; pause it first")
        self._pending.append(move(session, arguments))
        return {"allThreadsContinued": True}

    def _event(self, name: str, body: dict[str, Any]) -> None:
        self._writer.send({"type": "event", "event": name, "body": body})

    @property
    def _launched_session(self) -> Session:
        if self._session is None:
            raise RequestError("no program was launched; send `launch` first")
        return self._session

    # Start and end

    def _initialize(self, arguments: Arguments) -> Answer:
        if self._initialized:
            raise RequestError("`initialize` was already sent")
        if text_argument(arguments, "pathFormat", "path") != "path":
            raise RequestError("`pathFormat` must be path; URIs are not supported")
        self._numbering = LineNumbering(
            1 if boolean_argument(arguments, "linesStartAt1", True) else 0,
            1 if boolean_argument(arguments, "columnsStartAt1", True) else 0,
        )
        self._redraws = boolean_argument(arguments, "supportsInvalidatedEvent")
        self._initialized = True
        self._pending.append(lambda: self._event("initialized", {}))
        return dict(CAPABILITIES)

    def _launch(self, arguments: Arguments) -> None:
        try:
            launched = launch(arguments, self._numbering)
        except InvalidProgram as error:
            place = {"line": error.line, "column": error.column}
            source = {"name": error.path.name, "path": str(error.path)}
            details = {"category": "stderr", "output": f"{error}\n", "source": source, **place}
            self._event("output", details)
            raise
        session = Session(
            launched,
            arguments,
            self._numbering,
            self._breakpoint_requests,
            ClientLink(self._event, self._has_message, self._pending.append, self._redraws),
        )
        self._session, self._launch_arguments = session, arguments
        self._pending.append(session.set_breakpoints)
        if self._configured:
            self._pending.append(session.begin)

    def _restart(self, arguments: Arguments) -> None:
        self._launch(object_argument(arguments, "arguments") or self._launch_arguments)

    def _configuration_done(self, _arguments: Arguments) -> None:
        if not self._configured and self._session is not None:
            self._pending.append(self._session.begin)
        self._configured = True

    def _terminate(self, _arguments: Arguments) -> None:
        if self._session is not None:
            self._session = None
            self._pending.append(lambda: self._event("terminated", {}))

    def _disconnect(self, _arguments: Arguments) -> None:
        self._session = None
        self.is_over = True

    def _pause(self, _arguments: Arguments) -> None:
        self._pending.append(self._launched_session.pause)

    def _threads(self, _arguments: Arguments) -> Answer:
        """Return the only thread, even before a program is launched."""
        name = "program" if self._session is None else self._session.run.path.name
        return {"threads": [{"id": THREAD, "name": name}]}

    # Breakpoints: they can be set before the launch and remain after a restart

    def _set_breakpoints(self, arguments: Arguments) -> Answer:
        source = object_argument(arguments, "source")
        return self._request_breakpoints(
            "source", f"source {source.get('path')} {source.get('name')}", arguments
        )

    def _set_functions(self, arguments: Arguments) -> Answer:
        return self._request_breakpoints("functions", "functions", arguments)

    def _set_data(self, arguments: Arguments) -> Answer:
        return self._request_breakpoints("data", "data", arguments)

    def _request_breakpoints(self, group: Group, key: str, arguments: Arguments) -> Answer:
        breakpoints = None if self._session is None else self._session.run.breakpoints
        entries = self._breakpoint_requests.apply(group, key, arguments, breakpoints)
        return {"breakpoints": [entry.as_json() for entry in entries]}

    def _set_exceptions(self, arguments: Arguments) -> Answer:
        asked = (*list_argument(arguments, "filters"), *list_argument(arguments, "filterOptions"))
        return {"breakpoints": [{"verified": False, "message": _FAULTS_STOP} for _ in asked]}


_FAULTS_STOP = "faults and limits always stop the run"


def _error_message(error: Exception) -> str:
    """Return the message of an error for the client; log a defect with its traceback on stderr."""
    if isinstance(error, EsoplayError | EngineError):
        return str(error)
    traceback.print_exception(error, file=sys.stderr)
    return "internal error in esoplay; the traceback is on stderr"


def _escape_braces(text: str) -> str:
    """Replace braces by parentheses, because braces mark variables in the protocol's messages."""
    return text.replace("{", "(").replace("}", ")")
