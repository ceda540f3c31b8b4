"""The limits of a run, which machines enforce exactly, and its access to the outside world.

A limit on wall-clock time is not included: ``esoplay.running`` enforces it by killing a worker
process.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    from esolangs.view import LimitKind


UNLIMITED = (1 << 63) - 1
"""The value of a limit that means "no limit"."""

MEBIBYTE = 1 << 20

DEFAULT_WORK = 2_000_000_000
"""Default work limit, in units of ``esolangs.work``: some seconds of processor time."""


class Limits:
    """The limits of one run; using exactly as much as a limit allows does not exceed it.

    steps: number of steps.  output: bytes.  memory: bytes by the documented cost model of the
    language, equal in the compiled and the plain engine.  work: units of ``esolangs.work``, for
    operations on large numbers and on many cells.
    """

    __slots__ = ("memory", "output", "steps", "work")

    def __init__(
        self,
        steps: int = UNLIMITED,
        output: int = UNLIMITED,
        memory: int = 256 * MEBIBYTE,
        work: int = DEFAULT_WORK,
    ):
        self.steps = steps
        self.output = output
        self.memory = memory
        self.work = work

    def reached_message(self, kind: LimitKind) -> str:
        """Return the message about a run that reached this limit."""
        what = f"bytes of {kind}"
        if kind in ("steps", "work"):
            what = "steps" if kind == "steps" else "units of work on large numbers and many cells"
        return f"the limit of {getattr(self, kind)} {what} was reached"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Limits) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __repr__(self) -> str:
        steps, output, memory, work = self._key()
        return f"Limits({steps=}, {output=}, {memory=}, {work=})"

    def _key(self) -> tuple[int, int, int, int]:
        return self.steps, self.output, self.memory, self.work


class World:
    """The part of the outside world that a program can access.

    started: when the run began, in seconds since 1970 (UTC).  folder: the only folder where files
    may be read and written, or None.

    A replay gets the same world and therefore the same values.
    """

    __slots__ = ("folder", "started")

    def __init__(self, started: int = 0, folder: str | None = None):
        self.started = started
        self.folder = folder
