"""What leaves this machine for an endpoint, how much comes back, and how long that may take.

It lies below the client that speaks the endpoint's language, so it holds whatever that client adds
to a request by itself, or would wait for.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Lock, Timer
from typing import Any

import httpx2

from esoplay.evaluation.models.asking import MOST_ANSWER, Declined, Unavailable

_NEEDED = ("host", "content-length", "content-type")
# Nobody asked for a compressed answer, and a few bytes of one may stand for any number of them.
_UNHEEDED = (b"content-encoding",)
_MOST_REFUSAL = 1 << 16  # bytes that are read of an answer that is an error


class Guarded(httpx2.BaseTransport):
    """One connection for each request; may be shared between threads.

    headers: all that are sent, besides those that HTTP itself needs.  timeout: seconds for the
    whole of an answer, also where it comes in drips.  Certificates are checked as Python does.
    Raises Declined for an answer that is too long, Unavailable for one that is late, and what
    httpx2 raises besides.
    """

    def __init__(self, headers: Mapping[str, str], timeout: float, proxy: str | None):
        self._headers = {**headers, "Accept-Encoding": "identity", "Connection": "close"}
        self._timeout = timeout
        self._inner = httpx2.HTTPTransport(
            verify=ssl.create_default_context(),
            trust_env=False,
            proxy=proxy,
            limits=httpx2.Limits(max_connections=None, max_keepalive_connections=0),
        )
        self._lock = Lock()
        self._exchanges: set[_Exchange] = set()
        self._closed = False

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        with self._lock:
            if self._closed:
                raise Unavailable("called off")
            exchange = _Exchange(self._timeout)
            self._exchanges.add(exchange)
        needed = {name: request.headers[name] for name in _NEEDED if name in request.headers}
        sent = httpx2.Request(
            request.method,
            request.url,
            headers={**needed, **self._headers},
            stream=request.stream,
            extensions={**request.extensions, "trace": exchange.heard},
        )
        try:
            with exchange.in_time():
                response = self._inner.handle_request(sent)
        except BaseException:
            self._end(exchange)
            raise
        return httpx2.Response(
            response.status_code,
            headers=[pair for pair in response.headers.raw if pair[0].lower() not in _UNHEEDED],
            stream=_Body(response, exchange, self._end),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Break off all that is under way."""
        with self._lock:
            self._closed = True
            under_way = list(self._exchanges)
        for exchange in under_way:
            exchange.break_off()

    def _end(self, exchange: _Exchange) -> None:
        exchange.end()
        with self._lock:
            self._exchanges.discard(exchange)


class _Exchange:
    """A request and its answer, for which there is a certain time from now on.

    Limits of single reads do not add up to one of the whole, so a timer shuts the connection.
    """

    def __init__(self, timeout: float):
        self._timeout = timeout
        self._over = False
        self._socket: socket.socket | None = None
        self._lock = Lock()
        self._timer = Timer(timeout, self.break_off)
        self._timer.daemon = True
        self._timer.start()

    def heard(self, event: str, info: Mapping[str, Any]) -> None:
        """Told by httpcore2 of each thing that it does (its extension ``trace``)."""
        if not event.endswith(("connect_tcp.complete", "start_tls.complete")):
            return
        with self._lock:
            self._socket = info["return_value"].get_extra_info("socket")
            if self._over:
                self._shut()

    def break_off(self) -> None:
        with self._lock:
            self._over = True
            self._shut()

    def end(self) -> None:
        self._timer.cancel()
        with self._lock:
            self._socket = None

    @contextmanager
    def in_time(self) -> Generator[None]:
        """Say of what is cut off that time is up, whatever it looks like from here."""
        try:
            yield
        except httpx2.TransportError:
            self._check()
            raise
        self._check()

    def _check(self) -> None:
        if self._over:
            raise Unavailable(f"no whole answer within {self._timeout:g} s") from None

    def _shut(self) -> None:
        """Whoever reads from the connection reads its end at once; closing it would not do that."""
        if self._socket is not None:
            with suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class _Body(httpx2.SyncByteStream):
    """The bytes of an answer, not more than it may have."""

    def __init__(
        self, response: httpx2.Response, exchange: _Exchange, end: Callable[[_Exchange], None]
    ):
        self._response = response
        self._exchange = exchange
        self._end = end

    def __iter__(self) -> Iterator[bytes]:
        read = 0
        good = self._response.is_success
        with self._exchange.in_time():
            for piece in self._response.iter_raw():
                read += len(piece)
                if good and read > MOST_ANSWER:
                    raise Declined(f"the answer is longer than {MOST_ANSWER} bytes")
                yield piece
                if not good and read > _MOST_REFUSAL:
                    return

    def close(self) -> None:
        self._response.close()
        self._end(self._exchange)
