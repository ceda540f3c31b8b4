"""``esoplay watch`` without a screen goes on after an event that it cannot describe."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from esoplay.cli.commands import watch as command
from esoplay.errors import StoreError


def test_an_event_that_cannot_be_shown_is_named_and_the_next_is_shown(
    capsys: pytest.CaptureFixture[str],
) -> None:
    events = [SimpleNamespace(seq=seq) for seq in (1, 2, 3)]
    watch: Any = SimpleNamespace(events=events, closed=True)

    def show(event: Any) -> None:
        if event.seq == 2:
            raise StoreError("its program is missing")
        print(event.seq)

    command._print(watch, show, once=False)  # pyright: ignore[reportPrivateUsage]
    out, err = capsys.readouterr()
    assert out.split() == ["1", "3"]
    assert err == "esoplay: event 2 is not shown: its program is missing\n"
