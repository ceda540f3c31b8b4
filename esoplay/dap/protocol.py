"""Messages of the Debug Adapter Protocol: framing, argument checks, and capabilities.

A header with ``Content-Length`` precedes each message.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from esoplay.errors import EsoplayError


class RequestError(EsoplayError):
    """Raised if a request cannot be answered; the message is shown to the user of the editor."""

    kind = "request"


Arguments = Mapping[str, Any]

_SURROGATE = re.compile("[\ud800-\udfff]")
_MAX_INTEGER = 2**53 - 1  # RFC 8259, 6: clients disagree about larger integers


def text_argument(arguments: Arguments, name: str, default: str | None = None) -> str | None:
    """Return a string argument, or ``default`` if it is missing.

    Raises RequestError for a value of another type; so do the other functions for arguments.
    """
    value = arguments.get(name, default)
    if value is not None and not isinstance(value, str):
        raise RequestError(f"{name} must be a string, not {_value_text(value)}")
    if value is not None and _SURROGATE.search(value):
        raise RequestError(f"{name} contains an unpaired surrogate")
    return value


def required_text(arguments: Arguments, name: str) -> str:
    """Return a string argument; raise RequestError if it is missing or empty."""
    value = text_argument(arguments, name)
    if not value:
        raise RequestError(f"{name} is missing")
    return value


def integer_argument(arguments: Arguments, name: str, default: int | None = None) -> int | None:
    """Return an integer argument, or ``default`` if it is missing."""
    value = arguments.get(name, default)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise RequestError(f"{name} must be an integer, not {_value_text(value)}")
    if value is not None and abs(value) > _MAX_INTEGER:
        raise RequestError(f"{name} must fit into 53 bits")
    return value


def required_integer(arguments: Arguments, name: str) -> int:
    """Return an integer argument; raise RequestError if it is missing."""
    value = integer_argument(arguments, name)
    if value is None:
        raise RequestError(f"{name} is missing")
    return value


def boolean_argument(arguments: Arguments, name: str, default: bool = False) -> bool:
    """Return a boolean argument, or ``default`` if it is missing."""
    value = arguments.get(name, default)
    if not isinstance(value, bool):
        raise RequestError(f"{name} must be true or false, not {_value_text(value)}")
    return value


def object_argument(arguments: Arguments, name: str) -> Arguments:
    """Return an object argument, or {} if it is missing."""
    value = arguments.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RequestError(f"{name} must be an object, not {_value_text(value)}")
    return cast("Arguments", value)


def list_argument(arguments: Arguments, name: str) -> Sequence[object]:
    """Return a list argument, or [] if it is missing."""
    value = arguments.get(name)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise RequestError(f"{name} must be a list, not {_value_text(value)}")
    return cast("list[object]", value)


def objects_argument(arguments: Arguments, name: str) -> Sequence[Arguments]:
    """Return an argument that is a list of objects, or [] if it is missing."""
    entries = list_argument(arguments, name)
    for entry in entries:
        if not isinstance(entry, dict):
            raise RequestError(
                f"{name} must be a list of objects; one entry is {_value_text(entry)}"
            )
    return cast("Sequence[Arguments]", entries)


def _value_text(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"


# Messages on a byte stream

MAX_MESSAGE_BYTES = 64 << 20
"""The maximum size of a message in bytes."""

_MAX_HEADER_BYTES = 8 << 10


class BrokenStream(Exception):
    """Raised if the input is invalid and the start of the next message cannot be found."""


class ClientDisconnected(Exception):
    """Raised if the client has stopped reading."""


def read_messages(read: Callable[[int], bytes]) -> Iterator[dict[str, Any] | str]:
    """Yield the messages of a stream, and an error text for each invalid message.

    ``read(n)`` returns at most n bytes as soon as some are available, and ``b""`` at the end.
    Raises BrokenStream if a header is invalid.
    """
    pending = bytearray()

    def fill() -> bool:
        data = read(1 << 16)
        pending.extend(data)
        return bool(data)

    while True:
        while (end := pending.find(b"\r\n\r\n")) < 0:
            if len(pending) > _MAX_HEADER_BYTES:
                raise BrokenStream(f"the header is longer than {_MAX_HEADER_BYTES:,} bytes")
            if not fill():
                return
        length = _length(bytes(pending[:end]))
        del pending[: end + 4]
        while len(pending) < length:
            if not fill():
                return
        body = bytes(pending[:length])
        del pending[:length]
        yield _message(body)


def _length(header: bytes) -> int:
    for line in header.split(b"\r\n"):
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            digits = value.strip()
            if not digits.isdigit() or len(digits) > 12:
                raise BrokenStream(f"Content-Length must be a number, not {digits[:40]!r}")
            if int(digits) > MAX_MESSAGE_BYTES:
                raise BrokenStream(
                    f"a message can have at most {MAX_MESSAGE_BYTES:,} bytes, not {int(digits):,}"
                )
            return int(digits)
    raise BrokenStream(f"the header has no Content-Length: {header[:80]!r}")


def _message(body: bytes) -> dict[str, Any] | str:
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError) as error:
        return f"the message is not valid JSON: {error}"
    if not isinstance(value, dict):
        return "the message is not a JSON object"
    return cast("dict[str, Any]", value)


class MessageWriter:
    """A thread-safe writer of complete messages with sequence numbers."""

    def __init__(self, write: Callable[[bytes], object]):
        self._write = write
        self._lock = threading.Lock()
        self._seq = 0

    def send(self, message: Mapping[str, Any]) -> None:
        """Write a message with the next ``seq``. Raises ClientDisconnected if writing fails."""
        with self._lock:
            self._seq += 1
            body = json.dumps({"seq": self._seq, **message}, ensure_ascii=False)
            data = body.encode("utf-8", "backslashreplace")
            try:
                self._write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
            except OSError as error:
                raise ClientDisconnected from error


CAPABILITIES: Mapping[str, Any] = {
    "supportsConfigurationDoneRequest": True,
    "supportsFunctionBreakpoints": True,
    "supportsConditionalBreakpoints": True,
    "supportsHitConditionalBreakpoints": True,
    "supportsLogPoints": True,
    "supportsDataBreakpoints": True,
    "supportsBreakpointLocationsRequest": True,
    "supportsCompletionsRequest": True,
    "completionTriggerCharacters": [":"],
    "supportsEvaluateForHovers": True,
    "supportsStepBack": True,
    "supportsSteppingGranularity": True,
    "supportsSetVariable": True,
    "supportsRestartRequest": True,
    "supportsTerminateRequest": True,
    "supportsExceptionInfoRequest": True,
    "supportsLoadedSourcesRequest": True,
    "supportsDelayedStackTraceLoading": True,
    "exceptionBreakpointFilters": [],
}
"""The optional features of the protocol that the adapter supports.

``goto`` is not supported: it would skip steps, which a recorded history cannot do.
"""
