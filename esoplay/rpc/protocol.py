"""JSON-RPC 2.0 messages: lines to requests, answers to lines."""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any, NamedTuple, cast

from esoplay.rpc.errors import INVALID_REQUEST, PARSE_ERROR, RpcError

MAX_BATCH = 1_000
"""Requests one batch may hold: an answer to rubbish is longer than the rubbish."""

Id = str | int | float | None


class Request(NamedTuple):
    """A well-formed request; a notification is executed and never answered."""

    method: str
    params: dict[str, Any]
    id: Id = None
    is_notification: bool = False


class Invalid(NamedTuple):
    """What stands where a request should: it is answered by its error."""

    id: Id
    error: RpcError


class Batch(NamedTuple):
    """Requests sent together and answered together, in one array."""

    items: tuple[Request | Invalid, ...]


def read_message(line: bytes) -> Request | Invalid | Batch | None:
    """What a line says; None for a blank one.  Nothing that a line holds raises."""
    if not line.strip():
        return None
    try:
        value = _decode(line)
    except RpcError as error:
        # A new one: the one that was raised keeps the line, in the frames that it came through.
        return Invalid(None, RpcError(error.code, error.message, error.data))
    if not isinstance(value, list):
        return _request(value)
    items = cast("list[object]", value)
    if not items:
        return Invalid(None, RpcError(INVALID_REQUEST, "a batch holds at least one request"))
    if len(items) > MAX_BATCH:
        message = f"a batch holds at most {MAX_BATCH} requests, this one {len(items)}"
        return Invalid(None, RpcError(INVALID_REQUEST, message))
    return Batch(tuple(map(_request, items)))


def result_message(id: Id, result: Any) -> dict[str, Any]:
    """The answer to a request that succeeded."""
    return {"jsonrpc": "2.0", "id": id, "result": result}


def error_message(id: Id, error: RpcError) -> dict[str, Any]:
    """The answer to a request that failed."""
    return {"jsonrpc": "2.0", "id": id, "error": error.as_json()}


def notification_message(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """A message of the server's own."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def write_message(message: Any) -> bytes:
    """One line without its newline; ASCII, so that no reader splits it at a Unicode line break."""
    return json.dumps(message, allow_nan=False, separators=(",", ":")).encode("ascii")


def _request(value: object) -> Request | Invalid:
    if not isinstance(value, dict):
        return Invalid(None, RpcError(INVALID_REQUEST, "a request is an object"))
    fields = cast("dict[str, object]", value)
    id = fields.get("id")
    if isinstance(id, bool) or not isinstance(id, str | int | float | None):
        return Invalid(None, RpcError(INVALID_REQUEST, "id is a string, a number or null"))
    if fields.get("jsonrpc") != "2.0":
        return Invalid(id, RpcError(INVALID_REQUEST, 'a request has "jsonrpc": "2.0"'))
    method = fields.get("method")
    if not isinstance(method, str):
        return Invalid(id, RpcError(INVALID_REQUEST, "method is the name of a method"))
    params = fields.get("params", {})
    if params == []:
        params = {}
    if not isinstance(params, dict):
        return Invalid(id, RpcError(INVALID_REQUEST, "params is an object: parameters are named"))
    return Request(method, cast("dict[str, Any]", params), id, "id" not in fields)


MAX_VALUES = 200_000
"""Arrays, objects and members of a line: an empty array is 3 bytes of it and 60 of memory."""

_SIGNS = (b",", b"[", b"{", b":")
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)  # never goes back, so it is linear


def _holds_too_much(line: bytes) -> bool:
    """Whether a line holds more than MAX_VALUES, told without reading the values."""
    signs = sum(map(line.count, _SIGNS))
    if signs <= MAX_VALUES:
        return False
    for strings, match in enumerate(_STRING.finditer(line)):
        if strings > 2 * MAX_VALUES:
            return True
        signs -= sum(line.count(sign, *match.span()) for sign in _SIGNS)
    return signs > MAX_VALUES


_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def _decode(line: bytes) -> object:
    """The JSON value of a line, with everything refused that could not be written back."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise _unreadable(f"byte {error.start} is not UTF-8") from None
    if len(line) > MAX_VALUES and _holds_too_much(line):
        raise _unreadable(f"more than {MAX_VALUES} values")
    try:
        value = json.loads(text, parse_int=_whole, parse_float=_finite, parse_constant=_no_constant)
        if _ESCAPED_SURROGATE.search(line):
            json.dumps(value, ensure_ascii=False).encode()
    except json.JSONDecodeError as error:
        raise _unreadable(f"{error.msg} at column {error.colno}") from None
    except UnicodeEncodeError:
        raise _unreadable("a surrogate without its other half") from None
    except RecursionError:
        raise _unreadable("nested too deeply") from None
    except ValueError as error:
        raise _unreadable(str(error)) from None
    return value


def _unreadable(reason: str) -> RpcError:
    return RpcError(PARSE_ERROR, f"the line is no JSON text: {reason}")


_MAX_DIGITS = 4_000
"""Digits of a whole number: fewer than the interpreter's own guard against slow conversions."""


def _whole(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError(f"a number has more than {_MAX_DIGITS} digits")
    return int(text)


def _finite(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError("a number is too large")
    return number


def _no_constant(text: str) -> float:
    raise ValueError(f"{text} is no JSON number")
