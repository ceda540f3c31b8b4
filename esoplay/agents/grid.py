"""The grid of a run, as a TOML file says it: solvers, languages, protocols, sessions.

Everything is checked when the file is read; an error names file and key, and what was expected.
"""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, NoReturn, cast

from esolangs.errors import EngineError
from esolangs.registry import find_language, language_ids
from esoplay.agents.prompting import PLACEHOLDERS, unknown_placeholder
from esoplay.errors import EsoplayError, LaneError, UsageError
from esoplay.grading.schema import Fields
from esoplay.running.host.lanes import is_lane
from esoplay.service.problems import get_pack, resolve_pack
from esoplay.service.sessions import resolve_protocol
from esoplay.sessions.protocols import Protocol
from esoplay.sessions.tongue import tongue_of

__all__ = ["CLIENTS", "Bounds", "Grid", "Solver", "read_grid"]

CLIENTS = ("session", "mcp")
"""How a solver reaches its session: by the thin client in its workspace, or by MCP as well."""
MOST_CELLS = 10_000
_MOST_BYTES = 1 << 20  # of a file that is read
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TIME = re.compile(r"([0-9]+)(s|m|h)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}
_MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one session may take.

    time: seconds.  turns: moves that the log has (None: any number).  grace: seconds between
    SIGTERM and SIGKILL.  transcript: bytes kept of each of an agent's two streams.
    """

    time: int = 4 * 3600
    turns: int | None = None
    grace: int = 10
    transcript: int = 16 * _MEBIBYTE


@dataclass(frozen=True, slots=True)
class Solver:
    """An agent as a command.

    environment: variables of the operator's that it is handed.  variables: further ones.
    prompt: what it is told, None for the usual words.  home: a folder that is copied into its
    home.  user: whom it runs as, None for the operator's own user.
    """

    name: str
    command: tuple[str, ...]
    client: str
    environment: tuple[str, ...]
    variables: Mapping[str, str]
    prompt: str | None
    home: Path | None
    user: str | None
    bounds: Bounds


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
        table = [told, asdict(protocol), pack.id, pack.version, [each.id for each in pack]]
        return sha256(json.dumps(table, sort_keys=True).encode()).hexdigest()[:16]


class _GridFields(Fields):
    """A table of a grid's file."""

    def _refuse(self, where: str, words: str) -> NoReturn:
        raise UsageError(f"{self._file}: {where}: {words}")

    def refuse(self, name: str, words: str) -> NoReturn:
        self._refuse(self._where(name), words)

    def count(self, name: str, least: int, most: int, default: int | None) -> int | None:
        if not self.has(name):
            return default
        value = self._get(name)
        if type(value) is not int or not least <= value <= most:
            self.fail(name, f"a whole number from {least} to {most:,}", value)
        return value

    def seconds(self, name: str, default: int) -> int:
        """A time such as "90s", "20m" or "4h"."""
        if not self.has(name):
            return default
        value = self._get(name)
        found = _TIME.fullmatch(value) if isinstance(value, str) else None
        if found is None or not 0 < (seconds := int(found[1]) * _SECONDS[found[2]]) <= 10**7:
            self.fail(name, 'a time, such as "90s", "20m" or "4h"', value)
        return seconds

    def some(self, name: str) -> tuple[str, ...]:
        """A list of texts that has at least one, none of them twice."""
        found = self.texts(name)
        if not found:
            self.fail(name, "a list of at least one text", list(found))
        if twice := next((one for one in found if found.count(one) > 1), None):
            self.refuse(name, f"{twice!r} is there twice")
        return found

    def mapping(self, name: str) -> dict[str, str]:
        """A table of variables with texts."""
        if not self.has(name):
            return {}
        value = self._get(name)
        if not isinstance(value, dict):
            self.fail(name, "a table of texts", value)
        table = cast("dict[str, Any]", value)
        for key, text in table.items():
            if not _VARIABLE.fullmatch(key) or not isinstance(text, str) or "\0" in text:
                self.fail(f"{name}.{key}", "the name of a variable, with a text", text)
        return table


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
    fields = _GridFields(table, str(file))
    title = fields.text("title") if fields.has("title") else file.stem
    grid = Grid(
        file=str(file),
        title=title if title.isprintable() else fields.fail("title", "one line of text", title),
        languages=_languages(fields),
        protocols=_protocols(fields, file.parent),
        sessions=fields.count("sessions", 1, 1000, 1) or 1,
        pack=_pack(fields, file.parent),
        solvers=_solvers(fields, _bounds(fields.table("limits"), Bounds()), file.parent),
    )
    fields.finish()
    cells = len(grid.solvers) * len(grid.languages) * len(grid.protocols) * grid.sessions
    if cells > MOST_CELLS:
        raise UsageError(f"{file}: this is {cells:,} sessions; a grid has at most {MOST_CELLS:,}")
    for at, (written, protocol) in enumerate(grid.protocols):
        _check_dialect(fields, f"protocols[{at}]", written, protocol, grid.languages)
    return grid


def _languages(fields: _GridFields) -> tuple[str, ...]:
    if not fields.has("languages"):
        return tuple(language_ids())
    found: list[str] = []
    for at, name in enumerate(fields.some("languages")):
        try:
            found.append(name if is_lane(name) else find_language(name).id)
        except EngineError as error:
            fields.refuse(f"languages[{at}]", str(error))
    return tuple(dict.fromkeys(found))


def _protocols(fields: _GridFields, folder: Path) -> tuple[tuple[str, Protocol], ...]:
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
    fields: _GridFields, where: str, written: str, protocol: Protocol, languages: tuple[str, ...]
) -> None:
    for language in languages:
        try:
            tongue_of(language, protocol.dialect)
        except (EngineError, LaneError) as error:
            fields.refuse(where, f"{written} cannot be played in {language}: {error}")


