"""The errors of engines, by cause.

::

    EngineError                 base class of the errors below
      ParseError                the source is not a valid program (has a span)
      OptionError               the caller named an unknown dialect or option, or a bad value
      UnknownLanguage           the caller named a language that is not installed

An error of the program *while running* is not raised: its machine stops with status ``"faulted"``
and a :class:`Fault`.  Any other exception that leaves an engine is a defect of the engine.
"""

from __future__ import annotations

from esolangs.source import Span, locate


class EngineError(Exception):
    """Base class of all errors that engines raise on purpose."""


class OptionError(EngineError):
    """An unknown dialect or option, or a value that the option does not accept."""


class UnknownLanguage(EngineError):
    """A language id, name or file extension that no installed language has."""


class ParseError(EngineError):
    """An invalid source.  ``line`` and ``column`` count from 1."""

    def __init__(self, message: str, source: bytes, span: Span):
        super().__init__(message)
        self.message = message
        self.span = span
        self.offset = span[0]
        self.line, self.column = locate(source, span[0])


class Fault:
    """The error that stopped a running program, caused by the program itself.

    kind: a stable identifier for scripts, such as ``"tape_underflow"``.
    message: description of the cause for people, without a full stop.
    span: source bytes ``(start, end)`` of the instruction that could not be executed.
    line, column: position of the span's start, counted from 1.
    step: number of steps executed before the fault.
    """

    __slots__ = ("column", "kind", "line", "message", "span", "step")

    def __init__(self, kind: str, message: str, span: Span, line: int, column: int, step: int):
        self.kind = kind
        self.message = message
        self.span = span
        self.line = line
        self.column = column
        self.step = step

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Fault) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[object, ...]:
        return self.kind, self.message, self.span, self.step

    def __repr__(self) -> str:
        return f"Fault({self.kind!r}, line={self.line}, column={self.column}, step={self.step})"
