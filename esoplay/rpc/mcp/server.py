"""MCP server on stdin and stdout or by HTTP, based on the MCP SDK (extra ``mcp``).

Each tool calls a method of the RPC table.
"""

from __future__ import annotations

import json
import socket
import sys
import traceback
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property, partial
from importlib import import_module
from typing import Any, NamedTuple, cast

from esoplay.errors import UsageError
from esoplay.rpc.answers import resolve_texts
from esoplay.rpc.connection import Call, Connection, may_debug
from esoplay.rpc.mcp.schemas import PROGRAM, Tool
from esoplay.rpc.mcp.texts import format_result
from esoplay.rpc.mcp.tools import DEBUG_TOOLS, Role, role_tools
from esoplay.rpc.methods import METHODS
from esoplay.rpc.presentation import short_status
from esoplay.rpc.protocol import Request, error_from_exception, internal_error, invalid_params
from esoplay.rpc.table import dispatch
from esoplay.version import VERSION

_PROGRESS_SECONDS = 0.2  # seconds between two progress reports of a call

_INSTRUCTIONS = {
    "solver": "You play a benchmark session: fetch a problem, write a program, run it on inputs "
    "of your own, submit it. Hidden tests decide; submissions are counted.",
    "learner": "Practise esoteric languages: list_problems and get_problem return the problems, "
    "run and grade test a program, debug_* step through it forwards and backwards.",
}


def serve_stdio(connection: Connection) -> None:
    """Serve a client on stdin and stdout; raise UsageError without the extra ``mcp``."""
    anyio, stdio = _import_library("anyio"), _import_library("mcp.server.stdio")

    async def serve() -> None:
        server = make_server(connection)
        async with stdio.stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(serve)


def serve_http(connection: Connection, host: str, port: int) -> None:
    """Serve clients by HTTP at ``/mcp`` until SIGINT or SIGTERM.

    All clients have the same permissions. port: 0 to use a free port. Raises UsageError if the
    extra ``mcp`` is not installed, or if the address cannot be used.
    """
    uvicorn = _import_library("uvicorn")
    # On a loopback address the SDK refuses requests from web pages (DNS rebinding).
    app = make_server(connection).streamable_http_app(host=host, session_idle_timeout=None)
    try:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        listener = socket.create_server((host, port), family=family)
    except OSError as error:
        raise UsageError(f"cannot listen on {host} port {port}: {error.strerror}") from None
    with listener:
        name = f"[{host}]" if ":" in host else host
        print(f"serving http://{name}:{listener.getsockname()[1]}/mcp", file=sys.stderr, flush=True)
        uvicorn.Server(uvicorn.Config(app, log_level="warning")).run(sockets=[listener])


def make_server(connection: Connection) -> Any:
    """Return a server of the MCP SDK that offers the tools of the connection's client.

    Raises UsageError if the SDK is not installed.
    """
    anyio, lowlevel = _import_library("anyio"), _import_library("mcp.server.lowlevel")
    types: Any = _import_library("mcp_types")
    toolbox = Toolbox(connection)
    turn = anyio.Lock()  # debuggers and stores are not thread-safe

    async def list_tools(_context: Any, _params: Any) -> Any:
        tools = [_describe_tool(types, tool) for tool in toolbox.listed_tools]
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: Any, params: Any) -> Any:
        if params.name not in toolbox.tools:
            raise _import_library("mcp.shared.exceptions").MCPError(
                types.INVALID_PARAMS, toolbox.unknown_tool_message(params.name)
            )

        reports: list[tuple[float, float | None]] = []
        call = toolbox.call(
            params.name,
            params.arguments or {},
            lambda done, total: reports.append((done, total)),
        )

        async def watch() -> None:
            """Report progress; stop the call if the request is cancelled."""
            try:
                while True:
                    await anyio.sleep(_PROGRESS_SECONDS)
                    if reports:
                        done, total = reports[-1]
                        reports.clear()
                        await context.session.report_progress(done, total)
            finally:
                call.cancel()

        async with turn, anyio.create_task_group() as group:
            group.start_soon(watch)
            # Always wait for the thread: no other call may use a debugger meanwhile.
            answer = await anyio.to_thread.run_sync(partial(toolbox.answer, params.name, call))
            group.cancel_scope.cancel()
        return _result(types, answer)

    return lowlevel.Server(
        "esoplay",
        version=VERSION,
        instructions=_INSTRUCTIONS[toolbox.role],
        on_list_tools=list_tools,
        on_call_tool=call_tool,
    )


def _describe_tool(types: Any, tool: Tool) -> Any:
    return types.Tool(
        name=tool.name,
        description=tool.description,
        # Title and output_schema are omitted: the list costs tokens in each conversation.
        input_schema=tool.listed_schema,
        annotations=types.ToolAnnotations(**_hints(tool)),
    )


def _hints(tool: Tool) -> dict[str, bool]:
    """Return the tool annotations that differ from the protocol's defaults."""
    if tool.is_read_only:
        return {"read_only_hint": True, "open_world_hint": False}
    hints = {"idempotent_hint": True} if tool.is_idempotent else {}
    if not tool.is_irreversible:
        hints["destructive_hint"] = False
    return {**hints, "open_world_hint": False}


def _result(types: Any, answer: ToolAnswer) -> Any:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=answer.text)],
        # Clients validate structured content, and an error does not match the tool's schema.
        structured_content=None if answer.failed else answer.content,
        is_error=answer.failed,
    )


