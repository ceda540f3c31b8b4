"""``debug.variables``, and the parameters by which a debugger takes a source map."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from esoplay.rpc.connection import Call
from esoplay.rpc.errors import invalid_params, rejected
from esoplay.rpc.methods.shared import DEBUG
from esoplay.rpc.parameters import Parameter, text, whole
from esoplay.rpc.table import Method
from esoplay.service.source_maps import SourceMap, parse_map, read_map, source_as_json, variables

_MOST_VARIABLES = 10_000
_DEFAULT_VARIABLES = 1_000


def _object(value: object, path: str) -> object:
    if not isinstance(value, dict):
        raise invalid_params(f"{path} is the object of a source map")
    return value  # pyright: ignore[reportUnknownVariableType]


SOURCE_MAP = (Parameter("source_map", _object), Parameter("source_map_path", text))


def given_map(call: Call, source_map: object | None, path: str | None) -> SourceMap | None:
    """The map that a request brings, None for none; a path is for the operator alone."""
    if path is not None:
        if not call.connection.is_operator:
            raise rejected("source_map_path is for the operator; send the map's object")
        if source_map is not None:
            raise invalid_params("give source_map or source_map_path, not both")
        return read_map(Path(path))
    return None if source_map is None else parse_map(source_map)


def variables_(
    call: Call,
    *,
    debug: str,
    names: str | None = None,
    limit: int = _DEFAULT_VARIABLES,
) -> dict[str, Any]:
    """The variables of the generator's source, with what they hold here."""
    debugger = call.connection.debuggers.get(debug)
    found = variables(debugger)
    if names is not None:
        found = tuple(each for each in found if each.name.startswith(names))
    return source_as_json(debugger, found, limit)


SOURCE_METHODS = (
    Method(
        "debug.variables",
        variables_,
        (DEBUG, Parameter("names", text), Parameter("limit", whole(1, _MOST_VARIABLES))),
        solver=True,
    ),
)
