"""Without a terminal the application says what to do instead."""

from __future__ import annotations

import subprocess
import sys

import pytest


@pytest.mark.parametrize("arguments", [[], ["play"], ["play", "missing.bf"]])
def test_no_terminal_is_one_paragraph_and_exit_2(arguments: list[str]) -> None:
    ended = subprocess.run(
        [sys.executable, "-m", "esoplay", *arguments],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert "esoplay run FILE" in ended.stderr
    assert "\n\n" not in ended.stderr.strip()
