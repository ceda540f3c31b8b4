"""Without a terminal the application says what to do instead."""

from __future__ import annotations

import pytest
from shell import esoplay


@pytest.mark.parametrize("arguments", [[], ["play"], ["play", "missing.bf"]])
def test_missing_terminal_prints_one_paragraph_and_exits_with_2(arguments: list[str]) -> None:
    ended = esoplay(*arguments)
    assert ended.returncode == 2
    assert ended.stdout == b""
    assert b"esoplay run FILE" in ended.stderr
    assert b"\n\n" not in ended.stderr.strip()
