"""Agent manifests: how to start an agent, and how to read its log.

A manifest is a TOML file. Some ship in ``manifests``; a grid names one of them or a file.
Everything is checked when it is read; errors name the file, the key and the expected value.
"""

from __future__ import annotations

import re
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Annotated

from msgspec import Meta, field

from esolangs.wording import suggest
from esoplay.agents.prompts import OF_MANIFESTS, fill_placeholders, unknown_placeholder
from esoplay.agents.ready import manifest_names, manifest_text
from esoplay.decoding import DecodingError, StrictTable, Text, Texts, decode_toml
from esoplay.errors import UsageError

_MAX_BYTES = 1 << 20  # maximum bytes of a manifest
_VERSION_SECONDS = 120  # for an agent to print its version
_OPTIONS = "{options}"
"""The word of a manifest's command that the words of its options replace."""

Values = Annotated[dict[str, str], Meta(extra={"expected": "names with string values"})]
Conditions = Annotated[
    dict[str, str | bool | int], Meta(extra={"expected": "paths with the values that they need"})
]
"""Paths into a record of a log, with the values that they must have."""


class OptionTable(StrictTable):
    """An option of a manifest: words of its command, and variables of its environment."""

    words: Texts = ()
    variables: Values = field(name="set", default_factory=dict[str, str])

    def __post_init__(self) -> None:
        _check_placeholders("words", self.words)
        for name, text in self.variables.items():
            _check_placeholders(f"set.{name}", (text,), numbered=False)


class OptionsTable(StrictTable):
    """The options of a manifest.

    model, effort: used if the grid names one. mcp: with ``client = "mcp"``. no_shell: under a
    protocol that forbids the shell; without it, the agent cannot play under such a protocol.
    """

    model: OptionTable | None = None
    effort: OptionTable | None = None
    mcp: OptionTable | None = None
    no_shell: OptionTable | None = None


class VersionTable(StrictTable):
    """How an agent prints its version. pattern: a regular expression that finds it."""

    arguments: Texts = ("--version",)
    pattern: Text = r"\d+(\.\d+)+"

    def __post_init__(self) -> None:
        _check_pattern("pattern", self.pattern)


class ValueRule(StrictTable, kw_only=True):
    """Where a log has a value that describes the agent.

    where: conditions on a record; unless: conditions of which none may hold.
    """

    where: Conditions = field(default_factory=dict[str, str | bool | int])
    unless: Conditions = field(default_factory=dict[str, str | bool | int])
    value: Text


class TokensRule(StrictTable, kw_only=True):
    """Which records of a log report tokens.

    key: the path to an id; of several records with one id, the last counts. input, cached, output,
    reasoning: paths whose numbers are added. input includes cached tokens, and output includes
    tokens of reasoning. cost: a path. time: the path to a time.
    """

    where: Conditions = field(default_factory=dict[str, str | bool | int])
    unless: Conditions = field(default_factory=dict[str, str | bool | int])
    key: Text | None = None
    input: Annotated[Texts, Meta(min_length=1, extra={"expected": "a list of paths"})]
    output: Annotated[Texts, Meta(min_length=1, extra={"expected": "a list of paths"})]
    cached: Texts = ()
    reasoning: Texts = ()
    cost: Text | None = None
    time: Text | None = None


class ToolsTable(StrictTable, kw_only=True):
    """Tools of one kind. text: paths of which the first that exists has the command or the file.

    pattern: a regular expression for the parts of this text that are shown.
    """

    tools: Texts
    text: Texts
    pattern: Text | None = None

    def __post_init__(self) -> None:
        if self.pattern is not None:
            _check_pattern("pattern", self.pattern)


class CallsRule(StrictTable, kw_only=True):
    """Which records of a log are, or contain, calls of tools.

    each: the path to a list of which every item that satisfies ``item`` is a call; without it, the
    record is one. name, key and the paths of shell and edit are relative to the call. Of several
    calls with one key, the first counts.
    """

    where: Conditions = field(default_factory=dict[str, str | bool | int])
    unless: Conditions = field(default_factory=dict[str, str | bool | int])
    each: Text | None = None
    item: Conditions = field(default_factory=dict[str, str | bool | int])
    name: Text
    key: Text | None = None
    time: Text | None = None
    shell: ToolsTable | None = None
    edit: ToolsTable | None = None


class LogTable(StrictTable, kw_only=True):
    """The log of an agent.

    file: ``stdout``, or a path. A ``*`` in the file's name stands for any text, and such files are
    found at any depth below the folder. records: the path to the list of records in a log that is
    one JSON document; without it, each line is a record. tokens: the first rule that finds a record
    is used.
    """

    file: Text
    records: Text | None = None
    model: ValueRule | None = None
    effort: ValueRule | None = None
    tokens: tuple[TokensRule, ...] = ()
    calls: tuple[CallsRule, ...] = ()

    def __post_init__(self) -> None:
        _check_placeholders("file", (self.file,), numbered=False)
        if self.file != "stdout" and not self.file.startswith(("{home}/", "{workspace}/")):
            expected = '"stdout", or a path that begins with {home}/ or {workspace}/'
            raise DecodingError("file", expected=expected, found=self.file)


class ManifestTable(StrictTable, kw_only=True):
    """A manifest. program: the default of ``{program}``."""

    title: Text
    program: Text
    command: Annotated[
        tuple[Text, ...],
        Meta(min_length=1, extra={"expected": "a list of strings, the program and its arguments"}),
    ]
    variables: Values = field(name="set", default_factory=dict[str, str])
    version: VersionTable | None = None
    options: OptionsTable = field(default_factory=OptionsTable)
    log: LogTable | None = None

    def __post_init__(self) -> None:
        words = tuple(word for word in self.command if word != _OPTIONS)
        _check_placeholders("command", words)
        if self.command[0] != "{program}":
            raise DecodingError("command[0]", expected="{program}", found=self.command[0])
        given = [name for name in OptionsTable.__struct_fields__ if getattr(self.options, name)]
        if given and self.command.count(_OPTIONS) != 1:
            words = f"the word {_OPTIONS} must occur once, for the words of options.{given[0]}"
            raise DecodingError("command", words)
        for name, text in self.variables.items():
            _check_placeholders(f"set.{name}", (text,), numbered=False)


