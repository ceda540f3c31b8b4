"""Whether a JSON value has the shape that a type declares: for logs that come from outside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import MISSING, fields, is_dataclass
from functools import cache
from types import NoneType, UnionType
from typing import Any, Literal, Union, cast, get_args, get_origin, get_type_hints

_WORDS: dict[Any, str] = {
    str: "a text",
    int: "a whole number",
    float: "a number",
    bool: "true or false",
    NoneType: "null",
}


def misfit(value: object, hint: Any, path: str = "") -> str | None:
    """What is wrong with ``value``, as ``PATH: expected …``; None if it fits.

    hint: a plain type, a dataclass, a Literal, a union, or a tuple, sequence or mapping of such.
    """
    if is_dataclass(hint):
        return _misfit_of_fields(value, cast("type", hint), path)
    origin, parts = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        if any(misfit(value, part, path) is None for part in parts):
            return None
        inner = [part for part in parts if part is not NoneType]
        if len(inner) == 1 and value is not None:
            return misfit(value, inner[0], path)
    elif origin is Literal:
        if any(type(value) is type(choice) and value == choice for choice in parts):
            return None
    elif origin is tuple or origin is list or origin is Sequence:
        if isinstance(value, list):
            items = cast("list[object]", value)
            told = (misfit(item, parts[0], f"{path}[{at}]") for at, item in enumerate(items))
            return next(filter(None, told), None)
    elif origin is dict or origin is Mapping:
        if isinstance(value, dict):
            members = cast("dict[str, object]", value).items()
            told = (misfit(item, parts[1], _join(path, name)) for name, item in members)
            return next(filter(None, told), None)
    elif hint is Any or _is_plain(value, hint):
        return None
    return f"{path}: expected {_describe(hint)}"


def _misfit_of_fields(value: object, kind: type, path: str) -> str | None:
    if not isinstance(value, dict):
        return f"{path}: expected an object"
    members = cast("dict[str, object]", value)
    known = {one.name: one for one in fields(kind)}
    for name in members:
        if name not in known:
            return f"{_join(path, name)}: there is no such field"
    for name, one in known.items():
        if name in members:
            told = misfit(members[name], _hints(kind)[name], _join(path, name))
            if told is not None:
                return told
        elif one.default is MISSING and one.default_factory is MISSING:
            return f"{_join(path, name)}: is missing"
    return None


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)


def _is_plain(value: object, hint: Any) -> bool:
    if isinstance(value, bool):
        return hint is bool
    if hint is float:
        return isinstance(value, int | float)
    return isinstance(value, hint)


def _describe(hint: Any) -> str:
    origin, parts = get_origin(hint), get_args(hint)
    if origin is Literal:
        return "one of " + ", ".join(map(str, parts))
    if origin in (Union, UnionType):
        return " or ".join(map(_describe, parts))
    if origin is tuple or origin is list or origin is Sequence:
        return "an array"
    return _WORDS.get(hint, "an object")


def _join(path: str, name: str) -> str:
    return f"{path}.{name}" if path else name
