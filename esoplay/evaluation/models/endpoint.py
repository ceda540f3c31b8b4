"""Models behind an endpoint that speaks OpenAI's chat completions, by the standard library alone.

See docs/adr/0014-models-are-asked-by-the-standard-library.md.
"""

from __future__ import annotations

import json
import ssl
import time
from collections.abc import Mapping, Sequence
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from ipaddress import ip_address
from typing import Any, NoReturn, cast
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit
from urllib.request import HTTPRedirectHandler, ProxyHandler, Request, build_opener

from esoplay.errors import UsageError
from esoplay.evaluation.models.asking import MOST_ANSWER, Answer, Declined, Message, Unavailable
from esoplay.version import VERSION

_PIECE = 1 << 16
_MOST_TOLD = 300  # characters of what an endpoint says of an error
_MOST_TOKENS = 10**12
_AGAIN = frozenset({408, 409, 425, 429})
_HOPELESS = frozenset({401, 402, 403, 404, 405, 407, 410})


class Endpoint:
    """``key`` is sent as a bearer token, and kept out of all that is told.

    timeout: seconds for one answer.  extra: further members of each request, which go before ours.
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
        address = checked_address(base_url)
        self._url = f"{address}/chat/completions"
        self._key = key
        self._timeout = timeout
        self._body: dict[str, Any] = {"model": model}
        if temperature is not None:
            self._body["temperature"] = temperature
        if max_tokens is not None:
            self._body["max_tokens"] = max_tokens
        self._body |= extra or {}
        proxies = [ProxyHandler({})] if is_loopback(address) else []
        self._opener = build_opener(_NoRedirects, *proxies)
        self._closed = False

    def ask(self, messages: Sequence[Message], seed: int | None) -> Answer:
        """See :class:`Model`."""
        said = [Message(message.role, _sound(message.text)) for message in messages]
        body = self._body | {"messages": [message.as_json() for message in said]}
        if seed is not None and "seed" not in body:
            body["seed"] = seed
        headers = {"Content-Type": "application/json", "User-Agent": f"esoplay/{VERSION}"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        request = Request(self._url, json.dumps(body).encode("ascii"), headers, method="POST")
        try:
            with self._opener.open(request, timeout=self._timeout) as response:
                data = self._read(response)
        except HTTPError as error:
            with error:
                self._refused(error)
        except URLError as error:
            if isinstance(error.reason, ssl.SSLCertVerificationError):
                raise UsageError(f"{self._url}: {error.reason.verify_message}") from None
            raise Unavailable(self._harmless(f"no answer: {error.reason}")) from None
        except (OSError, HTTPException, ValueError) as error:
            raise Unavailable(
                self._harmless(f"no answer: {error or type(error).__name__}")
            ) from None
        return _answer(data)

    def close(self) -> None:
        """See :class:`Model`."""
        self._closed = True

    def _read(self, response: Any) -> bytes:
        """The whole body; a server that drips is not waited for longer than one that is silent."""
        deadline = time.monotonic() + self._timeout
        data = bytearray()
        while piece := response.read1(_PIECE):
            data += piece
            if len(data) > MOST_ANSWER:
                raise Declined(f"the answer is longer than {MOST_ANSWER} bytes")
            if time.monotonic() > deadline or self._closed:
                raise Unavailable(f"no whole answer within {self._timeout:g} s")
        if response.length:
            raise Unavailable("the connection ended amid the answer")
        return bytes(data)

    def _refused(self, error: HTTPError) -> NoReturn:
        try:
            said = error.read(_PIECE)
        except (OSError, HTTPException):
            said = b""
        reason = self._harmless(f"{error.code}: {_told(said) or error.reason}")
        if error.code in _AGAIN or error.code >= 500:
            raise Unavailable(reason, retry_after(error.headers.get("Retry-After"))) from None
        if error.code in _HOPELESS or error.code < 400:
            raise UsageError(f"{self._url} refuses to answer: {reason}") from None
        raise Declined(reason) from None

    def _harmless(self, text: str) -> str:
        """What an endpoint says may hold the key, which it was sent."""
        return text.replace(self._key, "***") if self._key else text


class _NoRedirects(HTTPRedirectHandler):
    """A key goes where the user said, and nowhere else."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


def checked_address(base_url: str) -> str:
    """A base address without its last slash; raises UsageError."""
    try:
        parts = urlsplit(base_url)
        sound = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        sound = False
        parts = urlsplit("")
    if not sound or not base_url.isprintable() or not base_url.isascii() or " " in base_url:
        raise UsageError(
            f"--base-url takes an address such as https://host/v1 or http://localhost:8000/v1, "
            f"not {base_url!r}"
        )
    if parts.username or parts.password or parts.query or parts.fragment:
        raise UsageError("--base-url takes no user, password, query or fragment")
    return base_url.rstrip("/")


def is_loopback(base_url: str) -> bool:
    """Whether the address is this machine's own."""
    host = urlsplit(base_url).hostname or ""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:  # a name, such as 127.example.com
        return False


def retry_after(text: str | None, now: float | None = None) -> float | None:
    """Seconds by the value of a ``Retry-After`` header: a number or a date (RFC 9110, 10.2.3)."""
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


def _sound(text: str) -> str:
    """What may be quoted of an answer in JSON: lone surrogates are no text, and others say so."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _told(said: bytes) -> str:
    """The message of an error object, or the beginning of what else there is, on one line."""
    text = said.decode("utf-8", "replace")
    try:
        error = _members(json.loads(text)).get("error")
    except (ValueError, RecursionError):
        error = None
    message = _members(error).get("message", error)
    text = message if isinstance(message, str) else text
    text = " ".join("".join(sign if sign.isprintable() else " " for sign in text).split())
    return text if len(text) <= _MOST_TOLD else f"{text[:_MOST_TOLD]} …"


def _answer(data: bytes) -> Answer:
    try:
        found: object = json.loads(data)
    except (ValueError, RecursionError):
        raise Unavailable("the answer is no JSON") from None
    body = _members(found)
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        raise Unavailable(f"the answer has no choices: {_told(data)}")
    choice = _members(cast("list[object]", choices)[0])
    message = _members(choice.get("message"))
    usage = _members(body.get("usage"))
    finish = choice.get("finish_reason")
    return Answer(
        _content(message.get("content")),
        _count(usage, "prompt_tokens"),
        _count(_members(usage.get("prompt_tokens_details")), "cached_tokens"),
        _count(usage, "completion_tokens"),
        finish if isinstance(finish, str) else None,
    )


def _content(content: object) -> str:
    """A text, or the texts of its parts; a refusal has none."""
    if isinstance(content, str):
        return content
    if not isinstance(content, list):
        return ""
    parts = (_members(part).get("text") for part in cast("list[object]", content))
    return "".join(part for part in parts if isinstance(part, str))


def _members(value: object) -> dict[str, object]:
    return cast("dict[str, object]", value) if isinstance(value, dict) else {}


def _count(usage: Mapping[str, object], name: str) -> int | None:
    value = usage.get(name)
    return value if type(value) is int and 0 <= value < _MOST_TOKENS else None