def _check_placeholders(path: str, texts: tuple[str, ...], *, numbered: bool = True) -> None:
    for at, text in enumerate(texts):
        if unknown := unknown_placeholder(text, OF_MANIFESTS):
            known = " ".join(f"{{{one}}}" for one in OF_MANIFESTS)
            words = f"unknown placeholder {{{unknown}}}; expected {known}"
            raise DecodingError(f"{path}[{at}]" if numbered else path, words)


def _check_pattern(path: str, pattern: str) -> None:
    try:
        re.compile(pattern)
    except re.error as error:
        raise DecodingError(path, f"not a regular expression: {error}") from None


# Manifests by name


@dataclass(frozen=True, slots=True)
class AgentManifest:
    """A manifest. name: of a manifest that ships, or of its file. text_digest: of the file."""

    name: str
    table: ManifestTable
    text_digest: str


def read_manifest(name: str, folder: Path) -> AgentManifest:
    """Return a manifest by name, or from a file relative to ``folder``; raises UsageError."""
    if name.endswith(".toml"):
        file = folder / Path(name).expanduser()
        try:
            with file.open("rb") as stream:
                data = stream.read(_MAX_BYTES + 1)
        except OSError as error:
            raise UsageError(f"cannot read the manifest {file}: {error.strerror}") from None
        if len(data) > _MAX_BYTES:
            raise UsageError(f"{file}: a manifest has at most {_MAX_BYTES:,} bytes")
        return _decoded(file.stem, str(file), data)
    if name not in manifest_names():
        known = ", ".join(manifest_names())
        hint = suggest(name, manifest_names())
        raise UsageError(f"unknown agent {name!r}; expected {known}, or a file *.toml{hint}")
    return _shipped(name)


@cache
def _shipped(name: str) -> AgentManifest:
    return _decoded(name, f"{name}.toml", manifest_text(name).encode())


def _decoded(name: str, file: str, data: bytes) -> AgentManifest:
    try:
        table = decode_toml(data, ManifestTable)
    except DecodingError as mistake:
        raise UsageError(f"{file}: {mistake}") from None
    return AgentManifest(name, table, sha256(data).hexdigest())


# Starting an agent


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """What a grid and a session decide about an agent.

    program: None for the manifest's. arguments: additional words of its command. mcp: whether it
    gets the tools of an MCP server. shell: whether it may use its shell.
    """

    program: str | None = None
    model: str | None = None
    effort: str | None = None
    arguments: tuple[str, ...] = ()
    mcp: bool = False
    shell: bool = True


def missing_option(manifest: AgentManifest, options: AgentOptions) -> str | None:
    """Return why an agent cannot be started with these options, or None."""
    table, title = manifest.table.options, manifest.table.title
    for name in ("model", "effort"):
        if getattr(options, name) is not None and getattr(table, name) is None:
            return f"the manifest of {title} does not say how to choose its {name}"
    if options.mcp and table.mcp is None:
        return f"the manifest of {title} does not say how to add an MCP server"
    if options.arguments and _OPTIONS not in manifest.table.command:
        return f"arguments cannot be added: the command of {title} does not contain {_OPTIONS}"
    if not options.shell:
        if table.no_shell is None:
            return f"{title} cannot be started without its shell"
        if not options.mcp:
            return 'without a shell it can only make moves as an MCP client: client = "mcp"'
    return None


def build_command(
    manifest: AgentManifest, options: AgentOptions, values: Mapping[str, str]
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the command and the variables of an agent, with the placeholders filled in."""
    table = manifest.table
    known = {
        **values,
        "program": options.program or table.program,
        "model": options.model or "",
        "effort": options.effort or "",
    }
    chosen = [
        table.options.model if options.model is not None else None,
        table.options.effort if options.effort is not None else None,
        table.options.mcp if options.mcp else None,
        None if options.shell else table.options.no_shell,
    ]
    more = [word for option in chosen if option is not None for word in option.words]
    command: list[str] = []
    for word in table.command:
        command += [*more, *options.arguments] if word == _OPTIONS else [word]
    variables = dict(table.variables)
    for option in chosen:
        variables |= {} if option is None else option.variables
    return (
        tuple(fill_placeholders(word, known) for word in command),
        {name: fill_placeholders(text, known) for name, text in variables.items()},
    )


def find_version(manifest: AgentManifest, program: str, environment: Mapping[str, str]) -> str:
    """Run an agent to print its version, in a home of its own; raises UsageError."""
    rule = manifest.table.version or VersionTable()
    command = [program, *rule.arguments]
    shown = " ".join(command)
    with tempfile.TemporaryDirectory(prefix="esoplay-") as home:
        try:
            done = subprocess.run(
                command,
                cwd=home,
                env={**environment, "HOME": home, "TMPDIR": home},
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                timeout=_VERSION_SECONDS,
                check=False,
            )
        except (OSError, subprocess.SubprocessError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            raise UsageError(f"cannot run `{shown}`: {reason}") from None
    text = done.stdout.decode("utf-8", "replace")
    found = re.search(rule.pattern, text)
    if found is None:
        first = next(iter(text.strip().splitlines()), "")
        raise UsageError(
            f"`{shown}` printed {first!r}; expected a version that matches {rule.pattern}"
        )
    return found[0]
