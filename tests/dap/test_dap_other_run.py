"""``:compare other`` in an editor: all parts of the session are about the run shown."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dap_client import Client, Refused

from esoplay.programs.generation import generate

PROGRAM = b"+++>++.\n[-]\n."
BETTER = b"+++>++.\n>+++++++.\n<<.\n"


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as one:
        yield one


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "first.bf"
    path.write_bytes(PROGRAM)
    return path


@pytest.fixture
def better(tmp_path: Path) -> Path:
    path = tmp_path / "better.bf"
    path.write_bytes(BETTER)
    return path


def command(client: Client, text: str) -> str:
    return client.ask("evaluate", expression=text, context="repl")["result"]


def compare_file(client: Client, other: Path) -> dict[str, Any]:
    """Compare with another file; the stop at the first difference."""
    command(client, f":compare file {other}")
    return client.stopped()


def show_other(client: Client) -> dict[str, Any]:
    """Debug the other run; the stop there."""
    assert "`compare other` switches back" in command(client, ":compare other")
    return client.stopped()


def breakpoints(client: Client, path: Path, *lines: int) -> list[dict[str, Any]]:
    made = client.ask(
        "setBreakpoints", source={"path": str(path)}, breakpoints=[{"line": one} for one in lines]
    )
    return made["breakpoints"]


def test_there_is_no_other_run_before_a_comparison(client: Client, path: Path) -> None:
    client.launch(path)
    with pytest.raises(Refused, match="no other run yet"):
        command(client, ":compare other")


def test_the_client_redraws_and_shows_which_run_it_sees(
    client: Client, path: Path, better: Path
) -> None:
    client.launch(path)
    compare_file(client, better)
    step = client.value("step")
    command(client, ":compare other")
    text = client.wait_for("output", lambda body: body["category"] == "console")["output"]
    assert text == 'now debugging: better.bf, standard, input ""\n'
    assert client.wait_for("invalidated") == {"areas": ["all"]}
    stop = client.stopped()
    assert (stop["reason"], stop["description"]) == ("goto", "the other run, at step 0")
    frame = client.frames()[0]
    assert frame["source"] == {"name": "better.bf", "path": str(better)}
    assert client.ask("threads")["threads"][0]["name"] == "better.bf"
    assert [one["name"] for one in client.ask("loadedSources")["sources"]] == ["better.bf"]
    assert show_other(client)["description"] == f"the other run, at step {step}"
    assert client.value("step") == step
    assert client.frames()[0]["source"]["path"] == str(path)


def test_invalidated_is_not_sent_to_a_client_without_support(path: Path, better: Path) -> None:
    with Client() as client:
        client.ask("initialize", adapterID="esoplay")
        client.ask("launch", program=str(path), stopOnEntry=True)
        client.ask("configurationDone")
        client.stopped()
        compare_file(client, better)
        command(client, ":compare other")
        client.stopped()
        client.ask("threads")
        assert "invalidated" not in client.seen


def test_moves_are_made_in_the_run_shown(client: Client, path: Path, better: Path) -> None:
    client.launch(path)
    compare_file(client, better)
    show_other(client)
    assert client.go("continue")["text"] == "the program ended"
    assert client.value("cell[2]") == "7"
    end = client.value("step")
    assert client.go("stepBack")["reason"] == "step"
    assert client.value("step") == str(int(end) - 1)
    assert client.go("reverseContinue")["reason"] == "entry"
    assert client.go("next")["reason"] == "step"
    assert client.value("step") == "1"
    show_other(client)
    assert client.go("reverseContinue")["reason"] == "entry"
    assert client.go("continue")["text"] == "the program ended"
    assert client.value("cell[2]") == "0"


def test_each_run_prints_its_own_output_once(client: Client, path: Path, better: Path) -> None:
    client.launch(path)
    client.go("continue")
    assert client.printed == "\x02\x00"
    compare_file(client, better)
    show_other(client)
    client.go("continue")
    assert client.printed == "\x02\x00\x02\x07\x03"
    for _ in range(2):
        client.go("reverseContinue")
        client.go("continue")
        show_other(client)
    assert client.printed == "\x02\x00\x02\x07\x03"


def test_variables_of_the_two_runs_are_not_mixed_up(
    client: Client, path: Path, better: Path
) -> None:
    client.launch(path)
    compare_file(client, better)
    here = client.scope("tape")
    show_other(client)
    there = client.scope("tape")
    references = {one["of"] for one in here}, {one["of"] for one in there}
    assert not references[0] & references[1]
    for reference in references[0]:
        with pytest.raises(Refused, match="no variable"):
            client.ask("variables", variablesReference=reference)
        with pytest.raises(Refused, match="no variable"):
            client.ask("setVariable", variablesReference=reference, name="cell[0]", value="9")
    assert {one["name"]: one["value"] for one in there}["cell[0]"] == "0"
    client.ask("setVariable", variablesReference=there[0]["of"], name="cell[0]", value="9")
    assert client.value("cell[0]") == "9"
    show_other(client)
    assert client.value("cell[0]") != "9"


def test_breakpoints_of_the_editor_hold_in_the_run_of_the_same_program(
    client: Client, path: Path
) -> None:
    client.launch(path)
    (made,) = breakpoints(client, path, 2)
    command(client, ":compare option cell=16")
    command(client, ":compare other")
    told = client.wait_for("breakpoint")["breakpoint"]
    assert told["id"] == made["id"]
    assert told["verified"]
    client.stopped()
    stop = client.go("continue")
    assert stop["reason"] == "breakpoint"
    assert stop["hitBreakpointIds"] == [made["id"]]
    assert client.frames()[0]["line"] == 2


def test_breakpoints_of_the_console_hold_in_their_own_run(client: Client, path: Path) -> None:
    client.launch(path)
    command(client, ":b step == 2")
    command(client, ":compare option cell=16")
    show_other(client)
    assert "no breakpoints" in command(client, ":list")
    assert client.go("continue")["text"] == "the program ended"
    show_other(client)
    assert client.go("continue")["reason"] == "breakpoint"
    assert client.value("step") == "2"


def test_breakpoints_of_another_file_wait_for_its_run(
    client: Client, path: Path, better: Path
) -> None:
    client.launch(path)
    (here,) = breakpoints(client, path, 2)
    (there,) = breakpoints(client, better, 3)
    assert (here["verified"], there["verified"]) == (True, False)
    compare_file(client, better)
    show_other(client)
    stop = client.go("continue")
    assert stop["hitBreakpointIds"] == [there["id"]]
    assert client.frames()[0]["line"] == 3
    (changed,) = breakpoints(client, path, 3)
    assert not changed["verified"]
    assert "first.bf is not a source" in changed["message"]
    command(client, ":compare other")
    told = client.wait_for("breakpoint", lambda body: body["breakpoint"]["id"] == changed["id"])
    assert told["breakpoint"]["verified"]
    client.stopped()
    command(client, ":goto 0")
    client.stopped()
    assert client.go("continue")["hitBreakpointIds"] == [changed["id"]]
    assert client.frames()[0]["line"] == 3


def test_a_deleted_breakpoint_stays_deleted_in_its_run(client: Client, path: Path) -> None:
    client.launch(path)
    (made,) = breakpoints(client, path, 2)
    command(client, ":compare option cell=16")
    show_other(client)
    command(client, ":delete all")
    assert not client.wait_for("breakpoint")["breakpoint"]["verified"]
    for verified in (True, False):
        command(client, ":compare other")
        told = client.wait_for("breakpoint")["breakpoint"]
        assert (told["id"], told["verified"]) == (made["id"], verified)
        client.stopped()


def test_the_run_before_a_change_has_each_breakpoint_once(client: Client, path: Path) -> None:
    client.launch(path)
    (made,) = breakpoints(client, path, 2)
    client.go("stepIn")
    command(client, ":set 0 9")
    stop = show_other(client)
    assert stop["description"] == "the other run, at step 1"
    assert client.value("cell[0]") == "1"
    assert len(command(client, ":list").splitlines()) == 1
    assert client.go("continue")["hitBreakpointIds"] == [made["id"]]
    show_other(client)
    assert client.value("step") == "1"
    assert client.value("cell[0]") == "9"


def test_data_breakpoints_are_set_in_the_run_shown(
    client: Client, path: Path, better: Path
) -> None:
    client.launch(path)
    compare_file(client, better)
    show_other(client)
    client.go("continue")
    cell = next(one for one in client.scope("tape") if one["name"] == "cell[2]")
    info = client.ask("dataBreakpointInfo", variablesReference=cell["of"], name="cell[2]")
    made = client.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
    stop = client.go("reverseContinue")
    assert stop["reason"] == "data breakpoint"
    assert stop["hitBreakpointIds"] == [made["breakpoints"][0]["id"]]
    assert client.value("cell[2]") == "7"


def test_a_fault_of_the_run_shown_is_an_exception(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "faults.bf"
    path.write_bytes(b"+<.")
    client.launch(path)
    command(client, ":compare option tape=both-ways")
    assert client.go("continue")["reason"] == "exception"
    show_other(client)
    with pytest.raises(Refused, match="has not failed"):
        client.ask("exceptionInfo", threadId=1)
    stop = show_other(client)
    assert stop["reason"] == "exception"
    told = client.ask("exceptionInfo", threadId=1)
    assert told["description"] == stop["description"]


def test_a_run_far_away_is_reached_after_the_answer(
    client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "long.bf"
    path.write_bytes(b"+[>+<]")
    client.launch(path)
    monkeypatch.setattr("esoplay.dap.console.MOVE_SECONDS", -1)  # every move counts as a long one
    assert "may take a while" in command(client, ":goto 3000000")
    client.stopped()
    command(client, ":set 1 7")
    assert "may take a while" in command(client, ":compare other")
    said = client.wait_for("output", lambda body: body["category"] == "console")["output"]
    assert said == "switched to the other run; `compare other` switches back\n"
    assert client.stopped()["description"] == "the other run, at step 3,000,000"
    assert client.value("cell[1]") != "7"
    show_other(client)
    assert client.value("cell[1]") == "7"


def test_a_source_map_holds_for_the_run_of_the_same_program(client: Client, tmp_path: Path) -> None:
    source = "def main():\n    c = getc()\n    print_int(c)\n"
    made = generate(source, "brainfuck", name="code.py")
    path = tmp_path / "code.bf"
    path.write_bytes(made.source)
    path.with_name("code.bf.map.json").write_text(json.dumps(made.source_map.as_json()))
    path.with_name("code.py").write_text(source)
    client.launch(path, stdin="A")
    generator = {"path": str(path.with_name("code.py"))}
    (point,) = client.ask("setBreakpoints", source=generator, breakpoints=[{"line": 3}])[
        "breakpoints"
    ]
    command(client, ":compare input B")
    client.stopped()
    show_other(client)
    assert client.go("continue")["hitBreakpointIds"] == [point["id"]]
    assert client.value("c") == "66 'B'"
    assert client.frames()[0]["source"]["name"] == "code.py"
    client.go("stepBack")
    assert client.frames()[0]["line"] == 2
