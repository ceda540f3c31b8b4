"""What a source does wrong, and where."""

from __future__ import annotations

from collections.abc import Iterable

from esoplay.errors import EsoplayError, UsageError


class SourceError(EsoplayError):
    """A source that cannot be compiled; line and column count from 1.

    message, line, column: those of the first error.  errors: all of them, this one first.
    """

    kind = "source_error"

    def __init__(
        self,
        message: str,
        line: int,
        column: int,
        name: str = "source",
        others: Iterable[SourceError] = (),
    ):
        self.message = message
        self.line = line
        self.column = column
        self.name = name
        self.errors: tuple[SourceError, ...] = (self, *others)
        super().__init__("\n".join(one.told for one in self.errors))

    @property
    def told(self) -> str:
        """This error alone, with its place."""
        return f"{self.name}: line {self.line}, column {self.column}: {self.message}"


TOO_DEEP = "nested too deeply"
"""Python, and what compiles it here, go down by calls, of which there is a limited number."""


class Consequence(SourceError):
    """An error that would not be there but for one before it; it is never reported."""


class Errors:
    """The errors of one source, each kept once."""

    def __init__(self) -> None:
        self._found: dict[tuple[int, int, str], SourceError] = {}

    def __bool__(self) -> bool:
        return bool(self._found)

    def add(self, error: SourceError) -> None:
        """Keep an error, with those that it brings along."""
        for one in error.errors:
            if not isinstance(one, Consequence):
                self._found.setdefault((one.line, one.column, one.message), one)

    def all(self) -> SourceError:
        """One error that has all of them, in the order of the text."""
        first, *others = sorted(self._found.values(), key=lambda one: (one.line, one.column))
        return SourceError(first.message, first.line, first.column, first.name, others)


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
