"""Run a program in this process, with streamed input and output."""

from __future__ import annotations

from time import monotonic

from esolangs.errors import Fault, ParseError
from esolangs.limits import MEBIBYTE, Limits
from esolangs.registry import find_language

TYPE_CHECKING = False


if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any, Literal

    from esolangs.language import OptionValue, Program
    from esolangs.limits import World
    from esolangs.machine import Machine
    from esolangs.view import Drawing

    OutcomeStatus = Literal[
        "ok",
        "parse_error",
        "fault",
        "step_limit",
        "output_limit",
        "memory_limit",
        "work_limit",
        "time_limit",
    ]

LIMITS = frozenset({"step_limit", "output_limit", "memory_limit", "work_limit", "time_limit"})


class Outcome:
    """Outcome of a run.

    stdout: printed bytes, also before a fault or a limit, without the last ``hidden_bytes`` bytes,
    which the caller did not request.  stderr: error message in one line, or "".  steps: number of
    executed steps.  input_used: number of bytes read.  memory: bytes, by the language's cost model.
    work: operations on large numbers and many cells, in units of ``esolangs.work``.  limit: value
    of the limit that was reached (steps, bytes, units of work or seconds).  program_exit_code: exit
    code that the program requested.  warnings: warnings of the parser, one line each.  drawing: the
    drawing, if it was requested and the program drew.
    """

    __slots__ = (
        "dialect",
        "drawing",
        "fault",
        "hidden_bytes",
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
        "work",
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
        drawing: Drawing | None = None,
        work: int = 0,
    ):
        self.language = language
        self.dialect = dialect
        self.options = dict(options)
        self.status: OutcomeStatus = status
        self.stdout = stdout
        self.hidden_bytes = 0
        self.stderr = stderr
        self.steps = steps
        self.input_used = input_used
        self.memory = memory
        self.fault = fault
        self.limit = limit
        self.program_exit_code = program_exit_code
        self.warnings = warnings
        self.drawing = drawing
        self.work = work

    @property
    def exit_code(self) -> int:
        """The exit code: 0 success, 1 failure of the program itself, 3 a limit was reached."""
        if self.status == "ok":
            return 0
        return 3 if self.status in LIMITS else 1

    @property
    def error_type(self) -> str:
        """Status as EsoLang-Bench names it: ok, compile_error, runtime_error or timeout.

        Only a time limit is a timeout; the other limits are runtime errors, as in arXiv 2606.10933.
        """
        words = {"ok": "ok", "parse_error": "compile_error", "time_limit": "timeout"}
        return words.get(self.status, "runtime_error")

    def as_json(self) -> dict[str, Any]:
        """Return the outcome as JSON.

        ``stdout_base64`` contains the bytes if they are not UTF-8.  ``output_truncated`` and
        ``output_bytes``, the number of printed bytes, are present if some bytes are hidden,
        ``work`` if it is not 0.
        """
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
        if self.work:
            data["work"] = self.work
        if self.hidden_bytes:
            data |= truncation_fields(len(self.stdout) + self.hidden_bytes)
        if self.fault is not None:
            from esolangs.view import as_json

            data["fault"] = as_json(self.fault)
        if self.limit is not None:
            data["limit"] = {"kind": self.status.removesuffix("_limit"), "value": self.limit}
        if self.program_exit_code is not None:
            from esolangs.numbers import abbreviate

            data["program_exit_code"] = abbreviate(self.program_exit_code)
        if self.warnings:
            data["warnings"] = list(self.warnings)
        return data


if TYPE_CHECKING:
    Read = Callable[[], bytes]
    """Function that waits for more input and returns it; empty at the end of the input."""
    Write = Callable[[bytes], object]
    Tick = Callable[[int], bool]
    """Callback with the number of steps, called between slices; False ends the run as timed out."""

SHOWN_OUTPUT = MEBIBYTE
"""Default number of output bytes in the answer to a run."""

FULL_OUTPUT = 64 * MEBIBYTE
"""Maximum output bytes in one JSON object, which must fit into memory."""

SHOWN_IN_TEST = 64 << 10
"""Maximum output bytes shown for a test, and in an answer of the debugger."""

GRADING_LIMITS = Limits(steps=10_000_000, output=MEBIBYTE, memory=256 * MEBIBYTE)
"""Limits of a graded run: steps as in arXiv 2606.10933, output and memory chosen by esoplay."""

TIME_LIMIT = 60.0
"""Seconds of wall time after which a graded run is killed, if no other limit applies earlier."""

START_LIMIT = 60.0
"""Maximum seconds for starting a process."""

