"""The tools of a session's solver as Python functions instead of an MCP server.

The functions are for agent frameworks in Python. ``esoplay mcp --session`` has tools with the same
names, parameters and descriptions.
"""

from __future__ import annotations

import inspect
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from esoplay.benchmark.sessions import Sessions
from esoplay.rpc.connection import Connection
from esoplay.rpc.mcp.schemas import Schema, Tool
from esoplay.rpc.mcp.server import Toolbox

_OMITTED_PARAMETERS = {"session", "request_id"}
"""Tool parameters that a solver in this process does not need."""

_TYPES: Mapping[str, type] = {
    "string": str,
    "integer": int,
    "number": float,
    "boolean": bool,
    "array": list,
    "object": dict,
}


class ToolText(NamedTuple):
    """Text result of a call, for a model. ``failed``: whether the call failed or was refused."""

    text: str
    failed: bool


class SessionTools:
    """Tools for the solver of one session. Thread-safe: calls run one at a time."""

    def __init__(self, sessions: Sessions, session: str):
        self.session = session
        self._connection = Connection(session, sessions=sessions)
        self._toolbox = Toolbox(self._connection)
        self._turn = threading.Lock()

    @property
    def tools(self) -> Sequence[Tool]:
        """Tools that the rules of the session allow, without ``_OMITTED_PARAMETERS``."""
        return [_without_omitted_parameters(tool) for tool in self._toolbox.listed_tools]

    def call(self, name: str, arguments: Mapping[str, Any]) -> ToolText:
        """Call a tool; an argument that is None is omitted."""
        if name not in self._toolbox.tools:
            return ToolText(self._toolbox.unknown_tool_message(name), failed=True)
        given = {name: value for name, value in arguments.items() if value is not None}
        with self._turn:
            call = self._toolbox.call(name, given, lambda done, total: None)
            answer = self._toolbox.answer(name, call)
        return ToolText(answer.text, answer.failed)

    def functions(self) -> dict[str, Callable[..., str]]:
        """Return a function for each tool, with its name, parameters and descriptions.

        A failed or refused call returns the error as JSON, which a model can read.
        """
        return {tool.name: self._function(tool) for tool in self.tools}

    def close(self) -> None:
        """Close the debuggers of the session, without changing the session."""
        with self._turn:
            self._connection.close()

    def _function(self, tool: Tool) -> Callable[..., str]:
        def function(**arguments: Any) -> str:
            return self.call(tool.name, arguments).text

        function.__name__ = function.__qualname__ = tool.name
        described = (f"- {name}: {one['description']}" for name, one in tool.parameters.items())
        function.__doc__ = "\n".join([tool.description, *described])
        signature = inspect.Signature(
            [*_parameters(tool.required, True), *_parameters(tool.optional, False)],
            return_annotation=str,
        )
        function.__signature__ = signature  # pyright: ignore[reportFunctionMemberAccess]
        function.__annotations__ = {
            **{name: one.annotation for name, one in signature.parameters.items()},
            "return": str,
        }
        return function


def _parameters(schemas: Schema, required: bool) -> Sequence[inspect.Parameter]:
    return [
        inspect.Parameter(
            name,
            inspect.Parameter.KEYWORD_ONLY,
            default=inspect.Parameter.empty if required else None,
            annotation=_annotation(schema, required),
        )
        for name, schema in schemas.items()
    ]


def _annotation(schema: Mapping[str, Any], required: bool) -> Any:
    named = schema.get("type")
    found = _TYPES.get(named, object) if isinstance(named, str) else object
    if found is object:
        return Any
    return found if required else found | None


def _without_omitted_parameters(tool: Tool) -> Tool:
    optional = {
        name: schema for name, schema in tool.optional.items() if name not in _OMITTED_PARAMETERS
    }
    return tool._replace(
        required=_with_descriptions(tool.required), optional=_with_descriptions(optional)
    )


def _with_descriptions(schemas: Schema) -> dict[str, Any]:
    """Add missing descriptions of parameters, which some frameworks require."""
    return {
        name: {**schema, "description": schema.get("description") or name.replace("_", " ")}
        for name, schema in schemas.items()
    }
