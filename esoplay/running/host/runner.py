"""Programs of host lanes as the grader wants them run: compiled once, a process for each test."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from esolangs.errors import OptionError
from esolangs.limits import Limits
from esoplay.errors import LaneError
from esoplay.running.host.lane import Lane
from esoplay.running.host.lanes import find_lane
from esoplay.running.host.outcomes import outcome_of, refusal_of
from esoplay.running.host.program import HostProgram
from esoplay.running.host.toolchain import find_toolchain, why_missing
from esoplay.running.outcome import Outcome
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT
from esoplay.running.scheduler import Share

DIALECTS = ("standard", "benchmark")
"""An ordinary language has no dialects of ours, so that both names mean the same."""


class HostRunner:
    """Runs programs of lanes, as ``Worker`` runs those of engines.  Use as a context manager.

    What was compiled last is kept, as one program meets many inputs.  share: where to wait for a
    turn before each command, None to run at once.
    """

    def __init__(self, share: Share | None = None) -> None:
        self.share = share
        self._program: HostProgram | None = None
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
            return refusal_of(lane, dialect, program.failure, program.folder)
        bounds = limits or GRADING_LIMITS
        program.share = self.share
        ended = program.run(stdin, bounds, time_limit, cancelled)
        self.held = ended.held
        return outcome_of(lane, dialect, ended, bounds, time_limit, program.folder)

    def _ready(
        self, lane: Lane, source: bytes, cancelled: Callable[[], bool] | None
    ) -> HostProgram:
        known = self._program
        if known is not None and known.is_there and (known.lane, known.source) == (lane, source):
            return known
        self.close()
        toolchain = find_toolchain(lane)
        if toolchain is None:
            raise LaneError(f"{lane.name} is not installed here: {why_missing(lane)}")
        program = HostProgram(lane, source, toolchain)
        program.share = self.share
        try:
            program.compile(cancelled)
        except BaseException:
            program.close()
            raise
        self._program = program
        return program
