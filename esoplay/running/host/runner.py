"""Programs of host lanes as the grader wants them run: compiled once, a process for each test."""

from __future__ import annotations

import math
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path

from esolangs.errors import OptionError
from esolangs.limits import MEBIBYTE, Limits
from esoplay.errors import LaneError
from esoplay.running.host.lane import Lane
from esoplay.running.host.lanes import find_lane
from esoplay.running.host.process import Command, Ended, run_command
from esoplay.running.host.toolchain import Toolchain, filled, find_toolchain
from esoplay.running.outcome import Outcome
from esoplay.running.worker import GRADING_LIMITS, TIME_LIMIT

DIALECTS = ("standard", "benchmark")
"""An ordinary language has no dialects of ours, so that both names mean the same."""

SCRATCH = 16 * MEBIBYTE
"""Bytes that a program may write to its working folder, and that any one file may have."""

OPEN_FILES = 64
STACK = 8 * MEBIBYTE
COMPILE_MEMORY = 2048 * MEBIBYTE
COMPILE_PROCESSES = 256
COMPILE_FILES = 256 * MEBIBYTE
_NOBODY = 65534
_MOST_WORDS = 400  # characters of stderr that an outcome tells


class HostRunner:
    """Runs programs of lanes, as ``Worker`` runs those of engines.  Use as a context manager.

    What was compiled last is kept, as one program meets many inputs.
    """

    def __init__(self) -> None:
        self._program: _Program | None = None
        self.held: tuple[str, ...] = ()
        """What the last run was kept by: processes, network, files, user."""

    def __enter__(self) -> HostRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Remove what was compiled."""
        program, self._program = self._program, None
        if program is not None:
            program.remove()

    def run(
        self,
        language_id: str,
        source: bytes,
        *,
        dialect: str = "standard",
        options: Mapping[str, str | int] | None = None,
        stdin: bytes = b"",
        limits: Limits | None = None,
        time_limit: float = TIME_LIMIT,
        cancelled: Callable[[], bool] | None = None,
    ) -> Outcome:
        """Run a program; it fails by an exit status other than 0 and by writing to stderr.

        Steps and memory are 0, as nothing counts them exactly; the limits on output, memory and
        time hold.  Raises LaneError where the toolchain is not installed, OptionError, Cancelled
        and WorkerDied.
        """
        lane = find_lane(language_id)
        if dialect not in DIALECTS:
            raise OptionError(f"{lane.name} has no dialect {dialect!r}; {' and '.join(DIALECTS)}")
        if options:
            raise OptionError(f"{lane.name} has no option {next(iter(options))!r}")
        program = self._ready(lane, source, cancelled)
        if program.failure is not None:
            return _outcome(lane, dialect, program.failure, "parse_error", program.complaint)
        bounds = limits or GRADING_LIMITS
        ended = program.run(stdin, bounds, time_limit, cancelled)
        self.held = ended.held
        return _judged(lane, dialect, ended, bounds, time_limit, program.folder)

    def _ready(self, lane: Lane, source: bytes, cancelled: Callable[[], bool] | None) -> _Program:
        known = self._program
        if known is not None and (known.lane, known.source) == (lane, source):
            return known
        self.close()
        toolchain = find_toolchain(lane)
        if toolchain is None:
            names = " or ".join(
                "python" if one == "{python}" else one for one in lane.tools.command
            )
            raise LaneError(f"{lane.name} is not installed here: it needs {names} on the path")
        program = _Program(lane, source, toolchain)
        try:
            program.compile(cancelled)
        except BaseException:
            program.remove()
            raise
        self._program = program
        return program


class _Program:
    """A source in a box of its own, and what was compiled of it."""

    def __init__(self, lane: Lane, source: bytes, toolchain: Toolchain):
        self.lane = lane
        self.source = source
        self.failure: Ended | None = None
        self.complaint = ""
        self._toolchain = toolchain
        self._box = Path(tempfile.mkdtemp(prefix="esoplay-lane-"))
        self._box.chmod(0o711)  # the program may be another user's than this process
        self.folder = self._box / "program"
        for name in ("program", "scratch", "root"):
            (self._box / name).mkdir()
        (self._box / "scratch").chmod(0o777)
        (self.folder / lane.source).write_bytes(source)
        if os.geteuid() == 0:
            os.chown(self.folder, _NOBODY, _NOBODY)
        self._words = {
            **toolchain.words,
            "source": str(self.folder / lane.source),
            "program": str(self.folder / "program"),
            "folder": str(self.folder),
            "scratch": str(self._box / "scratch"),
        }

    def remove(self) -> None:
        shutil.rmtree(self._box, ignore_errors=True)

    def compile(self, cancelled: Callable[[], bool] | None) -> None:
        """Do what is to be done once; ``failure`` says that the source is no program."""
        lane = self.lane
        if lane.compiling is None:
            return
        command = self._command(
            lane.compiling,
            lane.compile_environment,
            {
                "CPU": math.ceil(TIME_LIMIT) + 1,
                "CORE": 0,
                "FSIZE": COMPILE_FILES,
                "NPROC": COMPILE_PROCESSES,
            },
            COMPILE_MEMORY,
            COMPILE_FILES,
            [str(self.folder)],
        )
        ended = run_command(
            command, b"", output=MEBIBYTE, time_limit=TIME_LIMIT, cancelled=cancelled
        )
        if (ended.why, ended.code) == ("exit", 0):
            return
        self.failure = ended
        told = ended.stderr + ended.stdout  # some compilers complain on stdout
        self.complaint = _shortened(told, self.folder, first=True) or _how(ended)

    def run(
        self,
        stdin: bytes,
        limits: Limits,
        time_limit: float,
        cancelled: Callable[[], bool] | None,
    ) -> Ended:
        lane = self.lane
        self._words["memory"] = str(limits.memory // MEBIBYTE)
        bounds = {
            "CPU": math.ceil(time_limit) + 1,
            "CORE": 0,
            "FSIZE": SCRATCH,
            "NPROC": lane.processes,
            "NOFILE": OPEN_FILES,
            "STACK": STACK,
        }
        most = limits.memory + lane.allowance
        if lane.address_space:
            bounds["AS"] = most
        command = self._command(lane.running, lane.environment, bounds, most, SCRATCH, ())
        return run_command(
            command, stdin, output=limits.output, time_limit=time_limit, cancelled=cancelled
        )

    def _command(
        self,
        words: tuple[str, ...],
        environment: Mapping[str, str],
        limits: Mapping[str, int],
        resident: int,
        scratch: int,
        writable: list[str] | tuple[()],
    ) -> Command:
        return Command(
            filled(words, self._words),
            dict(zip(environment, filled(list(environment.values()), self._words), strict=True)),
            self._box,
            [*self._toolchain.show, *(() if writable else (str(self.folder),))],
            limits,
            resident,
            scratch,
            writable,
        )


def _judged(
    lane: Lane, dialect: str, ended: Ended, limits: Limits, time_limit: float, folder: Path
) -> Outcome:
    """What a run came to: nothing but silence on stderr and exit status 0 is well."""
    by_clock = ended.why == "signal" and ended.code == signal.SIGXCPU
    if ended.why == "time" or by_clock:
        words = f"the limit of {time_limit:g} s was reached"
        return _outcome(lane, dialect, ended, "time_limit", words, time_limit)
    if ended.why == "output":
        words = f"the limit of {limits.output} bytes of output was reached"
        return _outcome(lane, dialect, ended, "output_limit", words, limits.output)
    text = ended.stderr.decode("utf-8", "replace")
    failed = (ended.why, ended.code) != ("exit", 0)
    if ended.why == "memory" or (failed and any(mark in text for mark in lane.memory_marks)):
        words = f"the limit of {limits.memory} bytes of memory was reached"
        return _outcome(lane, dialect, ended, "memory_limit", words, limits.memory)
    told = _shortened(ended.stderr, folder)
    if failed:
        words = f"{_how(ended)}: {told}" if told else _how(ended)
        return _outcome(lane, dialect, ended, "fault", words)
    if ended.stderr:
        return _outcome(lane, dialect, ended, "fault", f"it wrote to stderr: {told}")
    return _outcome(lane, dialect, ended, "ok", "")


def _outcome(
    lane: Lane,
    dialect: str,
    ended: Ended,
    status: str,
    words: str,
    limit: float | None = None,
) -> Outcome:
    code = ended.code if ended.why == "exit" and status != "parse_error" else None
    stdout = b"" if status == "parse_error" else ended.stdout
    return Outcome(
        *(lane.id, dialect, {}, status, stdout, words),  # type: ignore[arg-type]
        limit=limit,
        program_exit_code=code,
    )


def _how(ended: Ended) -> str:
    if ended.why == "exit":
        return f"exit status {ended.code}"
    if ended.why == "signal":
        try:
            return f"ended by {signal.Signals(ended.code).name}"
        except ValueError:
            return f"ended by signal {ended.code}"
    return f"ended by the limit on {ended.why}"


def _shortened(stderr: bytes, folder: Path, *, first: bool = False) -> str:
    """The end of what was written, without the places of files, which differ from run to run.

    first: of a compiler the beginning, as it tells the first error first.
    """
    text = stderr.decode("utf-8", "replace").replace(f"{folder}/", "").strip()
    if len(text) <= _MOST_WORDS:
        return text
    return f"{text[:_MOST_WORDS]}…" if first else f"…{text[-_MOST_WORDS:]}"
