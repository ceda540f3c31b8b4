"""What goes wrong, as JSON-RPC says it.

=======  =============================================================================
-32700   the line is no JSON text: garbage, a half line, bad UTF-8, too long, too deep
-32600   JSON, but no request
-32601   no such method
-32602   a parameter is missing, unknown or of the wrong type (the message names it)
-32603   a defect of esoplay, ``data.kind`` is ``internal_error``; never the client's fault
-32000   everything that the rules of the domain forbid; ``data.kind`` says what
=======  =============================================================================
"""

from __future__ import annotations

from typing import Any

from esolangs.errors import EngineError, ParseError
from esoplay.errors import ConditionError, EsoplayError, StoreError, UsageError
from esoplay.running import worker
from esoplay.service import debugging

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
DOMAIN_ERROR = -32000

INTERNAL_KIND = "internal_error"
UNTOLD_KINDS = frozenset({INTERNAL_KIND, StoreError.kind})
"""Of errors whose details are for the operator's log alone."""


class RpcError(Exception):
    """An error answer in the making."""

    def __init__(self, code: int, message: str, data: dict[str, Any] | None = None):
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data

    def as_json(self) -> dict[str, Any]:
        """The ``error`` member of the answer."""
        error: dict[str, Any] = {"code": self.code, "message": self.message}
        if self.data is not None:
            error["data"] = self.data
        return error


def invalid_params(message: str) -> RpcError:
    """A parameter that is missing, unknown or of the wrong type."""
    return RpcError(INVALID_PARAMS, message)


def domain_error(kind: str, message: str, **more: Any) -> RpcError:
    """A request that is well formed and cannot be granted."""
    return RpcError(DOMAIN_ERROR, message, {"kind": kind, **more})


def rejected(message: str) -> RpcError:
    """A request that this role, or the rules, do not allow."""
    return domain_error("rejected_command", message)


def cancelled() -> RpcError:
    """The answer to a request that was cancelled before it could give a result."""
    return domain_error("cancelled", "the request was cancelled")


def internal_error() -> RpcError:
    """The answer to a request that met a defect of esoplay."""
    message = "internal error; the log has the details"
    return RpcError(INTERNAL_ERROR, message, {"kind": INTERNAL_KIND})


def from_exception(error: Exception) -> RpcError | None:
    """The answer to an error raised on purpose; None for a defect of esoplay."""
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
        case worker.Cancelled() | debugging.Cancelled():
            return cancelled()
        case EngineError():  # an unknown language, dialect or option
            return domain_error(UsageError.kind, str(error))
        case ConditionError():
            return domain_error(error.kind, str(error), column=error.column)
        case StoreError():
            # Its text names the operator's files, which are no business of a solver.
            return domain_error(error.kind, "the session's store cannot be used; see the log")
        case EsoplayError(kind=kind) if kind != INTERNAL_KIND:
            return domain_error(kind, str(error))
        case _:
            return None
