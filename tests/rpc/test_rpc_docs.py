"""The examples of docs/json-rpc.md run, and it describes every method and parameter."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from rpc_client import exchange_lines

from esoplay.rpc import protocol, transport
from esoplay.rpc.connection import MAX_DEBUGGERS
from esoplay.rpc.methods import METHODS
from esoplay.rpc.table import Method

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "json-rpc.md").read_text()
ROWS = dict(re.findall(r"^\|`([\w.]+)`\|(.*)\|$", TEXT, re.MULTILINE))
ABBREVIATED = {
    "program": "program…",
    "program_base64": "program…",
    "path": "program…",
    "stdin": "stdin…",
    "stdin_base64": "stdin…",
    "dialect": "meaning…",
    "options": "meaning…",
}


def test_the_conversations_on_the_page_are_what_the_server_answers() -> None:
    blocks = re.findall(r"```jsonrpc\n(.*?)```", TEXT, re.DOTALL)
    assert len(blocks) == 2
    for block in blocks:
        assert_conversation(block)


def assert_conversation(block: str) -> None:
    sent = [line[2:] for line in block.splitlines() if line.startswith("→ ")]
    expected = [line[2:] for line in block.splitlines() if line.startswith("← ")]
    answers = exchange_lines("\n".join(sent).encode(), METHODS)
    assert len(answers) == len(expected)
    for answer, pattern in zip(answers, expected, strict=True):
        parts = map(re.escape, pattern.split("…"))
        assert re.fullmatch(".*".join(parts), answer), answer


def test_the_table_has_every_method() -> None:
    assert set(ROWS) == set(METHODS)


@pytest.mark.parametrize("method", METHODS.values(), ids=lambda method: method.name)
def test_every_row_has_its_parameters(method: Method) -> None:
    role, parameters, *_ = ROWS[method.name].split("|")
    assert (role == "✓") == method.solver_may_call
    for parameter in method.parameters:
        mark = "" if parameter.required or parameter.name == "session" else "?"
        written = f"`{parameter.name}{mark}"
        short = ABBREVIATED.get(parameter.name, written)
        assert written in parameters or short in parameters, parameter.name


def test_the_table_of_version_2_is_complete() -> None:
    _, section = TEXT.split("\n## Version 2\n")
    rows = re.findall(r"^\| (`.*`) \| (.*?) \| ", section.partition("\n## ")[0], re.MULTILINE)
    for method in METHODS.values():
        added = method.parameters_for(2)[len(method.parameters) :]
        documented = " ".join(
            parameters for methods, parameters in rows if f"`{method.name}`" in methods
        )
        assert all(f"`{parameter.name}?`" in documented for parameter in added), method.name


def test_the_page_states_the_limits_and_error_codes() -> None:
    assert transport.MAX_LINE_BYTES == 8 << 20
    assert "at most 8 MiB" in TEXT
    assert f"at most {protocol.MAX_BATCH} requests" in TEXT
    assert f"{MAX_DEBUGGERS} debuggers may be open" in TEXT
    for code in (
        protocol.PARSE_ERROR,
        protocol.INVALID_REQUEST,
        protocol.METHOD_NOT_FOUND,
        protocol.INVALID_PARAMS,
        protocol.INTERNAL_ERROR,
        protocol.DOMAIN_ERROR,
    ):
        assert f"|{code}|" in TEXT
