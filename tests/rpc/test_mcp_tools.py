"""The tools of the Model Context Protocol, as the SDK's own client uses them."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import validate
from shell import PATHS

from esoplay.rpc.connection import Connection
from esoplay.rpc.mcp.answering import Toolbox
from esoplay.rpc.mcp.server import make_server
from esoplay.rpc.methods import METHODS
from esoplay.service.sessions import Sessions

anyio = pytest.importorskip("anyio")
Client = pytest.importorskip("mcp.client.client").Client

SECRET = bytes(range(32))
CAT = ",[.,]"


async def ask(client: Any, name: str, /, **arguments: Any) -> dict[str, Any]:
    """What a tool answers, which fits what it promises and is told as text as well."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    tools = {tool.name: tool for tool in (await client.list_tools()).tools}
    validate(result.structured_content, tools[name].output_schema)
    assert json.loads(result.content[0].text) == result.structured_content
    return result.structured_content


async def refusal(client: Any, name: str, /, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(name, arguments)
    assert result.is_error
    assert result.structured_content is None
    return json.loads(result.content[0].text)


@pytest.fixture
def session(tmp_path: Path) -> tuple[Path, str]:
    """A store with a session in Brainfuck."""
    store = tmp_path / "store.sqlite"
    with Sessions.open(store) as sessions:
        started = sessions.init("brainfuck", protocol="primary", seed=SECRET)
    return store, started.session


async def test_three_problems_of_a_session_are_played(session: tuple[Path, str]) -> None:
    store, id = session
    connection = Connection(id, store=store)
    async with Client(make_server(connection)) as client:
        names = {tool.name for tool in (await client.list_tools()).tools}
        assert {"fetch", "run", "submit", "status", "skip", "card"} <= names
        assert not names & {"grade", "list_problems", "init", "export", "reveal"}
        first = await ask(client, "fetch")
        assert (first["session"], first["problem"]) == (id, "E01")
        assert (await refusal(client, "submit", problem="E02", program=CAT))["kind"]
        for _ in range(first["submissions_left"]):
            verdict = await ask(client, "submit", problem="E01", program="+.")
            assert not verdict["solved"]
            assert "tests" not in verdict
        second = await ask(client, "fetch", session=id)
        assert second["problem"] == "E02"
        tried = await ask(client, "run", program=CAT, stdin="hi")
        assert (tried["status"], tried["stdout"]) == ("ok", "hi")
        once = await ask(client, "submit", problem="E02", program=CAT, request_id="a")
        again = await ask(client, "submit", problem="E02", program=CAT, request_id="a")
        assert once["solved"]
        assert again["submissions_left"] == once["submissions_left"]
        assert (await ask(client, "fetch"))["problem"] == "E03"
        assert (await refusal(client, "fetch", session="another"))["kind"] == "rejected_command"
        assert "seed" not in json.dumps(await ask(client, "status")).replace("seed_commitment", "")
    connection.close()


async def test_a_debugger_is_driven_backwards() -> None:
    async with Client(make_server(Connection())) as client:
        debug = (await ask(client, "debug_open", language="brainfuck", program="+++>++<[->+<]>."))[
            "debug"
        ]
        ended = await ask(client, "debug_continue", debug=debug)
        assert ended["stopped"][0]["kind"] == "end"
        back = await ask(client, "debug_continue", debug=debug, reverse=True, until=[{"cell": 1}])
        cell = back["view"]["panels"][0]["cells"][1]
        assert cell == 5
        wrote = (await ask(client, "debug_writes", debug=debug, cell=1, limit=2))["writes"]
        assert [each["new"] for each in wrote] == [5, 4]
        await ask(client, "debug_seek", debug=debug, step=wrote[1]["step"])
        assert (await ask(client, "debug_why", debug=debug))["findings"]
        assert (await ask(client, "debug_printed", debug=debug, byte=0))["step"]
        await ask(client, "debug_close", debug=debug)
        told = await refusal(client, "debug_step", debug=debug)
        assert told["kind"] == "unknown_debugger"


async def test_what_is_wrong_is_told_by_kind_and_the_client_goes_on() -> None:
    async with Client(make_server(Connection())) as client:
        cases: list[tuple[str, dict[str, Any], str]] = [
            ("run", {"language": "brainfuck", "program": "[", "stdin": 5}, "invalid_params"),
            ("run", {"language": "brainfuck", "path": "/etc/passwd"}, "invalid_params"),
            ("get_problem", {"problem": "Z99"}, "unknown_problem"),
            ("debug_open", {"language": "brainfuck", "program": "["}, "parse_error"),
            ("card", {"language": "cobol"}, "usage"),
        ]
        for name, arguments, kind in cases:
            assert (await refusal(client, name, **arguments))["kind"] == kind
        graded = await ask(client, "grade", problem="E02", language="brainfuck", program=CAT)
        assert graded["solved"]


async def test_an_endless_call_can_be_called_off() -> None:
    async with Client(make_server(Connection())) as client:
        opened = await ask(client, "debug_open", language="brainfuck", program="+[]")
        with anyio.move_on_after(0.5):  # without the cancelling it would never come back
            await client.call_tool("debug_continue", {"debug": opened["debug"]})
        stepped = await ask(client, "debug_step", debug=opened["debug"])
        assert stepped["stopped"][0]["kind"] == "step"


async def test_as_a_client_starts_it(session: tuple[Path, str]) -> None:
    stdio = pytest.importorskip("mcp.client.stdio")
    store, id = session
    parameters = stdio.StdioServerParameters(
        command=sys.executable,
        args=["-m", "esoplay", "mcp", "--session", id, "--store", str(store)],
        env={**os.environ, "PYTHONPATH": PATHS},
    )
    async with Client(parameters) as client:
        assert (await ask(client, "fetch"))["problem"] == "E01"


def test_every_tool_takes_what_its_method_takes() -> None:
    for connection in (Connection(), Connection("0" * 12)):
        for tool in Toolbox(connection).tools.values():
            method = METHODS[tool.method]
            known = {parameter.name for parameter in method.parameters}
            assert tool.input_schema["properties"].keys() <= known, tool.name
            needed = {one.name for one in method.parameters if one.required}
            assert set(tool.required) == needed, tool.name
            assert connection.is_operator or method.solver, tool.name
