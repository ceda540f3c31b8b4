"""The text of a source's file."""

from __future__ import annotations

from esoplay.errors import UsageError


def source_text(data: bytes, name: str) -> str:
    """The text that the bytes of a file spell, without the mark that some editors put in front.

    CPython takes that mark for nothing, too.  ``name`` is what the UsageError calls the file.
    """
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageError(
            f"{name}: line {line}: a source is text in UTF-8, which byte {error.start} is not"
        ) from None
