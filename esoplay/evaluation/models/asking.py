"""Asking a model: messages and answers, waiting before another attempt, and the address."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from ipaddress import ip_address
from threading import Event
from typing import Any, Literal, NamedTuple, Protocol
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from esoplay.errors import UsageError

Role = Literal["system", "user", "assistant"]

MOST_ANSWER = 16 << 20
"""Bytes of an answer; what is longer was not meant as one."""


class Message(NamedTuple):
    """One part of a conversation; ``assistant`` is the model itself."""

    role: Role
    text: str

    def as_json(self) -> dict[str, Any]:
        return {"role": self.role, "content": self.text}


class Answer(NamedTuple):
    """What a model said.

    text: bytes that are no UTF-8 are in it as ``surrogateescape`` has them.
    input_tokens: of the whole request, ``cached_tokens`` of them at a lower price;
    output_tokens: reasoning included.  None where nobody told.
    finish: why it ended, in the endpoint's own word.
    """

    text: str
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    finish: str | None = None


class Model(Protocol):
    """Somebody who answers.  May be asked from several threads at a time."""

    def ask(self, messages: Sequence[Message], seed: int | None) -> Answer:
        """One answer.

        Raises Unavailable where asking again may help, Declined where it will not, and
        UsageError where every other request would be refused as well.
        """
        ...

    def close(self) -> None:
        """Give up what is under way, as far as that can be done."""
        ...


class Unavailable(Exception):
    """No answer this time.  wait: seconds that the endpoint asked for, if it did."""

    def __init__(self, reason: str, wait: float | None = None):
        super().__init__(reason)
        self.wait = wait


class Declined(Exception):
    """No answer to this request, however often it is made."""


def to_bytes(text: str) -> bytes:
    """The bytes that a text stands for; lone surrogates that stand for none are spelt as such."""
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


# Asking again, after a while, where that may help.

FIRST_PAUSE = 1.0
"""Seconds; each further pause is twice as long as the one before."""
LONGEST_PAUSE = 60.0
"""Seconds, unless the endpoint asks for more."""
MOST_PATIENCE = 900.0
"""Seconds that an endpoint may ask for."""


class Stopped(Exception):
    """The evaluation was called off."""


class Retrying:
    """Asks a model up to ``retries`` times more than once; ``stop`` ends every pause."""

    def __init__(
        self, model: Model, retries: int, stop: Event, *, first_pause: float = FIRST_PAUSE
    ):
        self._model = model
        self._retries = retries
        self._stop = stop
        self._first = first_pause

    def ask(
        self, messages: Sequence[Message], seed: int | None, noted: Callable[[str, float], None]
    ) -> Answer:
        """The answer; ``noted`` is told of each failure, and for how many seconds it waits then.

        Raises Unavailable after the last try, Stopped, and what ``Model.ask`` raises besides.
        """
        for tries in range(self._retries + 1):
            if self._stop.is_set():
                raise Stopped
            try:
                return self._model.ask(messages, seed)
            except Unavailable as error:
                if self._stop.is_set():
                    raise Stopped from None
                if tries == self._retries:
                    raise
                pause = self._pause(tries, error.wait)
                noted(str(error), pause)
            if self._stop.wait(pause):
                raise Stopped
        raise AssertionError("the last try returns or raises")

    def _pause(self, tries: int, asked: float | None) -> float:
        """What was asked for; else twice as long each time, less up to a half by chance, so that
        those who were refused together do not come back together."""
        if asked is not None:
            return min(asked, MOST_PATIENCE)
        return min(LONGEST_PAUSE, self._first * 2**tries) * random.uniform(0.5, 1)


# Addresses of endpoints, and the way to them.


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


def proxy_for(address: str) -> str | None:
    """The proxy that the system names for an address, never one for this machine's own."""
    parts = urlsplit(address)
    if is_loopback(address) or proxy_bypass(parts.netloc):
        return None
    proxy = getproxies().get(parts.scheme)
    return proxy if not proxy or "://" in proxy else f"http://{proxy}"
