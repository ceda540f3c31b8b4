"""Messages on a byte stream, each behind a header with its ``Content-Length``."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

LARGEST = 64 << 20
"""Bytes of a message that are read."""

_LONGEST_HEADER = 8 << 10


class BrokenStream(Exception):
    """What comes is no sequence of messages, and where the next one begins cannot be told."""


class ClientGone(Exception):
    """Nobody reads what is written any more."""


def read_messages(read: Callable[[int], bytes]) -> Iterator[dict[str, Any] | str]:
    """The messages of a stream until it ends; in the place of one that cannot be read, why.

    ``read(n)`` gives at most n bytes, as soon as there are any, and ``b""`` at the end.
    Raises BrokenStream.
    """
    pending = bytearray()

    def fill() -> bool:
        data = read(1 << 16)
        pending.extend(data)
        return bool(data)

    while True:
        while (end := pending.find(b"\r\n\r\n")) < 0:
            if len(pending) > _LONGEST_HEADER:
                raise BrokenStream(f"no header ends within {_LONGEST_HEADER:,} bytes")
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
                raise BrokenStream(f"Content-Length is a number, not {digits[:40]!r}")
            if int(digits) > LARGEST:
                raise BrokenStream(f"a message has at most {LARGEST:,} bytes, not {int(digits):,}")
            return int(digits)
    raise BrokenStream(f"a header without Content-Length: {header[:80]!r}")


def _message(body: bytes) -> dict[str, Any] | str:
    try:
        value: object = json.loads(body)
    except (ValueError, RecursionError) as error:
        return f"a message that is no JSON: {error}"
    if not isinstance(value, dict):
        return "a message that is no object"
    return cast("dict[str, Any]", value)


class MessageWriter:
    """Writes whole messages, numbered as the protocol wants it, from any thread."""

    def __init__(self, write: Callable[[bytes], object]):
        self._write = write
        self._lock = threading.Lock()
        self._seq = 0

    def send(self, message: Mapping[str, Any]) -> None:
        """Write one message with the next ``seq``; raises ClientGone."""
        with self._lock:
            self._seq += 1
            body = json.dumps({"seq": self._seq, **message}, ensure_ascii=False)
            data = body.encode("utf-8", "backslashreplace")
            try:
                self._write(b"Content-Length: %d\r\n\r\n" % len(data) + data)
            except OSError as error:
                raise ClientGone from error
