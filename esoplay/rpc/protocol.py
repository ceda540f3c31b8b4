"""JSON-RPC 2.0: parsing of requests, encoding of answers, and error codes.

=======  =============================================================================
-32700   the line is not JSON: syntax error, incomplete, invalid UTF-8, too long, too deep
-32600   JSON, but not a request
-32601   unknown method
-32602   missing, unknown or invalid parameter, which the message names
-32603   defect of esoplay; ``data.kind`` is ``internal_error``
-32000   all other errors; ``data.kind`` distinguishes them
=======  =============================================================================
"""

from __future__ import annotations

import json
import re
from math import isfinite
from typing import Any, NamedTuple, cast

from esolangs.errors import EngineError, ParseError
from esoplay.debugging import debugger
from esoplay.errors import ConditionError, EsoplayError, StoreError, UsageError
from esoplay.running import worker

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
DOMAIN_ERROR = -32000

INTERNAL_KIND = "internal_error"
LOG_ONLY_KINDS = frozenset({INTERNAL_KIND, StoreError.kind})
"""Error kinds whose details appear only in the operator's log."""


class RpcError(Exception):
    """Error that is sent to the client as an error answer."""

    def __init__(self, code: int, message: str, data: dict[str, Any] | None = None):
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def as_json(self) -> dict[str, Any]:
        """Return the ``error`` member of the answer."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return error


def invalid_params(message: str) -> RpcError:
    """Return the error for a missing, unknown or invalid parameter."""
    return RpcError(INVALID_PARAMS, message)


def domain_error(kind: str, message: str, **more: Any) -> RpcError:
    """Return the error for a valid request that cannot be executed."""
    return RpcError(DOMAIN_ERROR, message, {"kind": kind, **more})


def rejected_error(message: str) -> RpcError:
    """Return the error for a request that the role or the rules do not allow."""
    return domain_error("rejected_command", message)


def cancelled_error() -> RpcError:
    """Return the error for a cancelled request."""
    return domain_error("cancelled", "the request was cancelled")


def internal_error() -> RpcError:
    """Return the error for a defect of esoplay."""
    message = "internal error; the log has the details"
    return RpcError(INTERNAL_ERROR, message, {"kind": INTERNAL_KIND})


def error_from_exception(error: Exception) -> RpcError | None:
    """Return the error answer for an expected exception; None for a defect of esoplay."""
    match error:
        case RpcError():
            return error
        case ParseError():
            return domain_error(
                "parse_error",
                error.message,
                line=error.line,
                column=error.column,
                offset=error.offset,
            )
        case worker.RunCancelled() | debugger.MoveCancelled():
            return cancelled_error()
        case EngineError():  # an unknown language, dialect or option
            return domain_error(UsageError.kind, str(error))
        case ConditionError():
            return domain_error(error.kind, str(error), column=error.column)
        case StoreError():
            # Its text names the operator's files, which solvers must not see.
            return domain_error(error.kind, "the session's store cannot be used; see the log")
        case EsoplayError(kind=kind) if kind != INTERNAL_KIND:
            return domain_error(kind, str(error))
        case _:
            return None


MAX_BATCH = 1_000
"""Maximum number of requests in a batch; error answers can be much longer than the requests."""

Id = str | int | float | None


class Request(NamedTuple):
    """Valid request; if ``is_notification``, it is executed without an answer."""

    method: str
    params: dict[str, Any]
    id: Id = None
    is_notification: bool = False


class InvalidRequest(NamedTuple):
    """Invalid request with its error answer."""

    id: Id
    error: RpcError


class Batch(NamedTuple):
    """Requests that were sent in one array; their answers are also sent in one array."""

    items: tuple[Request | InvalidRequest, ...]


def parse_message(line: bytes) -> Request | InvalidRequest | Batch | None:
    """Parse a line; return None for a blank line. Errors become ``InvalidRequest``."""
    if not line.strip():
        return None
    try:
        value = _decode(line)
        broken = _unpaired_surrogates(value) if _ESCAPED_SURROGATE.search(line) else {}
    except RpcError as error:
        # A copy, because the traceback of the original keeps the line in memory.
        return InvalidRequest(None, RpcError(error.code, error.message, error.data))
    if not isinstance(value, list):
        return _request(value, broken.get(0))
    items = cast("list[object]", value)
    if not items:
        return InvalidRequest(
            None, RpcError(INVALID_REQUEST, "a batch must contain at least one request")
        )
    if len(items) > MAX_BATCH:
        message = f"a batch must contain at most {MAX_BATCH} requests, not {len(items)}"
        return InvalidRequest(None, RpcError(INVALID_REQUEST, message))
    return Batch(tuple(_request(item, broken.get(at)) for at, item in enumerate(items)))


def result_message(id: Id, result: Any) -> dict[str, Any]:
    """Return the answer to a successful request."""
    return {"jsonrpc": "2.0", "id": id, "result": result}


def error_message(id: Id, error: RpcError) -> dict[str, Any]:
    """Return the answer to a failed request."""
    return {"jsonrpc": "2.0", "id": id, "error": error.as_json()}


def notification_message(method: str, params: dict[str, Any]) -> dict[str, Any]:
    """Return a notification from the server."""
    return {"jsonrpc": "2.0", "method": method, "params": params}


def encode_message(message: Any) -> bytes:
    """Encode a message as ASCII, so that clients do not split it at Unicode line breaks."""
    return json.dumps(message, allow_nan=False, separators=(",", ":")).encode("ascii")


def _request(value: object, unpaired_parameter: str | None = None) -> Request | InvalidRequest:
    """Convert a JSON value to a request.

    unpaired_parameter: name of a parameter with an unpaired surrogate, for which the request is
    invalid.
    """
    if not isinstance(value, dict):
        return InvalidRequest(None, RpcError(INVALID_REQUEST, "a request must be an object"))
    fields = cast("dict[str, object]", value)
    id = fields.get("id")
    if isinstance(id, bool) or not isinstance(id, str | int | float | None):
        return InvalidRequest(
            None, RpcError(INVALID_REQUEST, "`id` must be a string, a number or null")
        )
    if fields.get("jsonrpc") != "2.0":
        return InvalidRequest(
            id, RpcError(INVALID_REQUEST, 'a request must contain "jsonrpc": "2.0"')
        )
    method = fields.get("method")
    if not isinstance(method, str):
        return InvalidRequest(id, RpcError(INVALID_REQUEST, "`method` must be a string"))
    params = fields.get("params", {})
    if params == []:
        params = {}
    if not isinstance(params, dict):
        return InvalidRequest(
            id, RpcError(INVALID_REQUEST, "`params` must be an object with named parameters")
        )
    if unpaired_parameter is not None:
        message = f"parameter {unpaired_parameter} has an unpaired surrogate"
        return InvalidRequest(id, invalid_params(message))
    return Request(method, cast("dict[str, Any]", params), id, "id" not in fields)


MAX_VALUES = 200_000
"""Maximum number of values per line; ``[],`` is 3 bytes of text, but takes 60 bytes in memory."""

_DELIMITERS = (b",", b"[", b"{", b":")
_STRING = re.compile(rb'"(?:[^"\\]++|\\.)*+"?', re.DOTALL)  # no backtracking: linear time


def _has_too_many_values(line: bytes) -> bool:
    """Return whether a line has more than MAX_VALUES values, without decoding it."""
    delimiters = sum(map(line.count, _DELIMITERS))
    if delimiters <= MAX_VALUES:
        return False
    for strings, match in enumerate(_STRING.finditer(line)):
        if strings > 2 * MAX_VALUES:
            return True
        delimiters -= sum(line.count(each, *match.span()) for each in _DELIMITERS)
    return delimiters > MAX_VALUES


_ESCAPED_SURROGATE = re.compile(rb"\\u[dD][89a-fA-F]")


def _unpaired_surrogates(value: object) -> dict[int, str]:
    """Return the name of the first parameter with an unpaired surrogate in each invalid request.

    value: a request or a batch of requests. The keys of the result are indexes in the batch; a
    single request has index 0. The name is ``'params'`` if the parameters are not an object.

    Raises RpcError if the value is nested too deeply, or if a surrogate is outside the parameters
    of a request with an id, because an answer could not repeat the text.
    """
    found: dict[int, str] = {}
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    for at, item in enumerate(items):
        envelope, params = item, None
        if isinstance(item, dict) and "id" in item:
            envelope = {**cast("dict[str, object]", item)}
            params = envelope.pop("params", None)
        if not _is_encodable(envelope):
            raise _parse_error("unpaired surrogate")
        if isinstance(params, dict):
            members = cast("dict[str, object]", params).items()
            broken = (name for name, each in members if not _is_encodable([name, each]))
            first = next(broken, None)
            if first is not None:
                found[at] = ascii(first[:80])
        elif not _is_encodable(params):
            found[at] = "'params'"
    return found


def _is_encodable(value: object) -> bool:
    """Return whether a JSON value can be encoded as UTF-8: no text has an unpaired surrogate."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return False
    except RecursionError:  # encoding can need a deeper stack than decoding
        raise _parse_error(_TOO_DEEP) from None
    return True


