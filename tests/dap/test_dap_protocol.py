"""What the adapter makes of clients that are in a hurry, in error or hostile."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from dap_client import Client, Refused
from hypothesis import given
from hypothesis import strategies as st

from esoplay.dap.launch import TextPlaces


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as one:
        yield one


@pytest.fixture
def endless(tmp_path: Path) -> Path:
    path = tmp_path / "endless.bf"
    path.write_bytes(b"+[]")
    return path


def test_the_response_comes_before_the_event(client: Client, endless: Path) -> None:
    client.ask("initialize")
    assert client.events == []
    client.wait_for("initialized")
    client.ask("launch", program=str(endless), stopOnEntry=True)
    client.ask("configurationDone")
    assert client.events == []
    assert client.stopped()["reason"] == "entry"


@pytest.mark.parametrize(
    ("command", "arguments", "word"),
    [
        ("fly", {}, "fly"),
        ("initialize", {}, "already sent"),
        ("continue", {"threadId": 1}, "launched"),
        ("launch", {}, "program"),
        ("launch", {"program": 5}, "program"),
        ("launch", {"program": "nothing.bf"}, "nothing.bf"),
        ("launch", {"program": "{folder}/endless.bf", "dialect": "odd"}, "dialect"),
        ("launch", {"program": "{folder}/endless.bf", "sourceMap": 7}, "sourceMap"),
        (
            "launch",
            {"program": "{folder}/endless.bf", "stdin": "", "stdinFile": "x"},
            "cannot be combined",
        ),
        ("launch", {"program": "{folder}/endless.bf", "maxSteps": 0}, "maxSteps"),
        ("setBreakpoints", {"source": [], "breakpoints": []}, "source"),
        ("setBreakpoints", {"source": {}, "breakpoints": [5]}, "breakpoints"),
        ("setExceptionBreakpoints", {"filters": 1.5}, "filters"),
    ],
)
def test_invalid_requests_are_refused_with_a_reason(
    client: Client, endless: Path, command: str, arguments: dict[str, object], word: str
) -> None:
    client.ask("initialize")
    filled = {
        name: value.replace("{folder}", str(endless.parent)) if isinstance(value, str) else value
        for name, value in arguments.items()
    }
    with pytest.raises(Refused, match=word):
        client.ask(command, **filled)
    client.ask("threads")


@pytest.mark.parametrize(
    ("command", "arguments", "word"),
    [
        ("evaluate", {"expression": ":feed \ud83d", "context": "repl"}, "surrogate"),
        ("evaluate", {"expression": ":seek \u00b2", "context": "repl"}, "integer"),
        ("variables", {"variablesReference": 1, "start": 2**64}, "53 bits"),
    ],
)
def test_invalid_texts_and_numbers_are_refused_while_a_program_is_open(
    client: Client, endless: Path, command: str, arguments: dict[str, object], word: str
) -> None:
    client.launch(endless)
    client.ask("scopes", frameId=1)
    with pytest.raises(Refused, match=word):
        client.ask(command, **arguments)
    client.ask("threads")


def test_an_invalid_breakpoint_is_reported_once_a_program_is_open(
    client: Client, endless: Path
) -> None:
    client.ask("initialize")
    source = {"path": str(endless)}
    client.ask("setBreakpoints", source=source, breakpoints=[{"line": "seven"}])
    client.ask("launch", program=str(endless), stopOnEntry=True)
    told = client.wait_for("breakpoint")["breakpoint"]
    assert not told["verified"]
    assert "line" in told["message"]
    client.ask("configurationDone")
    assert client.stopped()["reason"] == "entry"


def test_an_invalid_line_is_not_repeated_in_the_message(client: Client) -> None:
    client.ask("initialize")
    source = {"path": "some.bf"}
    made = client.ask("setBreakpoints", source=source, breakpoints=[{"line": True}, {"line": 2}])
    assert [one.get("line") for one in made["breakpoints"]] == [None, 2]


def test_paths_as_uris_are_refused(client: Client) -> None:
    with pytest.raises(Refused, match="URI"):
        client.ask("initialize", pathFormat="uri")


@pytest.mark.parametrize("seq", ['"1"', "true", "-1e5", "9" * 40, "null", "[]"])
def test_a_request_with_an_invalid_seq_is_answered(client: Client, seq: str) -> None:
    body = f'{{"type": "request", "command": "threads", "seq": {seq}}}'.encode()
    client.send_raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    with pytest.raises(Refused):
        client.answer_to(0, "" if seq != "null" else "threads")


def test_an_internal_error_ends_the_run_but_not_the_adapter(
    client: Client,
    endless: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    def broken(*_: object) -> None:
        raise ValueError("broken")

    client.launch(endless)
    monkeypatch.setattr("esoplay.dap.moves.run", broken)
    client.ask("continue", threadId=1)
    assert "internal error" in client.wait_for("output")["output"]
    assert "internal error" in client.stopped()["description"]
    assert "broken" in capsys.readouterr().err
    monkeypatch.undo()
    client.ask("continue", threadId=1)
    assert client.go("pause")["reason"] == "pause"


def test_a_parse_error_is_reported_with_its_position(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "open.bf"
    path.write_bytes("über\n+[".encode())
    client.ask("initialize")
    with pytest.raises(Refused, match="line 2"):
        client.ask("launch", program=str(path))
    told = client.wait_for("output")
    assert (told["category"], told["line"], told["column"]) == ("stderr", 2, 2)


def test_a_move_during_a_run_is_refused_and_the_run_continues(
    client: Client, endless: Path
) -> None:
    client.launch(endless)
    client.ask("continue", threadId=1)
    with pytest.raises(Refused, match="running"):
        client.ask("next", threadId=1)
    assert client.go("pause")["reason"] == "pause"


def test_stale_references_are_refused(client: Client, endless: Path) -> None:
    client.launch(endless)
    reference = client.scope("tape")[0]["of"]
    client.go("stepIn")
    with pytest.raises(Refused, match="variable"):
        client.ask("variables", variablesReference=reference)


@pytest.mark.parametrize("body", [b"{", b"[1]", b"\xff\xfe", b"[" * 100_000])
def test_an_invalid_message_is_reported_and_the_next_one_answered(
    client: Client, body: bytes
) -> None:
    client.send_raw(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    assert "esoplay:" in client.wait_for("output")["output"]
    client.ask("initialize")


@pytest.mark.parametrize(
    "data", [b"GET / HTTP/1.1\r\n\r\n", b"Content-Length: 99999999999\r\n\r\n", b"x" * 10_000]
)
def test_a_broken_stream_ends_with_an_error_message(client: Client, data: bytes) -> None:
    client.send_raw(data)
    assert "esoplay:" in client.wait_for("output")["output"]


def test_a_client_that_leaves_in_the_middle_of_a_run_is_disconnected(endless: Path) -> None:
    with Client() as client:
        client.launch(endless)
        client.ask("continue", threadId=1)


def test_the_adapter_serves_an_editor_over_stdin_and_stdout(endless: Path) -> None:
    requests = [
        {"command": "initialize", "arguments": {"linesStartAt1": False}},
        {"command": "launch", "arguments": {"program": str(endless), "stopOnEntry": True}},
        {"command": "configurationDone"},
        {"command": "stackTrace", "arguments": {"threadId": 1}},
        {"command": "disconnect"},
    ]
    data = b""
    for seq, request in enumerate(requests, 1):
        body = json.dumps({"seq": seq, "type": "request", **request}).encode()
        data += b"Content-Length: %d\r\n\r\n" % len(body) + body
    done = subprocess.run(
        [sys.executable, "-m", "esoplay", "dap"], input=data, capture_output=True, timeout=300
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b'"line": 0' in done.stdout


@given(st.text(st.sampled_from("a+é€𝄞\n"), max_size=30), st.sampled_from(["", "\ufeff"]), st.data())
def test_an_offset_survives_conversion_to_line_and_column(
    text: str, mark: str, data: st.DataObject
) -> None:
    source = (mark + text).encode()
    places = TextPlaces(source)
    at = len((mark + text[: data.draw(st.integers(0, len(text)))]).encode())
    line, column = places.place(at)
    row = places.row(line)
    assert row is not None
    assert places.offset(row, column) == at
    before = source[len(mark.encode()) : at].decode().rpartition("\n")[2]
    assert column == len(before.encode("utf-16-le")) // 2 + 1
