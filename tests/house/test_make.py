"""The commands of the Makefile: what they run, and how they behave without a terminal."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

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
    first = [line.partition(" || ")[0] for line in runs]  # before failed tests run again
    assert [line.partition(" -m pytest ")[2].partition("-m ")[2] for line in first] == [
        '"not slow"',
        "slow",
    ]
    assert all(line.count(" -m pytest ") == 2 and " --last-failed " in line for line in runs)
    assert shown == run_make("--dry-run", "test-all").stdout


def test_ci_runs_all_tests_and_requires_the_trust_tests() -> None:
    script = (ROOT / ".ci" / "run").read_text()
    assert "\nmake test test-all\n" in script
    assert "export ESOPLAY_TRUST=require" in script
    assert "apt-get install -y -qq bubblewrap" in script


@pytest.mark.slow
def test_play_without_a_terminal_runs_the_demo() -> None:
    done = run_make("play")
    assert done.returncode == 0, done.stderr
    assert "6 of 6 tests passed" in done.stdout
    assert "try: run `make play` in a terminal" in done.stdout


PIP = """\
echo 'Collecting textual<9,>=8.2 (from esoplay==0.1.0)'
echo '  Downloading textual-8.2.8-py3-none-any.whl (731 kB)'
echo 'Processing /wheels/rich-15.0.0-py3-none-any.whl (from esoplay==0.1.0)'
echo '  Running command Building editable for esoplay (pyproject.toml)'
echo "  building 'esolangs.brainfuck._core_c' extension"
echo '  gcc -O3 core.c'
echo "  building 'esolangs.unlambda._core_tree_c' extension"
"""


def install(folder: Path, pip: str) -> subprocess.CompletedProcess[str]:
    """``make .venv/installed`` where a script stands for Python and its pip."""
    programs = folder / ".venv" / "bin"
    programs.mkdir(parents=True)
    for name, script in (("python", pip), ("esoplay", "echo engines; echo brainfuck compiled")):
        (programs / name).write_text(f"#!/bin/sh\n{script}\n")
        (programs / name).chmod(0o755)
    for name in ("pyproject.toml", "setup.py"):
        (folder / name).touch()
    shutil.copy(ROOT / "Makefile", folder)
    outer = ("MAKEFLAGS", "MAKELEVEL", "MFLAGS")  # of a make that runs the tests
    environment = {name: value for name, value in os.environ.items() if name not in outer}
    return subprocess.run(
        ["make", ".venv/installed"],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_installation_shows_each_package_and_engine(tmp_path: Path) -> None:
    done = install(tmp_path, PIP)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[1:5] == [
        "  package textual",
        "  package rich",
        "  compiling 1: brainfuck core",
        "  compiling 2: unlambda core_tree",
    ]
    assert "Installed. Engines:" in done.stdout
    assert "gcc" in (tmp_path / ".venv" / "install.log").read_text()


def test_an_installation_that_fails_shows_why(tmp_path: Path) -> None:
    done = install(tmp_path, PIP + "echo 'no space left on device'; exit 1")
    assert done.returncode != 0
    assert "no space left on device" in done.stderr
    assert "try: run `make" in done.stderr
    assert not (tmp_path / ".venv" / "installed").exists()
