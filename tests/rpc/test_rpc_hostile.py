"""Hostile messages: the server answers or closes, says nothing of itself, and stays small."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hostile import bombard, says_too_much
from selection import slow_except

from esoplay.rpc import protocol
from esoplay.rpc.protocol import MAX_VALUES, PARSE_ERROR, InvalidRequest, Request, parse_message

GROWTH = 200 * 1024
"""KiB: less than a line of 100 MB, which is refused before it is held."""


@pytest.mark.slow
def test_hostile_messages_are_answered_and_memory_stays_flat(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """ESOPLAY_HOSTILE_MESSAGES in the environment is how many."""
    monkeypatch.setenv("ESOPLAY_HOME", str(tmp_path / "home"))
    count = int(os.environ.get("ESOPLAY_HOSTILE_MESSAGES", "100"))
    report = bombard(tmp_path, count, seed=2, huge=count > 1_000)
    assert report.bad == []
    assert report.codes[-32603] == 0
    assert report.codes[-32700] > 0
    assert report.codes[-32602] > 0
    assert report.largest - report.first < GROWTH


def test_errors_with_traces_or_modules_are_recognised() -> None:
    """A list of lanes names `.py`; it is answered late where the tools are slow to start."""
    assert not says_too_much({"id": 1, "result": {"lanes": [{"extensions": [".py"]}]}})
    assert not says_too_much({"id": 1, "error": {"code": -32602, "message": "no such method"}})
    assert says_too_much({"id": 1, "error": {"code": -32603, "message": "in server.py"}})
    assert says_too_much({"id": 1, "result": "Traceback (most recent call last)"})


@pytest.mark.parametrize(
    "piece", slow_except([b"[],", b'{"a":0},', b"0,", b'"",', b'"\\"",'], b"[],", b"0,")
)
def test_a_line_of_very_many_values_is_refused_before_it_is_read(
    piece: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: object, **__: object) -> None:
        raise AssertionError("it was read")

    line = b"[" + piece * (MAX_VALUES + 1) + b"0]"
    monkeypatch.setattr(protocol.json, "loads", never)
    message = parse_message(line)
    assert isinstance(message, InvalidRequest)
    assert message.error.code == PARSE_ERROR
    assert "values" in message.error.message


def test_a_long_program_of_brackets_is_not_a_line_of_many_values() -> None:
    program = b"[,.\\\\]\\u0022" * 300_000
    line = b'{"jsonrpc": "2.0", "id": 1, "method": "run", "params": {"program": "%b"}}' % program
    assert isinstance(parse_message(line), Request)


@pytest.mark.parametrize(
    "piece", slow_except([b'"', b'\\"', b'"\\', b"\\", b'"[', b"[,"], b'"', b"[,")
)
def test_no_line_takes_long_to_be_refused(piece: bytes) -> None:
    """3 MB that would take hours if quotes without their other half were looked for twice."""
    assert isinstance(parse_message(b'["' + piece * (3_000_000 // len(piece))), InvalidRequest)
