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
"""How an attempt ended; only ``complete`` is a whole session.

``gave up``: the agent ended with exit status 0 and problems left; ``died``: it ended otherwise.
``interrupted``: the run was stopped. ``tampered``: the log was edited, so there is no export.
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
"""Standings that can be played again on request; see ``CellStanding.word``."""

WORKSPACE, HOME, STORE, EXPORT = "workspace", "home", "store.sqlite", "session.json"
TEMPORARY = "tmp"
"""The folder that an isolated solver sees as ``/tmp``; removed when its session ends."""
USAGE = "usage.jsonl"
CALLS = "calls.jsonl"
"""The tool calls of an agent, from its log."""


class GridCell(NamedTuple):
    """One session of the grid; ``number`` counts from 1 the sessions of a solver under a protocol
    in a language."""

    solver: str
    language: str
    protocol: str
    number: int

    @property
    def folder(self) -> Path:
        """Return the cell's folder relative to the run's folder."""
        return Path("cells", self.solver, self.language, self.protocol, str(self.number))

    def __str__(self) -> str:
        return f"{self.solver}  {self.language}  {self.protocol}  {self.number}"


@dataclass(frozen=True, slots=True)
class AgentIdentity:
    """The agent of a solver with a manifest.

    agent: the manifest's name. version: as the agent printed it. model, effort: from the grid, None
    for the agent's defaults.
    """

    agent: str
    version: str | None = None
    model: str | None = None
    effort: str | None = None


@dataclass(frozen=True, slots=True)
class AgentActivity:
    """What an agent did, from its log; None for what the log or the manifest does not have.

    model, effort: from the log, else from the grid. cached_tokens are a part of input_tokens, and
    reasoning_tokens of output_tokens. shell_commands and edits are parts of tool_calls.
    calls_sha256: of the file with all calls.
    """

    agent: str
    version: str | None = None
    model: str | None = None
    effort: str | None = None
    input_tokens: int | None = None
    cached_tokens: int | None = None
    output_tokens: int | None = None
    reasoning_tokens: int | None = None
    tool_calls: int | None = None
    shell_commands: int | None = None
    edits: int | None = None
    calls_sha256: str | None = None


@dataclass(frozen=True, slots=True)
class AttemptStart:
    """The note on the start of an attempt.

    definition: see ``SessionGrid.definition``. sockets: the folder of its server's socket.
    isolated: whether the solver runs under bubblewrap; None in notes of earlier releases. agent:
    None for a solver without a manifest.
    """

    session: str
    definition: str
    time_ms: int
    sockets: str
    isolated: bool | None = None
    agent: AgentIdentity | None = None


@dataclass(frozen=True, slots=True)
class AttemptOutcome:
    """The result of an attempt.

    end: see :data:`End`; why: details, if any. solved, problems, moves: of the session. seconds:
    duration of the attempt. verified: whether verification of the export found nothing. repeated:
    whether its runs and submissions were executed again. findings: of the verification. notes:
    remarks. violations: submissions that failed by a workspace rule. head, sha256, seed: of the
    export, and of the session's hidden tests, as it is closed. tokens, cost: as the agent reported,
    None without a report; usage_sha256: of the report. isolated: whether the solver ran under
    bubblewrap; None if unknown. agent: from the agent's log; None for a solver without a manifest.
    tools: the tool profile; None if unknown.
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
    agent: AgentActivity | None = None
    tools: str | None = None

    @property
    def good(self) -> bool:
        """Return whether the session is complete and verified."""
        return self.end == "complete" and self.verified

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CellStanding:
    """A cell and its last attempt.

    ``start``: None without an attempt.
    result: None for an unfinished attempt.
    altered: whether the export was changed or removed since the result.
    damage: why the notes on the attempt cannot be read; ``start`` and ``result`` are then None.
    """

    cell: GridCell
    attempt: Path | None = None
    start: AttemptStart | None = None
    result: AttemptOutcome | None = None
    altered: bool = False
    damage: str | None = None

    @property
    def good(self) -> bool:
        """Return whether the session is complete and its export is still the verified one."""
        return self.result is not None and self.result.good and not self.altered

    @property
    def word(self) -> str:
        """Return the standing in one or two words."""
        if self.damage is not None:
            return "damaged"
        if self.altered:
            return "altered"
        if self.result is None:
            return "not begun" if self.start is None else "begun"
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
    """The sessions and settings of a run when it was last started or resumed."""

    title: str
    pack: str | None
    cells: tuple[GridCell, ...] = field(default_factory=tuple[GridCell, ...])


# Reading files that an agent may have replaced by pipes, links, devices or huge files.

_CAREFUL = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_PIECE = 1 << 20


def open_regular(file: Path) -> BinaryIO:
    """Open a regular file, not a link, pipe or device; raises OSError."""
    descriptor = os.open(file, _CAREFUL)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("not a regular file")
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular(file: Path, most: int) -> bytes:
    """Read a regular file of at most ``most`` bytes; raises OSError."""
    with open_regular(file) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise OSError(f"larger than {most:,} bytes")
    return data


def digest_of(file: Path, most: int) -> str | None:
    """Return the SHA-256 of a file; None if it is missing, not a regular file or too long."""
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
