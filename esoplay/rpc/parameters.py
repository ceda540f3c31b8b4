"""Parameters that methods declare, and the checks of their types.

A check takes a JSON value and the parameter's path (``limits.steps``) and gives the
value for the handler; what it refuses, it names by that path.  Its schema describes the values.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, cast

from esolangs.stops import Slot
from esoplay.rpc.protocol import RpcError, invalid_params

Schema = Mapping[str, Any]
"""The JSON Schema of a value."""


class Check:
    """What a parameter takes: called with a JSON value and its path, gives the handler's value."""

    __slots__ = ("_take", "schema")

    def __init__(self, take: Callable[[object, str], Any], schema: Schema):
        self._take = take
        self.schema = schema

    def __call__(self, value: object, path: str) -> Any:
        return self._take(value, path)


def check(schema: Schema) -> Callable[[Callable[[object, str], Any]], Check]:
    """Make a function a Check of values that the schema describes."""
    return lambda take: Check(take, schema)


LARGEST = (1 << 63) - 1
"""Of every whole number: what the engines count with."""


class Parameter(NamedTuple):
    """One named parameter; a handler gets an optional one only when it is given.

    An optional parameter may also be given as null, which is as good as not at all.
    """

    name: str
    check: Check
    required: bool = False


def bind(parameters: Sequence[Parameter], params: Mapping[str, Any]) -> dict[str, Any]:
    """Keyword arguments for the handler; raises -32602 naming the first parameter that is wrong."""
    return _fields(parameters, params, "")


def schema_of(parameters: Sequence[Parameter]) -> Schema:
    """The JSON Schema of an object with these members and no others."""
    return {
        "type": "object",
        "properties": {
            each.name: each.check.schema
            if each.required
            else {"anyOf": [each.check.schema, {"type": "null"}]}
            for each in parameters
        },
        "required": [each.name for each in parameters if each.required],
        "additionalProperties": False,
    }


def shown(name: str) -> str:
    """A client's own word in quotes, bounded, to be named in an error."""
    return repr(name if len(name) <= 80 else name[:79] + "…")


_POINT: Schema = {
    "type": "array",
    "items": {"type": "integer", "minimum": -LARGEST, "maximum": LARGEST},
    "minItems": 2,
    "maxItems": 2,
}
_LEVEL: Schema = {"type": "integer", "minimum": 0, "maximum": LARGEST}
_SLOT: Schema = {
    "type": "object",
    "properties": {"stack": {"anyOf": [_LEVEL, {"type": "null"}]}, "level": _LEVEL},
    "required": ["level"],
    "additionalProperties": False,
}


@check({"type": "string"})
def text(value: object, path: str) -> str:
    """Any string."""
    if not isinstance(value, str):
        raise _wrong(path, "a string", value)
    return value


def short_text(most: int) -> Check:
    """A string of at most ``most`` characters."""

    def take(value: object, path: str) -> str:
        if len(text(value, path)) > most:
            raise invalid_params(f"{path} has at most {most} characters")
        return cast("str", value)

    return Check(take, {"type": "string", "maxLength": most})


@check({"type": "boolean"})
def flag(value: object, path: str) -> bool:
    """true or false."""
    if not isinstance(value, bool):
        raise _wrong(path, "true or false", value)
    return value


@check({"type": "string"})
def utf8(value: object, path: str) -> bytes:
    """A string, as the bytes of its UTF-8."""
    return text(value, path).encode()


@check({"type": "string", "contentEncoding": "base64"})
def base64_bytes(value: object, path: str) -> bytes:
    """Bytes in base64 (RFC 4648, with padding)."""
    try:
        return base64.b64decode(text(value, path), validate=True)
    except (binascii.Error, ValueError):
        raise invalid_params(f"{path} is no base64 text") from None


def whole(least: int = 0, most: int = LARGEST) -> Check:
    """A whole number in a range."""

    def take(value: object, path: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int):
            raise _wrong(path, "a whole number", value)
        if not least <= value <= most:
            raise invalid_params(f"{path} lies between {least} and {most}")
        return value

    return Check(take, {"type": "integer", "minimum": least, "maximum": most})


