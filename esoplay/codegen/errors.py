"""What a source does wrong, and where."""

from __future__ import annotations

from collections.abc import Iterable

from esoplay.errors import EsoplayError, UsageError


class SourceError(EsoplayError):
    """A source that cannot be compiled; line and column count from 1."""

    kind = "source_error"

    def __init__(self, message: str, line: int, column: int, name: str = "source"):
        super().__init__(f"{name}: line {line}, column {column}: {message}")
        self.message = message
        self.line = line
        self.column = column


class SourceFault(EsoplayError):
    """A source that did in CPython what no program may: a byte out of range, a bad index."""

    def __init__(self, message: str, line: int, name: str = "source"):
        super().__init__(f"{name}: line {line}: {message}")
        self.message = message
        self.line = line


class LayerError(UsageError, ValueError):
    """What a layer that programs are written with was asked for, and does not have or do."""


def no_such(what: str, name: str, known: Iterable[str]) -> LayerError:
    """The error for a name that means nothing, with those that do."""
    names = list(known)
    told = ", ".join(names[:_MOST_TOLD]) or "none"
    more = f" and {len(names) - _MOST_TOLD} more" if len(names) > _MOST_TOLD else ""
    return LayerError(f"there is no {what} {name!r}; there are: {told}{more}")


_MOST_TOLD = 20
"""Names in one message."""
