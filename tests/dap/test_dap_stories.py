"""What people do in an editor, from the launch to the end, as a strict client sees it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from dap_client import Client, Refused

from esolangs.registry import find_language, language_ids

COPIER = b",[.,]"
TWO_WRITES = b"+++>++<\n[->+<]\n>."
"""Cell 1 holds 5 in the end; the loop in line 2 adds to it three times."""


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as one:
        yield one


def program(folder: Path, name: str, source: bytes) -> Path:
    path = folder / name
    path.write_bytes(source)
    return path


def test_a_brainfuck_run_goes_back_to_the_write_of_a_cell(client: Client, tmp_path: Path) -> None:
    client.launch(program(tmp_path, "sum.bf", TWO_WRITES))
    assert client.go("continue")["text"] == "the program ended"
    cell = next(one for one in client.scope("tape") if one["name"] == "cell[1]")
    assert cell["value"] == "5"
    info = client.ask("dataBreakpointInfo", variablesReference=cell["of"], name="cell[1]")
    assert "write" in info["accessTypes"]
    made = client.ask(
        "setDataBreakpoints", breakpoints=[{"dataId": info["dataId"], "accessType": "write"}]
    )
    assert made["breakpoints"][0]["verified"]
    values = []
    for _ in range(5):
        stop = client.go("reverseContinue")
        assert stop["reason"] == "data breakpoint"
        assert stop["hitBreakpointIds"] == [made["breakpoints"][0]["id"]]
        values.append(client.value("cell[1]"))
    assert values == ["5", "4", "3", "2", "1"]
    assert client.go("reverseContinue")["reason"] == "entry"
    assert client.value("step") == "0"


def test_a_befunge_run_goes_back_to_the_write_of_a_cell(client: Client, tmp_path: Path) -> None:
    source = b'"a" 5 1 p "b" 5 1 p 5 1 g , @\n'
    client.launch(program(tmp_path, "store.b98", source))
    client.go("continue")
    row = next(one for one in client.scope("fungespace") if one["name"] == "row 1")
    cell = next(one for one in client.inside(row) if one["name"] == "cell[5,1]")
    assert cell["value"] == "98 'b'"
    info = client.ask("dataBreakpointInfo", variablesReference=cell["of"], name="cell[5,1]")
    client.ask("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])
    assert client.go("reverseContinue")["reason"] == "data breakpoint"
    assert client.value("cell[5,1]") == "98 'b'"
    assert client.go("reverseContinue")["reason"] == "data breakpoint"
    assert client.value("cell[5,1]") == "97 'a'"
    assert client.go("stepBack")["reason"] == "step"
    assert client.value("cell[5,1]") == "32"


def test_breakpoints_stop_at_lines_and_columns_under_their_conditions(
    client: Client, tmp_path: Path
) -> None:
    path = program(tmp_path, "sum.bf", TWO_WRITES)
    client.launch(path)
    made = client.ask(
        "setBreakpoints",
        source={"path": str(path)},
        breakpoints=[
            {"line": 2, "column": 2},
            {"line": 2, "column": 4, "condition": "cell[1] == 4", "hitCondition": ">= 1"},
            {"line": 3, "logMessage": "the sum is {cell[1]}"},
            {"line": 9},
            {"line": 2, "condition": "cell["},
        ],
    )["breakpoints"]
    assert [one["verified"] for one in made] == [True, True, True, False, False]
    assert (made[0]["line"], made[0]["column"], made[0]["endColumn"]) == (2, 2, 3)
    assert "line 9" in made[3]["message"]
    assert client.go("continue")["hitBreakpointIds"] == [made[0]["id"]]
    frame = client.frames()[0]
    assert (frame["line"], frame["column"]) == (2, 2)
    assert frame["source"]["path"] == str(path)
    assert client.frames()[1]["name"].startswith("loop")
    assert client.go("continue")["hitBreakpointIds"] == [made[0]["id"]]
    kept = client.ask(
        "setBreakpoints",
        source={"path": str(path)},
        breakpoints=[{"line": 2, "column": 4, "condition": "cell[1] == 4"}, {"line": 3}],
    )["breakpoints"]
    assert client.go("continue")["hitBreakpointIds"] == [kept[0]["id"]]
    assert client.value("cell[1]") == "4"
    assert client.go("continue")["hitBreakpointIds"] == [kept[1]["id"]]


def test_a_breakpoint_with_a_log_message_does_not_stop(client: Client, tmp_path: Path) -> None:
    path = program(tmp_path, "sum.bf", TWO_WRITES)
    client.launch(path)
    client.ask(
        "setBreakpoints",
        source={"path": str(path)},
        breakpoints=[{"line": 3, "logMessage": "the sum is {cell[1]}"}],
    )
    client.ask("continue", threadId=1)
    told = client.wait_for("output", lambda body: body["category"] == "console")
    assert told["output"] == "the sum is 5\n"
    assert client.stopped()["text"] == "the program ended"


def test_output_comes_with_its_place_and_only_once(client: Client, tmp_path: Path) -> None:
    path = program(tmp_path, "copy.bf", COPIER)
    client.launch(path, stdin="hi\nyou\n")
    client.ask("continue", threadId=1)
    first = client.wait_for("output")
    assert first["output"] == "hi\n"
    assert (first["line"], first["column"]) == (1, 3)
    assert client.wait_for("output")["output"] == "you\n"
    assert client.stopped()["text"] == "the program ended"
    client.go("stepBack")
    while client.go("reverseContinue")["reason"] != "entry":
        pass
    client.go("continue")
    assert client.printed == "hi\nyou\n"
    answer = client.ask("evaluate", expression=":printed 4", context="repl")["result"]
    assert answer.startswith("output byte 4: printed by step ")


def test_a_character_is_reported_once_all_its_bytes_are_printed(
    client: Client, tmp_path: Path
) -> None:
    (tmp_path / "input").write_bytes("é€𝄞".encode() + b"\xe9x\xf0\x9d")
    client.launch(program(tmp_path, "copy.bf", b"+[,.]"), stdinFile="input")
    told = []
    while client.go("stepIn")["reason"] == "step":
        if client.printed:
            told.append(client.printed)
            client.printed = ""
    assert "".join([*told, client.printed]) == "é€𝄞\\xe9x\\xf0\\x9d\0"
    assert told[:3] == ["é", "€", "𝄞"]


def test_breakpoints_that_move_to_one_place_are_one_stop(client: Client, tmp_path: Path) -> None:
    path = program(tmp_path, "gap.bf", b"+\n\n\n\n[->+<]\n.")
    client.launch(path)
    source = {"path": str(path)}
    lines = [
        {"line": 2},
        {"line": 3},
        {"line": 4, "logMessage": "x"},
        {"line": 5, "logMessage": "x"},
    ]
    made = client.ask("setBreakpoints", source=source, breakpoints=lines)["breakpoints"]
    assert [(one["verified"], one["line"]) for one in made] == [(True, 5)] * 4
    moved = "moved to the next instruction, in line 5"
    assert [one.get("message") for one in made] == [moved, moved, moved, None]
    client.ask("continue", threadId=1)
    assert client.wait_for("output")["output"] == "x\n"
    assert [event["event"] for event in client.events] == []
    stop = client.stopped()
    assert stop["description"] == "line 5, column 1"
    assert stop["hitBreakpointIds"] == [made[0]["id"], made[1]["id"]]
    client.go("reverseContinue")
    kept = client.ask("setBreakpoints", source=source, breakpoints=[{"line": 4}])["breakpoints"]
    assert client.go("continue")["hitBreakpointIds"] == [kept[0]["id"]]


def test_queries_do_not_cancel_a_long_step(client: Client, tmp_path: Path) -> None:
    client.launch(program(tmp_path, "endless.bf", b"+[>+<]"))
    for step, move in ((1, "next"), (2, "stepOut")):
        client.go("stepIn")
        client.ask(move, threadId=1)
        client.ask("threads")
        assert client.value("step") == str(step)
        with pytest.raises(Refused, match="running"):
            client.ask("evaluate", expression=":seek 0", context="repl")
        assert client.events == []
        assert client.go("pause")["description"] == f"paused at step {step}"


def test_a_step_over_a_loop_ends_at_a_breakpoint_in_it(client: Client, tmp_path: Path) -> None:
    path = program(tmp_path, "sum.bf", TWO_WRITES)
    client.launch(path)
    client.ask(
        "setBreakpoints",
        source={"path": str(path)},
        breakpoints=[
            {"line": 2, "column": 1},
            {"line": 2, "column": 4, "condition": "cell[1] == 4"},
            {"line": 2, "column": 3, "logMessage": "{cell[1]}"},
        ],
    )
    client.ask("setFunctionBreakpoints", breakpoints=[{"name": "."}])
    for _ in range(7):
        client.go("stepIn")
    client.ask("next", threadId=1)
    told = [client.wait_for("output")["output"] for _ in range(2)]
    assert told == ["2\n", "3\n"]
    assert client.stopped()["description"] == "line 2, column 4"
    assert client.frames()[0]["line"] == 2
    assert client.go("stepOut")["reason"] == "step"
    assert client.frames()[0]["line"] == 3
    assert client.go("stepIn")["reason"] == "function breakpoint"


def test_a_step_that_never_ends_reaches_its_breakpoint(client: Client, tmp_path: Path) -> None:
    path = program(tmp_path, "endless.bf", b"+[>+<]")
    client.launch(path)
    client.go("stepIn")
    condition = {"line": 1, "column": 4, "condition": "step > 100000"}
    client.ask("setBreakpoints", source={"path": str(path)}, breakpoints=[condition])
    client.ask("next", threadId=1)
    client.ask("threads")
    assert client.stopped()["reason"] == "breakpoint"
    assert 100_000 < int(client.value("step")) < 100_006


def test_a_fault_without_debugging_is_reported_with_its_place(
    client: Client, tmp_path: Path
) -> None:
    path = program(tmp_path, "bad.bf", b"+\n<")
    client.launch(path, noDebug=True, stopOnEntry=False)
    told = client.wait_for("output")
    assert (told["category"], told["line"], told["column"]) == ("stderr", 2, 1)
    assert "left of cell 0" in told["output"]
    assert client.wait_for("exited")["exitCode"] == 1


def test_places_on_stacks_are_read_only_as_they_cannot_be_set(
    client: Client, tmp_path: Path
) -> None:
    client.launch(program(tmp_path, "one.b98", b"12@"))
    client.go("stepIn")
    for name, writable in (("stack", False), ("fungespace", True)):
        found = client.scope("stacks" if name == "stack" else name)
        one = client.inside(found[0])[0]
        hints = one.get("presentationHint", {}).get("attributes", [])
        assert ("readOnly" in hints) is not writable
        change = {"variablesReference": one["of"], "name": one["name"], "value": "50"}
        if writable:
            assert client.ask("setVariable", **change)["value"] == "50 '2'"
        else:
            with pytest.raises(Refused, match="cannot be changed"):
                client.ask("setVariable", **change)


def test_a_program_via_a_link_takes_breakpoints_by_either_name(
    client: Client, tmp_path: Path
) -> None:
    path = program(tmp_path, "sum.bf", TWO_WRITES)
    link = tmp_path / "link.bf"
    link.symlink_to(path)
    client.launch(path)
    for name in (path, link):
        made = client.ask("setBreakpoints", source={"path": str(name)}, breakpoints=[{"line": 2}])
        assert made["breakpoints"][0]["verified"]


def test_an_endless_program_can_be_paused_and_continued(client: Client, tmp_path: Path) -> None:
    path = program(tmp_path, "endless.bf", b"+[>+<]")
    client.launch(path)
    while int(client.value("step")) < 100:  # a pause may come before the run has got anywhere
        client.ask("continue", threadId=1)
        client.ask("threads")  # is answered while it runs
        assert client.go("pause")["reason"] == "pause"
    step = int(client.value("step"))
    client.ask("setBreakpoints", source={"path": str(path)}, breakpoints=[{"line": 1, "column": 4}])
    assert client.go("continue")["reason"] == "breakpoint"
    assert 0 <= int(client.value("step")) - step <= 4
    assert client.go("reverseContinue")["reason"] == "breakpoint"


def test_continuing_at_the_end_ends_the_session(client: Client, tmp_path: Path) -> None:
    client.launch(program(tmp_path, "sum.bf", TWO_WRITES))
    client.go("continue")
    client.ask("continue", threadId=1)
    assert client.wait_for("exited")["exitCode"] == 0
    client.wait_for("terminated")
    client.ask("disconnect")


def test_a_fault_is_reported_and_can_be_left_backwards(client: Client, tmp_path: Path) -> None:
    client.launch(program(tmp_path, "bad.bf", b"+<"))
    stop = client.go("continue")
    assert stop["reason"] == "exception"
    assert client.ask("exceptionInfo", threadId=1)["exceptionId"] == "tape_underflow"
    assert client.go("stepBack")["reason"] in ("step", "entry")
    assert client.value("cell[0]") == "0"


def test_a_changed_cell_changes_later_steps(client: Client, tmp_path: Path) -> None:
    client.launch(program(tmp_path, "count.bf", b"+++[-]"))
    for _ in range(3):
        client.go("stepIn")
    cell = client.scope("tape")[0]
    answer = client.ask("setVariable", variablesReference=cell["of"], name="cell[0]", value="1")
    assert answer["value"] == "1"
    client.go("continue")
    assert client.value("step") == "6"


def test_input_can_be_fed(client: Client, tmp_path: Path) -> None:
    client.launch(program(tmp_path, "copy.bf", COPIER), openInput=True)
    assert "waiting for input" in client.go("continue")["description"]
    client.ask("evaluate", expression=":feed hello", context="repl")
    assert "waiting for input" in client.go("continue")["description"]
    client.ask("evaluate", expression=":eof", context="repl")
    client.ask("evaluate", expression=":seek 3", context="repl")
    assert client.stopped()["reason"] == "goto"
    assert client.value("cell[0]") == "104 'h'"


def test_a_restart_keeps_what_was_set_before_the_launch(client: Client, tmp_path: Path) -> None:
    path = program(tmp_path, "sum.bf", TWO_WRITES)
    client.ask("initialize", adapterID="esoplay")
    early = client.ask("setBreakpoints", source={"path": str(path)}, breakpoints=[{"line": 3}])[
        "breakpoints"
    ][0]
    assert not early["verified"]
    client.ask("launch", program=str(path))
    told = client.wait_for("breakpoint")["breakpoint"]
    assert (told["id"], told["verified"]) == (early["id"], True)
    client.ask("configurationDone")
    assert client.stopped()["hitBreakpointIds"] == [early["id"]]
    client.ask("restart")
    assert client.stopped()["hitBreakpointIds"] == [early["id"]]


@pytest.mark.parametrize("language_id", language_ids())
def test_every_language_shows_its_state(client: Client, tmp_path: Path, language_id: str) -> None:
    language = find_language(language_id)
    path = program(tmp_path, f"sample{language.extensions[0]}", language.sample())
    client.launch(path, stdin="Ada")
    for _ in range(20):
        client.go("stepIn")
    frame = client.frames()[0]
    places = client.ask("breakpointLocations", source={"path": str(path)}, line=frame["line"])
    assert frame["column"] in [one["column"] for one in places["breakpoints"]]
    scopes = client.ask("scopes", frameId=frame["id"])["scopes"]
    assert scopes
    for scope in scopes:
        for variable in client.inside(scope):
            if variable["variablesReference"]:
                client.inside(variable)
    for _ in range(20):
        client.go("stepBack")
    assert client.value("step") == "0"
    client.go("continue")
    assert client.printed


@pytest.mark.parametrize("language_id", ["shakespeare", "whitespace"])
def test_function_breakpoints_stop_at_named_places_of_a_program(
    client: Client, tmp_path: Path, language_id: str
) -> None:
    language = find_language(language_id)
    names = list(language.parse(language.sample()).places())
    path = program(tmp_path, f"sample{language.extensions[0]}", language.sample())
    client.launch(path)
    made = client.ask(
        "setFunctionBreakpoints", breakpoints=[{"name": names[-1]}, {"name": "nowhere"}]
    )["breakpoints"]
    assert [one["verified"] for one in made] == [True, False]
    stop = client.go("continue")
    assert (stop["reason"], stop["hitBreakpointIds"]) == ("function breakpoint", [made[0]["id"]])


def test_the_scope_of_a_drawing_shows_its_turtle_and_lines(client: Client, tmp_path: Path) -> None:
    path = program(tmp_path, "corner.b98", b'"TRUT"4($$1P9Fa9*R5F@')
    client.launch(path)
    client.go("continue")
    parts = {one["name"]: one for one in client.scope("drawing")}
    said = {name: one["value"] for name, one in parts.items()}
    assert said == {
        "position": "9,5",
        "heading": "90",
        "pen": "down",
        "color": "#000000",
        "paper": "#ffffff",
        "lines": "2",
    }
    lines = [(one["name"], one["value"]) for one in client.inside(parts["lines"])]
    assert lines == [("[0]", "0,0 to 9,0"), ("[1]", "9,0 to 9,5")]


def test_a_seek_in_the_console_sends_continued_then_stopped(client: Client, tmp_path: Path) -> None:
    client.launch(program(tmp_path, "sum.bf", TWO_WRITES))
    before = len(client.seen)
    client.ask("evaluate", expression=":seek 3", context="repl")
    assert client.wait_for("stopped")["reason"] == "goto"
    moves = [name for name in client.seen[before:] if name in ("continued", "stopped")]
    assert moves == ["continued", "stopped"]
    assert client.value("step") == "3"
