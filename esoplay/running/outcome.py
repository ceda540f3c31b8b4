"""The result of one run, as `esoplay run --json` prints it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any, Literal

    from esolangs.errors import Fault
    from esolangs.language import OptionValue

    OutcomeStatus = Literal[
        "ok", "parse_error", "fault", "step_limit", "output_limit", "memory_limit", "time_limit"
    ]

LIMITS = frozenset({"step_limit", "output_limit", "memory_limit", "time_limit"})


class Outcome:
    """What a run came to.

    stdout: every byte printed, also before a fault or a limit.  stderr: one line for people, or "".
    steps: executed.  input_used: bytes read.  memory: bytes, by the language's cost model.
    limit: the value of the limit that was met (steps, bytes or seconds).
    program_exit_code: what the program asked for, in languages that have that.
    warnings: what the parser finds odd about the program, one line each.
    """

    __slots__ = (
        "dialect",
        "fault",
        "input_used",
        "language",
        "limit",
        "memory",
        "options",
        "program_exit_code",
        "status",
        "stderr",
        "stdout",
        "steps",
        "warnings",
    )

    def __init__(
        self,
        language: str,
        dialect: str,
        options: Mapping[str, OptionValue],
        status: OutcomeStatus,
        stdout: bytes = b"",
        stderr: str = "",
        steps: int = 0,
        input_used: int = 0,
        memory: int = 0,
        fault: Fault | None = None,
        limit: float | None = None,
        program_exit_code: int | None = None,
        warnings: tuple[str, ...] = (),
    ):
        self.language = language
        self.dialect = dialect
        self.options = dict(options)
        self.status: OutcomeStatus = status
        self.stdout = stdout
        self.stderr = stderr
        self.steps = steps
        self.input_used = input_used
        self.memory = memory
        self.fault = fault
        self.limit = limit
        self.program_exit_code = program_exit_code
        self.warnings = warnings

    @property
    def exit_code(self) -> int:
        """0 ran to its end, 1 the program's own failure, 3 a limit was reached."""
        if self.status == "ok":
            return 0
        return 3 if self.status in LIMITS else 1

    @property
    def error_type(self) -> str:
        """EsoLang-Bench's word: ok, compile_error, runtime_error or timeout.

        It knows no limits but time; the agent paper's step limit is a runtime error.
        """
        words = {"ok": "ok", "parse_error": "compile_error", "time_limit": "timeout"}
        return words.get(self.status, "runtime_error")

    def as_json(self) -> dict[str, Any]:
        """The object of the interface; ``stdout_base64`` replaces text that is no UTF-8."""
        data: dict[str, Any] = {
            "language": self.language,
            "dialect": self.dialect,
            "options": self.options,
            "status": self.status,
            "error_type": self.error_type,
            "exit_code": self.exit_code,
            "stdout": self.stdout.decode("utf-8", "replace"),
            "stderr": self.stderr,
            "steps": self.steps,
            "input_used": self.input_used,
            "memory": self.memory,
        }
        try:
            self.stdout.decode("utf-8")
        except UnicodeDecodeError:
            from base64 import b64encode

            data["stdout_base64"] = b64encode(self.stdout).decode("ascii")
        if self.fault is not None:
            from esolangs.view import as_json

            data["fault"] = as_json(self.fault)
        if self.limit is not None:
            data["limit"] = {"kind": self.status.removesuffix("_limit"), "value": self.limit}
        if self.program_exit_code is not None:
            from esolangs.numbers import shown

            data["program_exit_code"] = shown(self.program_exit_code)
        if self.warnings:
            data["warnings"] = list(self.warnings)
        return data