@check({"type": "integer"})
def integer(value: object, path: str) -> int:
    """A whole number, however large: as many digits as a line of JSON may hold."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise _wrong(path, "a whole number", value)
    return value


@check(_POINT)
def point(value: object, path: str) -> tuple[int, int]:
    """Column and row on a plane, ``[x, y]``."""
    if not isinstance(value, list):
        raise _wrong(path, "a point such as [3, -4]", value)
    parts = cast("list[object]", value)
    if len(parts) != 2:
        raise invalid_params(f"{path} is a point of two numbers, such as [3, -4]")
    coordinate = whole(-LARGEST)
    return coordinate(parts[0], f"{path}[0]"), coordinate(parts[1], f"{path}[1]")


@check({"anyOf": [{"type": "integer"}, _POINT]})
def cell(value: object, path: str) -> int | tuple[int, int]:
    """An address of memory: a number, or a point where memory is a plane."""
    if isinstance(value, list):
        return point(cast("list[object]", value), path)
    return integer(value, path)


@check(_SLOT)
def slot(value: object, path: str) -> Slot:
    """A place on a stack: its level, and which stack, the first when it is not said."""
    fields = _slot(value, path)
    return Slot(fields.get("stack", 0), fields["level"])


def seconds(most: float) -> Check:
    """A positive time, fractions allowed."""

    def take(value: object, path: str) -> float:
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise _wrong(path, "a number of seconds", value)
        if not 0 < value <= most:
            raise invalid_params(f"{path} lies above 0 and is at most {most:g}")
        return float(value)

    return Check(take, {"type": "number", "exclusiveMinimum": 0, "maximum": most})


def one_of(*choices: str) -> Check:
    """One of some words."""

    def take(value: object, path: str) -> str:
        if value not in choices:
            raise invalid_params(f"{path} is one of {', '.join(choices)}")
        return cast("str", value)

    return Check(take, {"enum": list(choices)})


def list_of(item: Check, most: int) -> Check:
    """An array of at most ``most`` items."""

    def take(value: object, path: str) -> list[Any]:
        if not isinstance(value, list):
            raise _wrong(path, "an array", value)
        items = cast("list[object]", value)
        if len(items) > most:
            raise invalid_params(f"{path} holds at most {most} items")
        return [item(each, f"{path}[{index}]") for index, each in enumerate(items)]

    return Check(take, {"type": "array", "items": item.schema, "maxItems": most})


def record(*parameters: Parameter) -> Check:
    """An object with these members and no others."""

    def take(value: object, path: str) -> dict[str, Any]:
        return _fields(parameters, _object(value, path), path + ".")

    return Check(take, schema_of(parameters))


def mapping_of(item: Check) -> Check:
    """An object whose member names are the caller's to choose."""

    def take(value: object, path: str) -> dict[str, Any]:
        members = _object(value, path)
        return {name: item(each, f"{path}.{name}") for name, each in members.items()}

    return Check(take, {"type": "object", "additionalProperties": item.schema})


def either(*checks: Check, what: str) -> Check:
    """A value that one of the checks takes."""

    def take(value: object, path: str) -> Any:
        for each in checks:
            try:
                return each(value, path)
            except RpcError:
                continue
        raise _wrong(path, what, value)

    return Check(take, {"anyOf": [each.schema for each in checks]})


def _fields(
    parameters: Sequence[Parameter], members: Mapping[str, object], prefix: str
) -> dict[str, Any]:
    known = {parameter.name for parameter in parameters}
    for name in members:
        if name not in known:
            taken = ", ".join(parameter.name for parameter in parameters) or "none"
            from esoplay.decoding import suggest  # late: for this error alone

            told = f"unknown parameter {shown(prefix + name)}; taken are: {taken}"
            raise invalid_params(told + suggest(name, known))
    given: dict[str, Any] = {}
    for name, check, required in parameters:
        value = members.get(name)
        if value is not None:
            given[name] = check(value, prefix + name)
        elif required:
            raise invalid_params(f"parameter {prefix + name!r} is missing")
    return given


_slot = record(Parameter("stack", whole()), Parameter("level", whole(), required=True))


def _object(value: object, path: str) -> dict[str, object]:
    if not isinstance(value, dict):
        raise _wrong(path, "an object", value)
    return cast("dict[str, object]", value)


_JSON_NAMES: dict[type, str] = {
    bool: "a boolean",
    int: "a number",
    float: "a number",
    str: "a string",
    list: "an array",
    dict: "an object",
}


def _wrong(path: str, expected: str, value: object) -> RpcError:
    got = _JSON_NAMES.get(type(value), "null")
    return invalid_params(f"{path} must be {expected}, not {got}")
