"""The tools of the Model Context Protocol, as the SDK's own client uses them."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator, validate
from shell import PATHS, ROOT

from docs.benchmarks import session_bytes
from esolangs.registry import find_language, language_ids
from esoplay.benchmark.sessions import Sessions
from esoplay.cli.main import main
from esoplay.debugging.debugger import Debugger
from esoplay.programs.generation import generate
from esoplay.rpc.connection import Connection
from esoplay.rpc.mcp.server import Toolbox, make_server
from esoplay.rpc.mcp.session_tools import SessionTools
from esoplay.rpc.mcp.tools import role_tools
from esoplay.rpc.methods import METHODS, travel

anyio = pytest.importorskip("anyio")
Client = pytest.importorskip("mcp.client.client").Client
MCPError = pytest.importorskip("mcp.shared.exceptions").MCPError

SECRET = bytes(range(32))
CAT = ",[.,]"


async def ask(client: Any, name: str, /, **arguments: Any) -> dict[str, Any]:
    """Call a tool; check that its result fits the schema and is returned as text, too."""
    result = await client.call_tool(name, arguments)
    assert not result.is_error, result.content
    schema = RESULTS[name, "session" in result.structured_content]
    validate(result.structured_content, schema)
    assert result.structured_content.keys() <= schema["properties"].keys()
    for named in {"session", "problem", "debug"} & arguments.keys():
        assert result.structured_content[named] == arguments[named]
    assert_text(result.content[0].text, result.structured_content)
    return result.structured_content


RESULTS = {
    (tool.name, role == "solver" and "session" in tool.parameters): tool.output_schema
    for role in ("solver", "learner")
    for tool in role_tools(role)
}
"""Schemas of results by name, and by whether the tool plays a session."""


def assert_text(text: str, content: dict[str, Any]) -> None:
    """A state is shown in lines, a card is Markdown, and all else is JSON without spaces."""
    view = content.get("view", content)
    if "card" in content:
        assert text == content["card"]
    elif "tiers" in content and "problems" not in json.loads(text):
        assert len(text) <= 600
    elif "panels" not in view:
        assert json.loads(text) == content
        assert text == json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    else:
        assert f"step {view['step']}, {view['status']}; next: line " in text
        for panel in view["panels"]:
            assert f"\n{panel['name']}: " in text
        assert len(text) <= 1_000 * (1 + len(view["panels"]))


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


def without_what_is_of_one_session(export: dict[str, Any]) -> list[tuple[str, dict[str, Any]]]:
    """The events but for times, ids and salted digests, which no two sessions share."""
    own = {"session", "seed_commitment", "report"}
    return [
        (event["kind"], {name: value for name, value in event["body"].items() if name not in own})
        for event in export["events"]
    ]


async def test_a_session_by_tools_leaves_what_one_by_commands_leaves(
    session: tuple[Path, str], tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]
) -> None:
    store, id = session
    hello = next(ROOT.glob("problems/E01-*/references/brainfuck.bf"))
    (tmp_path / "open.bf").write_text("[")
    with Sessions.open(store) as sessions:
        other = sessions.init("brainfuck", protocol="primary", seed=SECRET).session
    connection = Connection(id, store=store)
    async with Client(make_server(connection)) as client:
        await ask(client, "fetch")
        await refusal(client, "skip")
        await ask(client, "submit", problem="E01", program="[")
        await ask(client, "run", program=hello.read_text("utf-8"), stdin="hi")
        await ask(client, "submit", problem="E01", program=hello.read_text("utf-8"))
        await ask(client, "fetch")
    connection.close()
    where = ("--session", other, "--store", str(store))
    for words in (
        ("fetch",),
        ("skip",),
        ("submit", "E01", str(tmp_path / "open.bf")),
        ("run", str(hello), "--input", "hi"),
        ("submit", "E01", str(hello)),
        ("fetch",),
    ):
        main(["session", *words, *where])
    capsysbinary.readouterr()
    with Sessions.open(store) as sessions:
        by_tools, by_commands = (
            without_what_is_of_one_session(dict(sessions.export(one).data)) for one in (id, other)
        )
    assert [kind for kind, _ in by_tools].count("submission_graded") == 2
    assert by_tools == by_commands


async def test_no_debugger_is_offered_without_permission(session: tuple[Path, str]) -> None:
    store, id = session
    for allowed in (False, True):
        connection = Connection(id, store=store, solver_may_debug=allowed)
        async with Client(make_server(connection)) as client:
            names = {tool.name for tool in (await client.list_tools()).tools}
            assert ("debug_open" in names) is allowed
            opening = {"language": "brainfuck", "program": CAT}
            if allowed:
                assert (await ask(client, "debug_open", **opening))["debug"] == "d1"
            else:
                assert "off" in (await refusal(client, "debug_open", **opening))["message"]
        connection.close()


@pytest.mark.parametrize("language_id", language_ids())
async def test_results_for_every_language_match_the_output_schemas(language_id: str) -> None:
    program = find_language(language_id).sample()
    try:
        source = {"program": program.decode()}
    except UnicodeDecodeError:
        source = {"program_base64": base64.b64encode(program).decode()}
    async with Client(make_server(Connection())) as client:
        opened = await ask(client, "debug_open", language=language_id, stdin="Ada", **source)
        debug = opened["debug"]
        await ask(client, "debug_step", debug=debug, count=20)
        await ask(client, "debug_view", debug=debug, window={"depth": 2})
        told = await ask(client, "debug_view", debug=debug, fields=["output", "registers"])
        assert told.keys() == {"debug", "output", "registers"}
        ended = await ask(client, "debug_continue", debug=debug, budget=100_000)
        assert ended["view"]["output_length"]
        await ask(client, "debug_why", debug=debug, bound=1000)
        await ask(client, "run", language=language_id, stdin="Ada", **source)


async def test_input_that_is_open_is_fed_and_ended() -> None:
    async with Client(make_server(Connection())) as client:
        opened = await ask(client, "debug_open", language="brainfuck", program=CAT, closed=False)
        debug = opened["debug"]
        waits = await ask(client, "debug_continue", debug=debug)
        assert waits["stopped"][0]["kind"] == "needs_input"
        await ask(client, "debug_set", debug=debug, feed="hi", close_input=True)
        ended = await ask(client, "debug_continue", debug=debug)
        assert ended["stopped"][0]["kind"] == "end"
        assert (await ask(client, "debug_view", debug=debug, fields=["output"]))["output"] == "hi"


async def test_variables_of_a_generator_are_reported_and_changed() -> None:
    made = generate("def main():\n    a = 65\n    print_int(a)\n", "brainfuck", name="number.py")
    async with Client(make_server(Connection())) as client:
        opened = await ask(
            client,
            "debug_open",
            language="brainfuck",
            program=made.source.decode(),
            source_map=made.source_map.as_json(),
        )
        debug = opened["debug"]
        await ask(client, "debug_continue", debug=debug, until=[{"source_line": 3}])
        told = await ask(client, "debug_variables", debug=debug, names="a")
        assert [(one["name"], one["value"]) for one in told["variables"]] == [("a", 65)]
        await ask(client, "debug_set", debug=debug, variable="a", value=66)
        await ask(client, "debug_continue", debug=debug)
        assert (await ask(client, "debug_view", debug=debug, fields=["output"]))["output"] == "66"


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
        await ask(client, "debug_seek", debug=debug, step=1)
        await ask(client, "debug_close", debug=debug)
        told = await refusal(client, "debug_step", debug=debug)
        assert told["kind"] == "unknown_debugger"


async def test_errors_are_reported_by_kind_and_the_client_continues() -> None:
    async with Client(make_server(Connection())) as client:
        cases: list[tuple[str, dict[str, Any], str]] = [
            ("run", {"language": "brainfuck", "program": "[", "stdin": 5}, "invalid_params"),
            ("run", {"language": "brainfuck", "path": "/etc/passwd"}, "invalid_params"),
            ("run", {"language": "brainfuck"}, "invalid_params"),
            ("get_problem", {"problem": "Z99"}, "unknown_problem"),
            ("debug_open", {"language": "brainfuck", "program": "["}, "parse_error"),
            ("card", {"language": "cobol"}, "usage"),
        ]
        for name, arguments, kind in cases:
            told = await refusal(client, name, **arguments)
            assert told["kind"] == kind
            # A message may only name parameters that the tool has.
            assert arguments.get("path") or "path" not in told["message"]
        limited = {"program": "+[]", "limits": {"steps": 100}}
        ended = await ask(client, "run", language="brainfuck", **limited)
        assert (ended["status"], ended["steps"]) == ("step_limit", 100)
        for _ in range(8):
            await ask(client, "debug_open", language="brainfuck", program=CAT)
        told = await refusal(client, "debug_open", language="brainfuck", program=CAT)
        assert (told["kind"], told["message"]) == ("limit", "8 debuggers are open; close one first")
        graded = await ask(client, "grade", problem="E02", language="brainfuck", program=CAT)
        assert graded["solved"]
        assert graded["dialect"] == "standard"
        assert "other_dialect" not in graded
        takes = {"problem": "E01", "language": "befunge-98", "dialect": "benchmark"}
        text = '+$"!dlroW olleH">:#,_@'  # `+` takes two values off an empty stack
        failed = await ask(client, "grade", **takes, program=text)
        assert (failed["solved"], failed["dialect"]) == (False, "benchmark")
        other = failed["other_dialect"]
        assert (other["dialect"], other["tests"]) == ("standard", "tests")
        assert [each["option"] for each in other["causes"]] == ["underflow"]


async def test_an_unknown_tool_is_refused_with_the_names_of_the_tools(
    session: tuple[Path, str],
) -> None:
    store, id = session
    connection = Connection(id, store=store)
    async with Client(make_server(connection)) as client:
        with pytest.raises(MCPError, match=r"unknown tool 'solve'; expected fetch, .*submit"):
            await client.call_tool("solve", {})
    with Sessions.open(store) as sessions:
        answer = SessionTools(sessions, id).call("solve", {})
    assert answer.failed
    assert answer.text.startswith("unknown tool 'solve'; expected fetch, ")


async def test_an_endless_run_ends_after_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(travel, "DEFAULT_STEPS", 1_000_000)
    async with Client(make_server(Connection())) as client:
        ended = await ask(client, "run", language="brainfuck", program="+[]")
        assert ended["status"] in ("step_limit", "time_limit")
        assert "call run with a larger limits.steps or limits.time" in ended["advice"]
        nothing = await ask(
            client, "run", language="brainfuck", program="+[]", limits={"steps": None, "time": None}
        )
        assert nothing["status"] == ended["status"]
        limits = {"steps": 5_000}
        opened = await ask(
            client, "debug_open", language="brainfuck", program="+[]", limits={"steps": 1_500_000}
        )
        (stop,) = (await ask(client, "debug_continue", debug=opened["debug"]))["stopped"]
        assert stop["kind"] == "budget"
        assert stop["text"] == (
            "the default budget is used up at step 1000000: 1000000 steps executed; call again to "
            "continue"
        )
        stopped = await ask(client, "debug_continue", debug=opened["debug"])
        assert (stopped["step"], stopped["stopped"][0]["kind"]) == (1_500_000, "limit")
        own = await ask(client, "run", language="brainfuck", program="+[]", limits=limits)
        assert (own["status"], own["steps"]) == ("step_limit", 5_000)
        assert "default budget" not in own.get("advice", "")


async def test_an_endless_call_can_be_cancelled() -> None:
    async with Client(make_server(Connection())) as client:
        opened = await ask(client, "debug_open", language="brainfuck", program="+[]")
        with anyio.move_on_after(0.5):  # without the cancelling it would never come back
            arguments = {"debug": opened["debug"], "budget": 10**18}
            await client.call_tool("debug_continue", arguments)
        stepped = await ask(client, "debug_step", debug=opened["debug"])
        assert stepped["stopped"][0]["kind"] == "step"


def test_progress_without_a_known_end_has_no_total() -> None:
    told: list[tuple[float, float | None]] = []
    call = Toolbox(Connection()).call("debug_continue", {}, lambda *each: told.append(each))
    debugger = Debugger.open("brainfuck", b"+[]")
    debugger.resume(ticker=lambda done, total: call.tick(done, total) and not told)
    assert told
    assert told[0][1] is None


@pytest.mark.slow
async def test_a_client_uses_the_server_over_stdio(session: tuple[Path, str]) -> None:
    stdio = pytest.importorskip("mcp.client.stdio")
    store, id = session
    parameters = stdio.StdioServerParameters(
        command=sys.executable,
        args=["-m", "esoplay", "mcp", "--session", id, "--store", str(store)],
        env={**os.environ, "PYTHONPATH": PATHS},
    )
    async with Client(parameters) as client:
        assert (await ask(client, "fetch"))["problem"] == "E01"


@pytest.mark.slow
async def test_clients_connect_by_http(session: tuple[Path, str]) -> None:
    store, id = session
    command = ("mcp", "--session", id, "--store", str(store), "--http", "0")
    server = subprocess.Popen(
        [sys.executable, "-m", "esoplay", *command],
        env={**os.environ, "PYTHONPATH": PATHS},
        stdin=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stderr is not None
        url = server.stderr.readline().split()[-1]
        for problem in ("E01", "E01"):  # the session stays when a client goes
            async with Client(url) as client:
                assert (await ask(client, "fetch"))["problem"] == problem
        server.terminate()
        assert server.wait(300) == -signal.SIGTERM  # after the open requests
    finally:
        server.kill()
        server.communicate()


def test_an_address_is_a_host_and_a_port(capsys: pytest.CaptureFixture[str]) -> None:
    for address in ("tools", "127.0.0.1:", "70000"):
        assert main(["mcp", "--http", address]) == 2
        assert "expected [HOST:]PORT" in capsys.readouterr().err


async def test_a_move_over_a_large_plane_has_1500_characters_of_text() -> None:
    rows = ["v" + "1234567890" * 7, *["v" + "z" * 70] * 40, "v", "25*>.@"]
    source = "\n".join(rows)
    async with Client(make_server(Connection())) as client:
        opened = await ask(client, "debug_open", language="befunge-98", program=source)
        result = await client.call_tool("debug_step", {"debug": opened["debug"], "count": 20})
    text = result.content[0].text
    assert len(text) <= 1500
    assert "step 20, running; next: line 21 column 1 [0,20] v (go south)" in text
    assert "\n|v" + "z" * 70 + "\n" in text
    assert "other rows are not blank" in text
    assert "\nIP 0 at [0,20] delta [0,1]\n" in text


async def test_rows_of_a_plane_are_characters_in_the_text() -> None:
    async with Client(make_server(Connection())) as client:
        opened = await ask(client, "debug_open", language="befunge-98", program="9:*03p@\n\n a")
        moved = await client.call_tool("debug_step", {"debug": opened["debug"], "count": 6})
    lines = moved.content[0].text.splitlines()
    assert "fungespace: rows 0 to 3, from column 0" in lines
    start = lines.index("fungespace: rows 0 to 3, from column 0")
    assert lines[start + 1 : start + 5] == ["|9:*03p@", "|", "| a", "|Q"]
    assert "written by the last step: [[0,3]]" in lines


@pytest.mark.parametrize("solver", [False, True])
async def test_the_list_of_tools_is_short(solver: bool, session: tuple[Path, str]) -> None:
    store, id = session
    connection = Connection(id, solver_may_debug=True, store=store) if solver else Connection()
    async with Client(make_server(connection)) as client:
        listed = await client.list_tools()
    text = listed.model_dump_json(by_alias=True, exclude_none=True)
    assert "debug_compare" in text
    assert len(text) <= 15_000


async def test_the_card_is_in_the_language_of_the_session(session: tuple[Path, str]) -> None:
    store, id = session
    async with Client(make_server(Connection(id, store=store))) as client:
        assert (await ask(client, "card"))["language"] == "brainfuck"
        assert (await ask(client, "card", language="unlambda"))["language"] == "unlambda"
    async with Client(make_server(Connection())) as client:
        assert "`language` is required" in (await refusal(client, "card"))["message"]


async def test_debug_printed_runs_the_program_and_a_move_returns_the_requested_fields() -> None:
    async with Client(make_server(Connection())) as client:
        opened = await ask(client, "debug_open", language="brainfuck", program="++.>.")
        debug = {"debug": opened["debug"]}
        assert (await ask(client, "debug_printed", **debug, byte=1))["step"] == 5
        never = await ask(client, "debug_printed", **debug, byte=2)
        assert (never["step"], never["stopped"][0]["kind"]) == (None, "end")
        small = {"window": {"cells": 2}, "fields": ["step", "status", "location", "panels"]}
        moved = await ask(client, "debug_step", **debug, **small)
        assert moved["view"].keys() == set(small["fields"])
        assert moved["view"]["panels"][0]["cells"] == [1, 0]


async def test_the_text_of_a_status_is_short_without_details(session: tuple[Path, str]) -> None:
    store, id = session
    async with Client(make_server(Connection(id, store=store))) as client:
        await ask(client, "fetch")
        short = await client.call_tool("status", {})
        text = json.loads(short.content[0].text)
        assert (text["current"], text["submissions_left"]) == ("E01", 3)
        assert "problems" not in text
        assert len(short.structured_content["problems"]) == 80
        whole = await client.call_tool("status", {"details": True})
        assert json.loads(whole.content[0].text) == whole.structured_content


async def test_the_end_of_a_session_is_a_result(tmp_path: Path) -> None:
    store = tmp_path / "store.sqlite"
    with Sessions.open(store) as sessions:
        id = sessions.init("brainfuck", problems=["E02"], seed=SECRET).session
    async with Client(make_server(Connection(id, store=store))) as client:
        await ask(client, "fetch")
        await ask(client, "submit", problem="E02", program=CAT)
        ended = await ask(client, "fetch")
    assert (ended["ended"], ended["closed"], ended["counts"]["solved"]) == (True, True, 1)


async def test_origin_coverage_and_comparison_of_a_run_are_tools() -> None:
    async with Client(make_server(Connection())) as client:
        opened = await ask(client, "debug_open", language="brainfuck", program="+++>++[<+>-]<.[-]")
        debug = opened["debug"]
        await ask(client, "debug_continue", debug=debug)
        origin = await ask(client, "debug_origin", debug=debug, cell=0)
        assert origin["value"] == 0
        assert origin["links"][0]["step"] == 34
        covered = await ask(client, "debug_coverage", debug=debug)
        assert (covered["executed"], covered["percent"]) == (covered["instructions"], 100)
        other = "+++>++[<+>-]<+.[-]"
        compared = await ask(client, "debug_compare", debug=debug, program=other)
        assert compared["differences"][0]["kind"]
        assert not compared["same_program"]


@pytest.mark.parametrize("language", language_ids())
async def test_a_source_is_compiled_and_its_program_debugged_by_line(language: str) -> None:
    text = "def main():\n    x = 7\n    print_int(x)\n"
    async with Client(make_server(Connection())) as client:
        made = await ask(client, "generate", source=text, language=language)
        program = {name: made[name] for name in ("program", "program_base64") if name in made}
        assert (await ask(client, "run", language=language, **program))["stdout"] == "7"
        given = {**program, "source_map": made["source_map"]}
        opened = await ask(client, "debug_open", language=language, **given)
        stopped = await ask(
            client, "debug_continue", debug=opened["debug"], until=[{"source_line": 3}]
        )
        assert stopped["stopped"][0]["kind"] == "breakpoint"
        error = await refusal(client, "generate", source="x = [\n", language=language)
        assert error["kind"] == "source_error"
        assert error["message"].startswith("source: line 1, column ")


@pytest.mark.slow
def test_a_scripted_conversation_is_less_than_35_percent_of_what_it_was() -> None:
    """Compared with the 569,031 bytes that commit 592eef9 takes for the same script."""
    command = [sys.executable, str(ROOT / "docs" / "benchmarks" / "mcp_bytes.py")]
    environment = {**os.environ, "PYTHONPATH": PATHS}
    table = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    name, _calls, size = table.stdout.splitlines()[-1].split()
    assert name == "total"
    assert int(size) <= 0.35 * 569_031


@pytest.mark.slow
def test_a_scripted_session_costs_half_by_pipe_and_35_percent_by_tools(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By tools compared with the 1,870,058 bytes that commit 592eef9 takes."""
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path))
    monkeypatch.setenv("PYTHONPATH", PATHS)
    here = [sys.executable, "-m", "esoplay"]
    one, two, tools = (
        sum(session_bytes.measure(here, way).values())
        for way in ("pipe, version 1", "pipe, version 2", "mcp")
    )
    assert two <= 0.5 * one
    assert tools <= 0.35 * 1_870_058


def test_every_tool_accepts_what_its_method_accepts() -> None:
    for connection in (Connection(), Connection("0" * 12)):
        for tool in Toolbox(connection).tools.values():
            method = METHODS[tool.method]
            known = {parameter.name for parameter in method.parameters_for(2)}
            assert tool.input_schema["properties"].keys() <= known, tool.name
            needed = {one.name for one in method.parameters if one.required}
            assert set(tool.required) == needed, tool.name
            Draft202012Validator.check_schema(tool.input_schema)
            Draft202012Validator.check_schema(tool.output_schema)
            assert connection.is_operator or method.solver_may_call, tool.name
