"""Read the solvers of a grid: agents as commands or with manifests, and their limits."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import file_digest, sha256
from pathlib import Path
from typing import Annotated, Literal, NoReturn

from msgspec import Meta, field

from esoplay.agents.manifest import AgentManifest, AgentOptions, missing_option, read_manifest
from esoplay.agents.prompts import PLACEHOLDERS, unknown_placeholder
from esoplay.agents.records import AgentIdentity
from esoplay.decoding import DecodingError, StrictTable, Text
from esoplay.errors import UsageError

Client = Literal["session", "mcp"]
"""Access of a solver to its session: only the thin client in its workspace, or also MCP."""
_MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class SessionLimits:
    """The limits of one session.

    time: maximum seconds. turns: maximum moves in the log, None if unlimited. grace: seconds
    between SIGTERM and SIGKILL. transcript: maximum bytes saved of stdout and of stderr.
    """

    time: int = 4 * 3600
    turns: int | None = None
    grace: int = 10
    transcript: int = 16 * _MEBIBYTE


@dataclass(frozen=True, slots=True)
class Solver:
    """Solver of a grid: an agent that is started by a command or as its manifest describes.

    passed_variables: names of environment variables that are passed on. extra_variables: further
    environment variables, with their values. prompt: None for the default prompt. home: folder that
    is copied into the agent's home, with the digest home_digest. user: user that the agent runs as,
    None for the operator's own user. show: additional files and folders that an isolated agent can
    read. agent: manifest; ``command`` is then only the program. model, effort, arguments: see
    ``AgentOptions``. shell: whether a solver without a manifest has a shell.
    """

    name: str
    command: tuple[str, ...]
    client: str
    passed_variables: tuple[str, ...]
    extra_variables: Mapping[str, str]
    prompt: str | None
    home: Path | None
    home_digest: str | None
    user: str | None
    bounds: SessionLimits
    show: tuple[str, ...] = ()
    agent: AgentManifest | None = None
    model: str | None = None
    effort: str | None = None
    arguments: tuple[str, ...] = ()
    shell: bool = True

    def options(self, shell: bool) -> AgentOptions:
        """Return the options of the agent. shell: whether the protocol allows a shell."""
        return AgentOptions(
            self.command[0],
            self.model,
            self.effort,
            self.arguments,
            mcp=self.client == "mcp",
            shell=shell,
        )

    def identity(self, version: str | None) -> AgentIdentity | None:
        """Return the agent's identity, as runs record it; None without a manifest."""
        if self.agent is None:
            return None
        return AgentIdentity(self.agent.name, version, self.model, self.effort)


_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_TIME = re.compile(r"([0-9]+)(s|m|h)")
_SECONDS = {"s": 1, "m": 60, "h": 3600}

Duration = Annotated[
    str, Meta(pattern="^[0-9]+[smh]$", extra={"expected": 'a time, such as "90s", "20m" or "4h"'})
]
NonEmptyTexts = Annotated[
    tuple[Text, ...], Meta(min_length=1, extra={"expected": "a list of at least one string"})
]
"""A non-empty list of strings; :func:`check_duplicates` rejects one with duplicates."""


Value = Annotated[str, Meta(extra={"expected": "variable names with string values"})]


class LimitsTable(StrictTable):
    """The table ``[limits]`` of a grid or of a solver.  transcript: in MiB."""

    time: Duration | None = None
    turns: Annotated[int, Meta(ge=1, le=10**9)] | None = None
    grace: Duration | None = None
    transcript: Annotated[int, Meta(ge=1, le=1024)] | None = None

    def __post_init__(self) -> None:
        for name in ("time", "grace"):
            text = getattr(self, name)
            if text is not None and not 0 < _seconds(text) <= 10**7:
                expected = 'a time, such as "90s", "20m" or "4h"'
                raise DecodingError(name, expected=expected, found=text)


