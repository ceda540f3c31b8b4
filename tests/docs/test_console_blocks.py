"""Blocks marked ``console`` in the README and in docs/ are executed as they stand.

``$ command`` lines run in one fresh folder per page, in order; what follows must be what they
print on stdout, or on stderr when there is nothing.  ``…`` stands for anything, and a
session's id for any id.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from blocks import PAGES, blocks, name_of
from selection import slow_except
from shell import PATHS

from esoplay.agents.isolation import find_bubblewrap

SESSION_ID = re.compile(r"\b[0-9a-f]{12}\b")


def commands(page: Path) -> list[tuple[str, str]]:
    """(command, expected output) in order; a command goes on after a trailing backslash."""
    found: list[tuple[str, list[str]]] = []
    for block in blocks(page):
        if block.kind != "console":
            continue
        goes_on = False
        for line in block.text.splitlines():
            if goes_on:
                found[-1] = (f"{found[-1][0]}\n{line}", [])
            elif line.startswith("$ "):
                found.append((line[2:], []))
            else:
                found[-1][1].append(line)
                continue
            goes_on = line.endswith("\\")
    return [(command, "\n".join(lines)) for command, lines in found]


WITH_COMMANDS = [page for page in PAGES if commands(page)]


def test_there_are_pages_with_console_blocks() -> None:
    assert len(WITH_COMMANDS) >= 2


# Most pages run dozens of commands.
FAST = (
    "README.md",
    "docs/grading.md",
    "docs/languages/whitespace.md",
    "docs/learning.md",
)


@pytest.mark.parametrize(
    "page",
    slow_except(WITH_COMMANDS, *(page for page in WITH_COMMANDS if name_of(page) in FAST)),
    ids=name_of,
)
def test_console_blocks_of_a_page_print_what_they_show(page: Path, tmp_path: Path) -> None:
    if page.name == "agents.md" and not find_bubblewrap().is_usable:
        pytest.skip("solvers are isolated on this page, and bubblewrap does not work here")
    tool = tmp_path / "bin" / "esoplay"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m esoplay "$@"\n', encoding="utf-8")
    tool.chmod(0o755)
    (tool.parent / "python3").symlink_to(sys.executable)
    work = tmp_path / "work"
    work.mkdir()
    env = {
        **os.environ,
        "PYTHONPATH": PATHS,
        "COLUMNS": "100",  # independent of the caller's setting
        "PATH": f"{tool.parent}{os.pathsep}{os.environ['PATH']}",
    }
    for command, expected in commands(page):
        if command.startswith("cd "):
            work = work / command[3:]
            continue
        done = subprocess.run(
            ["sh", "-c", command], capture_output=True, cwd=work, env=env, timeout=300, check=False
        )
        printed = (done.stdout or done.stderr).decode()
        pattern = re.escape(expected.rstrip("\n")).replace("…", "(?s:.*)")
        pattern = SESSION_ID.sub("[0-9a-f]{12}", pattern)
        assert re.fullmatch(pattern, printed.rstrip("\n")), (command, printed)
