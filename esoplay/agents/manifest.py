"""Agent manifests, which describe how to start an agent and how to read its log.

A manifest is a TOML file. A grid names an included manifest (folder ``manifests``) or a file.
Errors are reported when it is read, with the file, the key and the expected value.
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
from esoplay.agents.prompts import MANIFEST_PLACEHOLDERS, fill_placeholders, unknown_placeholder
from esoplay.agents.templates import manifest_names, read_manifest_text
from esoplay.decoding import DecodingError, StrictTable, Text, Texts, decode_toml
from esoplay.errors import UsageError

_MAX_BYTES = 1 << 20  # maximum bytes of a manifest
_VERSION_SECONDS = 120  # time limit for an agent to print its version
_OPTIONS = "{options}"
"""Placeholder in a manifest's command for the arguments that options such as the model add."""

Values = Annotated[dict[str, str], Meta(extra={"expected": "names with string values"})]
Conditions = Annotated[
    dict[str, str | bool | int],
    Meta(extra={"expected": "paths of fields with their required values"}),
]
"""The values that a log record must have; the keys are the paths of its fields."""


class OptionTable(StrictTable):
    """Option of a manifest: arguments for the command, and environment variables."""

    words: Texts = ()
    variables: Values = field(name="set", default_factory=dict[str, str])

    def __post_init__(self) -> None:
        _check_placeholders("words", self.words)
        for name, text in self.variables.items():
            _check_placeholders(f"set.{name}", (text,), numbered=False)


class OptionsTable(StrictTable):
    """Additional arguments and variables for an agent's command, by the option that needs them.

    model, effort: used if the grid sets them. mcp: used with ``client = "mcp"``. no_shell: used
    under a protocol that forbids the shell; without it, the agent cannot play under such a
    protocol.
    """

    model: OptionTable | None = None
    effort: OptionTable | None = None
    mcp: OptionTable | None = None
    no_shell: OptionTable | None = None


class VersionTable(StrictTable):
    """How to find the version of an agent. pattern: regular expression for the version."""

    arguments: Texts = ("--version",)
    pattern: Text = r"\d+(\.\d+)+"

    def __post_init__(self) -> None:
        _check_pattern("pattern", self.pattern)


class ValueRule(StrictTable, kw_only=True):
    """Rule that finds a property of the agent in a log, such as its model.

    where: conditions that a record must meet. unless: conditions that exclude a record, even if it
    meets only one of them. value: path of the value.
    """

    where: Conditions = field(default_factory=dict[str, str | bool | int])
    unless: Conditions = field(default_factory=dict[str, str | bool | int])
    value: Text


