"""A call of a tool, carried out by the method that is behind it."""

from __future__ import annotations

import json
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from esoplay.rpc.answers import without_texts
from esoplay.rpc.connection import Call, Connection, may_debug
from esoplay.rpc.errors import from_exception, internal_error, invalid_params
from esoplay.rpc.mcp.debugging import DEBUGGING
from esoplay.rpc.mcp.schemas import PROGRAM
from esoplay.rpc.mcp.tool import Tool
from esoplay.rpc.mcp.tools import Role, tools_of
from esoplay.rpc.methods import METHODS
from esoplay.rpc.protocol import Request
from esoplay.rpc.table import dispatch

Progress = Callable[[float, float | None], None]
"""Told how much is done, and of how much; from the thread that works."""


class Answer(NamedTuple):
    """What a tool answers: ``content`` complete in itself; ``failed`` where it is an error."""

    content: dict[str, Any]
    failed: bool = False

    @property
    def text(self) -> str:
        """The same for those who read text alone."""
        return json.dumps(self.content, ensure_ascii=False, indent=1)


class Toolbox:
    """The tools of one client.  Not thread-safe: one call at a time."""

    def __init__(self, connection: Connection):
        self.role: Role = "learner" if connection.is_operator else "solver"
        self.tools: Mapping[str, Tool] = {tool.name: tool for tool in tools_of(self.role)}
        self._connection = connection

    @cached_property
    def offered(self) -> Sequence[Tool]:
        """The tools that are told of: those of the debugger only to who may debug."""
        kept = () if may_debug(self._connection) else DEBUGGING
        return [tool for tool in self.tools.values() if tool not in kept]

    def call(self, name: str, arguments: Mapping[str, Any], progress: Progress) -> Call:
        """A call in the making, which ``answer`` carries out and any thread may cancel."""

        def notify(_method: str, params: dict[str, Any]) -> None:
            progress(params["done"], params["total"])

        method = self.tools[name].method
        return Call(Request(method, dict(arguments), id=0), self._connection, notify)

    def answer(self, name: str, call: Call) -> Answer:
        """Carry out a call.  What went wrong is an answer, too."""
        tool = self.tools[name]
        try:
            _check(tool, call.request.params)
            call.begin()
            result = without_texts(dispatch(METHODS, call))
        except Exception as error:
            known_error = from_exception(error)
            if known_error is None:
                traceback.print_exc(file=sys.stderr)  # stderr is the operator's log
                known_error = internal_error()
            more = known_error.data or {"kind": "invalid_params"}
            return Answer({**more, "message": known_error.message}, failed=True)
        return Answer({**self._names(tool, call.request.params), **result})

    def _names(self, tool: Tool, params: Mapping[str, Any]) -> dict[str, Any]:
        """What a call was about, so that its answer is complete in itself."""
        names = {name: params[name] for name in _NAMES if name in params}
        if "session" in tool.parameters:
            names["session"] = self._connection.session(params.get("session"))
        return names


_NAMES = ("problem", "debug")


def _check(tool: Tool, params: Mapping[str, Any]) -> None:
    """Refuse what the tool does not take, where the method behind it would take more."""
    unknown = params.keys() - tool.parameters.keys()
    if unknown:
        known = ", ".join(tool.parameters) or "nothing"
        raise invalid_params(f"{tool.name} takes {known}; not {', '.join(sorted(unknown))}")
    given = [name for name in PROGRAM if params.get(name) is not None]
    if PROGRAM.keys() <= tool.parameters.keys() and len(given) != 1:
        raise invalid_params(f"{tool.name} takes exactly one of {', '.join(PROGRAM)}")