def _import_library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise UsageError("`esoplay mcp` needs the extra mcp: pip install 'esoplay[mcp]'") from None


# A call of a tool, executed by the RPC method of the tool.

Progress = Callable[[float, float | None], None]
"""Callback with the progress and the total, called from the worker thread."""


class ToolAnswer(NamedTuple):
    """Result of a tool call.

    failed: whether the call failed. short: the content of ``text``, if it differs from ``content``.
    """

    content: dict[str, Any]
    failed: bool = False
    short: dict[str, Any] | None = None

    @property
    def text(self) -> str:
        """The result as text, for clients that read only text; an error is JSON."""
        return (
            json.dumps(self.content, ensure_ascii=False)
            if self.failed
            else format_result(self.short or self.content)
        )


class Toolbox:
    """Tools of one client; calls must be made one at a time."""

    def __init__(self, connection: Connection):
        self.role: Role = "learner" if connection.is_operator else "solver"
        self.tools: Mapping[str, Tool] = {tool.name: tool for tool in role_tools(self.role)}
        self._connection = connection
        # Models do not apply changes to earlier results, so each result is complete.
        connection.use_version(2, compact=False)

    @cached_property
    def listed_tools(self) -> Sequence[Tool]:
        """Return the tools to list; ``run`` and the debugger tools only if the rules allow them."""
        hidden = () if may_debug(self._connection) else DEBUG_TOOLS
        runs = self._connection.is_operator or self._may_run()
        return [
            tool
            for tool in self.tools.values()
            if tool not in hidden and (runs or tool.method != "session.run")
        ]

    def _may_run(self) -> bool:
        session = self._connection.session(None)
        return self._connection.sessions.status(session).state.protocol.runs != 0

    def unknown_tool_message(self, name: str) -> str:
        """Return the error message for an unknown tool."""
        known = ", ".join(tool.name for tool in self.listed_tools)
        return f"unknown tool {name!r}; expected {known}"

    def call(self, name: str, arguments: Mapping[str, Any], progress: Progress) -> Call:
        """Create a call of a tool, which ``answer`` executes and any thread can cancel."""

        def notify(_method: str, params: dict[str, Any]) -> None:
            progress(params["done"], params["total"])

        request = Request(self.tools[name].method, dict(arguments), id=0)
        return Call(request, self._connection, notify)

    def answer(self, name: str, call: Call) -> ToolAnswer:
        """Execute a call and return its result, which can be an error."""
        tool = self.tools[name]
        try:
            _check(tool, call.request.params)
            call.begin()
            default_limits = _default_limits(tool, call.request.params)
            call.request.params.update(default_limits)
            if (
                tool.default_shown_output is not None
                and call.request.params.get("shown_output") is None
            ):
                call.request.params["shown_output"] = tool.default_shown_output
            result = resolve_texts(dispatch(METHODS, call))
            if default_limits and result.get("status") in _EXHAUSTED_STATUSES:
                result["advice"] = (
                    f"the default budget is used up after {result['steps']} steps; to run longer, "
                    "call run with a larger limits.steps or limits.time, or use debug_open and "
                    "debug_continue"
                )
        except Exception as error:
            known_error = error_from_exception(error)
            if known_error is None:
                traceback.print_exc(file=sys.stderr)  # stderr is the operator's log
                known_error = internal_error()
            more = known_error.data or {"kind": "invalid_params"}
            return ToolAnswer({**more, "message": known_error.message}, failed=True)
        params = call.request.params
        content = {**self._identifying_parameters(tool, params), **result}
        is_short = tool.method == "session.status" and not params.get("details")
        return ToolAnswer(content, short=short_status(content) if is_short else None)

    def _identifying_parameters(self, tool: Tool, params: Mapping[str, Any]) -> dict[str, Any]:
        """Return the problem, debugger and session of a call, which identify its result."""
        names = {name: params[name] for name in _IDENTIFYING_PARAMETERS if name in params}
        if "session" in tool.parameters:
            names["session"] = self._connection.session(params.get("session"))
        return names


_IDENTIFYING_PARAMETERS = ("problem", "debug")
_EXHAUSTED_STATUSES = ("step_limit", "time_limit")


def _default_limits(tool: Tool, params: Mapping[str, Any]) -> dict[str, Any]:
    """Return ``{"limits": …}``: the limits of a call, with the tool's default budget added.

    Return {} if the call itself sets a limit of the budget, or if the tool has no budget.
    """
    limits: object = params.get("limits") or {}
    if not tool.budget or not isinstance(limits, dict):
        return {}
    named = cast("dict[str, Any]", limits).items()
    given = {name: value for name, value in named if value is not None}
    return {} if tool.budget.keys() & given.keys() else {"limits": {**tool.budget, **given}}


def _check(tool: Tool, params: Mapping[str, Any]) -> None:
    """Raise RpcError for parameters that the tool does not offer, even if the RPC method does."""
    unknown = params.keys() - tool.parameters.keys()
    if unknown:
        known = ", ".join(tool.parameters) or "nothing"
        raise invalid_params(
            f"{tool.name}: unknown parameter {', '.join(sorted(unknown))}; expected {known}"
        )
    given = [name for name in PROGRAM if params.get(name) is not None]
    takes_one = PROGRAM.keys() <= tool.parameters.keys()
    if takes_one and len(given) != 1 and not (tool.method == "debug.compare" and not given):
        raise invalid_params(f"{tool.name}: expected exactly one of {', '.join(PROGRAM)}")
