"""Encode answers in parts, and store large answers on disk until the client reads them.

An answer is stored until the client reads it. To save memory, long strings are stored as UTF-8 and
encoded when they are written, and answers above ``MAX_IN_MEMORY`` bytes are stored in an unnamed
file.
"""

from __future__ import annotations

import codecs
import json
import tempfile
from base64 import b64encode
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

MAX_IN_MEMORY = 2 << 20
"""Maximum size in bytes of an answer in memory; larger answers are stored on disk."""

_SPOOL = 256 << 10  # bytes of a spool that stay in memory
_MIN_DEFERRED_LENGTH = 64 << 10  # minimum characters of a string that is encoded when it is written
_PIECE = 48 << 10  # bytes read and encoded at a time; a multiple of 3, for base64
_DEPTH = 4  # nesting depth up to which long strings are encoded lazily


class Spool:
    """Buffer that is first written, then read; it moves to disk when it exceeds 256 KiB."""

    def __init__(self) -> None:
        self._file = tempfile.SpooledTemporaryFile(_SPOOL)  # noqa: SIM115 (freed with the answer)
        self.size = 0

    def write(self, data: bytes) -> None:
        """Append data."""
        self._file.write(data)
        self.size += len(data)

    def read(self, start: int, length: int) -> bytes:
        """Return at most ``length`` bytes from ``start``."""
        self._file.seek(start)
        return self._file.read(length)


class StoredBytes:
    """Bytes in memory, or a range of a spool."""

    def __init__(self, source: bytes | Spool, start: int = 0, size: int | None = None):
        self.source = source
        self.start = start
        whole = source.size if isinstance(source, Spool) else len(source)
        self.size = whole if size is None else size

    @property
    def memory(self) -> int:
        """Number of bytes that this object holds in memory; 0 for a range of a spool."""
        return self.size if isinstance(self.source, bytes) else 0

    def chunks(self) -> Iterator[bytes]:
        """Yield the bytes in chunks."""
        for at in range(self.start, self.start + self.size, _PIECE):
            length = min(_PIECE, self.start + self.size - at)
            if isinstance(self.source, Spool):
                yield self.source.read(at, length)
            else:
                yield self.source[at : at + length]

    def move_to(self, spool: Spool) -> StoredBytes:
        """Append the bytes to ``spool`` and return their range in it."""
        start = spool.size
        for chunk in self.chunks():
            spool.write(chunk)
        return StoredBytes(spool, start, self.size)


class LazyText:
    """String of an answer, stored as UTF-8 and decoded when it is written."""

    def __init__(self, stored: StoredBytes, errors: str = "replace"):
        self.stored = stored
        self.errors = errors

    def pieces(self) -> Iterator[str]:
        """Yield the decoded string in parts."""
        decoder = codecs.getincrementaldecoder("utf-8")(self.errors)
        for chunk in self.stored.chunks():
            yield decoder.decode(chunk)
        yield decoder.decode(b"", True)

    def __str__(self) -> str:
        return "".join(self.pieces())


class Base64(LazyText):
    """Bytes of an answer, written as a base64 string."""

    def pieces(self) -> Iterator[str]:
        """Yield the string in parts."""
        for chunk in self.stored.chunks():
            yield b64encode(chunk).decode("ascii")


def is_utf8(data: StoredBytes | Spool) -> bool:
    """Return whether the data is valid UTF-8."""
    stored = StoredBytes(data) if isinstance(data, Spool) else data
    try:
        for _ in LazyText(stored, "strict").pieces():
            pass
    except UnicodeDecodeError:
        return False
    return True


def resolve_texts(result: dict[str, Any]) -> dict[str, Any]:
    """Return the result with its lazy texts as strings."""
    return {
        name: str(each) if isinstance(each, LazyText) else each for name, each in result.items()
    }


class EncodedMessage:
    """Message encoded as ASCII JSON, so that clients do not split it at Unicode line breaks."""

    def __init__(self, message: Mapping[str, Any]):
        """Encode a message; raise TypeError or ValueError if JSON cannot represent a value."""
        self._parts: list[StoredBytes | LazyText] = []
        self._plain: list[str] = []
        self._add(message, _DEPTH)
        self._flush_plain()
        if sum(_to_stored_bytes(part).memory for part in self._parts) > MAX_IN_MEMORY:
            self._move_to_disk()

    def pieces(self) -> Iterator[bytes]:
        """Yield the bytes of the encoded message, in parts."""
        for part in self._parts:
            if isinstance(part, StoredBytes):
                yield from part.chunks()
                continue
            yield b'"'
            for piece in part.pieces():
                yield _dumps(piece)[1:-1].encode("ascii")
            yield b'"'

    def _add(self, value: Any, depth: int) -> None:
        if _is_short(value, depth):
            self._plain.append(_dumps(value))
        elif isinstance(value, LazyText):
            self._add_text(value)
        elif isinstance(value, str):
            try:
                self._add_text(LazyText(StoredBytes(value.encode()), "strict"))
            except UnicodeEncodeError:  # a lone surrogate
                self._plain.append(_dumps(value))
        elif isinstance(value, dict):
            sign = "{"
            for name, member in cast("dict[str, Any]", value).items():
                self._plain += (sign, _dumps(name), ":")
                self._add(member, depth - 1)
                sign = ","
            self._plain.append("}")
        else:
            sign = "["
            for item in cast("Sequence[Any]", value):
                self._plain.append(sign)
                self._add(item, depth - 1)
                sign = ","
            self._plain.append("]")

    def _add_text(self, text: LazyText) -> None:
        self._flush_plain()
        self._parts.append(text)

    def _flush_plain(self) -> None:
        if self._plain:
            self._parts.append(StoredBytes("".join(self._plain).encode("ascii")))
            self._plain.clear()

    def _move_to_disk(self) -> None:
        spool = Spool()
        for at, part in enumerate(self._parts):
            stored = _to_stored_bytes(part)
            if not stored.memory:
                continue
            moved = stored.move_to(spool)
            self._parts[at] = (
                moved if isinstance(part, StoredBytes) else LazyText(moved, part.errors)
            )


def _to_stored_bytes(part: StoredBytes | LazyText) -> StoredBytes:
    return part if isinstance(part, StoredBytes) else part.stored


def _is_short(value: object, depth: int) -> bool:
    """Return whether the outermost ``depth`` levels of a value contain no long string."""
    if isinstance(value, str):
        return len(value) <= _MIN_DEFERRED_LENGTH
    if not depth:
        return True
    if isinstance(value, dict):
        members = cast("dict[object, object]", value)
        if not all(isinstance(name, str) for name in members):
            return True  # ``json`` converts other keys to strings
        return all(_is_short(member, depth - 1) for member in members.values())
    if isinstance(value, list | tuple):
        return all(_is_short(item, depth - 1) for item in cast("Sequence[object]", value))
    return not isinstance(value, LazyText)


def _to_json(value: object) -> str:
    """Convert a lazy text to a string; raise TypeError for other values, as ``json`` expects.

    Only lazy texts that are too deeply nested to be written in parts are converted.
    """
    if isinstance(value, LazyText):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be written as JSON")


_dumps = json.JSONEncoder(allow_nan=False, separators=(",", ":"), default=_to_json).encode
