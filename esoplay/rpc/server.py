"""The server: one thread reads and cancels, one works, in the order of the requests."""

from __future__ import annotations

import sys
import threading
import traceback
from collections.abc import Callable, Mapping
from typing import Any

from esoplay.rpc.calls import Call
from esoplay.rpc.connection import Connection
from esoplay.rpc.errors import (
    PARSE_ERROR,
    UNTOLD_KINDS,
    RpcError,
    domain_error,
    from_exception,
    internal_error,
)
from esoplay.rpc.framing import LineReader, LineWriter, TooLong
from esoplay.rpc.inbox import Inbox, Work
from esoplay.rpc.parameters import shown
from esoplay.rpc.protocol import (
    Batch,
    Invalid,
    Request,
    error_message,
    notification_message,
    read_message,
    result_message,
    write_message,
)
from esoplay.rpc.table import Method, dispatch

DRAIN_SECONDS = 60.0
"""After the end of input nobody can cancel any more: what is still at work may take this long."""

INTERRUPT_SECONDS = 5.0
"""After Ctrl-C: a submission that takes longer than this to grade is void, as after a crash."""

MAX_ANSWERS = 64 << 20
"""Bytes of answers after which the rest of a batch is refused: all of them wait in memory."""

INBOX_BYTES = 32 << 20
"""Of requests that wait for their turn; what comes after them waits in the pipe."""

_REQUEST_BYTES = 2_000  # what a waiting request costs besides its line, roughly


class Server:
    """Serves one client until its input ends.

    ``read`` and ``write`` are those of :mod:`esoplay.rpc.framing`.
    """

    def __init__(
        self,
        methods: Mapping[str, Method],
        connection: Connection,
        read: Callable[[int], bytes],
        write: Callable[[bytes], object],
        drain_seconds: float = DRAIN_SECONDS,
        inbox_bytes: int = INBOX_BYTES,
    ):
        self._methods = methods
        self._connection = connection
        self._lines = LineReader(read)
        self._writer = LineWriter(write)
        self._drain_seconds = drain_seconds
        self._inbox = Inbox(inbox_bytes)
        self.client_is_gone = False

    def serve(self) -> None:
        """Answer everything; returns when input has ended and the last answer is out."""
        worker = threading.Thread(target=self._work, name="esoplay-rpc", daemon=True)
        worker.start()
        try:
            for line in self._lines:
                self._accept(line)
                if self.client_is_gone:
                    break
        except BaseException:  # Ctrl-C: what is at work ends, unless it waits for a dead client
            self._inbox.close()
            self._connection.in_flight.cancel_all()
            worker.join(INTERRUPT_SECONDS)
            raise
        self._inbox.close()
        worker.join(self._drain_seconds)
        self._connection.in_flight.cancel_all()
        worker.join()
        self._connection.close()

    def _accept(self, line: bytes | TooLong) -> None:
        """Queue what a line asks for; do at once what must not wait."""
        if isinstance(line, TooLong):
            error = RpcError(PARSE_ERROR, f"the line is longer than {line.limit} bytes")
            message, size = Invalid(None, error), 0
        else:
            message, size = read_message(line), len(line)
        if message is None:
            return
        items = message.items if isinstance(message, Batch) else (message,)
        waiting: list[Call | Invalid] = []
        answers: list[bytes] = []
        for item in items:
            if isinstance(item, Invalid):
                waiting.append(item)
                continue
            call = Call(item, self._connection, self._notify)
            method = self._methods.get(item.method)
            if method is not None and method.immediate:
                self._answer(call, answers)
            else:
                self._connection.in_flight.add(call)
                waiting.append(call)
        cost = size + _REQUEST_BYTES * len(items)
        work = Work(tuple(waiting), answers, isinstance(message, Batch), cost)
        if waiting:
            self._inbox.put(work)
        else:
            self._send_answers(work)

    def _work(self) -> None:
        while (work := self._inbox.take()) is not None:
            size = sum(map(len, work.answers))
            for item in work.items:
                known = len(work.answers)
                if isinstance(item, Invalid):
                    work.answers.append(write_message(error_message(item.id, item.error)))
                else:
                    self._answer(item, work.answers, full=size > MAX_ANSWERS)
                    self._connection.in_flight.remove(item)
                size += sum(map(len, work.answers[known:]))
            self._send_answers(work)

    def _answer(self, call: Call, answers: list[bytes], *, full: bool = False) -> None:
        """Execute one call and append its answer; a notification has none.

        ``full``: the batch has no room for further answers, so the call is refused.
        """
        request = call.request
        try:
            call.begin()
            if full:
                raise domain_error("limit", f"the batch has {MAX_ANSWERS} bytes of answers already")
            answer = write_message(result_message(request.id, dispatch(self._methods, call)))
        except Exception as error:
            told = from_exception(error) or internal_error()
            if told.data and told.data["kind"] in UNTOLD_KINDS:
                _log(request, error)
            answer = write_message(error_message(request.id, told))
        if not request.is_notification:
            answers.append(answer)

    def _send_answers(self, work: Work) -> None:
        if work.is_batch and work.answers:
            self._send(b"[" + b",".join(work.answers) + b"]")
        elif work.answers:
            self._send(work.answers[0])

    def _notify(self, method: str, params: dict[str, Any]) -> None:
        self._send(write_message(notification_message(method, params)))

    def _send(self, line: bytes) -> None:
        if self.client_is_gone:
            return
        try:
            self._writer.line(line)
        except OSError:
            # Whoever closed our output waits for nothing: end what is at work and stop.
            self.client_is_gone = True
            self._connection.in_flight.cancel_all()


def _log(request: Request, error: Exception) -> None:
    """Tell the operator, on stderr, what the client is not told."""
    report = "".join(traceback.format_exception(error))
    print(f"esoplay: {shown(request.method)} failed\n{report}", file=sys.stderr, flush=True)
