"""The commands of the Makefile: what they run, and how they behave without a terminal."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest
from make_targets import INSTALLED, ROOT

pytestmark = pytest.mark.skipif(shutil.which("make") is None, reason="make is not installed")


def run_make(*words: str) -> subprocess.CompletedProcess[str]:
    """A command of the Makefile, without a terminal."""
    return subprocess.run(
        ["make", *INSTALLED, *words],
        env={name: value for name, value in os.environ.items() if not name.startswith("MAKE")},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_help_lists_the_targets() -> None:
    shown = run_make("help").stdout
    for target in ("play", "test", "test-all", "check", "demo", "clean"):
        assert f"  make {target} " in shown


def test_test_all_runs_what_test_leaves_out_and_nothing_twice() -> None:
    shown = run_make("--dry-run", "test", "test-all").stdout
    runs = [line for line in shown.splitlines() if "-m pytest" in line]
    assert [line.partition(" -m pytest ")[2].partition("-m ")[2] for line in runs] == [
        '"not slow"',
        "slow",
    ]
    assert shown == run_make("--dry-run", "test-all").stdout


def test_ci_runs_all_tests_and_requires_the_trust_tests() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert "\nmake test test-all\n" in script
    assert "export ESOPLAY_TRUST=require" in script
    assert "apt-get install -y -qq bubblewrap" in script


def test_play_without_a_terminal_runs_the_demo() -> None:
    done = run_make("play")
    assert done.returncode == 0, done.stderr
    assert "6 of 6 tests passed" in done.stdout
    assert "try: run `make play` in a terminal" in done.stdout
