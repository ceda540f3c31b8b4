"""Methods of the JSON-RPC server: their definition, common parameters and dispatch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from esolangs.limits import MEBIBYTE
from esoplay.errors import UsageError
from esoplay.rpc.connection import Call, Connection
from esoplay.rpc.parameters import (
    Parameter,
    any_of,
    base64_bytes,
    bind_parameters,
    boolean,
    bounded_integer,
    mapping_of,
    quote_name,
    record,
    seconds,
    text,
    utf8,
)
from esoplay.rpc.presentation import Presentation, Presented
from esoplay.rpc.protocol import METHOD_NOT_FOUND, RpcError, invalid_params, rejected_error
from esoplay.rpc.transport import MAX_LINE_BYTES

Handler = Callable[..., Any]


class Method(NamedTuple):
    """Method of the JSON-RPC server: a row of the method table.

    handler: receives the call and the declared parameters by keyword, and returns a JSON value.
    solver_may_call: whether a solver may call the method; an operator may call all methods.
    immediate: whether the reading thread executes the method while other requests run.
    added_parameters: additional parameters in version 2 of the protocol. compact_part: the part of
    the result that is compact in version 2.
    """

    name: str
    handler: Handler
    parameters: tuple[Parameter, ...] = ()
    solver_may_call: bool = False
    immediate: bool = False
    added_parameters: tuple[Parameter, ...] = ()
    compact_part: Presented | None = None

    def parameters_for(self, version: int) -> tuple[Parameter, ...]:
        """Return the parameters of the method in a version of the protocol."""
        if version == 1:
            return self.parameters
        return (
            *self.parameters,
            *self.added_parameters,
            *_VERSION_2_CHOICES.get(self.compact_part, ()),
        )


def is_allowed(method: Method, connection: Connection) -> bool:
    """Return whether the client is allowed to call ``method``."""
    return method.solver_may_call or connection.is_operator


def dispatch(methods: Mapping[str, Method], call: Call) -> Any:
    """Execute a call; raise RpcError if it is invalid or not allowed, and the handler's errors."""
    name = call.request.method
    method = methods.get(name)
    if method is None:
        raise RpcError(METHOD_NOT_FOUND, f"there is no method {quote_name(name)}")
    if not is_allowed(method, call.connection):
        raise rejected_error(f"{name} is for the operator; a solver may not call it")
    connection = call.connection
    given = bind_parameters(method.parameters_for(connection.version), call.request.params)
    choices = {each.name for each in _VERSION_2_CHOICES.get(method.compact_part, ())}
    result = method.handler(call, **{name: given[name] for name in given.keys() - choices})
    # Nothing is sent in answer to a notification.
    if (
        connection.presentation is None
        or method.compact_part is None
        or call.request.is_notification
    ):
        return result
    return _present(connection.presentation, method.compact_part, call, given, result)


def _present(
    presentation: Presentation,
    compact_part: Presented,
    call: Call,
    request_parameters: Mapping[str, Any],
    result: dict[str, Any],
) -> dict[str, Any]:
    """Return a method's result in the compact form of version 2 of the protocol.

    presentation: the data that the client already has. compact_part: the part of the result that
    has a compact form.
    """
    if compact_part in ("known", "status"):
        session = request_parameters.get("session") or call.connection.solver_session or ""
        details = request_parameters.get("details", False)
        if compact_part == "known":
            return presentation.omit_known(result, session, details=details)
        return presentation.shorten_status(result, session, details=details)
    debugger = call.connection.debuggers.get(result.get("debug") or request_parameters["debug"])
    view = result if compact_part == "state" else result["view"]
    since, fields = request_parameters.get("since"), request_parameters.get("fields")
    compact = presentation.view_changes(debugger, view, since=since, fields=fields)
    return compact if compact_part == "state" else {**result, "view": compact}


_SINCE_PARAMETER = Parameter("since", bounded_integer())
_DETAILS = Parameter("details", boolean)
_VERSION_2_CHOICES: Mapping[Presented | None, tuple[Parameter, ...]] = {
    "view": (_SINCE_PARAMETER,),
    "state": (_SINCE_PARAMETER,),
    "known": (_DETAILS,),
    "status": (_DETAILS,),
}
"""For each form of results, the parameters of version 2 that select what a result contains.

Handlers do not receive them.
"""

# Parameters of several methods

SESSION = Parameter("session", text)
DEBUG = Parameter("debug", text, required=True)
LANGUAGE = Parameter("language", text, required=True)
PROBLEM = Parameter("problem", text, required=True)
PACK = Parameter("pack", text)
PROGRAM = (
    Parameter("program", utf8),
    Parameter("program_base64", base64_bytes),
    Parameter("path", text),
)
STDIN = (Parameter("stdin", utf8), Parameter("stdin_base64", base64_bytes))
DIALECT_AND_OPTIONS = (
    Parameter("dialect", text),
    Parameter(
        "options",
        mapping_of(any_of(text, bounded_integer(-1), expected="a string or an integer")),
    ),
)
SEED = Parameter("seed", bounded_integer())
LIMITS = Parameter(
    "limits",
    record(
        Parameter("steps", bounded_integer()),
        Parameter("output", bounded_integer()),
        Parameter("memory", bounded_integer()),
        Parameter("work", bounded_integer()),
        Parameter("time", seconds(86_400)),
    ),
)

MAX_OUTPUT = 16 * MEBIBYTE
"""Maximum size of output in an answer, in bytes."""

SHOWN_OUTPUT = Parameter("shown_output", bounded_integer(0, MAX_OUTPUT))


def read_program(
    call: Call, program: bytes | None, program_base64: bytes | None, path: str | None
) -> bytes:
    """Return the program from one of three parameters; only an operator may use ``path``."""
    if path is not None and not call.connection.is_operator:
        raise rejected_error("`path` is for the operator; send the text in `program`")
    given = [source for source in (program, program_base64, path) if source is not None]
    if len(given) != 1:
        raise invalid_params("expected exactly one of `program`, `program_base64` and `path`")
    return given[0] if isinstance(given[0], bytes) else _read_file(given[0])


def stdin_from_parameters(stdin: bytes | None, stdin_base64: bytes | None) -> bytes:
    """Return the input from one of two parameters; empty if neither is given."""
    if stdin is not None and stdin_base64 is not None:
        raise invalid_params("`stdin` cannot be combined with `stdin_base64`")
    return stdin or stdin_base64 or b""


def _read_file(path: str) -> bytes:
    try:
        with Path(path).open("rb") as file:
            source = file.read(MAX_LINE_BYTES + 1)
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read {path!r}: {getattr(error, 'strerror', error)}") from None
    if len(source) > MAX_LINE_BYTES:
        raise UsageError(f"{path!r} is longer than {MAX_LINE_BYTES} bytes")
    return source
