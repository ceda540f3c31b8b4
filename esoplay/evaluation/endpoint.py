"""Query models at endpoints with OpenAI's chat completions API.

Needs the extra ``llm``; see docs/adr/0015-models-are-asked-by-openais-client.md.
"""

from __future__ import annotations

import json
import os
import socket
import ssl
import time
from collections.abc import Callable, Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from email.utils import parsedate_to_datetime
from threading import Lock, Timer
from typing import Any, NoReturn, cast

import httpx2

from esoplay.errors import UsageError
from esoplay.evaluation.model import (
    MAX_ANSWER_BYTES,
    Message,
    ModelAnswer,
    RequestDeclined,
    Unavailable,
    normalize_base_url,
    proxy_for,
)
from esoplay.version import VERSION


@contextmanager
def _without_variables(prefix: str) -> Generator[None]:
    """Remove the environment variables with this prefix during the ``with`` block."""
    hidden = {name: value for name, value in os.environ.items() if name.startswith(prefix)}
    for name in hidden:
        del os.environ[name]
    try:
        yield
    finally:
        os.environ.update(hidden)


# Variables that change the client's behavior, from extra headers to a log on stderr.
_LIBRARY_VARIABLES = "OPENAI_"

with _without_variables(_LIBRARY_VARIABLES):
    import openai

_RETRYABLE_CODES = frozenset({408, 409, 425, 429})
_FATAL_CODES = frozenset({401, 402, 403, 404, 405, 407, 410})


