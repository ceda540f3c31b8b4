"""``esoplay web`` before anything is served."""

from __future__ import annotations

import socket
import sys

import pytest

from esoplay.cli.main import main


def test_a_missing_extra_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "textual_serve", None)
    assert main(["web"]) == 2
    assert "pip install 'esoplay[web]'" in capsys.readouterr().err


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "192.0.2.1", "box.example"])
def test_an_address_that_others_reach_is_refused(
    address: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["web", "--bind", address]) == 2
    said = capsys.readouterr()
    assert "--allow-network" in said.err
    assert said.out == ""


def test_a_port_in_use_is_reported(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert main(["web", "--port", str(taken.getsockname()[1])]) == 2
    assert "--port 0" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        (["--port", "65536"], "--port must be an integer from 0 to 65535"),
        (["--port", "-1"], "--port must be an integer from 0 to 65535"),
        (["--pages", "0"], "--pages must be an integer, 1 or more"),
    ],
)
def test_numbers_out_of_range_are_refused(
    given: list[str], expected: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["web", *given]) == 2
    assert expected in capsys.readouterr().err
