"""What clients ask, looked at before it is believed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, cast

from esoplay.errors import EsoplayError


class RequestError(EsoplayError):
    """A request that cannot be answered; the message is for the user of the editor."""

    kind = "request"


Arguments = Mapping[str, Any]

_SURROGATE = re.compile("[\ud800-\udfff]")
_MOST = 2**53 - 1  # RFC 8259, 6: beyond it, clients differ about what a number is


def text_of(arguments: Arguments, name: str, default: str | None = None) -> str | None:
    """A text, or ``default`` where there is none."""
    value = arguments.get(name, default)
    if value is not None and not isinstance(value, str):
        raise RequestError(f"{name} is a text, not {_said(value)}")
    if value is not None and _SURROGATE.search(value):
        raise RequestError(f"{name} has a surrogate without its other half")
    return value


def required_text(arguments: Arguments, name: str) -> str:
    """A text that has to be there and not be empty."""
    value = text_of(arguments, name)
    if not value:
        raise RequestError(f"{name} is missing")
    return value


def whole_of(arguments: Arguments, name: str, default: int | None = None) -> int | None:
    """A whole number, or ``default``."""
    value = arguments.get(name, default)
    if value is not None and (isinstance(value, bool) or not isinstance(value, int)):
        raise RequestError(f"{name} is a whole number, not {_said(value)}")
    if value is not None and abs(value) > _MOST:
        raise RequestError(f"{name} is a number of at most 53 bits")
    return value


def required_whole(arguments: Arguments, name: str) -> int:
    """A whole number that has to be there."""
    value = whole_of(arguments, name)
    if value is None:
        raise RequestError(f"{name} is missing")
    return value


def flag_of(arguments: Arguments, name: str, default: bool = False) -> bool:
    """True or false."""
    value = arguments.get(name, default)
    if not isinstance(value, bool):
        raise RequestError(f"{name} is true or false, not {_said(value)}")
    return value


def object_of(arguments: Arguments, name: str) -> Arguments:
    """An object; an empty one where there is none."""
    value = arguments.get(name)
    if value is None:
        return {}
    if not isinstance(value, dict):
        raise RequestError(f"{name} is an object, not {_said(value)}")
    return cast("Arguments", value)


def list_of(arguments: Arguments, name: str) -> Sequence[object]:
    """A list; an empty one where there is none."""
    value = arguments.get(name)
    if value is None:
        return ()
    if not isinstance(value, list):
        raise RequestError(f"{name} is a list, not {_said(value)}")
    return cast("list[object]", value)


def objects_of(arguments: Arguments, name: str) -> Sequence[Arguments]:
    """A list of objects; an empty one where there is none."""
    entries = list_of(arguments, name)
    for entry in entries:
        if not isinstance(entry, dict):
            raise RequestError(f"{name} is a list of objects, not of {_said(entry)}")
    return cast("Sequence[Arguments]", entries)


def _said(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "…"
