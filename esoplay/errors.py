"""Exceptions of the application and their exit codes.

::

    EsoplayError               base class with ``kind`` and ``exit_code``
      UsageError               invalid request (unknown option, missing file)
      RejectedCommand          the rules do not allow the move now; nothing was changed
      UnknownProblem           no problem with this id in the pack
      UnknownSession           no session with this id in the store
      UnknownDebugger          no open debugger with this id
      ConditionError           invalid breakpoint condition (has a column)
      PackError                invalid problem pack (names file and field)
      LessonError              invalid course (names file and line)
      UnknownLesson            no course in this language, or no lesson with this number
      LaneError                invalid manifest of a host lane, or missing toolchain
      StoreError               stored state cannot be read or written
      ExportRefused            a report cannot use an export (in ``reporting.played_sessions``)
      WorkerDied               internal: the process that ran a program was killed

``esolangs.errors`` has the errors of the engines (ParseError, OptionError, UnknownLanguage).
Anything else is a defect of esoplay (exit code 4).
"""

from __future__ import annotations

EXIT_PASSED = 0
EXIT_FAILED = 1
EXIT_USAGE = 2
EXIT_LIMIT = 3
EXIT_INTERNAL = 4


class EsoplayError(Exception):
    """Base class of the application's errors.

    kind: the error kind in JSON-RPC.  exit_code: the exit status.
    """

    kind = "error"
    exit_code = EXIT_FAILED


class UsageError(EsoplayError):
    kind = "usage"
    exit_code = EXIT_USAGE


class RejectedCommand(EsoplayError):
    kind = "rejected_command"


class UnknownProblem(EsoplayError):
    kind = "unknown_problem"
    exit_code = EXIT_USAGE


class UnknownSession(EsoplayError):
    kind = "unknown_session"
    exit_code = EXIT_USAGE


class UnknownDebugger(EsoplayError):
    kind = "unknown_debugger"
    exit_code = EXIT_USAGE


class ConditionError(EsoplayError):
    """Raised for an invalid condition; ``column``: where in the condition, counted from 1."""

    kind = "condition_error"
    exit_code = EXIT_USAGE

    def __init__(self, message: str, column: int):
        super().__init__(f"{message} (column {column})")
        self.message = message
        self.column = column


class PackError(EsoplayError):
    kind = "pack_error"


class LaneError(EsoplayError):
    kind = "lane_error"
    exit_code = EXIT_USAGE


class LessonError(EsoplayError):
    kind = "lesson_error"


class UnknownLesson(EsoplayError):
    kind = "unknown_lesson"
    exit_code = EXIT_USAGE


class StoreError(EsoplayError):
    kind = "store_error"
    exit_code = EXIT_INTERNAL


class WorkerDied(EsoplayError):
    kind = "internal_error"
    exit_code = EXIT_INTERNAL