def _decode(line: bytes) -> object:
    """Decode a line as JSON; raise RpcError for invalid JSON and for numbers that are too long."""
    try:
        text = line.decode()
    except UnicodeDecodeError as error:
        raise _parse_error(f"byte {error.start} is not UTF-8") from None
    if len(line) > MAX_VALUES and _has_too_many_values(line):
        raise _parse_error(f"more than {MAX_VALUES} values")
    try:
        value = json.loads(
            text,
            parse_int=_parse_integer,
            parse_float=_parse_float,
            parse_constant=_reject_constant,
        )
    except json.JSONDecodeError as error:
        raise _parse_error(f"{error.msg} at column {error.colno}") from None
    except RecursionError:
        raise _parse_error(_TOO_DEEP) from None
    except ValueError as error:
        raise _parse_error(str(error)) from None
    return value


_TOO_DEEP = "nested too deeply"


def _parse_error(reason: str) -> RpcError:
    return RpcError(PARSE_ERROR, f"the line is not JSON: {reason}")


_MAX_DIGITS = 4_000
"""Maximum number of digits of an integer; Python converts at most 4300 digits by default."""


def _parse_integer(text: str) -> int:
    if len(text) > _MAX_DIGITS:
        raise ValueError(f"a number has more than {_MAX_DIGITS} digits")
    return int(text)


def _parse_float(text: str) -> float:
    number = float(text)
    if not isfinite(number):
        raise ValueError("a number is too large")
    return number


def _reject_constant(text: str) -> float:
    raise ValueError(f"{text} is not a JSON number")