class Endpoint:
    """A model that is reached over HTTP with the chat completions API.

    key: API key, which is sent as a bearer token, and never printed or saved. timeout: maximum
    seconds for one answer. extra: additional members of each request, which override the defaults.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        key: str | None = None,
        temperature: float | None = None,
        max_tokens: int | None = None,
        extra: Mapping[str, Any] | None = None,
        timeout: float = 600.0,
    ):
        address = normalize_base_url(base_url)
        self._url = f"{address}/chat/completions"
        self._key = key
        self._timeout = timeout
        self._model = model
        self._body: dict[str, Any] = {}
        if temperature is not None:
            self._body["temperature"] = temperature
        if max_tokens is not None:
            self._body["max_tokens"] = max_tokens
        self._body |= extra or {}
        headers = {"Accept": "application/json", "User-Agent": f"esoplay/{VERSION}"}
        if key is not None:
            headers["Authorization"] = f"Bearer {key}"
        try:
            self._transport = LimitedTransport(headers, timeout, proxy_for(address))
        except (ValueError, ImportError, httpx2.InvalidURL):
            raise UsageError(  # the proxy's address may contain a password
                "cannot use the proxy in the environment (http_proxy or https_proxy) or in the "
                "system's settings; expected an address such as http://host:3128"
            ) from None
        http = httpx2.Client(
            transport=self._transport, timeout=timeout, trust_env=False, follow_redirects=False
        )
        try:
            with _without_variables(_LIBRARY_VARIABLES):
                client = openai.OpenAI(
                    api_key="sent by the transport",
                    base_url=address,
                    max_retries=0,  # retries must be recorded in the transcript
                    timeout=timeout,
                    http_client=http,
                )
        except httpx2.InvalidURL as error:
            raise UsageError(f"--base-url: {error}") from None
        self._create = client.chat.completions.with_raw_response.create

    def ask(self, messages: Sequence[Message], seed: int | None) -> ModelAnswer:
        """Send a request to the endpoint and return its answer; see :class:`Model`."""
        said = [Message(message.role, _replace_surrogates(message.text)) for message in messages]
        body = self._body if seed is None else {"seed": seed} | self._body
        try:
            response = self._create(
                model=self._model,
                messages=cast("Any", [message.as_json() for message in said]),
                extra_body=body,
            )
        except openai.APIStatusError as error:
            self._raise_for_status(error)
        except openai.APITimeoutError:
            raise Unavailable(f"no complete answer within {self._timeout:g} s") from None
        except (openai.APIConnectionError, OSError, ValueError) as error:
            self._raise_for_connection(
                error
            )  # a ValueError for a host name that cannot be resolved
        return parse_answer(response.content)

    def close(self) -> None:
        """Abort all requests; see :class:`Model`."""
        self._transport.close()

    def _raise_for_status(self, error: openai.APIStatusError) -> NoReturn:
        code, response = error.status_code, error.response
        message = parse_error_message(response.content) or response.reason_phrase
        reason = self._redact(f"{code}: {message}")
        if code in _RETRYABLE_CODES or code >= 500:
            raise Unavailable(
                reason, parse_retry_after(response.headers.get("Retry-After"))
            ) from None
        if code in _FATAL_CODES or code < 400:
            raise UsageError(f"{self._url} refuses to answer: {reason}") from None
        raise RequestDeclined(reason) from None

    def _raise_for_connection(self, error: Exception) -> NoReturn:
        cause: BaseException | None = error
        while (cause := cause.__cause__ or cause.__context__) is not None:
            if isinstance(cause, (RequestDeclined, Unavailable)):
                raise cause from None  # some versions of the client wrap it
            if isinstance(cause, ssl.SSLCertVerificationError):
                raise UsageError(f"{self._url}: {cause.verify_message}") from None
        why = error.__cause__ or error
        raise Unavailable(self._redact(f"no answer: {str(why) or type(why).__name__}")) from None

    def _redact(self, text: str) -> str:
        """Replace the API key with ``***`` in a message of the endpoint."""
        return text.replace(self._key, "***") if self._key else text


def parse_retry_after(text: str | None, now: float | None = None) -> float | None:
    """Return the seconds that a ``Retry-After`` header requests, or None without a valid one.

    The header contains a number of seconds or a date (RFC 9110, 10.2.3).
    """
    if text is None:
        return None
    try:
        return max(0.0, float(text)) if float(text) < float("inf") else None
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(text).timestamp()
    except (ValueError, OverflowError):
        return None
    return max(0.0, moment - (time.time() if now is None else now))


def _replace_surrogates(text: str) -> str:
    """Replace lone surrogates, which cannot be encoded as UTF-8."""
    return text.encode("utf-8", "replace").decode("utf-8")


# Parsing of chat completions, which tolerates the deviations of other endpoints from OpenAI's.

_MAX_ERROR_LENGTH = 300  # maximum characters of an endpoint's error message
_MAX_TOKENS = 10**12


def parse_answer(data: bytes) -> ModelAnswer:
    """Return the answer in the body of a response; raise Unavailable if it contains none."""
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        raise Unavailable("the answer is not valid JSON") from None
    body = _as_object(found)
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise Unavailable(f"the answer has no `choices`: {parse_error_message(data)}")
    choice = _as_object(cast("list[object]", choices)[0])
    message = _as_object(choice.get("message"))
    usage = _as_object(body.get("usage"))
    finish = choice.get("finish_reason")
    return ModelAnswer(
        _content(message.get("content")),
        _count(usage, "prompt_tokens"),
        _count(_as_object(usage.get("prompt_tokens_details")), "cached_tokens"),
        _count(usage, "completion_tokens"),
        finish if isinstance(finish, str) else None,
        _count(_as_object(usage.get("completion_tokens_details")), "reasoning_tokens"),
    )


def parse_error_message(data: bytes) -> str:
    """Return the message of an error object, or the start of any other body, in one line."""
    text = data.decode("utf-8", "replace")
    try:
        error = _as_object(json.loads(text)).get("error")
    except (ValueError, RecursionError):
        error = None
    message = _as_object(error).get("message", error)
    text = message if isinstance(message, str) else text
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return text if len(text) <= _MAX_ERROR_LENGTH else f"{text[:_MAX_ERROR_LENGTH]} …"


def _content(content: object) -> str:
    """Return the text of a ``content`` member: a string or a list of parts; "" for a refusal."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (_as_object(part).get("text") for part in cast("list[object]", content))
    return "".join(part for part in parts if isinstance(part, str))


