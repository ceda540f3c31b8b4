"""``docs/sessions.md`` says what is so."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path

from esoplay.sessions import events
from esoplay.sessions.protocols import PROTOCOLS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "sessions.md").read_text("utf-8")
WORDS = {None: "unlimited", True: "yes", False: "no"}


def rows(first_cell: str) -> list[list[str]]:
    """The cells of the table whose header begins so."""
    table = TEXT[TEXT.index(f"| {first_cell}") :].split("\n\n")[0]
    return [[cell.strip(" `") for cell in line[1:-1].split("|")] for line in table.splitlines()]


def test_the_table_of_protocols_is_the_one_in_force() -> None:
    header, _, *fields = rows("| `primary`")
    assert header[1:] == list(PROTOCOLS)
    values = {name: asdict(protocol) for name, protocol in PROTOCOLS.items()}
    for field, *cells in fields:
        assert cells == [WORDS.get(values[n][field], str(values[n][field])) for n in PROTOCOLS]
    assert {field for field, *_ in fields} == values["primary"].keys() - {"id", "purpose"}


def test_every_event_is_listed() -> None:
    _, _, *listed = rows("event |")
    assert [name for name, _ in listed] == [kind.kind for kind in events.Event.__args__]


def test_the_conversation_goes_as_shown(tmp_path: Path) -> None:
    """Each ``$`` line is typed into one shell; ids differ, and ``…`` stands for anything."""
    console = re.search(r"```console\n(.*?)```", TEXT, re.DOTALL)
    assert console
    lines = console[1].splitlines()
    typed = [line[2:] for line in lines if line.startswith("$ ")]
    esoplay = tmp_path / "esoplay"
    esoplay.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m esoplay "$@"\n')
    esoplay.chmod(0o755)
    done = subprocess.run(
        ["sh", "-c", "\n".join(f"echo '$'; {command}" for command in typed)],
        cwd=tmp_path,
        env={
            **os.environ,
            "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": os.pathsep.join(map(str, (ROOT, ROOT / "interpreters"))),
            "ESOPLAY_HOME": str(tmp_path / "home"),
        },
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    shown = "\n".join("$" if line.startswith("$ ") else line for line in lines)
    pattern = re.escape(shown).replace("…", "(?s:.*)")
    pattern = re.sub(r"[0-9a-f]{12}", "[0-9a-f]{12}", pattern)
    assert re.fullmatch(pattern, without_narration(done.stdout).strip()), done.stdout


def without_narration(text: str) -> str:
    """``init`` tells on stderr where to go; that is in the words around the example."""
    return re.sub(r"\d+ problems in .*\n", "", text)
