"""The cells of a grid with the attempts at each and their results."""

from __future__ import annotations

import os
import stat
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple

End = Literal[
    "complete",
    "gave up",
    "died",
    "timed out",
    "out of turns",
    "interrupted",
    "not started",
    "tampered",
]
"""How an attempt ended; only the first is a whole session.

``gave up`` is an agent that ended with exit status 0 and problems left, ``died`` one that ended
otherwise, ``interrupted`` one that was cut because the run was.  ``tampered`` is a log that was
edited, so that there is nothing to export.
"""
AGAIN = (
    "gave up",
    "died",
    "timed out",
    "out of turns",
    "interrupted",
    "tampered",
    "forged",
    "altered",
    "damaged",
)
"""How a session may stand that can be played again when asked to; see ``CellStanding.word``."""

WORKSPACE, HOME, STORE, EXPORT = "workspace", "home", "store.sqlite", "session.json"
TEMPORARY = "tmp"
"""The folder that an isolated solver sees as ``/tmp``; removed when its session has ended."""
USAGE = "usage.jsonl"


class GridCell(NamedTuple):
    """One session of the grid; ``number`` counts the sessions of a solver under a protocol in a
    language from 1."""

    solver: str
    language: str
    protocol: str
    number: int

    @property
    def folder(self) -> Path:
        """Seen from the run's."""
        return Path("cells", self.solver, self.language, self.protocol, str(self.number))

    def __str__(self) -> str:
        return f"{self.solver}  {self.language}  {self.protocol}  {self.number}"


@dataclass(frozen=True, slots=True)
class AttemptStart:
    """An attempt that was started.

    definition: see ``Grid.definition``.  sockets: the folder of its server's socket.
    isolated: whether the solver runs under bubblewrap; None in notes that are older than that.
    """

    session: str
    definition: str
    time_ms: int
    sockets: str
    isolated: bool | None = None


@dataclass(frozen=True, slots=True)
class AttemptOutcome:
    """The result of an attempt.

    end: see :data:`End`; why: in words, where there is more to say.
    solved, problems, moves: of the session.  seconds: from begin to end.
    verified: nothing was found in the export.  repeated: its runs and submissions were done again.
    findings: what was found.  notes: what should be known besides.
    violations: submissions that failed by a rule on workspaces.
    head, sha256, seed: of the export, and of the session's hidden tests, now that it is closed.
    tokens, cost: as the agent reported, None without a report; usage_sha256: of the file.
    isolated: whether the solver ran under bubblewrap; None where that is not known.
    """

    session: str
    end: End
    why: str = ""
    solved: int = 0
    problems: int = 0
    moves: int = 0
    seconds: float = 0.0
    verified: bool = False
    repeated: bool = False
    findings: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    violations: int = 0
    head: str | None = None
    sha256: str | None = None
    seed: str | None = None
    tokens: int | None = None
    cost: float | None = None
    usage_sha256: str | None = None
    isolated: bool | None = None

    @property
    def good(self) -> bool:
        """Whether the session is complete and verified."""
        return self.end == "complete" and self.verified

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CellStanding:
    """A cell and its last attempt.

    ``begun``: None without an attempt.  result: None for an unfinished attempt.
    altered: the export is not the one that the result is about, or is gone.
    damage: why the notes on the attempt cannot be read; ``begun`` and ``result`` are None then.
    """

    cell: GridCell
    attempt: Path | None = None
    begun: AttemptStart | None = None
    result: AttemptOutcome | None = None
    altered: bool = False
    damage: str | None = None

    @property
    def good(self) -> bool:
        """Whether the session is complete, and its export still the one that was verified."""
        return self.result is not None and self.result.good and not self.altered

    @property
    def word(self) -> str:
        """How it stands, in a word or two."""
        if self.damage is not None:
            return "damaged"
        if self.altered:
            return "altered"
        if self.result is None:
            return "not begun" if self.begun is None else "begun"
        if self.result.end != "tampered" and not self.result.verified and self.result.findings:
            return "forged"
        return self.result.end

    def as_json(self) -> dict[str, Any]:
        return {
            **self.cell._asdict(),
            "status": self.word,
            "attempt": None if self.attempt is None else str(self.attempt),
            "result": None if self.result is None else self.result.as_json(),
        }


@dataclass(frozen=True, slots=True)
class RunNote:
    """What a run was about when it was last started or resumed."""

    title: str
    pack: str | None
    cells: tuple[GridCell, ...] = field(default_factory=tuple[GridCell, ...])


# Reading where an agent may have put anything: pipes, links, devices, and very many bytes.

_CAREFUL = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_PIECE = 1 << 20


def open_regular(file: Path) -> BinaryIO:
    """Open a file that is neither link, pipe nor device; raises OSError."""
    descriptor = os.open(file, _CAREFUL)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("not a regular file")
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular(file: Path, most: int) -> bytes:
    """What is in a file of at most ``most`` bytes; raises OSError."""
    with open_regular(file) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise OSError(f"it has more than {most:,} bytes")
    return data


def digest_of(file: Path, most: int) -> str | None:
    """The SHA-256 of a file; None if it is missing, not a regular file or too long."""
    found = sha256()
    try:
        with open_regular(file) as stream:
            while data := stream.read(_PIECE):
                found.update(data)
                most -= len(data)
                if most < 0:
                    return None
    except OSError:
        return None
    return found.hexdigest()
