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


def check_by_python(text: str, name: str) -> None:
    """What Python itself finds wrong only when it compiles: loops 21 deep, late ``global``."""
    try:
        compile(text, name, "exec", dont_inherit=True)
    except SyntaxError as error:
        raise SourceError(error.msg, error.lineno or 1, error.offset or 1, name) from None
    except (RecursionError, MemoryError):
        raise SourceError("nested too deeply", 1, 1, name) from None
