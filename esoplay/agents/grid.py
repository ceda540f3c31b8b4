"""The grid of a run, as a TOML file says it: solvers, languages, protocols, sessions.

Everything is checked when the file is read; an error names file and key, and what was expected.
"""

from __future__ import annotations

import json
import tomllib
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path

from esolangs.errors import EngineError
from esolangs.registry import language_ids
from esoplay.agents.fields import GridFields
from esoplay.agents.solvers import Bounds, Solver, read_bounds, read_solvers
from esoplay.errors import EsoplayError, LaneError, UsageError
from esoplay.running.host.lanes import known_id
from esoplay.service.problems import get_pack, resolve_pack
from esoplay.service.sessions import resolve_protocol
from esoplay.sessions.protocols import Protocol
from esoplay.sessions.tongue import tongue_of

MOST_CELLS = 10_000
_MOST_BYTES = 1 << 20  # of a file that is read


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
        table = tomllib.loads(data.decode("utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read the grid {file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: {error}") from None
    fields = GridFields(table, str(file))
    title = fields.text("title") if fields.has("title") else file.stem
    grid = Grid(
        file=str(file),
        title=title if title.isprintable() else fields.fail("title", "one line of text", title),
        languages=_languages(fields),
        protocols=_protocols(fields, file.parent),
        sessions=fields.count("sessions", 1, 1000, 1) or 1,
        pack=_pack(fields, file.parent),
        solvers=read_solvers(fields, read_bounds(fields.table("limits"), Bounds()), file.parent),
    )
    fields.finish()
    cells = len(grid.solvers) * len(grid.languages) * len(grid.protocols) * grid.sessions
    if cells > MOST_CELLS:
        raise UsageError(f"{file}: this is {cells:,} sessions; a grid has at most {MOST_CELLS:,}")
    for at, (written, protocol) in enumerate(grid.protocols):
        _check_dialect(fields, f"protocols[{at}]", written, protocol, grid.languages)
    return grid


def _languages(fields: GridFields) -> tuple[str, ...]:
    if not fields.has("languages"):
        return tuple(language_ids())
    found: list[str] = []
    for at, name in enumerate(fields.some("languages")):
        try:
            found.append(known_id(name))
        except EngineError as error:
            fields.refuse(f"languages[{at}]", str(error))
    return tuple(dict.fromkeys(found))


def _protocols(fields: GridFields, folder: Path) -> tuple[tuple[str, Protocol], ...]:
    """The protocols, each with how sessions are begun with it."""
    found: dict[str, tuple[str, Protocol]] = {}
    for at, name in enumerate(fields.some("protocols") if fields.has("protocols") else ["primary"]):
        written = str((folder / name).resolve()) if name.endswith(".toml") else name
        try:
            protocol = resolve_protocol(written)
        except UsageError as error:
            fields.refuse(f"protocols[{at}]", str(error))
        if protocol.id in found:
            fields.refuse(f"protocols[{at}]", f"a second protocol of the name {protocol.id}")
        found[protocol.id] = (written, protocol)
    return tuple(found.values())


def _check_dialect(
    fields: GridFields, where: str, written: str, protocol: Protocol, languages: tuple[str, ...]
) -> None:
    for language in languages:
        try:
            tongue_of(language, protocol.dialect)
        except (EngineError, LaneError) as error:
            fields.refuse(where, f"{written} cannot be played in {language}: {error}")


def _pack(fields: GridFields, folder: Path) -> str | None:
    """An installed pack's id, or a folder seen from the grid's."""
    if not fields.has("pack"):
        return None
    name = fields.text("pack")
    beside = (folder / name).expanduser()
    try:
        chosen = str(beside.resolve()) if beside.is_dir() else name
        resolve_pack(chosen)
        get_pack(chosen)
    except EsoplayError as error:
        fields.refuse("pack", str(error))
    return chosen
