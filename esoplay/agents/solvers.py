"""The solvers of a grid: agents as commands, and what one session of each may take."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import NoReturn

from esoplay.agents.fields import VARIABLE, GridFields
from esoplay.agents.prompting import PLACEHOLDERS, unknown_placeholder

CLIENTS = ("session", "mcp")
"""How a solver reaches its session: by the thin client in its workspace, or by MCP as well."""
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
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
    home, and home_digest what is in that.  user: whom it runs as, None for the operator's own user.
    show: further files and folders that it may read where it is isolated.
    """

    name: str
    command: tuple[str, ...]
    client: str
    environment: tuple[str, ...]
    variables: Mapping[str, str]
    prompt: str | None
    home: Path | None
    home_digest: str | None
    user: str | None
    bounds: Bounds
    show: tuple[str, ...] = ()


def read_bounds(fields: GridFields, usual: Bounds) -> Bounds:
    mebibytes = fields.count("transcript", 1, 1024, usual.transcript // _MEBIBYTE)
    bounds = Bounds(
        time=fields.seconds("time", usual.time),
        turns=fields.count("turns", 1, 10**9, usual.turns),
        grace=fields.seconds("grace", usual.grace),
        transcript=(mebibytes or 0) * _MEBIBYTE,
    )
    fields.finish()
    return bounds


def read_solvers(fields: GridFields, usual: Bounds, folder: Path) -> tuple[Solver, ...]:
    if not fields.has("solvers"):
        fields.refuse("solvers", "there is none; put a table [[solvers]] with name and command")
    found: dict[str, Solver] = {}
    for table in fields.tables("solvers"):
        solver = _solver(table, usual, folder)
        if solver.name.casefold() in found:
            table.refuse("name", f"a second solver of the name {solver.name}")
        found[solver.name.casefold()] = solver
    return tuple(found.values())


def _solver(fields: GridFields, usual: Bounds, folder: Path) -> Solver:
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
        if not VARIABLE.fullmatch(variable):
            fields.fail(f"environment[{at}]", "the name of a variable", variable)
    user = fields.text("user") if fields.has("user") else None
    if user is not None and client == "mcp":
        words = 'an MCP server is the agent\'s child and reads the store: take client = "session"'
        fields.refuse("user", words)
    home = _beside(fields, "home", folder, Path.is_dir, "a folder")
    solver = Solver(
        name=name,
        command=command,
        client=client,
        environment=environment,
        variables=fields.mapping("set"),
        prompt=_prompt(fields, folder),
        home=home,
        home_digest=home and _digest_of_tree(fields, home),
        user=user,
        bounds=read_bounds(fields.table("limits"), usual),
        show=_shown(fields, folder),
    )
    fields.finish()
    return solver


def _shown(fields: GridFields, folder: Path) -> tuple[str, ...]:
    """The files and folders of ``show``, relative to the grid's folder."""
    found: list[str] = []
    for at, text in enumerate(fields.some("show") if fields.has("show") else ()):
        path = os.path.normpath(folder.absolute() / Path(text).expanduser())
        if not Path(path).exists():
            fields.fail(f"show[{at}]", "a file or a folder", text)
        if path == "/":
            fields.refuse(f"show[{at}]", "the whole file system cannot be shown; name its folders")
        found.append(path)
    return tuple(found)


def _prompt(fields: GridFields, folder: Path) -> str | None:
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


def _digest_of_tree(fields: GridFields, home: Path) -> str:
    """Names all that is in a folder: with another configuration an agent is another one."""
    found = sha256()
    try:
        for at, folders, files in os.walk(home, onerror=_raise):
            folders.sort()
            for name in sorted((*folders, *files)):
                path = Path(at, name)
                found.update(f"{path.relative_to(home)}\0".encode(errors="surrogateescape"))
                if path.is_symlink():
                    found.update(os.fsencode(path.readlink()))
                elif path.is_file():
                    with path.open("rb") as stream:
                        found.update(file_digest(stream, "sha256").digest())
    except OSError as error:
        fields.refuse("home", f"{error.filename or home} cannot be read: {error.strerror}")
    return found.hexdigest()


def _raise(error: OSError) -> NoReturn:
    raise error


def _beside(
    fields: GridFields, name: str, folder: Path, fits: Callable[[Path], bool], expected: str
) -> Path | None:
    """A path seen from the grid's folder."""
    if not fields.has(name):
        return None
    path = folder / Path(fields.text(name)).expanduser()
    if not fits(path):
        fields.fail(name, expected, str(path))
    return path.resolve()
