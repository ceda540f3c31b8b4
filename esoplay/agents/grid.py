"""The grid of a run, as a TOML file says it: solvers, languages, protocols, sessions.

Everything is checked when the file is read; an error names file and key, and what was expected.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from msgspec import Meta, field

from esolangs.errors import EngineError
from esolangs.registry import language_ids
from esoplay.agents.solvers import (
    Bounds,
    LimitsTable,
    Solver,
    SolverTable,
    Some,
    bounds_of,
    refuse_doubles,
    solvers_of,
)
from esoplay.decoding import Mistake, Table, Text, decode_toml
from esoplay.errors import EsoplayError, LaneError, UsageError
from esoplay.running.host.lanes import known_id
from esoplay.service.problems import get_pack, resolve_pack
from esoplay.service.sessions import resolve_protocol
from esoplay.sessions.protocols import Protocol
from esoplay.sessions.tongue import tongue_of

MOST_CELLS = 10_000
_MOST_BYTES = 1 << 20  # of a file that is read


class GridTable(Table):
    """The file of a grid."""

    title: Text | None = None
    languages: Some | None = None
    protocols: Some | None = None
    sessions: Annotated[int, Meta(ge=1, le=1000)] = 1
    pack: Text | None = None
    limits: LimitsTable = field(default_factory=LimitsTable)
    solvers: (
        Annotated[
            tuple[SolverTable, ...],
            Meta(min_length=1, extra={"expected": "a list of at least one table"}),
        ]
        | None
    ) = None

    def __post_init__(self) -> None:
        if self.title is not None and not self.title.isprintable():
            raise Mistake("title", expected="one line of text", found=self.title)
        refuse_doubles("languages", self.languages)
        refuse_doubles("protocols", self.protocols)
        if self.solvers is None:
            words = "there is none; put a table [[solvers]] with name and command"
            raise Mistake("solvers", words)


@dataclass(frozen=True, slots=True)
class Grid:
    """What is to be played; ``pack`` as sessions are begun with it, None for the one that ships."""

    file: str
    title: str
    solvers: tuple[Solver, ...]
    languages: tuple[str, ...]
    protocols: tuple[tuple[str, Protocol], ...]
    sessions: int
    pack: str | None

    def definition(self, solver: Solver, protocol: Protocol) -> str:
        """Names what a session is played with: another definition, another name."""
        pack = get_pack(self.pack)
        told = {**asdict(solver), "home": str(solver.home), "variables": dict(solver.variables)}
        if not solver.show:  # grids without the key keep the definition that they had before it
            del told["show"]
        table = [told, asdict(protocol), pack.id, pack.version, [each.id for each in pack]]
        return sha256(json.dumps(table, sort_keys=True).encode()).hexdigest()[:16]


def read_grid(file: Path) -> Grid:
    """The grid in a file; raises UsageError, which names the file, the key and what it takes."""
    try:
        with file.open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
        if len(data) > _MOST_BYTES:
            raise UsageError(f"{file}: a grid has at most {_MOST_BYTES:,} bytes")
    except OSError as error:
        raise UsageError(f"cannot read the grid {file}: {error.strerror}") from None
    try:
        return _grid(decode_toml(data, GridTable), file)
    except Mistake as mistake:
        raise UsageError(f"{file}: {mistake}") from None


def _grid(table: GridTable, file: Path) -> Grid:
    """The grid that a table in ``file`` describes; raises Mistake."""
    grid = Grid(
        file=str(file),
        title=table.title or file.stem,
        languages=_languages(table.languages),
        protocols=_protocols(table.protocols or ("primary",), file.parent),
        sessions=table.sessions,
        pack=None if table.pack is None else _pack(table.pack, file.parent),
        solvers=solvers_of(table.solvers or (), bounds_of(table.limits, Bounds()), file.parent),
    )
    cells = len(grid.solvers) * len(grid.languages) * len(grid.protocols) * grid.sessions
    if cells > MOST_CELLS:
        raise Mistake("", f"this is {cells:,} sessions; a grid has at most {MOST_CELLS:,}")
    for at, (written, protocol) in enumerate(grid.protocols):
        _check_dialect(f"protocols[{at}]", written, protocol, grid.languages)
    return grid


def _languages(names: Sequence[str] | None) -> tuple[str, ...]:
    if names is None:
        return tuple(language_ids())
    found: list[str] = []
    for at, name in enumerate(names):
        try:
            found.append(known_id(name))
        except EngineError as error:
            raise Mistake(f"languages[{at}]", str(error)) from None
    return tuple(dict.fromkeys(found))


def _protocols(names: Sequence[str], folder: Path) -> tuple[tuple[str, Protocol], ...]:
    """The protocols, each with how sessions are started with it."""
    found: dict[str, tuple[str, Protocol]] = {}
    for at, name in enumerate(names):
        written = str((folder / name).resolve()) if name.endswith(".toml") else name
        try:
            protocol = resolve_protocol(written)
        except UsageError as error:
            raise Mistake(f"protocols[{at}]", str(error)) from None
        if protocol.id in found:
            raise Mistake(f"protocols[{at}]", f"a second protocol of the name {protocol.id}")
        found[protocol.id] = (written, protocol)
    return tuple(found.values())


def _check_dialect(path: str, written: str, protocol: Protocol, languages: tuple[str, ...]) -> None:
    for language in languages:
        try:
            tongue_of(language, protocol.dialect)
        except (EngineError, LaneError) as error:
            words = f"{written} cannot be played in {language}: {error}"
            raise Mistake(path, words) from None


def _pack(name: str, folder: Path) -> str:
    """An installed pack's id, or a folder relative to the grid's."""
    beside = (folder / name).expanduser()
    try:
        chosen = str(beside.resolve()) if beside.is_dir() else name
        resolve_pack(chosen)
        get_pack(chosen)
    except EsoplayError as error:
        raise Mistake("pack", str(error)) from None
    return chosen
