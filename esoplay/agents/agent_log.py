"""Extract tokens, tool calls, shell commands and edits from an agent's log.

The rules for this are in the agent's manifest. The agent writes the log, so it is not trusted: it
is read after the agent has exited, within limits, and only from regular files in the agent's own
folders. Parts that cannot be read are reported in ``notes``.
"""

from __future__ import annotations

import fnmatch
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO, Literal, NamedTuple, cast

from esolangs.wording import format_count
from esoplay.agents.manifest import CallsRule, LogTable, TokensRule, ToolsTable, ValueRule
from esoplay.agents.prompts import fill_placeholders
from esoplay.agents.records import open_regular_file

MAX_BYTES = 256 << 20
"""Maximum number of bytes that are read from a log."""
_MAX_RECORD_BYTES = 64 << 20  # maximum bytes of a line or a document
_MAX_FILES = 1_000
_MAX_CALLS = 100_000
_MAX_TEXT_LENGTH = 4_000  # maximum characters of a command or of the names of files
_MAX_TOKENS = 10**12
_MIN_MILLISECONDS = 10**11  # larger times are in milliseconds, smaller ones in seconds

CallKind = Literal["shell", "edit", "other"]


class LoggedTokens(NamedTuple):
    """Token counts of one answer of a model.

    time_ms: Unix time, None if the log contains no time. ``input`` includes ``cached``, and
    ``output`` includes ``reasoning``; ``cached`` and ``reasoning`` are None if the log does not
    contain them.
    """

    time_ms: int | None
    input: int
    output: int
    cached: int | None
    reasoning: int | None
    cost: float | None


class LoggedCall(NamedTuple):
    """One tool call. text: the command of a shell call, or the files of an edit."""

    time_ms: int | None
    tool: str
    kind: CallKind
    text: str


class LogSummary(NamedTuple):
    """What an agent's log says about its model, tokens and tool calls.

    model, effort: all values in the log, separated by commas. notes: remarks on skipped parts.
    """

    model: str | None
    effort: str | None
    tokens: tuple[LoggedTokens, ...] | None
    calls: tuple[LoggedCall, ...] | None
    notes: tuple[str, ...]


def read_log(log: LogTable, values: Mapping[str, str], stdout: Path) -> LogSummary:
    """Extract model, effort, tokens and tool calls from the log of an agent.

    values: values of the placeholders in the log's path. stdout: file with the agent's standard
    output. ``tokens`` and ``calls`` of the result are None if no log was found.
    """
    files = [stdout] if log.file == "stdout" else find_files(log.file, values)
    reader = _RecordReader(log.records)
    found = read_records(log, reader.read_files(files))
    if not reader.file_count:
        return LogSummary(None, None, None, None, ("the agent's log was not found",))
    return found._replace(notes=(*reader.notes(), *found.notes))


def find_files(pattern: str, values: Mapping[str, str]) -> list[Path]:
    """Return the files that match the path of a log, sorted, at most ``_MAX_FILES``.

    values: values of the placeholders in ``pattern``. Returns [] if links lead from the
    agent's folder to a log folder outside it.
    """
    root, _, rest = pattern.partition("/")
    top = Path(os.path.realpath(fill_placeholders(root, values)))
    folder, _, name = rest.rpartition("/")
    start = top / fill_placeholders(folder, values)
    if not Path(os.path.realpath(start)).is_relative_to(top):
        return []
    if "*" not in name:
        file = start / fill_placeholders(name, values)
        return [file] if file.is_file() else []
    found: list[Path] = []
    for at, _, names in os.walk(start):
        found += [Path(at, one) for one in names if fnmatch.fnmatchcase(one, name)]
    return sorted(found)[:_MAX_FILES]