class TokensRule(StrictTable, kw_only=True):
    """Rule that finds token counts in a log.

    key: path of an id; of several records with the same id, the last one counts. input, cached,
    output, reasoning: paths; the numbers at the paths of each field are added. input includes
    cached tokens, and output includes reasoning tokens. cost, time: paths.
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
    """Tools with which an agent runs shell commands (``shell``) or edits files (``edit``).

    tools: names of the tools. text: paths of the command or file name in a tool call; the first
    path with a value is used. pattern: regular expression for the parts of this text that are
    saved.
    """

    tools: Texts
    text: Texts
    pattern: Text | None = None

    def __post_init__(self) -> None:
        if self.pattern is not None:
            _check_pattern("pattern", self.pattern)


class CallsRule(StrictTable, kw_only=True):
    """Rule that finds tool calls in a log.

    each: path of a list, in which every item that meets the conditions in ``item`` is a call;
    without it, the record itself is a call. name, key and the paths in shell and edit are relative
    to the call. Of several calls with the same key, the first one counts.
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
    """Where an agent writes its log, and rules for reading it.

    file: ``stdout``, or a path; a file name with ``*`` is searched for at any depth below its
    folder. records: path of the list of records, if the log is one JSON document; without it, each
    line is a record. tokens: rules for token counts; for the whole log, only the first rule that
    finds token counts is used.
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
    """The content of a manifest file, which describes how to run an agent.

    program: default for the placeholder ``{program}``, the first word of ``command``.
    """

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
            words = f"{_OPTIONS} must occur exactly once, because options.{given[0]} adds arguments"
            raise DecodingError("command", words)
        for name, text in self.variables.items():
            _check_placeholders(f"set.{name}", (text,), numbered=False)


def _check_placeholders(path: str, texts: tuple[str, ...], *, numbered: bool = True) -> None:
    for at, text in enumerate(texts):
        if unknown := unknown_placeholder(text, MANIFEST_PLACEHOLDERS):
            known = " ".join(f"{{{one}}}" for one in MANIFEST_PLACEHOLDERS)
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
    """Manifest of an agent. name: file name without extension. text_digest: digest of the file."""

    name: str
    table: ManifestTable
    text_digest: str


def read_manifest(name: str, folder: Path) -> AgentManifest:
    """Return an included manifest by its name, or read one from a file relative to ``folder``.

    Raises UsageError if the manifest is unknown or invalid.
    """
    if name.endswith(".toml"):
        file = folder / Path(name).expanduser()
        try:
            with file.open("rb") as stream:
                data = stream.read(_MAX_BYTES + 1)
        except OSError as error:
            raise UsageError(f"cannot read the manifest {file}: {error.strerror}") from None
        if len(data) > _MAX_BYTES:
            raise UsageError(f"{file}: a manifest has at most {_MAX_BYTES:,} bytes")
        return _decode_manifest(file.stem, str(file), data)
    if name not in manifest_names():
        known = ", ".join(manifest_names())
        hint = suggest(name, manifest_names())
        raise UsageError(f"unknown agent {name!r}; expected {known}, or a file *.toml{hint}")
    return _included_manifest(name)


@cache
def _included_manifest(name: str) -> AgentManifest:
    return _decode_manifest(name, f"{name}.toml", read_manifest_text(name).encode())


def _decode_manifest(name: str, file: str, data: bytes) -> AgentManifest:
    try:
        table = decode_toml(data, ManifestTable)
    except DecodingError as mistake:
        raise UsageError(f"{file}: {mistake}") from None
    return AgentManifest(name, table, sha256(data).hexdigest())


# Starting an agent


@dataclass(frozen=True, slots=True)
class AgentOptions:
    """Options of an agent that a grid and a protocol set.

    program: None for the program in the manifest. arguments: additional arguments of its command.
    mcp: whether the agent gets the tools of an MCP server. shell: whether it may use its shell.
    """

    program: str | None = None
    model: str | None = None
    effort: str | None = None
    arguments: tuple[str, ...] = ()
    mcp: bool = False
    shell: bool = True


def missing_option(manifest: AgentManifest, options: AgentOptions) -> str | None:
    """Return the reason why an agent cannot be started with ``options``, or None."""
    table, title = manifest.table.options, manifest.table.title
    for name in ("model", "effort"):
        if getattr(options, name) is not None and getattr(table, name) is None:
            return f"the manifest of {title} lacks [options.{name}], so the {name} cannot be set"
    if options.mcp and table.mcp is None:
        return f"the manifest of {title} lacks [options.mcp], so an MCP server cannot be added"
    if options.arguments and _OPTIONS not in manifest.table.command:
        return f"arguments cannot be added: the command of {title} does not contain {_OPTIONS}"
    if not options.shell:
        if table.no_shell is None:
            return (
                f"the manifest of {title} lacks [options.no_shell], so its shell cannot be disabled"
            )
        if not options.mcp:
            return 'without a shell, the agent can make moves only through MCP; set client = "mcp"'
    return None


def build_command(
    manifest: AgentManifest, options: AgentOptions, values: Mapping[str, str]
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the command and environment variables of an agent, with placeholders replaced."""
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
    """Run an agent in a temporary home to print its version; return the version.

    Raises UsageError if the agent prints no version.
    """
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
