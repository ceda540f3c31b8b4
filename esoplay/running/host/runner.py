"""Compile programs of host lanes once, and run them in a new process for each input."""

from __future__ import annotations

import math
import signal
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from esolangs.errors import OptionError
from esolangs.limits import MEBIBYTE, Limits
from esoplay.errors import LaneError, WorkerDied
from esoplay.paths import private_folders
from esoplay.running.host.lanes import HostLane, find_lane
from esoplay.running.host.private_folder import PrivateFolder, copy_prepared_files
from esoplay.running.host.process import (
    MAX_STDERR_BYTES,
    CommandResult,
    FixtureServer,
    HostCommand,
    run_command,
)
from esoplay.running.host.source_files import SourceFilesError, missing_files, split_source
from esoplay.running.host.toolchain import (
    Toolchain,
    fill_placeholders,
    find_toolchain,
    missing_reason,
)
from esoplay.running.invocation import PLAIN, ProgramInvocation
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT, Outcome
from esoplay.running.scheduler import SchedulerShare

# A program of a lane in a private folder: compiled once, run for each input

SCRATCH_BYTES = 16 * MEBIBYTE
"""Maximum size of the working folder, and of a single file, in bytes."""

MAX_OPEN_FILES = 64
STACK_BYTES = 8 * MEBIBYTE
COMPILE_MEMORY = 2048 * MEBIBYTE
COMPILE_PROCESSES = 256
COMPILE_FILES = 256 * MEBIBYTE
PREPARE_TIME = 900.0
"""Maximum seconds for preparing a toolchain, once per machine."""
SERVER_MEMORY = 64 * MEBIBYTE
SERVER_PROCESSES = 16


