"""A program of a lane in a box of its own: compiled once, run for each input."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

from esolangs.limits import MEBIBYTE, Limits
from esoplay.errors import WorkerDied
from esoplay.paths import private_folders
from esoplay.running.host.box import Box
from esoplay.running.host.command import Command
from esoplay.running.host.lane import Lane
from esoplay.running.host.preparing import bring_prepared
from esoplay.running.host.process import Ended, run_command
from esoplay.running.host.toolchain import Toolchain, filled
from esoplay.running.run import TIME_LIMIT
from esoplay.running.scheduler import Share

SCRATCH = 16 * MEBIBYTE
"""Bytes that a program may write to its working folder, and that any one file may have."""

OPEN_FILES = 64
STACK = 8 * MEBIBYTE
COMPILE_MEMORY = 2048 * MEBIBYTE
COMPILE_PROCESSES = 256
COMPILE_FILES = 256 * MEBIBYTE
PREPARE_TIME = 900.0
"""Seconds that a toolchain may take for what it makes once."""


class HostProgram:
    """failure: how compiling ended, where the source is no program.

    share: where to wait for a turn before each command, None to run at once.
    """

    def __init__(self, lane: Lane, source: bytes, toolchain: Toolchain):
        """Raises WorkerDied where the disk does not take it."""
        self.lane = lane
        self.source = source
        self.failure: Ended | None = None
        self.share: Share | None = None
        self._toolchain = toolchain
        self._box = Box()
        self.folder = self._box.program
        self._words = {
            **toolchain.words,
            "source": str(self.folder / lane.source),
            "program": str(self.folder / "program"),
            "folder": str(self.folder),
            "prepared": str(self._box.prepared),
            "scratch": str(self._box.scratch),
        }
        try:
            self._box.put(lane.source, source)
        except WorkerDied:
            self.close()
            raise

    @property
    def is_there(self) -> bool:
        """Whether nobody has removed it: systems tidy up folders for temporary files.

        A program without isolation can do that as well, or replace its folders.
        """
        try:
            return self._box.is_intact and (self.folder / self.lane.source).is_file()
        except OSError:
            return False

    def close(self) -> None:
        """Remove it from the disk."""
        self._box.close()

    def compile(self, cancelled: Callable[[], bool] | None) -> None:
        """Do what is to be done once; ``failure`` says that the source is no program."""
        lane = self.lane
        if lane.compiling is None:
            return

        def prepare() -> bool:
            ended = self._compile(lane.preparing, PREPARE_TIME, cancelled)
            return (ended.why, ended.code) == ("exit", 0)

        bring_prepared(lane, self._toolchain, self._box, prepare)
        ended = self._compile(lane.compiling, TIME_LIMIT, cancelled)
        if (ended.why, ended.code) != ("exit", 0):
            self.failure = ended

    def _compile(
        self, words: Sequence[str], time_limit: float, cancelled: Callable[[], bool] | None
    ) -> Ended:
        limits = {
            "CPU": math.ceil(time_limit) + 1,
            "CORE": 0,
            "FSIZE": COMPILE_FILES,
            "NPROC": COMPILE_PROCESSES,
        }
        self._box.require_intact()
        writable = [str(self.folder), str(self._box.prepared)]
        command = self._command(
            *(words, self.lane.compile_environment, limits),
            *(COMPILE_MEMORY, COMPILE_FILES, writable),
        )
        return run_command(
            command,
            b"",
            output=MEBIBYTE,
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
    ) -> Ended:
        """One run; raises Cancelled and WorkerDied."""
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
        self._box.empty_scratch()
        command = self._command(lane.running, lane.environment, bounds, most, SCRATCH, ())
        return run_command(
            command,
            stdin,
            output=limits.output,
            time_limit=time_limit,
            cancelled=cancelled,
            share=self.share,
        )

    def _command(
        self,
        words: Sequence[str],
        environment: Mapping[str, str],
        limits: Mapping[str, int],
        resident: int,
        scratch: int,
        writable: Sequence[str],
    ) -> Command:
        return Command(
            filled(words, self._words),
            dict(zip(environment, filled(list(environment.values()), self._words), strict=True)),
            self._box,
            [*self._toolchain.show, *(() if writable else (str(self.folder),))],
            [str(folder) for folder in private_folders()],
            limits,
            resident,
            scratch,
            writable,
        )