class _RecordReader:
    """A reader of records from the files of a log.

    file_count: number of files that could be read. skipped_line_count: number of lines that are not
    JSON objects.
    """

    def __init__(self, path: str | None):
        self._path = path
        self._bytes_left = MAX_BYTES
        self._problems: list[str] = []
        self.file_count = 0
        self.skipped_line_count = 0

    def read_files(self, files: Iterable[Path]) -> Iterator[Mapping[str, Any]]:
        """Yield all records, in the order of the files."""
        for file in files:
            try:
                with open_regular_file(file) as stream:
                    self.file_count += 1
                    if self._path is None:
                        yield from self._read_lines(stream)
                    else:
                        yield from self._read_document(
                            stream.read(_MAX_RECORD_BYTES + 1), self._path
                        )
            except OSError as error:
                self._problems.append(f"{file.name}: {error.strerror or error}")

    def notes(self) -> list[str]:
        notes = [f"the agent's log: {text}" for text in self._problems[:3]]
        if self.skipped_line_count:
            skipped = format_count(self.skipped_line_count, "line")
            notes.append(f"skipped {skipped} of the agent's log: expected JSON objects")
        if self._bytes_left < 0:
            notes.append(f"only the first {MAX_BYTES:,} bytes of the agent's log were read")
        return notes

    def _read_lines(self, stream: BinaryIO) -> Iterator[Mapping[str, Any]]:
        while line := stream.readline(_MAX_RECORD_BYTES):
            self._bytes_left -= len(line)
            if self._bytes_left < 0:
                return
            record = _decode_json(line) if line.strip() else None
            if isinstance(record, dict):
                yield cast("dict[str, Any]", record)
            elif line.strip():
                self.skipped_line_count += 1

    def _read_document(self, data: bytes, path: str) -> Iterator[Mapping[str, Any]]:
        document = None if len(data) > _MAX_RECORD_BYTES else _decode_json(data)
        if not isinstance(document, dict):
            self._problems.append(f"not a JSON object of at most {_MAX_RECORD_BYTES:,} bytes")
            return
        whole = cast("dict[str, Any]", document)
        yield {name: value for name, value in whole.items() if name != path}
        records = value_at(whole, path)
        for record in cast("list[Any]", records) if isinstance(records, list) else ():
            if isinstance(record, dict):
                yield cast("dict[str, Any]", record)


def _decode_json(data: bytes) -> object:
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        return None


# The rules


def read_records(log: LogTable, records: Iterable[Mapping[str, Any]]) -> LogSummary:
    """Return what the rules of a manifest's ``log`` table find in the records of a log."""
    models: dict[str, None] = {}
    efforts: dict[str, None] = {}
    tokens: list[dict[object, LoggedTokens]] = [{} for _ in log.tokens]
    calls: dict[object, LoggedCall] = {}
    invalid = 0
    for number, record in enumerate(records):
        for rule, values in ((log.model, models), (log.effort, efforts)):
            if rule is not None and _matches_rule(record, rule):
                value = value_at(record, rule.value)
                if isinstance(value, str) and value:
                    values[value[:200]] = None
        for rule, entries in zip(log.tokens, tokens, strict=True):
            if _matches_rule(record, rule):
                entry = _tokens(record, rule)
                if entry is None:
                    invalid += 1
                else:
                    entries[_key(record, rule.key, number)] = entry
        for rule in log.calls:
            if _matches_rule(record, rule) and len(calls) < _MAX_CALLS:
                for at, call in enumerate(_calls(record, rule)):
                    key = _key(call, rule.key, (number, at))
                    calls.setdefault(key, _call(record, call, rule))
    used = next(filter(None, tokens), tokens[0] if tokens else {})
    notes = [f"skipped {format_count(invalid, 'invalid token record')}"] if invalid else []
    if len(calls) >= _MAX_CALLS:
        notes.append(f"only the first {_MAX_CALLS:,} tool calls were saved")
    return LogSummary(
        ", ".join(models) or None,
        ", ".join(efforts) or None,
        tuple(used.values()) if tokens else None,
        tuple(calls.values()) if log.calls else None,
        tuple(notes),
    )


