"""``initialize``, ``language.*``, ``lane.list`` and ``cancel``: the server and its requests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any

from msgspec import Meta

from esolangs.registry import language_ids
from esoplay.programs.execution import languages
from esoplay.rpc.connection import MAX_DEBUGGERS, Call, Connection
from esoplay.rpc.parameters import Parameter, ParameterCheck, any_of, bounded_integer, record, text
from esoplay.rpc.protocol import MAX_BATCH, Id, invalid_params
from esoplay.rpc.table import Method, is_allowed
from esoplay.rpc.transport import MAX_LINE_BYTES
from esoplay.sessions.protocols import PROTOCOLS, find_protocol
from esoplay.sessions.target import find_target
from esoplay.version import VERSION

PROTOCOL_VERSIONS = (1, 2)
"""Versions of the protocol. Version 2 has the same methods, with compact results."""


def initialize_method(methods: Mapping[str, Method]) -> Method:
    """Return the method ``initialize``, which describes a server with ``methods``."""

    def initialize(
        call: Call, *, client: Any = None, protocol_version: str | int | None = None
    ) -> dict[str, Any]:
        """Select the version of the protocol and describe the server."""
        call.connection.use_version(_negotiate_version(protocol_version))
        return _server(methods, call.connection)

    return Method(
        "initialize",
        initialize,
        (
            Parameter("client", _CLIENT),
            Parameter("protocol_version", any_of(text, bounded_integer(), expected="a version")),
        ),
        solver_may_call=True,
    )


def _negotiate_version(requested: str | int | None) -> int:
    """Return the highest version up to ``requested``; 1 if it is not a version number."""
    text = str(requested)
    number = int(text) if text.isascii() and text.isdigit() and len(text) < 10 else 1
    return max(each for each in PROTOCOL_VERSIONS if each <= max(number, 1))


def _server(methods: Mapping[str, Method], connection: Connection) -> dict[str, Any]:
    """Return a description of the server and of the client's permissions."""
    capabilities: dict[str, Any] = {
        "role": connection.role,
        "methods": sorted(
            name for name, method in methods.items() if is_allowed(method, connection)
        ),
        "notifications": ["progress"],
        "max_line": MAX_LINE_BYTES,
        "max_batch": MAX_BATCH,
        "max_debuggers": MAX_DEBUGGERS,
        "protocol_versions": list(map(str, PROTOCOL_VERSIONS)),
    }
    if connection.solver_session is not None:
        capabilities["session"] = connection.solver_session
    return {
        "name": "esoplay",
        "version": VERSION,
        "protocol_version": str(connection.version),
        "languages": language_ids(),
        "protocols": list(PROTOCOLS),
        "capabilities": capabilities,
    }


def list_(call: Call) -> dict[str, Any]:
    """Return the installed languages, with their dialects and options."""
    return {
        "languages": [
            {
                "id": language.id,
                "name": language.name,
                "extensions": list(language.extensions),
                "dialects": {name: dict(options) for name, options in language.dialects.items()},
                "options": [
                    {
                        "name": option.name,
                        "default": option.default,
                        "values": list(option.values),
                        "help": option.help,
                    }
                    for option in language.options
                ],
            }
            for language in languages()
        ]
    }


def lanes(call: Call) -> dict[str, Any]:
    """Return the host lanes (ordinary languages) and whether they can be used on this computer."""
    from esoplay.programs.host_lanes import (
        describe_lanes,
    )  # imported late: no other method needs it

    return {"lanes": [state.as_json() for state in describe_lanes()]}


def card(
    call: Call,
    *,
    language: str | None = None,
    protocol: str | None = None,
    dialect: str | None = None,
) -> dict[str, Any]:
    """Return the reference card of a language in one of its dialects.

    protocol: a benchmark protocol that determines the dialect, instead of ``dialect``. A solver's
    session determines the defaults of the language and the dialect.
    """
    if dialect is not None and protocol is not None:
        raise invalid_params("`dialect` cannot be combined with `protocol`")
    session = call.connection.solver_session
    if language is None:
        if session is None:
            raise invalid_params("this connection has no session, so `language` is required")
        language = call.connection.sessions.status(session).state.started.language
    if dialect is not None:
        find_target(language, dialect)
    elif protocol is not None:
        dialect = find_protocol(protocol).dialect
    elif session is not None:
        dialect = call.connection.sessions.status(session).state.protocol.dialect
    dialect = dialect or "standard"
    found = find_target(language, dialect)
    return {"language": found.id, "dialect": dialect, "card": found.card}


_CLIENT = any_of(
    text,
    record(Parameter("name", text), Parameter("version", text)),
    expected="a name, or an object",
)

LANGUAGE_METHODS = (
    Method("language.list", list_),
    Method("lane.list", lanes),
    Method(
        "language.card",
        card,
        (Parameter("language", text), Parameter("protocol", text), Parameter("dialect", text)),
        solver_may_call=True,
    ),
)


def cancel(call: Call, *, id: Id) -> dict[str, bool]:
    """Cancel the waiting or running requests with an id."""
    return {"cancelled": call.connection.in_flight.cancel(id)}


_REQUEST_ID = ParameterCheck(
    Annotated[str | int | float, Meta(extra={"expected": "a string or a number"})]
)

CONTROL_METHODS = (
    Method(
        "cancel",
        cancel,
        (Parameter("id", _REQUEST_ID, required=True),),
        solver_may_call=True,
        immediate=True,
    ),
)
