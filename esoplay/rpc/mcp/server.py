"""Tools on stdin and stdout, by the SDK of the Model Context Protocol (extra ``mcp``)."""

from __future__ import annotations

from functools import partial
from importlib import import_module
from typing import Any

from esoplay.errors import UsageError
from esoplay.rpc.connection import Connection
from esoplay.rpc.mcp.answering import Answer, Toolbox
from esoplay.rpc.mcp.tool import Tool
from esoplay.version import VERSION

_LOOK = 0.2  # seconds between two looks at the progress of a call

_INSTRUCTIONS = {
    "solver": "You play a benchmark session: fetch a problem, write a program, run it on inputs "
    "of your own, submit it. Hidden tests decide; submissions are counted.",
    "learner": "Practise esoteric languages: list_problems and get_problem show what there is, "
    "run and grade try a program, debug_* step through it forwards and backwards.",
}


def serve_stdio(connection: Connection) -> None:
    """Serve the client on stdin and stdout; raises UsageError without the extra."""
    anyio, stdio = _library("anyio"), _library("mcp.server.stdio")

    async def serve() -> None:
        server = make_server(connection)
        async with stdio.stdio_server() as (incoming, outgoing):
            await server.run(incoming, outgoing, server.create_initialization_options())

    anyio.run(serve)


def make_server(connection: Connection) -> Any:
    """The SDK's server with the tools of this client; raises UsageError without the extra."""
    anyio, lowlevel = _library("anyio"), _library("mcp.server.lowlevel")
    types: Any = _library("mcp_types")
    toolbox = Toolbox(connection)
    turn = anyio.Lock()  # debuggers and stores belong to one call at a time

    async def list_tools(_context: Any, _params: Any) -> Any:
        tools = [_described(types, tool) for tool in toolbox.offered]
        return types.ListToolsResult(tools=tools)

    async def call_tool(context: Any, params: Any) -> Any:
        if params.name not in toolbox.tools:
            known = ", ".join(tool.name for tool in toolbox.offered)
            raise _library("mcp.shared.exceptions").MCPError(
                types.INVALID_PARAMS, f"there is no tool {params.name!r}; there are {known}"
            )

        told: list[tuple[float, float | None]] = []
        call = toolbox.call(
            params.name,
            params.arguments or {},
            lambda done, total: told.append((done, total)),
        )

        async def watch() -> None:
            """Tell of progress; end the work where the request is called off."""
            try:
                while True:
                    await anyio.sleep(_LOOK)
                    if told:
                        done, total = told[-1]
                        told.clear()
                        await context.session.report_progress(done, total)
            finally:
                call.cancel()

        async with turn, anyio.create_task_group() as group:
            group.start_soon(watch)
            # Waits for the thread in any case: nothing else may touch a debugger meanwhile.
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


def _described(types: Any, tool: Tool) -> Any:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.description,
        input_schema=tool.input_schema,
        output_schema=tool.output_schema,
        annotations=types.ToolAnnotations(
            read_only_hint=tool.reads,
            destructive_hint=tool.final,
            idempotent_hint=tool.repeats,
            open_world_hint=False,
        ),
    )


def _result(types: Any, answer: Answer) -> Any:
    return types.CallToolResult(
        content=[types.TextContent(type="text", text=answer.text)],
        # An error does not fit the schema of the tool's answers, which clients check.
        structured_content=None if answer.failed else answer.content,
        is_error=answer.failed,
    )


def _library(name: str) -> Any:
    try:
        return import_module(name)
    except ImportError:
        raise UsageError("this needs the extra mcp: pip install 'esoplay[mcp]'") from None