# Maximum steps between two checks of output, input and the keyboard: about 20 ms for the fastest
# program.  Slower programs get fewer steps, so that checks are at most _MAX_SLICE_SECONDS apart.
SLICE = {"compiled": 20_000_000, "plain": 100_000}
_FIRST_SLICE = 100  # steps of the first slice, so that early output is shown early
_MAX_SLICE_SECONDS = 0.04  # seconds


def bytes_as_json(name: str, data: bytes) -> dict[str, str]:
    """Return ``{name: text}``, or ``{name_base64: …}`` if the bytes are not UTF-8."""
    try:
        return {name: data.decode("utf-8")}
    except UnicodeDecodeError:
        from base64 import b64encode

        return {f"{name}_base64": b64encode(data).decode("ascii")}


def truncation_fields(size: int) -> dict[str, Any]:
    """Return the JSON fields for a truncated output. size: number of all output bytes."""
    return {"output_truncated": True, "output_bytes": size}


def trim_incomplete_character(data: bytes) -> bytes:
    """Return ``data`` without an incomplete UTF-8 character at its end (RFC 3629, 3)."""
    for back in range(1, min(3, len(data)) + 1):
        byte = data[-back]
        if byte & 0xC0 != 0x80:
            size = 1 + (byte >= 0xC2) + (byte >= 0xE0) + (byte >= 0xF0)
            return data[:-back] if byte < 0xF5 and size > back else data
    return data


def first_bytes(data: bytes, limit: int | None) -> bytes:
    """Return at most the first ``limit`` bytes (None: all), without splitting a character."""
    if limit is None or len(data) <= limit:
        return data
    return trim_incomplete_character(data[:limit])


def last_bytes(data: bytes, limit: int | None) -> bytes:
    """Return at most the last ``limit`` bytes (None: all), without splitting a character."""
    if limit is None or len(data) <= limit:
        return data
    start = len(data) - limit
    for at in range(start, min(start + 3, len(data)) + 1):
        if at == len(data) or data[at] & 0xC0 != 0x80:
            return data[at:]
    return data[start:]


class OutputPrefix:
    """Buffer for the first ``limit`` bytes of an output; the rest is only counted.

    receive: function that receives these bytes; the buffer then stays empty.
    """

    __slots__ = ("_data", "_receive", "kept_size", "limit", "size")

    def __init__(self, limit: int, receive: Write | None = None):
        self.limit = limit
        self.size = 0
        self.kept_size = 0
        self._data = bytearray()
        self._receive = receive or self._data.extend

    def write(self, data: bytes) -> None:
        """Save or count the next printed bytes."""
        self.size += len(data)
        room = self.limit - self.kept_size
        if room > 0:
            self._receive(data if len(data) <= room else data[:room])
            self.kept_size += min(room, len(data))

    @property
    def shown_bytes(self) -> bytes:
        """Saved bytes without an incomplete character at the end."""
        data = bytes(self._data)
        return data if self.size == len(data) else trim_incomplete_character(data)

    def with_shown_output(self, outcome: Outcome) -> Outcome:
        """Replace the output of an outcome by ``shown_bytes``, and return the outcome."""
        outcome.stdout = self.shown_bytes
        outcome.hidden_bytes = self.size - len(outcome.stdout)
        return outcome


def cut_output(outcome: Outcome, limit: int) -> Outcome:
    """Cut the output of an outcome to at most ``limit`` bytes, and return the outcome."""
    head = OutputPrefix(limit)
    head.write(outcome.stdout)
    return head.with_shown_output(outcome)


def run_source(
    language_id: str,
    source: bytes,
    *,
    dialect: str = "standard",
    options: Mapping[str, str | int] | None = None,
    stdin: bytes | Read = b"",
    limits: Limits | None = None,
    seed: int = 0,
    write: Write | None = None,
    tick: Tick | None = None,
    world: World | None = None,
    include_drawing: bool = False,
) -> Outcome:
    """Run ``source`` to its end, a fault or a limit; a parse error is also an outcome.

    stdin: all input, or a function that returns more input on demand.  write: receives output as it
    is printed; without it, ``Outcome.stdout`` collects the output.  world: files and time that the
    program can access; none by default.  include_drawing: whether to set ``Outcome.drawing``.
    Raises UnknownLanguage if the language is not installed, and OptionError if the dialect or an
    option is invalid.
    """
    program = parse_source(language_id, source, dialect, options)
    if isinstance(program, Outcome):
        return program
    return run_program(program, dialect, stdin, limits, seed, write, tick, world, include_drawing)