def _pack(fields: _GridFields, folder: Path) -> str | None:
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


def _bounds(fields: _GridFields, usual: Bounds) -> Bounds:
    mebibytes = fields.count("transcript", 1, 1024, usual.transcript // _MEBIBYTE)
    bounds = Bounds(
        time=fields.seconds("time", usual.time),
        turns=fields.count("turns", 1, 10**9, usual.turns),
        grace=fields.seconds("grace", usual.grace),
        transcript=(mebibytes or 0) * _MEBIBYTE,
    )
    fields.finish()
    return bounds


def _solvers(fields: _GridFields, usual: Bounds, folder: Path) -> tuple[Solver, ...]:
    if not fields.has("solvers"):
        fields.refuse("solvers", "there is none; put a table [[solvers]] with name and command")
    found: dict[str, Solver] = {}
    for table in fields.tables("solvers"):
        solver = _solver(table, usual, folder)
        if solver.name.casefold() in found:
            table.refuse("name", f"a second solver of the name {solver.name}")
        found[solver.name.casefold()] = solver
    return tuple(found.values())


def _solver(fields: _GridFields, usual: Bounds, folder: Path) -> Solver:
    name = fields.text("name")
    if not _NAME.fullmatch(name):
        fields.fail("name", "letters, digits, '.', '_' and '-', at most 64", name)
    command = fields.texts("command")
    if not command:
        fields.fail("command", "a list of texts, the program and its arguments", [])
    program = command[0]
    if "/" in program and "{" not in program:
        command = (str((folder / Path(program).expanduser()).absolute()), *command[1:])
    for at, word in enumerate(command):
        if unknown := unknown_placeholder(word):
            known = " ".join(f"{{{one}}}" for one in PLACEHOLDERS)
            fields.refuse(f"command[{at}]", f"there is no {{{unknown}}}; there are {known}")
    client = fields.word("client", CLIENTS) if fields.has("client") else CLIENTS[0]
    environment = fields.some("environment") if fields.has("environment") else ()
    for at, variable in enumerate(environment):
        if not _VARIABLE.fullmatch(variable):
            fields.fail(f"environment[{at}]", "the name of a variable", variable)
    user = fields.text("user") if fields.has("user") else None
    if user is not None and client == "mcp":
        words = 'an MCP server is the agent\'s child and reads the store: take client = "session"'
        fields.refuse("user", words)
    solver = Solver(
        name=name,
        command=command,
        client=client,
        environment=environment,
        variables=fields.mapping("set"),
        prompt=_prompt(fields, folder),
        home=_beside(fields, "home", folder, Path.is_dir, "a folder"),
        user=user,
        bounds=_bounds(fields.table("limits"), usual),
    )
    fields.finish()
    return solver


def _prompt(fields: _GridFields, folder: Path) -> str | None:
    """The text of the file that ``prompt`` names."""
    file = _beside(fields, "prompt", folder, Path.is_file, "a file of text")
    if file is None:
        return None
    try:
        text = file.read_text("utf-8")
    except (OSError, ValueError) as error:
        fields.refuse("prompt", f"{file} cannot be read: {error}")
    if unknown := unknown_placeholder(text):
        fields.refuse("prompt", f"{file}: there is no {{{unknown}}}")
    return text


def _beside(
    fields: _GridFields, name: str, folder: Path, fits: Callable[[Path], bool], expected: str
) -> Path | None:
    """A path seen from the grid's folder."""
    if not fields.has(name):
        return None
    path = folder / Path(fields.text(name)).expanduser()
    if not fits(path):
        fields.fail(name, expected, str(path))
    return path.resolve()
