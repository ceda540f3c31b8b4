"""Numbers of thousands of digits: sent as text, computed exactly, never refused."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from rpc_client import Client
from shell import esoplay

from esoplay.cli.repl.debugger import DebuggerShell, LessonSession
from esoplay.debugging.debugger import Debugger
from esoplay.rpc.connection import Connection
from esoplay.rpc.methods import METHODS

SQUARE = b" \n " + b"\t  \n"  # dup, mul
PROGRAM = b"   \n" + b"   \t \t \n" + SQUARE * 13 + b"\t\t " + b"   \n" + b"\t\t\t" + b"\t\n \t"
"""10 to the power of 8192 is stored at address 0, fetched and printed."""
COMMANDS = (
    "b if top * top > 5 log {top * top}",
    "end",
    "v 0",
    "1 S",
    "registers",
    "panels",
    "set 0 " + "7" * 4000,
    "v 0",
    "set 0 " + "7" * 5000,
    "start",
)
DIGITS = "1" + "0" * 8192


@pytest.fixture
def client(connect: Callable[..., Client], tmp_path: Path) -> Client:
    return connect(METHODS, Connection(store=tmp_path / "store.sqlite"))


def test_json_rpc_returns_large_numbers(client: Client) -> None:
    program = {"language": "whitespace", "program": PROGRAM.decode()}
    assert client.call("run", **program)["stdout"] == DIGITS
    debug = client.call("debug.open", **program)["debug"]
    specs = [{"cell": 0, "condition": "cell[0] > " + "9" * 400, "log": "it is {cell[0]}"}]
    client.call("debug.breakpoints", debug=debug, set=specs)
    moved = client.call("debug.continue", debug=debug)
    assert moved["logs"] == ["it is 1.0000e8192 (27214 bits)"]
    (write,) = client.call("debug.writes", debug=debug, cell=0)["writes"]
    assert (write["old"], write["new"]) == (0, "1.0000e8192 (27214 bits)")
    client.call("debug.step", debug=debug, reverse=True)
    registers = client.call("debug.view", debug=debug, fields=["registers"])["registers"]
    assert registers["top"] == "1.0000e8192 (27214 bits)"
    client.call("debug.seek", debug=debug, step=29)
    client.call("debug.set", debug=debug, cell=0, value=10**3998)
    client.call("debug.continue", debug=debug)
    output = client.call("debug.view", debug=debug, fields=["output"])["output"]
    assert output == "1" + "0" * 3998


def test_the_text_debugger_prints_large_numbers() -> None:
    debugger = Debugger.open("whitespace", PROGRAM)
    said: list[str] = []
    for as_json in (False, True):
        shell = DebuggerShell(LessonSession(debugger), said.append, as_json=as_json)
        for line in COMMANDS:
            shell.run_line(line)
    text = "\n".join(said)
    assert "step 29: 0 to 1.0000e8192 (27214 bits)" in text
    assert "error: a value must have at most 4,000 digits" in text
    assert all(json.loads(line) for line in said if line.startswith("{"))


def test_run_prints_every_digit(tmp_path: Path) -> None:
    path = tmp_path / "vast.ws"
    path.write_bytes(PROGRAM)
    done = esoplay("run", path, "--json")
    assert json.loads(done.stdout)["stdout"] == DIGITS