def value_at(value: object, path: str) -> object:
    """Return the value at a path such as ``message.usage``, or None.

    A string on the path is decoded if it contains JSON.
    """
    for name in path.split("."):
        if isinstance(value, str):
            value = _decode_json(value.encode("utf-8", "surrogatepass"))
        if not isinstance(value, dict):
            return None
        value = cast("dict[str, Any]", value).get(name)
    return value


def _matches_rule(record: Mapping[str, Any], rule: ValueRule | TokensRule | CallsRule) -> bool:
    return _matches_conditions(record, rule.where) and not any(
        _matches_conditions(record, {path: wanted}) for path, wanted in rule.unless.items()
    )


def _matches_conditions(record: object, conditions: Mapping[str, str | bool | int]) -> bool:
    return all(
        type(found := value_at(record, path)) is type(wanted) and found == wanted
        for path, wanted in conditions.items()
    )


def _key(record: object, path: str | None, place: object) -> object:
    found = None if path is None else value_at(record, path)
    return found if isinstance(found, str | int) else ("at", place)


def _tokens(record: Mapping[str, Any], rule: TokensRule) -> LoggedTokens | None:
    sums: list[int | None] = []
    for paths in (rule.input, rule.output, rule.cached, rule.reasoning):
        numbers = [value_at(record, path) for path in paths]
        counts = [0 if number is None else number for number in numbers]
        if not all(type(each) is int and 0 <= each < _MAX_TOKENS for each in counts):
            return None
        sums.append(sum(cast("list[int]", counts)) if paths else None)
    cost = None if rule.cost is None else value_at(record, rule.cost)
    if isinstance(cost, bool) or not isinstance(cost, int | float) or not 0 <= cost < _MAX_TOKENS:
        cost = None
    time_ms = _time(value_at(record, rule.time)) if rule.time else None
    return LoggedTokens(time_ms, sums[0] or 0, sums[1] or 0, sums[2], sums[3], cost)


def _calls(record: Mapping[str, Any], rule: CallsRule) -> Iterator[Mapping[str, Any]]:
    if rule.each is None:
        yield record
        return
    items = value_at(record, rule.each)
    for item in cast("list[Any]", items) if isinstance(items, list) else ():
        if isinstance(item, dict) and _matches_conditions(cast("object", item), rule.item):
            yield cast("dict[str, Any]", item)


def _call(record: Mapping[str, Any], call: Mapping[str, Any], rule: CallsRule) -> LoggedCall:
    name = value_at(call, rule.name)
    tool = name[:200] if isinstance(name, str) else "?"
    kind: CallKind = "other"
    text = ""
    kinds: tuple[tuple[CallKind, ToolsTable | None], ...] = (
        ("shell", rule.shell),
        ("edit", rule.edit),
    )
    for each, tools in kinds:
        if tools is not None and tool in tools.tools:
            kind, text = each, _text(call, tools)
    return LoggedCall(_time(value_at(record, rule.time)) if rule.time else None, tool, kind, text)


def _text(call: Mapping[str, Any], tools: ToolsTable) -> str:
    found = next((one for one in (value_at(call, path) for path in tools.text) if one), "")
    if isinstance(found, list):
        found = " ".join(map(str, cast("list[Any]", found)))
    text = str(found)
    if tools.pattern is not None:
        text = ", ".join(one[one.re.groups and 1] for one in re.finditer(tools.pattern, text))
    return text[:_MAX_TEXT_LENGTH]


def _time(value: object) -> int | None:
    """Convert ISO 8601, seconds or milliseconds to Unix time in milliseconds; None if invalid."""
    try:
        if isinstance(value, str):
            found = datetime.fromisoformat(value)
            zoned = found if found.tzinfo else found.replace(tzinfo=UTC)
            return int(zoned.timestamp() * 1000)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return int(value if value > _MIN_MILLISECONDS else value * 1000)
    except (ValueError, OverflowError):
        pass
    return None
