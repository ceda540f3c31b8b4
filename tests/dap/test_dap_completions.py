"""The debug console completes what Tab completes in the REPL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from dap_client import Client, Refused

from esoplay.debugging.commands import CommandTable
from esoplay.debugging.debugger import Debugger
from esoplay.debugging.session import DebugSession

PROGRAM = b"++[>+++<-]>."


@pytest.fixture
def client() -> Iterator[Client]:
    with Client() as one:
        yield one


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "program.bf"
    path.write_bytes(PROGRAM)
    return path


def targets(
    client: Client, text: str, column: int | None = None, **more: Any
) -> list[dict[str, Any]]:
    """The proposals at the end of a text, or at a column that is counted from 1."""
    if column is None:
        column = len(text.encode("utf-16-le")) // 2 + 1
    return client.ask("completions", text=text, column=column, **more)["targets"]


def labels(found: list[dict[str, Any]]) -> list[str]:
    return [one["label"] for one in found]


def test_the_capability_is_announced(client: Client) -> None:
    assert client.ask("initialize")["supportsCompletionsRequest"]


@pytest.mark.parametrize("line", ["", "wat", "reverse-c", "b ce", "info re", "commands 1 pr", "zz"])
def test_a_command_is_completed_as_by_tab(client: Client, path: Path, line: str) -> None:
    client.launch(path)
    expected = CommandTable().complete(DebugSession(Debugger.open("brainfuck", PROGRAM)), line)
    assert labels(targets(client, f":{line}")) == expected
    assert (line == "zz") == (expected == [])


@pytest.mark.parametrize(
    ("text", "completed"),
    [
        ("ptr+va", "ptr+value"),
        ("cell[pt", "cell[ptr"),
        (":b if (va", "(value"),
        (":print 2*cell[pt", "2*cell[ptr"),
    ],
)
def test_a_name_is_completed_after_an_operator(
    client: Client, path: Path, text: str, completed: str
) -> None:
    client.launch(path)
    [found] = targets(client, text)
    assert found["label"] == completed
    assert (found["start"], found["start"] + found["length"]) == (
        len(text) - len(text.split(" ")[-1]) + 1,
        len(text) + 1,
    )


def test_a_command_is_proposed_with_its_help(client: Client, path: Path) -> None:
    client.launch(path)
    [found] = targets(client, ":reverse-co")
    assert found["label"] == "reverse-continue"
    assert found["type"] == "function"
    assert "back" in found["detail"]


def test_only_the_word_before_the_cursor_is_replaced(client: Client, path: Path) -> None:
    client.launch(path)
    found = targets(client, ":break cel == 3", len(":break cel") + 1)
    assert {one["label"]: (one["start"], one["length"]) for one in found} == {"cell[": (8, 3)}
    assert targets(client, "  :wat")[0]["start"] == 4


def test_an_expression_is_completed_without_a_colon(client: Client, path: Path) -> None:
    client.launch(path)
    assert "cell[" in labels(targets(client, ""))
    assert labels(targets(client, "1 + hi")) == ["hits"]


def test_columns_are_counted_in_utf_16_as_the_client_says(client: Client, path: Path) -> None:
    client.ask("initialize", linesStartAt1=False, columnsStartAt1=False)
    client.ask("launch", program=str(path), stopOnEntry=True)
    text = "1\n\N{CAT FACE} + cel"
    [found] = targets(client, text, len("\N{CAT FACE} + cel") + 1, line=1)
    assert (found["label"], found["start"], found["length"]) == ("cell[", 5, 3)


def test_completion_does_not_stop_a_running_program(client: Client, tmp_path: Path) -> None:
    path = tmp_path / "endless.bf"
    path.write_bytes(b"+[]")
    client.launch(path)
    client.ask("continue", threadId=1)
    assert labels(targets(client, ":che")) == ["checkpoint"]
    assert client.go("pause")["reason"] == "pause"


@pytest.mark.parametrize(
    ("arguments", "word"),
    [
        ({"column": 1}, "text"),
        ({"text": ":b"}, "column"),
        ({"text": ":b", "column": 3, "line": 2}, "line 2"),
        ({"text": "\ud83d", "column": 1}, "surrogate"),
    ],
)
def test_a_request_in_error_is_refused(
    client: Client, path: Path, arguments: dict[str, Any], word: str
) -> None:
    client.launch(path)
    with pytest.raises(Refused, match=word):
        client.ask("completions", **arguments)


def test_an_unknown_command_shows_how_to_list_commands(client: Client, path: Path) -> None:
    # `help` without a colon is an expression here.
    client.launch(path)
    with pytest.raises(Refused, match="unknown command 'zzz'; :help lists them"):
        client.ask("evaluate", expression=":zzz", context="repl")
