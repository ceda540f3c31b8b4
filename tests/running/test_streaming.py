"""Input from a pipe is fed as it comes, but a long number is not read again and again."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from esolangs.core import CoreMachine
from esoplay.running.run import run_source

READ_NUMBER = b"push 0\nreadn\npush 0\nretrieve\nprintn\nexit\n"
PIECE = 1000


def chunks(data: bytes) -> Callable[[], bytes]:
    pieces = [data[at : at + PIECE] for at in range(0, len(data), PIECE)]
    return lambda: pieces.pop(0) if pieces else b""


def test_a_long_number_is_fed_in_few_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    fed: list[int] = []
    feed = CoreMachine.feed

    def count(machine: CoreMachine, data: bytes) -> None:
        fed.append(len(data))
        feed(machine, data)

    monkeypatch.setattr(CoreMachine, "feed", count)
    options = {"notation": "assembly"}
    number = b"7" * 200_000
    outcome = run_source("whitespace", READ_NUMBER, options=options, stdin=chunks(number + b"\n"))
    assert (outcome.status, outcome.stdout) == ("ok", number)
    assert sum(fed) == len(number) + 1
    assert len(fed) < 12


def test_the_end_of_a_line_is_fed_at_once() -> None:
    pieces = [b"12", b"3", b"\n"]
    outcome = run_source(
        "whitespace", READ_NUMBER, options={"notation": "assembly"}, stdin=lambda: pieces.pop(0)
    )
    assert (outcome.status, outcome.stdout, pieces) == ("ok", b"123", [])
