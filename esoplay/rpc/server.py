"""JSON-RPC server: one thread reads and cancels requests, another executes them in order."""

from __future__ import annotations

import sys
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from types import TracebackType
from typing import Any

from esoplay.descriptors import claim_stdio
from esoplay.rpc.answers import EncodedMessage
from esoplay.rpc.connection import Call, Connection
from esoplay.rpc.methods import METHODS
from esoplay.rpc.parameters import quote_name
from esoplay.rpc.protocol import (
    LOG_ONLY_KINDS,
    PARSE_ERROR,
    Batch,
    InvalidRequest,
    Request,
    RpcError,
    domain_error,
    encode_message,
    error_from_exception,
    error_message,
    internal_error,
    notification_message,
    parse_message,
    result_message,
)
from esoplay.rpc.table import Method, dispatch
from esoplay.rpc.transport import (
    ConnectionQuota,
    LineReader,
    LineWriter,
    OverlongLine,
    RequestQueue,
    RequestWork,
    descriptor_reader,
    descriptor_readiness,
    descriptor_writer,
    estimate_memory,
)

DRAIN_SECONDS = 60.0
"""Seconds for requests to finish after the end of input; then the remaining ones are cancelled."""

INTERRUPT_SECONDS = 5.0
"""Seconds for running requests to finish after Ctrl-C; a submission not graded by then is void."""

MAX_ANSWER_BYTES = 64 << 20
"""Size in bytes of the answers to a batch above which its further requests are refused."""

INBOX_BYTES = 32 << 20
"""Maximum size of waiting requests in bytes; further input remains in the pipe."""

LINE_BUFFER_BYTES = 256 << 10
"""Maximum size in bytes of a line that is written at once; longer lines are written in parts."""

_REQUEST_BYTES = 2_000  # approximate size of a waiting request without its parameters


class RpcServer:
    """Server for one client; it runs until the client's input ends.

    ``read``, ``write`` and ``ready`` come from :mod:`esoplay.rpc.transport`. quota: quota of
    all connections of the client's user. end: closes the connection so that ``read`` returns no
    more data; called when an answer could not be completed.
    """

    def __init__(
        self,
        methods: Mapping[str, Method],
        connection: Connection,
        read: Callable[[int], bytes],
        write: Callable[[bytes], object],
        drain_seconds: float = DRAIN_SECONDS,
        inbox_bytes: int = INBOX_BYTES,
        *,
        ready: Callable[[], bool] = lambda: True,
        quota: ConnectionQuota | None = None,
        end: Callable[[], object] = lambda: None,
    ):
        self._methods = methods
        self._connection = connection
        self._drain_seconds = drain_seconds
        self._end = end
        self.client_is_disconnected = False
        quota = quota or ConnectionQuota(inbox_bytes)
        is_disconnected = self._is_disconnected
        self._lines = LineReader(read, large_line=lambda: quota.reserve_large_line(is_disconnected))
        self._writer = LineWriter(write, ready)
        self._inbox = RequestQueue(inbox_bytes, quota, is_disconnected)

    def serve(self) -> None:
        """Answer requests until the input ends; return after the last answer is written."""
        worker = threading.Thread(target=self._work, name="esoplay-rpc", daemon=True)
        worker.start()
        try:
            with closing(iter(self._lines)) as lines:
                for line in lines:
                    self._accept(line)
                    if self.client_is_disconnected:
                        break
        except BaseException:  # Ctrl-C: do not wait forever for a client that does not read
            self._inbox.close()
            self._connection.in_flight.cancel_all()
            worker.join(INTERRUPT_SECONDS)
            raise
        self._inbox.close()
        worker.join(self._drain_seconds)
        self._connection.in_flight.cancel_all()
        worker.join()
        self._connection.close()

    def _accept(self, line: bytes | OverlongLine) -> None:
        """Queue the requests of a line; execute immediate methods at once."""
        if isinstance(line, OverlongLine):
            error = RpcError(PARSE_ERROR, f"the line is longer than {line.limit} bytes")
            message = InvalidRequest(None, error)
        else:
            message = parse_message(line)
        if message is None:
            return
        items = message.items if isinstance(message, Batch) else (message,)
        waiting: list[Call | InvalidRequest] = []
        answers: list[bytes] = []
        cost = _REQUEST_BYTES * len(items)
        for item in items:
            if isinstance(item, InvalidRequest):
                waiting.append(item)
                continue
            call = Call(item, self._connection, self._notify)
            method = self._methods.get(item.method)
            if method is not None and method.immediate:
                answer = self._answer(call)
                answers += [] if answer is None else [b"".join(answer.pieces())]
            else:
                self._connection.in_flight.add(call)
                waiting.append(call)
                cost += estimate_memory(item.params)
        work = RequestWork(tuple(waiting), answers, isinstance(message, Batch), cost)
        if waiting:
            self._inbox.put(work)
        elif answers:
            self._send(b"[" + b",".join(answers) + b"]" if work.is_batch else answers[0])

    def _work(self) -> None:
        while (work := self._inbox.take()) is not None:
            left = deque(work.items)
            try:
                if not self._is_disconnected():
                    with _ResponseLine(self._writer, is_batch=work.is_batch) as line:
                        for known in work.answers:
                            line.add((known,))
                        while left:
                            answer = self._execute(
                                left.popleft(), batch_is_full=line.size > MAX_ANSWER_BYTES
                            )
                            if answer is not None:
                                line.add(answer.pieces())
            except OSError:
                self._handle_disconnect()
            except Exception:  # the line is incomplete, so no answer can follow
                print(
                    f"esoplay: writing an answer failed\n{traceback.format_exc()}", file=sys.stderr
                )
                self._handle_disconnect()
                self._end()
            finally:
                for item in work.items:
                    if isinstance(item, Call):
                        self._connection.in_flight.discard(item)
                self._inbox.finish(work)

    def _execute(
        self, item: Call | InvalidRequest, *, batch_is_full: bool
    ) -> EncodedMessage | None:
        if isinstance(item, InvalidRequest):
            return EncodedMessage(error_message(item.id, item.error))
        answer = self._answer(item, batch_is_full=batch_is_full)
        self._connection.in_flight.remove(item)
        return answer

    def _answer(self, call: Call, *, batch_is_full: bool = False) -> EncodedMessage | None:
        """Execute a call and return the answer, or None for a notification.

        batch_is_full: refuse the call, because the answers of its batch have reached their maximum
        size.
        """
        request = call.request
        try:
            call.begin()
            if batch_is_full:
                raise domain_error(
                    "limit", f"the answers to this batch already exceed {MAX_ANSWER_BYTES} bytes"
                )
            answer = EncodedMessage(result_message(request.id, dispatch(self._methods, call)))
        except Exception as error:
            rpc_error = error_from_exception(error) or internal_error()
            if rpc_error.data and rpc_error.data["kind"] in LOG_ONLY_KINDS:
                _log(request, error)
            answer = EncodedMessage(error_message(request.id, rpc_error))
        return None if request.is_notification else answer

    def _notify(self, method: str, params: dict[str, Any]) -> None:
        """Write a notification; discard it if the client is not reading."""
        if self.client_is_disconnected:
            return
        try:
            self._writer.try_write_line(encode_message(notification_message(method, params)))
        except OSError:
            self._handle_disconnect()

    def _send(self, line: bytes) -> None:
        if self.client_is_disconnected:
            return
        try:
            self._writer.write_line(line)
        except OSError:
            self._handle_disconnect()

    def _is_disconnected(self) -> bool:
        return self.client_is_disconnected

    def _handle_disconnect(self) -> None:
        """Stop all work after the client has disconnected."""
        self.client_is_disconnected = True
        self._connection.in_flight.cancel_all()