class HostProgram:
    """A program in an ordinary language (a host lane), with a folder to compile and run it in.

    share: scheduler that must grant a slot before each command, None to run commands immediately.
    """

    def __init__(self, lane: HostLane, source: bytes, toolchain: Toolchain):
        """Write the files of the program; raise WorkerDied if that fails."""
        self.lane = lane
        self.source = source
        self.failure: CommandResult | None = None
        self.share: SchedulerShare | None = None
        self._toolchain = toolchain
        self._private_folder = PrivateFolder()
        self.folder = self._private_folder.program
        try:
            main, files = split_source(source, lane.source)
        except SourceFilesError as error:
            main, files = lane.source, {lane.source: source}
            self.failure = CommandResult(b"", str(error).encode(), "exit", 1, ())
        self._main = self.folder / main
        others = [name for name in files if name != main and name.endswith(lane.extensions)]
        self._sources = [str(self.folder / name) for name in (main, *others)]
        self._placeholder_values = {
            **toolchain.placeholder_values,
            "source": str(self._main),
            "program": str(self.folder / "program"),
            "folder": str(self.folder),
            "prepared": str(self._private_folder.prepared),
            "scratch": str(self._private_folder.scratch),
        }
        try:
            for name, content in files.items():
                self._private_folder.put(name, content)
        except WorkerDied:
            self.close()
            raise

    @property
    def exists(self) -> bool:
        """Return whether the program's folder and main source file still exist.

        A cleanup of temporary files may delete them, and so can a program without isolation.
        """
        try:
            return self._private_folder.is_intact and self._main.is_file()
        except OSError:
            return False

    def close(self) -> None:
        """Delete the files of the program."""
        self._private_folder.close()

    def compile(self, cancelled: Callable[[], bool] | None) -> None:
        """Compile the program; set ``failure`` if the compiler rejects the source."""
        lane = self.lane
        if lane.compile_command is None or self.failure is not None:
            return

        def prepare() -> bool:
            ended = self._compile(lane.prepare_command, PREPARE_TIME, cancelled)
            return (ended.end_reason, ended.code) == ("exit", 0)

        copy_prepared_files(lane, self._toolchain, self._private_folder, prepare)
        ended = self._compile(lane.compile_command, TIME_LIMIT, cancelled)
        if (ended.end_reason, ended.code) != ("exit", 0):
            self.failure = ended

    def _compile(
        self,
        command_words: Sequence[str],
        time_limit: float,
        cancelled: Callable[[], bool] | None,
    ) -> CommandResult:
        limits = {
            "CPU": math.ceil(time_limit) + 1,
            "CORE": 0,
            "FSIZE": COMPILE_FILES,
            "NPROC": COMPILE_PROCESSES,
        }
        self._private_folder.require_intact()
        writable = [str(self.folder), str(self._private_folder.prepared)]
        command = self._command(
            *(command_words, self.lane.compile_environment, limits),
            *(COMPILE_MEMORY, COMPILE_FILES, writable),
        )
        return run_command(
            command,
            b"",
            max_output=MEBIBYTE,
            time_limit=time_limit,
            cancelled=cancelled,
            share=self.share,
        )

    def run(
        self,
        stdin: bytes,
        limits: Limits,
        time_limit: float,
        cancelled: Callable[[], bool] | None,
        invocation: ProgramInvocation = PLAIN,
    ) -> CommandResult:
        """Run the program on one input.

        Raises RunCancelled if ``cancelled`` returns true, WorkerDied if the run fails for an
        internal reason, and LaneError if the invocation needs a server and the system does not
        allow namespaces.
        """
        lane = self.lane
        self._placeholder_values["memory"] = str(limits.memory // MEBIBYTE)
        bounds = {
            "CPU": math.ceil(time_limit) + 1,
            "CORE": 0,
            "FSIZE": SCRATCH_BYTES,
            "NPROC": lane.processes,
            "NOFILE": MAX_OPEN_FILES,
            "STACK": STACK_BYTES,
        }
        most = limits.memory + lane.memory_allowance
        if lane.limits_address_space:
            bounds["AS"] = most
        self._private_folder.empty_scratch()
        words = [*lane.run_command, *invocation.arguments]
        server = None
        if invocation.server is not None:
            server = _fixture_server(invocation.server)
            bounds["NPROC"] += SERVER_PROCESSES
            most += SERVER_MEMORY  # limits count the server like processes of the program
        command = self._command(
            *(words, lane.environment, bounds, most, SCRATCH_BYTES, ()),
            literal_count=len(invocation.arguments),
            server=server,
        )
        return run_command(
            command,
            stdin,
            max_output=limits.output,
            time_limit=time_limit,
            cancelled=cancelled,
            share=self.share,
        )

    def _command(
        self,
        argv: Sequence[str],
        environment: Mapping[str, str],
        limits: Mapping[str, int],
        resident_memory: int,
        scratch: int,
        writable: Sequence[str],
        *,
        literal_count: int = 0,
        server: FixtureServer | None = None,
    ) -> HostCommand:
        """Return a command, with placeholders such as ``{tool}`` replaced.

        literal_count: number of arguments at the end in which braces are not placeholders.
        """
        end = len(argv) - literal_count
        return HostCommand(
            [*fill_placeholders(argv[:end], self._placeholder_values, self._sources), *argv[end:]],
            dict(
                zip(
                    environment,
                    fill_placeholders(list(environment.values()), self._placeholder_values),
                    strict=True,
                )
            ),
            self._private_folder,
            [*self._toolchain.readable_paths, *(() if writable else (str(self.folder),))],
            [str(folder) for folder in private_folders()],
            limits,
            resident_memory,
            scratch,
            writable,
            server,
        )


def _fixture_server(source: str) -> FixtureServer:
    """Return the command that starts the server of a problem's tests, and the paths that it reads.

    source: the Python code of the server, which runs in the Python of the host lane ``python``;
    raises LaneError if that is missing.
    """
    lane = find_lane("python")
    toolchain = find_toolchain(lane)
    if toolchain is None:
        raise LaneError(
            f"the tests of this problem start a server that needs Python: {missing_reason(lane)}"
        )
    tool = toolchain.placeholder_values["tool"]
    return FixtureServer([tool, "-I", "-B", "-X", "utf8", "-c", source], toolchain.readable_paths)


def describe_missing_files(lane_id: str, source: bytes, stems: Sequence[str]) -> str:
    """Return an error message if a submission lacks required files, else "".

    stems: names of the required files without extension.
    """
    if not stems:
        return ""
    lane = find_lane(lane_id)
    try:
        _, files = split_source(source, lane.source)
    except SourceFilesError:
        return ""  # the runner reports it
    missing = missing_files(files, stems)
    extension = lane.extensions[0]
    names = " and ".join(f"{stem}{extension}" for stem in stems)
    lacking = " and ".join(f"{stem}{extension}" for stem in missing)
    return f"expected the files {names}; missing: {lacking}" if missing else ""


# Outcomes: only exit status 0 with an empty stderr is a success.

_MAX_STDERR_LENGTH = 400  # maximum characters of stderr in an outcome


def make_outcome(
    lane: HostLane,
    dialect: str,
    result: CommandResult,
    limits: Limits,
    time_limit: float,
    folder: Path,
    invocation: ProgramInvocation = PLAIN,
) -> Outcome:
    """Convert the result of a run to an outcome.

    folder: folder of the program, which is removed from paths in stderr.
    """
    by_clock = result.end_reason == "signal" and result.code == signal.SIGXCPU
    if result.end_reason == "time" or by_clock:
        words = f"the limit of {time_limit:g} s was reached"
        return _outcome(lane, dialect, result, "time_limit", words, time_limit)
    if result.end_reason == "output":
        loud = len(result.stderr) > MAX_STDERR_BYTES
        most, where = (MAX_STDERR_BYTES, "on stderr") if loud else (limits.output, "of output")
        words = f"the limit of {most} bytes {where} was reached"
        return _outcome(lane, dialect, result, "output_limit", words, most)
    text = result.stderr.decode("utf-8", "replace")
    failed = (result.end_reason, result.code) != ("exit", invocation.exit_code)
    if result.end_reason == "memory" or (
        failed and any(mark in text for mark in lane.memory_marks)
    ):
        words = f"the limit of {limits.memory} bytes of memory was reached"
        return _outcome(lane, dialect, result, "memory_limit", words, limits.memory)
    stderr = _shorten(result.stderr, folder)
    if failed:
        end = _describe_end(result)
        if invocation.exit_code:
            end += f", expected exit status {invocation.exit_code}"
        words = f"{end}: {stderr}" if stderr else end
        return _outcome(lane, dialect, result, "fault", words)
    if invocation.stderr and result.stderr != invocation.stderr:
        expected = _shorten(invocation.stderr, folder)
        words = f"expected on stderr: {expected}; the program wrote: {stderr or 'nothing'}"
        return _outcome(lane, dialect, result, "fault", words)
    if result.stderr and not invocation.stderr:
        return _outcome(lane, dialect, result, "fault", f"the program wrote to stderr: {stderr}")
    return _outcome(lane, dialect, result, "ok", "")


def compile_error_outcome(
    lane: HostLane, dialect: str, result: CommandResult, folder: Path
) -> Outcome:
    """Convert the result of the compiler to the outcome of a rejected source."""
    told = result.stderr + result.stdout  # some compilers write errors to stdout
    complaint = _shorten(told, folder, from_start=True) or _describe_end(result)
    return Outcome(lane.id, dialect, {}, "parse_error", b"", complaint)


def _outcome(
    lane: HostLane,
    dialect: str,
    result: CommandResult,
    status: str,
    words: str,
    limit: float | None = None,
) -> Outcome:
    return Outcome(
        *(lane.id, dialect, {}, status, result.stdout, words),  # type: ignore[arg-type]
        limit=limit,
        program_exit_code=result.code if result.end_reason == "exit" else None,
    )


def _describe_end(result: CommandResult) -> str:
    if result.end_reason == "exit":
        return f"exit status {result.code}"
    if result.end_reason == "signal":
        try:
            return f"ended by {signal.Signals(result.code).name}"
        except ValueError:
            return f"ended by signal {result.code}"
    return f"ended by the limit on {result.end_reason}"


def _shorten(stderr: bytes, folder: Path, *, from_start: bool = False) -> str:
    """Return the last characters of ``stderr``, without paths that differ from run to run.

    from_start: return the first characters instead, for compilers, whose first error comes first.
    """
    text = stderr.decode("utf-8", "replace").replace(f"{folder}/", "")
    text = text.replace(f"../{folder.name}/", "").strip()  # tsc: relative to the working folder
    if len(text) <= _MAX_STDERR_LENGTH:
        return text
    return f"{text[:_MAX_STDERR_LENGTH]}…" if from_start else f"…{text[-_MAX_STDERR_LENGTH:]}"


DIALECTS = ("standard", "benchmark")
"""Dialects of a lane; both mean the same, because ordinary languages have no dialects."""


class HostRunner:
    """Compile and run programs in host lanes, which are ordinary languages; a context manager.

    ``Worker`` runs programs in the other languages.  The last compiled program is cached, because a
    program is run with many inputs.

    share: scheduler that must grant a slot before each command, None to run commands immediately.
    """

    def __init__(self, share: SchedulerShare | None = None) -> None:
        self.share = share
        self._program: HostProgram | None = None
        self.guards: tuple[str, ...] = ()
        """Names of the active guards in the last run: any of processes, network, files and user."""

    def __enter__(self) -> HostRunner:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Delete the compiled program."""
        program, self._program = self._program, None
        if program is not None:
            program.close()

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
        invocation: ProgramInvocation = PLAIN,
    ) -> Outcome:
        """Run a program; an unexpected exit status or output on stderr is a failure.

        Steps and memory are reported as 0, because they are not counted exactly; the limits on
        output, memory and time apply.  Raises LaneError if the toolchain is not installed,
        OptionError if the dialect is unknown or an option is set, RunCancelled if ``cancelled``
        returns true, and WorkerDied if the run fails for an internal reason.
        """
        lane = find_lane(language_id)
        if dialect not in DIALECTS:
            known = " or ".join(DIALECTS)
            raise OptionError(f"unknown dialect {dialect!r} of {lane.name}; expected {known}")
        if options:
            raise OptionError(f"unknown option {next(iter(options))!r}; {lane.name} has no options")
        program = self._prepared_program(lane, source, cancelled)
        if program.failure is not None:
            return compile_error_outcome(lane, dialect, program.failure, program.folder)
        bounds = limits or GRADING_LIMITS
        program.share = self.share
        ended = program.run(stdin, bounds, time_limit, cancelled, invocation)
        self.guards = ended.guards
        return make_outcome(lane, dialect, ended, bounds, time_limit, program.folder, invocation)

    def _prepared_program(
        self, lane: HostLane, source: bytes, cancelled: Callable[[], bool] | None
    ) -> HostProgram:
        known = self._program
        if known is not None and known.exists and (known.lane, known.source) == (lane, source):
            return known
        self.close()
        toolchain = find_toolchain(lane)
        if toolchain is None:
            raise LaneError(f"{lane.name} is not installed: {missing_reason(lane)}")
        program = HostProgram(lane, source, toolchain)
        program.share = self.share
        try:
            program.compile(cancelled)
        except BaseException:
            program.close()
            raise
        self._program = program
        return program