class SolverTable(StrictTable, kw_only=True):
    """A table ``[[solvers]]`` of a grid."""

    name: Annotated[
        str,
        Meta(
            pattern="^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$",
            extra={
                "expected": "a letter or digit, then up to 63 letters, digits, '.', '_' and '-'"
            },
        ),
    ]
    command: (
        Annotated[
            tuple[Text, ...],
            Meta(
                min_length=1, extra={"expected": "a list of strings, the program and its arguments"}
            ),
        ]
        | None
    ) = None
    agent: Text | None = None
    program: Text | None = None
    model: Text | None = None
    effort: Text | None = None
    arguments: NonEmptyTexts | None = None
    shell: bool | None = None
    client: Client = "session"
    environment: NonEmptyTexts | None = None
    variables: dict[str, Value] = field(name="set", default_factory=dict[str, str])
    user: Text | None = None
    home: Text | None = None
    prompt: Text | None = None
    show: NonEmptyTexts | None = None
    limits: LimitsTable = field(default_factory=LimitsTable)

    def __post_init__(self) -> None:
        if self.name.endswith("\n"):
            expected = "a letter or digit, then up to 63 letters, digits, '.', '_' and '-'"
            raise DecodingError("name", expected=expected, found=self.name)
        self._check_agent()
        for at, word in enumerate(self.command or ()):
            if unknown := unknown_placeholder(word):
                known = " ".join(f"{{{one}}}" for one in PLACEHOLDERS)
                raise DecodingError(
                    f"command[{at}]", f"unknown placeholder {{{unknown}}}; expected {known}"
                )
        check_duplicates("environment", self.environment)
        for at, variable in enumerate(self.environment or ()):
            if not _VARIABLE.fullmatch(variable):
                expected = "the name of an environment variable"
                raise DecodingError(f"environment[{at}]", expected=expected, found=variable)
        for name, text in self.variables.items():
            if not _VARIABLE.fullmatch(name) or "\0" in text:
                expected = "variable names with string values"
                raise DecodingError(f"set.{name}", expected=expected, found=text)
        if self.user is not None and self.client == "mcp":
            words = (
                'with client = "mcp", the user of the solver would also run the server of the '
                'session; use client = "session"'
            )
            raise DecodingError("user", words)
        check_duplicates("show", self.show)

    def _check_agent(self) -> None:
        """Check that either ``command`` or ``agent`` is set, and only fields that belong to it."""
        if self.command is None and self.agent is None:
            raise DecodingError("command", "missing; expected command, or agent")
        if self.command is not None and self.agent is not None:
            raise DecodingError(
                "command", "cannot be combined with agent, whose manifest has a command"
            )
        if self.agent is not None:
            if self.shell is not None:
                words = "cannot be combined with agent, whose manifest sets it"
                raise DecodingError("shell", words)
            return
        for name in ("program", "model", "effort", "arguments"):
            if getattr(self, name) is not None:
                raise DecodingError(name, "requires agent, which names a manifest")


def check_duplicates(name: str, values: Sequence[str] | None) -> None:
    """Raise DecodingError if a string occurs twice in the list."""
    texts = values or ()
    if twice := next((one for one in texts if texts.count(one) > 1), None):
        raise DecodingError(name, f"{twice!r} occurs twice")


def _seconds(text: str) -> int:
    found = _TIME.fullmatch(text)
    return int(found[1]) * _SECONDS[found[2]] if found else 0


def merge_limits(table: LimitsTable, defaults: SessionLimits) -> SessionLimits:
    """Return the limits in a table, with missing ones from ``defaults``."""
    mebibytes = table.transcript
    return SessionLimits(
        time=defaults.time if table.time is None else _seconds(table.time),
        turns=table.turns or defaults.turns,
        grace=defaults.grace if table.grace is None else _seconds(table.grace),
        transcript=defaults.transcript if mebibytes is None else mebibytes * _MEBIBYTE,
    )


def read_solvers(
    tables: Sequence[SolverTable], defaults: SessionLimits, folder: Path
) -> tuple[Solver, ...]:
    """Return the solvers of a grid file in ``folder``.

    Raises DecodingError if a table is invalid.
    """
    found: dict[str, Solver] = {}
    for at, table in enumerate(tables):
        solver = _solver(table, defaults, folder, f"solvers[{at}]")
        if solver.name.casefold() in found:
            raise DecodingError(f"solvers[{at}].name", f"duplicate solver name {solver.name}")
        found[solver.name.casefold()] = solver
    return tuple(found.values())