class _ResponseLine:
    """Line of output with the answers to one line of requests; written in parts if it is long.

    size: number of bytes written so far.
    """

    def __init__(self, writer: LineWriter, *, is_batch: bool):
        self.size = 0
        self._writer = writer
        self._is_batch = is_batch
        self._held = bytearray()
        self._is_long = False

    def __enter__(self) -> _ResponseLine:
        return self

    def add(self, answer: Iterable[bytes]) -> None:
        """Write the parts of an answer; raise OSError if writing fails."""
        if self._is_batch:
            self._put(b"," if self.size else b"[")
        for piece in answer:
            self._put(piece)

    def _put(self, piece: bytes) -> None:
        self.size += len(piece)
        self._held += piece
        if len(self._held) > LINE_BUFFER_BYTES:
            if not self._is_long:
                self._writer.begin_long_line()
                self._is_long = True
            self._writer.write_part(bytes(self._held))
            self._held.clear()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        complete = False
        try:
            if error is None and self.size:
                self._held += b"]" if self._is_batch else b""
                if self._is_long:
                    self._writer.write_part(bytes(self._held) + b"\n")
                else:
                    self._writer.write_line(bytes(self._held))
                complete = True
        finally:
            if self._is_long:
                self._writer.end_long_line(complete=complete)


def _log(request: Request, error: Exception) -> None:
    """Print a traceback to stderr for the operator; the client does not receive it."""
    report = "".join(traceback.format_exception(error))
    print(f"esoplay: {quote_name(request.method)} failed\n{report}", file=sys.stderr, flush=True)


# Standard input and output, reserved for the protocol


def serve_stdio(connection: Connection) -> None:
    """Serve a client on stdin and stdout until stdin ends."""
    source, sink = claim_stdio()
    read, write = descriptor_reader(source), descriptor_writer(sink)
    RpcServer(METHODS, connection, read, write, ready=descriptor_readiness(sink)).serve()