def parse_source(
    language_id: str,
    source: bytes,
    dialect: str = "standard",
    options: Mapping[str, str | int] | None = None,
) -> Program | Outcome:
    """Return the parsed program, or the outcome of a parse error."""
    language = find_language(language_id)
    chosen = language.configure(dialect, options)
    try:
        return language.parse(source, chosen)
    except ParseError as error:
        span, at = error.span, (error.line, error.column)
        fault = Fault("parse_error", error.message, span, *at, 0)
        text = f"line {error.line}, column {error.column}: {error.message}"
        return Outcome(language.id, dialect, chosen, "parse_error", stderr=text, fault=fault)


def run_program(
    program: Program,
    dialect: str,
    stdin: bytes | Read = b"",
    limits: Limits | None = None,
    seed: int = 0,
    write: Write | None = None,
    tick: Tick | None = None,
    world: World | None = None,
    include_drawing: bool = False,
) -> Outcome:
    """Run a parsed program like ``run_source``; ``dialect`` is only copied to the outcome."""
    limits = limits or Limits()
    streaming = callable(stdin)
    machine = program.start(
        b"" if streaming else stdin,
        closed=not streaming,
        seed=seed,
        limits=limits,
        world=world,
    )
    collected: list[bytes] = []
    finished = run_machine(
        machine,
        SLICE[program.engine],
        write or collected.append,
        stdin if streaming else None,
        tick,
    )
    outcome = Outcome(
        program.language.id,
        dialect,
        program.options,
        "ok" if finished else "time_limit",
        b"".join(collected),
        steps=machine.steps,
        input_used=machine.input_position,
        memory=machine.memory,
        program_exit_code=machine.exit_code,
        warnings=program.warnings,
        drawing=machine.drawing() if include_drawing else None,
        work=machine.work,
    )
    if finished:
        _explain_stop(outcome, machine, limits)
    return outcome


def run_machine(
    machine: Machine, slice: int, write: Write, read: Read | None = None, tick: Tick | None = None
) -> bool:
    """Run ``machine`` until it cannot continue; return False if ``tick`` cancelled the run."""
    steps = min(_FIRST_SLICE, slice)
    fed = 0
    machine.patience = _MAX_SLICE_SECONDS
    while True:
        start_time = monotonic()
        status = machine.run(steps)
        seconds = monotonic() - start_time
        if seconds > _MAX_SLICE_SECONDS:
            steps = max(1, int(steps * _MAX_SLICE_SECONDS / 2 / seconds))
        elif seconds < _MAX_SLICE_SECONDS / 4:
            steps = min((8 if seconds < _MAX_SLICE_SECONDS / 64 else 2) * steps, slice)
        printed = machine.take_output()
        if printed:
            write(printed)
        if status == "needs_input" and read is not None:
            data = _read_more(read, fed - machine.input_position)
            fed += len(data)
            if data:
                machine.feed(data)
            else:
                machine.close_input()
        elif status != "running":
            return True
        if tick is not None and not tick(machine.steps):
            return False


def _read_more(read: Read, pending: int) -> bytes:
    """Return more input for a machine with ``pending`` unread bytes; empty at the end of input.

    A machine with unread bytes is in the middle of a number, and parses them again with the new
    input.  So at least as many digits as are pending are collected first; otherwise the time for a
    long number from a pipe would be quadratic.
    """
    data = read()
    if len(data) >= pending or not data.isdigit():
        return data
    chunks = [data]
    size = len(data)
    while size < pending and data.isdigit():
        data = read()
        chunks.append(data)
        size += len(data)
    return b"".join(chunks)


def _explain_stop(outcome: Outcome, machine: Machine, limits: Limits) -> None:
    fault, limit = machine.fault, machine.limit
    if fault is not None:
        outcome.status = "fault"
        outcome.fault = fault
        outcome.stderr = (
            f"line {fault.line}, column {fault.column}: {fault.message} (step {fault.step})"
        )
    elif limit == "steps":
        outcome.status, outcome.limit = "step_limit", limits.steps
        outcome.stderr = f"StepLimitExceeded: {limits.reached_message(limit)}"
    elif limit == "output":
        outcome.status, outcome.limit = "output_limit", limits.output
        outcome.stderr = limits.reached_message(limit)
    elif limit == "memory":
        outcome.status, outcome.limit = "memory_limit", limits.memory
        outcome.stderr = limits.reached_message(limit)
    elif limit == "work":
        outcome.status, outcome.limit = "work_limit", limits.work
        outcome.stderr = (
            f"{limits.reached_message(limit)}: "
            f"{machine.work} used, and step {machine.steps + 1} would exceed it"
        )
