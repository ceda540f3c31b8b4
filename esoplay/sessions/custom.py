"""Protocols of one's own: a row of the table with some fields changed.

The changes come from a TOML file or one by one from the command line.  What comes out is a row
like any other; the session's first event carries it whole.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple, cast, get_args

from esoplay.errors import UsageError
from esoplay.sessions import protocols
from esoplay.sessions.hosts import HOSTS
from esoplay.sessions.protocols import PROTOCOLS, Protocol, find_protocol

UNLIMITED = "unlimited"
_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,39}")
_MOST = 1 << 16  # bytes of a file that are read
_MOST_TEXT = 500


class _Field(NamedTuple):
    """What a field takes: in words, and the value it gets; ValueError for anything else."""

    expected: str
    read: Callable[[Any], Any]


def _choice(values: Sequence[str]) -> _Field:
    def read(value: Any) -> str:
        if value not in values:
            raise ValueError
        return value

    return _Field(" | ".join(f'"{value}"' for value in values), read)


def _count(least: int) -> _Field:
    def read(value: Any) -> int | None:
        if value == UNLIMITED:
            return None
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= 10**9:
            raise ValueError
        return value

    return _Field(f'a whole number from {least}, or "{UNLIMITED}"', read)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or not 0 < len(value) <= _MOST_TEXT or not value.isprintable():
        raise ValueError
    return value


def _languages(value: Any) -> tuple[str, ...] | None:
    if value == "any":
        return None
    if not isinstance(value, list):
        raise ValueError
    names = cast("list[Any]", value)
    if not all(isinstance(name, str) and name in HOSTS for name in names):
        raise ValueError
    return tuple(sorted(set(names)))


_FLAG = _Field("true or false", _flag)
FIELDS: Mapping[str, _Field] = {
    "purpose": _Field(f"a line of text, at most {_MOST_TEXT} characters", _text),
    "dialect": _Field("the name of a dialect", _text),
    "runs": _count(0),
    "submissions": _count(1),
    "skip": _choice(get_args(protocols.Skip)),
    "order": _choice(get_args(protocols.Order)),
    "feedback": _choice(get_args(protocols.Feedback)),
    "examples": _FLAG,
    "revisit": _choice(get_args(protocols.Revisit)),
    "public_seed": _FLAG,
    "debug": _FLAG,
    "shell": _FLAG,
    "generators": _Field(f'"any", or a list of these: {", ".join(HOSTS)}', _languages),
    "files": _choice(get_args(protocols.Files)),
    "material": _choice(get_args(protocols.Material)),
}
"""What may be changed, by the name of the field."""


def resolve_protocol(wanted: str, changes: Mapping[str, Any] | None = None) -> Protocol:
    """The protocol of this name or in this file, with single fields changed.

    A changed protocol gets a name of its own that tells the changes, so that its results are
    never taken for those of the published one.  Raises UsageError.  Reads a file: the operator's
    way, not the solver's.
    """
    protocol = read_protocol(Path(wanted)) if wanted.endswith(".toml") else find_protocol(wanted)
    rules = {name: field for name, field in FIELDS.items() if name != "purpose"}
    changed = _changed(protocol, changes or {}, protocol.id, rules)
    differing = [one for one in rules if getattr(changed, one) != getattr(protocol, one)]
    if not differing:
        return protocol
    name = "+".join([protocol.id, *(f"{one}={spelled(changed, one)}" for one in differing)])
    return replace(changed, id=name, base=protocol.base or protocol.id)


def read_protocol(file: Path) -> Protocol:
    """The protocol that a TOML file describes; UsageError names file, field and expectation."""
    try:
        with file.open("rb") as stream:
            data = stream.read(_MOST + 1)
        if len(data) > _MOST:
            raise UsageError(f"{file}: a protocol file has at most {_MOST} bytes")
        table = tomllib.loads(data.decode("utf-8"))
    except OSError as error:
        raise UsageError(f"cannot read the protocol file {file}: {error.strerror}") from None
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{file}: {error}") from None
    base = table.pop("extends", None)
    if not isinstance(base, str):
        raise UsageError(f'{file}: extends: expected the name of a protocol, such as "primary"')
    try:
        parent = find_protocol(base)
    except UsageError as error:
        raise UsageError(f"{file}: extends: {error}") from None
    name = table.pop("id", file.stem)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise UsageError(
            f"{file}: id: expected lower-case letters, digits and hyphens, at most 40; got {name!r}"
        )
    if name in PROTOCOLS or name.startswith("budget-"):
        raise UsageError(f"{file}: id: {name} is a published protocol; choose another name")
    return replace(_changed(parent, table, str(file), FIELDS), id=name, base=parent.id)


def parse_changes(settings: Sequence[str]) -> dict[str, Any]:
    """``FIELD=VALUE`` as typed, each value as TOML where it is some, else as the text it is."""
    changes: dict[str, Any] = {}
    for setting in settings:
        name, equals, text = setting.partition("=")
        if not equals:
            raise UsageError(f"--set {setting}: expected FIELD=VALUE, such as submissions=1")
        if name in changes:
            raise UsageError(f"--set {name}: given twice")
        try:
            changes[name] = tomllib.loads(f"value = {text}")["value"]
        except (ValueError, RecursionError):
            changes[name] = text
    return changes


def spelled(protocol: Protocol, field: str) -> str:
    """The value of a row's field as it is typed and shown."""
    value = getattr(protocol, field)
    if value is None:
        return "any" if field == "generators" else UNLIMITED
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, tuple):
        return ",".join(cast("tuple[str, ...]", value)) or "none"
    return str(value)


def _changed(
    protocol: Protocol, changes: Mapping[str, Any], where: str, known: Mapping[str, _Field]
) -> Protocol:
    values: dict[str, Any] = {}
    for name, value in changes.items():
        if name not in known:
            raise UsageError(f"{where}: there is no field {name!r}; there are {', '.join(known)}")
        try:
            values[name] = known[name].read(value)
        except ValueError:
            raise UsageError(
                f"{where}: {name}: expected {known[name].expected}; got {value!r}"
            ) from None
    changed = replace(protocol, **values)
    if changed.feedback == "explained" and not changed.public_seed:
        raise UsageError(
            f'{where}: feedback: "explained" shows hidden tests, so it needs public_seed = true'
        )
    return changed
