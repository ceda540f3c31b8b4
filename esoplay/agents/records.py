"""What a run keeps of every session: folders, what was begun, and what came of it.

A run is a folder.  Each cell of the grid has a folder in it, each attempt at a cell one in that:

    run.json                                        what the grid came to when it was run last
    cells/SOLVER/LANGUAGE/PROTOCOL/3/attempt-1/     the third session, first attempt
        begun.json  result.json                     see :class:`Begun`, :class:`Result`
        store.sqlite  session.json                  the session, and its export
        workspace/  home/                           the agent's
        stdout.log  stderr.log  server.log          transcripts
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple, cast

from esoplay.errors import StoreError

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
)
"""How a session may stand that can be played again when asked to; see ``Standing.word``."""

WORKSPACE, HOME, STORE, EXPORT = "workspace", "home", "store.sqlite", "session.json"
_FRESH = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
_BEGUN, _RESULT, _RUN = "begun.json", "result.json", "run.json"


class Cell(NamedTuple):
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
class Begun:
    """An attempt that was begun.  definition: see ``Grid.definition``."""

    session: str
    definition: str
    time_ms: int


@dataclass(frozen=True, slots=True)
class Result:
    """What came of an attempt.

    end: see :data:`End`; why: in words, where there is more to say.
    solved, problems, moves: of the session.  seconds: from begin to end.
    verified: nothing was found in the export.  repeated: its runs and submissions were done again.
    findings: what was found.  notes: what should be known besides.
    violations: submissions that failed by a rule on workspaces.
    head, sha256, seed: of the export, and of the session's hidden tests, now that it is closed.
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

    @property
    def good(self) -> bool:
        """Whether the session can be reported with those that are whole."""
        return self.end == "complete" and self.verified

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Standing:
    """A cell and its last attempt.

    begun: None where there was none.  result: None for one that has not come to its end.
    altered: the export is not the one that the result is about, or is gone.
    """

    cell: Cell
    attempt: Path | None = None
    begun: Begun | None = None
    result: Result | None = None
    altered: bool = False

    @property
    def word(self) -> str:
        """How it stands, in a word or two."""
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
    """What a run was about when it was last gone on with."""

    title: str
    pack: str | None
    cells: tuple[Cell, ...] = field(default_factory=tuple[Cell, ...])


def standing_of(run: Path, cell: Cell) -> Standing:
    """How a cell stands by what lies in its folder; raises StoreError for a damaged note."""
    attempt = last_attempt(run / cell.folder)
    begun = None if attempt is None else _read(attempt / _BEGUN, Begun)
    if attempt is None or begun is None:
        return Standing(cell)
    result = _read(attempt / _RESULT, Result)
    altered = False
    if result is not None and result.sha256 is not None:
        try:
            altered = sha256((attempt / EXPORT).read_bytes()).hexdigest() != result.sha256
        except OSError:
            altered = True
    return Standing(cell, attempt, begun, result, altered)


def last_attempt(folder: Path) -> Path | None:
    """The last attempt in a cell's folder of which there is a note."""
    begun = [one for one in _attempts(folder) if (one / _BEGUN).is_file()]
    return max(begun, key=_number, default=None)


def new_attempt(folder: Path) -> Path:
    """A fresh folder for one more attempt."""
    number = max(map(_number, _attempts(folder)), default=0) + 1
    fresh = folder / f"attempt-{number}"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        fresh.mkdir(mode=0o700)
    except OSError as error:
        raise StoreError(f"cannot make {fresh}: {error.strerror}") from error
    return fresh


def note_begun(attempt: Path, begun: Begun) -> None:
    _write(attempt / _BEGUN, asdict(begun))


def note_result(attempt: Path, result: Result) -> None:
    _write(attempt / _RESULT, result.as_json())


def note_run(run: Path, note: RunNote) -> None:
    _write(run / _RUN, {**asdict(note), "cells": [list(cell) for cell in note.cells]})


def noted_run(run: Path) -> RunNote | None:
    """What the folder says of itself; None where it is no run's."""
    note = _read(run / _RUN, RunNote)
    return note and RunNote(note.title, note.pack, tuple(Cell(*each) for each in note.cells))


def _attempts(folder: Path) -> Iterator[Path]:
    return (one for one in folder.glob("attempt-*") if one.name[8:].isdigit() and one.is_dir())


def _number(attempt: Path) -> int:
    return int(attempt.name[8:])


def _read(file: Path, kind: type[Any]) -> Any:
    """The note in a file as a value of its kind; None where there is no file."""
    try:
        table: object = json.loads(file.read_bytes())
        known = {
            name: tuple(cast("list[Any]", value)) if isinstance(value, list) else value
            for name, value in cast("dict[str, Any]", table).items()
        }
        return kind(**known)
    except FileNotFoundError:
        return None
    except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
        raise StoreError(f"cannot read {file}: {error}") from None


def _write(file: Path, value: Any) -> None:
    """Whole or not at all."""
    beside = file.with_name(f"{file.name}.{os.getpid()}")
    try:
        with open(os.open(beside, _FRESH, 0o600), "w", encoding="ascii") as stream:
            json.dump(value, stream, indent=1)
            stream.write("\n")
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(file)
    except OSError as error:
        raise StoreError(f"cannot write {file}: {error.strerror}") from error
