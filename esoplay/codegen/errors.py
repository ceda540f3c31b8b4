"""What a source does wrong, and where."""

from __future__ import annotations

from esoplay.errors import EsoplayError


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
