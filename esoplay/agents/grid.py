"""Read the grid of a run from a TOML file: solvers, languages, protocols, sessions.

All values are checked when the file is read; errors name file, line, column, key and expected
value.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from hashlib import sha256
from pathlib import Path
from typing import Annotated, Any, NoReturn

from msgspec import Meta, field

from esolangs.errors import EngineError
from esolangs.registry import language_ids
from esoplay.agents.solvers import (
    LimitsTable,
    NonEmptyTexts,
    SessionLimits,
    Solver,
    SolverTable,
    check_duplicates,
    merge_limits,
    read_solvers,
)
from esoplay.benchmark.sessions import resolve_protocol
from esoplay.decoding import DecodingError, StrictTable, Text, decode_toml
from esoplay.errors import EsoplayError, LaneError, UsageError
from esoplay.grading.output_comparison import Compare
from esoplay.grading.packs import RunSeconds
from esoplay.packs.catalogue import get_pack, resolve_pack, select, select_solvable
from esoplay.running.host.lanes import check_language_id
from esoplay.sessions.protocols import Protocol, protocol_as_json
from esoplay.sessions.target import find_target
from esoplay.sessions.tool_profiles import TOOL_PROFILES, ToolProfile
from esoplay.toml_positions import locate

MAX_CELLS = 10_000
_MAX_BYTES = 1 << 20  # maximum bytes of a grid file
_PROFILES = f"a list with one or more of {', '.join(TOOL_PROFILES)}"


class GridTable(StrictTable):
    """The content of a grid file."""

    title: Text | None = None
    languages: NonEmptyTexts | None = None
    protocols: NonEmptyTexts | None = None
    sessions: Annotated[int, Meta(ge=1, le=1000)] = 1
    tools: (
        Annotated[tuple[ToolProfile, ...], Meta(min_length=1, extra={"expected": _PROFILES})] | None
    ) = None
    compare: Compare | None = None
    time_limit: RunSeconds | None = None
    pack: Text | None = None
    problems: NonEmptyTexts | None = None
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
            raise DecodingError("title", expected="one line of text", found=self.title)
        check_duplicates("languages", self.languages)
        check_duplicates("protocols", self.protocols)
        check_duplicates("tools", self.tools)
        check_duplicates("problems", self.problems)
        if self.solvers is None:
            words = "missing; add a table [[solvers]] with name and command"
            raise DecodingError("solvers", words)


@dataclass(frozen=True, slots=True)
class SessionGrid:
    """The sessions of a run: every combination of solver, language and protocol.

    pack: as the user wrote it, None for the built-in pack. problems: ids, ranges and tiers, None
    for all. protocols: pairs of a name or file, as ``Sessions.init`` accepts it, and the protocol.
    compare: comparison mode, None for the mode of the pack. time_limit: seconds of one run, None
    for the limits of the problems.
    """

    file: str
    title: str
    solvers: tuple[Solver, ...]
    languages: tuple[str, ...]
    protocols: tuple[tuple[str, Protocol], ...]
    sessions: int
    pack: str | None
    problems: tuple[str, ...] | None
    compare: Compare | None = None
    time_limit: float | None = None

    def changes(self, protocol: Protocol) -> dict[str, Any]:
        """Return the settings that the grid changes in ``protocol``, with their new values."""
        chosen = {"compare": self.compare, "tools": protocol.tools}
        return {name: value for name, value in chosen.items() if value is not None}

    def definition_digest(self, solver: Solver, protocol: Protocol) -> str:
        """Return a digest of the settings that affect a session."""
        pack = get_pack(self.pack)
        settings: dict[str, Any] = asdict(replace(solver, agent=None))
        settings["home"] = str(solver.home)
        # The digest contains the names of earlier releases.
        settings["environment"] = settings.pop("passed_variables")
        settings["variables"] = dict(settings.pop("extra_variables"))
        for name in ("show", "model", "effort", "arguments", "agent"):
            if not settings[name]:  # keep the digest of earlier releases
                del settings[name]
        del settings["shell"]  # declared by the operator; does not affect the session
        if solver.agent is not None:
            settings["agent"] = solver.agent.text_digest
        ids = [each.id for each in select(pack.problems, self.problems)]
        table: list[Any] = [settings, protocol_as_json(protocol), pack.id, pack.version, ids]
        if self.compare is not None:
            table.append(f"compare {self.compare}")
        if self.time_limit is not None:
            table.append(f"time limit {self.time_limit:g}")
        return sha256(json.dumps(table, sort_keys=True).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class GridOverrides:
    """Options of a run that replace keys of its grid; None keeps the grid's value.

    A folder in ``pack`` is relative to the current folder.
    """

    pack: str | None = None
    problems: tuple[str, ...] | None = None
    sessions: int | None = None


def read_grid(file: Path, overrides: GridOverrides | None = None) -> SessionGrid:
    """Read a grid file; raise UsageError with file, line, column, key and expected value."""
    try:
        with file.open("rb") as stream:
            data = stream.read(_MAX_BYTES + 1)
        if len(data) > _MAX_BYTES:
            raise UsageError(f"{file}: a grid has at most {_MAX_BYTES:,} bytes")
    except OSError as error:
        raise UsageError(f"cannot read the grid {file}: {error.strerror}") from None
    try:
        return _grid(decode_toml(data, GridTable), file, overrides or GridOverrides())
    except DecodingError as mistake:
        place = locate(file, data.decode("utf-8", "replace"), mistake.path, mistake.message)
        raise UsageError(f"{place}: {mistake}") from None


def _grid(table: GridTable, file: Path, overrides: GridOverrides) -> SessionGrid:
    """Convert the table in ``file`` to a grid; raise DecodingError if a value is invalid."""
    pack = _selected_pack(table, file.parent, overrides)
    grid = SessionGrid(
        file=str(file),
        title=table.title or file.stem,
        languages=_languages(table.languages),
        protocols=_protocols(table, file.parent, get_pack(pack).compare),
        sessions=table.sessions if overrides.sessions is None else overrides.sessions,
        pack=pack,
        problems=_selected_problems(table, pack, overrides),
        compare=table.compare,
        time_limit=table.time_limit,
        solvers=read_solvers(
            table.solvers or (), merge_limits(table.limits, SessionLimits()), file.parent
        ),
    )
    cells = len(grid.solvers) * len(grid.languages) * len(grid.protocols) * grid.sessions
    if cells > MAX_CELLS:
        raise DecodingError("", f"{cells:,} sessions; expected at most {MAX_CELLS:,}")
    _check_solvable(grid, overrides)
    for at, (written, protocol) in enumerate(grid.protocols):
        _check_dialect(f"protocols[{at}]", written, protocol, grid.languages)
    return grid


def _languages(names: Sequence[str] | None) -> tuple[str, ...]:
    if names is None:
        return tuple(language_ids())
    found: list[str] = []
    for at, name in enumerate(names):
        try:
            found.append(check_language_id(name))
        except EngineError as error:
            raise DecodingError(f"languages[{at}]", str(error)) from None
    return tuple(dict.fromkeys(found))


def _protocols(
    table: GridTable, folder: Path, default_compare: Compare
) -> tuple[tuple[str, Protocol], ...]:
    """Return pairs, one for each combination of a protocol and a tool profile of the grid.

    A pair has the name of a protocol, or the path of its file, and the protocol.
    default_compare: comparison mode of the pack.
    """
    found: dict[str, tuple[str, Protocol]] = {}
    changes: dict[str, Any] = {}
    if table.compare not in (None, default_compare):
        changes["compare"] = table.compare
    for at, name in enumerate(table.protocols or ("primary",)):
        written = str((folder / name).resolve()) if name.endswith(".toml") else name
        for tools in table.tools or (None,):
            chosen = changes if tools is None else {**changes, "tools": tools}
            try:
                protocol = resolve_protocol(written, chosen)
            except UsageError as error:
                raise DecodingError(f"protocols[{at}]", str(error)) from None
            if protocol.id in found:
                raise DecodingError(f"protocols[{at}]", f"duplicate protocol name {protocol.id}")
            found[protocol.id] = (written, protocol)
    return tuple(found.values())


def _check_dialect(path: str, name: str, protocol: Protocol, languages: tuple[str, ...]) -> None:
    for language in languages:
        try:
            find_target(language, protocol.dialect)
        except (EngineError, LaneError) as error:
            words = f"protocol {name} cannot be used with {language}: {error}"
            raise DecodingError(path, words) from None


def _selected_pack(table: GridTable, folder: Path, overrides: GridOverrides) -> str | None:
    if overrides.pack is None:
        return None if table.pack is None else _pack(table.pack, folder)
    try:
        return _pack(overrides.pack, Path())
    except DecodingError as mistake:
        raise UsageError(f"--{mistake}") from None


def _selected_problems(
    table: GridTable, pack: str | None, overrides: GridOverrides
) -> tuple[str, ...] | None:
    """Return the names of the problems to play, or None for all problems of the pack."""
    names = table.problems if overrides.problems is None else overrides.problems
    if names is None:
        return None
    try:
        select(get_pack(pack).problems, names)
    except UsageError as error:
        _reraise_selection_error(error, overrides)
    return tuple(names)


def _check_solvable(grid: SessionGrid, overrides: GridOverrides) -> None:
    """Raise an error if a language of the grid cannot be used for its problems.

    A language must suffice for every problem that is named by its id, and for at least one of the
    selected problems.
    """
    problems = get_pack(grid.pack).problems
    for language in grid.languages:
        try:
            select_solvable(problems, grid.problems, language)
        except UsageError as error:
            _reraise_selection_error(error, overrides, names_problems=grid.problems is not None)


def _reraise_selection_error(
    error: UsageError, overrides: GridOverrides, names_problems: bool = True
) -> NoReturn:
    """Raise ``error`` again, with the name of the option or key that must be changed.

    It is the option ``--problems`` if the user gave it; otherwise the key ``problems`` if the grid
    names problems (``names_problems``), else the key ``languages``.
    """
    if overrides.problems is not None:
        raise UsageError(f"--problems: {error}") from None
    raise DecodingError("problems" if names_problems else "languages", str(error)) from None


def _pack(name: str, folder: Path) -> str:
    """Return the path of the pack ``name`` in ``folder`` if it exists, otherwise ``name``.

    Raises DecodingError if the pack is neither a folder nor installed, or is invalid.
    """
    beside = (folder / name).expanduser()
    try:
        chosen = str(beside.resolve()) if beside.is_dir() else name
        resolve_pack(chosen)
        get_pack(chosen)
    except EsoplayError as error:
        raise DecodingError("pack", str(error)) from None
    return chosen