def _as_object(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _count(usage: Mapping[str, object], name: str) -> int | None:
    value = usage.get(name)
    return value if type(value) is int and 0 <= value < _MAX_TOKENS else None


# Limits on the headers of requests, and on the size and duration of responses. OpenAI's client uses
# this transport, which removes headers that the client adds.

_REQUIRED_HEADERS = ("host", "content-length", "content-type")
# Compression is not requested, because a few compressed bytes can expand to any size.
_DROPPED_HEADERS = (b"content-encoding",)
_MAX_ERROR_BYTES = 1 << 16  # maximum bytes read from an error response


class LimitedTransport(httpx2.BaseTransport):
    """HTTP transport that limits the size and duration of answers. Thread-safe.

    Each request has its own connection. headers: headers that are sent in addition to the required
    ones. timeout: maximum seconds for a whole answer, even if it arrives slowly. Certificates are
    verified with Python's defaults. Raises RequestDeclined if an answer is too long, Unavailable if
    it takes too long, and the exceptions of httpx2.
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
                raise Unavailable("aborted")
            exchange = _Exchange(self._timeout)
            self._exchanges.add(exchange)
        needed = {
            name: request.headers[name] for name in _REQUIRED_HEADERS if name in request.headers
        }
        sent = httpx2.Request(
            request.method,
            request.url,
            headers={**needed, **self._headers},
            stream=request.stream,
            extensions={**request.extensions, "trace": exchange.on_trace},
        )
        try:
            with exchange.limit_time():
                response = self._inner.handle_request(sent)
        except BaseException:
            self._end(exchange)
            raise
        return httpx2.Response(
            response.status_code,
            headers=[
                pair for pair in response.headers.raw if pair[0].lower() not in _DROPPED_HEADERS
            ],
            stream=_Body(response, exchange, self._end),
            extensions=response.extensions,
        )

    def close(self) -> None:
        """Abort all requests."""
        with self._lock:
            self._closed = True
            under_way = list(self._exchanges)
        for exchange in under_way:
            exchange.abort()

    def _end(self, exchange: _Exchange) -> None:
        exchange.end()
        with self._lock:
            self._exchanges.discard(exchange)


class _Exchange:
    """Request and its answer, with a common time limit.

    Timeouts of single reads do not limit the total, so a timer shuts down the connection.
    """

    def __init__(self, timeout: float):
        self._timeout = timeout
        self._over = False
        self._socket: socket.socket | None = None
        self._lock = Lock()
        self._timer = Timer(timeout, self.abort)
        self._timer.daemon = True
        self._timer.start()

    def on_trace(self, event: str, info: Mapping[str, Any]) -> None:
        """Store the socket when httpcore2 reports a new connection (its extension ``trace``)."""
        if not event.endswith(("connect_tcp.complete", "start_tls.complete")):
            return
        with self._lock:
            self._socket = info["return_value"].get_extra_info("socket")
            if self._over:
                self._shut_down()

    def abort(self) -> None:
        with self._lock:
            self._over = True
            self._shut_down()

    def end(self) -> None:
        self._timer.cancel()
        with self._lock:
            self._socket = None

    @contextmanager
    def limit_time(self) -> Generator[None]:
        """Raise Unavailable if the timer aborted the request during the ``with`` block."""
        try:
            yield
        except httpx2.TransportError:
            self._check_deadline()
            raise
        self._check_deadline()

    def _check_deadline(self) -> None:
        if self._over:
            raise Unavailable(f"no complete answer within {self._timeout:g} s") from None

    def _shut_down(self) -> None:
        """Shut down the socket, which ends pending reads; closing it would not."""
        if self._socket is not None:
            with suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


class _Body(httpx2.SyncByteStream):
    """Body of an answer with a size limit."""

    def __init__(
        self, response: httpx2.Response, exchange: _Exchange, on_end: Callable[[_Exchange], None]
    ):
        self._response = response
        self._exchange = exchange
        self._on_end = on_end

    def __iter__(self) -> Iterator[bytes]:
        read = 0
        good = self._response.is_success
        with self._exchange.limit_time():
            for piece in self._response.iter_raw():
                read += len(piece)
                if good and read > MAX_ANSWER_BYTES:
                    raise RequestDeclined(f"the answer is longer than {MAX_ANSWER_BYTES} bytes")
                yield piece
                if not good and read > _MAX_ERROR_BYTES:
                    return

    def close(self) -> None:
        self._response.close()
        self._on_end(self._exchange)