def _solver(table: SolverTable, defaults: SessionLimits, folder: Path, path: str) -> Solver:
    manifest = _manifest(table, folder, path)
    if manifest is not None:
        program, words = table.program or manifest.table.program, ()
    else:
        program, *words = table.command or ("",)
    if "/" in program and "{" not in program:
        program = str((folder / Path(program).expanduser()).absolute())
    home = _resolve_path(f"{path}.home", table.home, folder, Path.is_dir, "a folder")
    return Solver(
        name=table.name,
        command=(program, *words),
        client=table.client,
        passed_variables=table.environment or (),
        extra_variables=table.variables,
        prompt=_prompt(table, folder, path),
        home=home,
        home_digest=home and _digest_of_tree(f"{path}.home", home),
        user=table.user,
        bounds=merge_limits(table.limits, defaults),
        show=_visible_paths(table, folder, path),
        agent=manifest,
        model=table.model,
        effort=table.effort,
        arguments=table.arguments or (),
        shell=table.shell is not False,
    )


def _manifest(table: SolverTable, folder: Path, path: str) -> AgentManifest | None:
    """Return the manifest of a solver's agent; None without ``agent``."""
    if table.agent is None:
        return None
    try:
        manifest = read_manifest(table.agent, folder)
    except UsageError as error:
        raise DecodingError(f"{path}.agent", str(error)) from None
    options = AgentOptions(
        model=table.model,
        effort=table.effort,
        arguments=table.arguments or (),
        mcp=table.client == "mcp",
    )
    if missing := missing_option(manifest, options):
        raise DecodingError(path, missing)
    return manifest


def _visible_paths(table: SolverTable, folder: Path, path: str) -> tuple[str, ...]:
    """Return the absolute paths of the files and folders that the key ``show`` of a solver lists.

    path: where the solver is defined in its file, for error messages.
    """
    found: list[str] = []
    for at, text in enumerate(table.show or ()):
        shown = os.path.normpath(folder.absolute() / Path(text).expanduser())
        if not Path(shown).exists():
            raise DecodingError(f"{path}.show[{at}]", expected="a file or a folder", found=text)
        if shown == "/":
            words = (
                "the solver cannot be given the whole file system; list only the folders it needs"
            )
            raise DecodingError(f"{path}.show[{at}]", words)
        found.append(shown)
    return tuple(found)


def _prompt(table: SolverTable, folder: Path, path: str) -> str | None:
    """Return the text of the file that ``prompt`` names; None without ``prompt``."""
    file = _resolve_path(f"{path}.prompt", table.prompt, folder, Path.is_file, "a text file")
    if file is None:
        return None
    try:
        text = file.read_text("utf-8")
    except (OSError, ValueError) as error:
        raise DecodingError(f"{path}.prompt", f"{file} cannot be read: {error}") from None
    if unknown := unknown_placeholder(text):
        raise DecodingError(f"{path}.prompt", f"{file}: unknown placeholder {{{unknown}}}")
    return text


def _digest_of_tree(path: str, folder: Path) -> str:
    """Return a digest of the names and contents of all files in ``folder``."""
    found = sha256()
    try:
        for at, folders, files in os.walk(folder, onerror=_raise_error):
            folders.sort()
            for name in sorted((*folders, *files)):
                file = Path(at, name)
                found.update(f"{file.relative_to(folder)}\0".encode(errors="surrogateescape"))
                if file.is_symlink():
                    found.update(os.fsencode(file.readlink()))
                elif file.is_file():
                    with file.open("rb") as stream:
                        found.update(file_digest(stream, "sha256").digest())
    except OSError as error:
        words = f"{error.filename or folder} cannot be read: {error.strerror}"
        raise DecodingError(path, words) from None
    return found.hexdigest()


def _raise_error(error: OSError) -> NoReturn:
    raise error


def _resolve_path(
    name: str, text: str | None, folder: Path, is_valid: Callable[[Path], bool], expected: str
) -> Path | None:
    """Return the absolute path of ``text``, a path that may be relative to ``folder``.

    Raises DecodingError unless ``is_valid`` accepts it.
    """
    if text is None:
        return None
    path = folder / Path(text).expanduser()
    if not is_valid(path):
        raise DecodingError(name, expected=expected, found=str(path))
    return path.resolve()
