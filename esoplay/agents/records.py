"""Data classes for the sessions of a grid, attempts to play them, and results.

A grid has a number of sessions, its cells, for each combination of solver, language and protocol.
"""

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
"""How an attempt ended; only ``complete`` means that the whole session was played.

``gave up``: the agent exited with status 0 before the last problem. ``died``: it exited with
another status or a signal. ``interrupted``: the run was stopped. ``tampered``: the log of the
session was edited, so there is no export.
"""
RETRYABLE_STANDINGS = (
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
"""Standings that ``agents run --retry`` accepts; see ``CellStanding.description``."""

WORKSPACE, HOME, STORE, EXPORT = "workspace", "home", "store.sqlite", "session.json"
TEMPORARY = "tmp"
"""Folder that is mounted as ``/tmp`` for an isolated solver; removed after its session."""
USAGE = "usage.jsonl"
CALLS = "calls.jsonl"
"""File with the tool calls of an agent."""


class GridCell(NamedTuple):
    """One session of a grid.

    number: number of the session, from 1, for its combination of solver, language and protocol.
    """

    solver: str
    language: str
    protocol: str
    number: int

    @property
    def folder(self) -> Path:
        """Folder of the cell, relative to the run's folder."""
        return Path("cells", self.solver, self.language, self.protocol, str(self.number))

    def __str__(self) -> str:
        return f"{self.solver}  {self.language}  {self.protocol}  {self.number}"


@dataclass(frozen=True, slots=True)
class AgentIdentity:
    """The agent that a solver runs, if a manifest describes the agent.

    agent: name of the manifest. version: as printed by the agent. model, effort: from the grid,
    None for the agent's defaults.
    """

    agent: str
    version: str | None = None
    model: str | None = None
    effort: str | None = None


@dataclass(frozen=True, slots=True)
class AgentActivity:
    """Activity of an agent, from its log. A field is None if the log does not contain the value.

    model, effort: from the log, otherwise from the grid. input_tokens include cached_tokens,
    output_tokens include reasoning_tokens, and tool_calls include shell_commands and edits.
    calls_sha256: SHA-256 of the file with all calls.
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
    """Start of an attempt, as saved in ``begun.json``.

    definition: see ``SessionGrid.definition_digest``. sockets: folder of the server's socket.
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
    """Result of an attempt, as saved in ``result.json``.

    end: see :data:`End`. why: details, or empty. solved, problems, moves: counts of the session.
    seconds: duration of the attempt. verified: whether verification of the export found no problem.
    repeated: whether its runs and submissions were executed again. findings: problems that
    verification found. notes: remarks. violations: number of submissions that failed because of a
    workspace rule. head, sha256: head and digest of the export. seed: seed of the hidden tests,
    revealed because the session is closed. tokens, cost: as reported by the agent, None without a
    report. usage_sha256: digest of the report. isolated: whether the solver ran under bubblewrap;
    None if unknown. agent: activity from the agent's log; None for a solver without a manifest.
    tools: tool profile; None if unknown.
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
    def is_valid(self) -> bool:
        """Whether the session is complete and verified."""
        return self.end == "complete" and self.verified

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class CellStanding:
    """The state of one cell of a grid: the session to run, and the last attempt to run it.

    ``start``: None without an attempt.
    result: None for an unfinished attempt.
    altered: whether the export was changed or removed after the result was saved.
    damage: why the files of the attempt cannot be read; ``start`` and ``result`` are then None.
    """

    cell: GridCell
    attempt: Path | None = None
    start: AttemptStart | None = None
    result: AttemptOutcome | None = None
    altered: bool = False
    damage: str | None = None

    @property
    def is_valid(self) -> bool:
        """Whether the session is complete and its verified export is unchanged."""
        return self.result is not None and self.result.is_valid and not self.altered

    @property
    def description(self) -> str:
        """The standing in one to three words, such as ``complete`` or ``timed out``."""
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
            "status": self.description,
            "attempt": None if self.attempt is None else str(self.attempt),
            "result": None if self.result is None else self.result.as_json(),
        }


@dataclass(frozen=True, slots=True)
class RunNote:
    """Sessions and settings of a run when it was last started or resumed."""

    title: str
    pack: str | None
    cells: tuple[GridCell, ...] = field(default_factory=tuple[GridCell, ...])


# Reading files that an agent may have replaced by pipes, links, devices or huge files.

_OPEN_FLAGS = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
_PIECE = 1 << 20


def open_regular_file(file: Path) -> BinaryIO:
    """Open a regular file; raise OSError for a link, pipe or device."""
    descriptor = os.open(file, _OPEN_FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError("not a regular file")
        return open(descriptor, "rb")
    except BaseException:
        os.close(descriptor)
        raise


def read_regular_file(file: Path, max_bytes: int) -> bytes:
    """Read a regular file of at most ``max_bytes`` bytes.

    Raises OSError if it is larger, unreadable or not a regular file.
    """
    with open_regular_file(file) as stream:
        data = stream.read(max_bytes + 1)
    if len(data) > max_bytes:
        raise OSError(f"larger than {max_bytes:,} bytes")
    return data


def compute_digest(file: Path, max_bytes: int) -> str | None:
    """Return the SHA-256 of a file; None if it is missing, not a regular file or too large."""
    found = sha256()
    try:
        with open_regular_file(file) as stream:
            while data := stream.read(_PIECE):
                found.update(data)
                max_bytes -= len(data)
                if max_bytes < 0:
                    return None
    except OSError:
        return None
    return found.hexdigest()
