"""The state folder of earlier versions: progress, programs, notes, breakpoints, drafts, themes."""

from __future__ import annotations

import hashlib
import io
import json
import os
import shutil
import sqlite3
import sys
from base64 import b64decode
from collections.abc import Generator
from contextlib import closing, contextmanager
from operator import itemgetter
from pathlib import Path

import pytest
from frozen_data import (
    FOR_PEOPLE,
    Command,
    Restore,
    Restored,
    differences,
    each_version,
    environment,
    read_json,
)
from tui.terminal import CTRL_Q, ENTER, F2, Terminal

from esoplay.tui.keys import read_keys
from esoplay.tui.themes import load_themes


@contextmanager
def on_the_screen(restored: Restored, *words: str | Path) -> Generator[Terminal]:
    """The application in a terminal; it has to end by itself."""
    with in_a_terminal(restored, "play", *words) as terminal:
        yield terminal
        terminal.send(CTRL_Q)
        assert terminal.wait_for_end() == 0


def in_a_terminal(restored: Restored, *words: str | Path) -> Terminal:
    own = environment(restored.home) | {"TERM": "xterm-256color", "COLORTERM": "truecolor"}
    shown = {name: value for name, value in own.items() if name not in ("COLUMNS", "LINES")}
    return Terminal([sys.executable, "-P", "-m", "esoplay", *map(str, words)], env=shown)


def has_breakpoints(kept: Path) -> bool:
    return bool(read_json(kept)["breakpoints"])


def damaged(home: Path) -> list[Path]:
    """What a version could not read, and set aside."""
    return [file for file in home.rglob("*") if "damaged" in file.name]


# Progress


@pytest.mark.parametrize("shown", each_version("progress/shown.json"))
def test_the_scoreboard_is_the_same(shown: Path, restore: Restore, command: Command) -> None:
    """Days in a row until today depend on the day, the longest do not."""
    restored = restore(shown)
    for file, words in ((shown, ()), (shown.with_name("small-pack.json"), ("--pack", "small"))):
        frozen, now = read_json(file), command.json("progress", *words)
        streaks = frozen.pop("streak"), now.pop("streak")
        assert differences(frozen, now, {"title", "version"}) == []
        assert len({streak["longest"] for streak in streaks}) == 1
    assert damaged(restored.home) == []


@pytest.mark.parametrize("exported", each_version("progress/exported.json"))
def test_all_progress_is_exported(exported: Path, restore: Restore, command: Command) -> None:
    """Every submission with its program, hints, lessons, and solutions of others."""
    restore(exported)
    now = json.loads(command("progress", "export"))
    assert differences(read_json(exported), now, {"esoplay"}) == []


@pytest.mark.parametrize("file", each_version("progress/*ported.json"))
def test_a_file_of_progress_is_merged(
    file: Path, home: Path, command: Command, tmp_path: Path
) -> None:
    command("progress", "import", file)
    once = json.loads(command("progress", "export"))
    frozen = read_json(file)
    frozen["submissions"] = sorted(frozen["submissions"], key=itemgetter("at"))  # as they are added
    assert differences(frozen, once, {"esoplay"}) == []
    assert "nothing new" in command("progress", "import", file)
    assert json.loads(command("progress", "export")) == once
    for digest, program in frozen["programs"].items():
        assert (home / "solutions" / digest).read_bytes() == b64decode(program)


# Notes, breakpoints and watches


@pytest.mark.parametrize("program", each_version("notebooks/noted.bf"))
def test_a_notebook_is_restored(
    program: Path,
    restore: Restore,
    command: Command,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    restored = restore(program)
    page = tmp_path / "notes.md"
    talk = f"notes\nexport {page}\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(talk.encode())))
    said = command("debug", program, "--input", "x", "--repl", "--json").splitlines()
    frozen = read_json(program.with_name("noted.jsonl"))
    assert differences(frozen, json.loads(said[1]), FOR_PEOPLE - {"words"}) == []
    assert frozen["notes"][0]["words"] in page.read_text("utf-8")
    assert damaged(restored.home) == []


@pytest.mark.terminal
@pytest.mark.parametrize("program", each_version("watched/watched.bf"))
def test_watches_are_restored(program: Path, restore: Restore) -> None:
    restored = restore(program)
    words = ("debug", program, "--input", "", "--repl")
    with in_a_terminal(restored, *words) as terminal:
        terminal.wait_for("step 0")
        terminal.send("display\n")
        terminal.wait_for("watch 2")
        assert "watch 1: cell[1] + 1 is 1" in terminal.text
        assert "watch 2: ptr is 0" in terminal.text
        terminal.send("quit\n")
        assert terminal.wait_for_end() == 0
    assert damaged(restored.home) == []


@pytest.mark.terminal
@pytest.mark.parametrize("kept", each_version("home/kept/*.json", has_breakpoints))
def test_breakpoints_are_restored(kept: Path, restore: Restore, tmp_path: Path) -> None:
    """The screen reads them, and writes them again with one that is added."""
    frozen = read_json(kept)
    restored = restore(kept)
    program = {
        hashlib.sha256(f"{language}\0".encode() + source).hexdigest(): (source, ending)
        for language, source, ending in (
            ("brainfuck", b"++[>+++<-]>.,.\n", ".bf"),
            ("befunge-98", b"12+.~,@\n", ".b98"),
        )
    }
    source, ending = program[kept.stem]
    file = tmp_path / f"stopped{ending}"
    file.write_bytes(source)
    with on_the_screen(restored, file) as terminal:
        terminal.wait_for(file.name)
        terminal.send(F2)
        terminal.wait_for("PAUSED")
        terminal.send(":")
        terminal.wait_for("cell[3]==10")
        terminal.send("b every 1234")
        terminal.wait_for(" :b every 1234")
        terminal.send(ENTER)
        terminal.wait_for(lambda shown: " :b every 1234" not in shown)
    now = read_json(restored.home / "kept" / kept.name)
    assert now["breakpoints"].pop() == {"every": 1234}
    assert differences(frozen, now, ()) == []
    assert damaged(restored.home) == []


# What the screen opens


@pytest.mark.terminal
@pytest.mark.parametrize("database", each_version("home/play.sqlite3"))
def test_the_screen_opens_where_it_was_left(database: Path, restore: Restore) -> None:
    """The problem with its program, the theme, and the scores."""
    restored = restore(database)
    before = settings(restored.home)
    with on_the_screen(restored) as terminal:
        terminal.wait_for("E08")
        terminal.wait_for(">,[>,]<[.<]")
        terminal.wait_for("of 80 solved")
    after = settings(restored.home)
    for name in ("problem", "language", "theme", "hints esoplay-80 E02", "lessons done brainfuck"):
        assert after[name] == before[name]
    assert damaged(restored.home) == []


def settings(home: Path) -> dict[str, str]:
    with closing(sqlite3.connect(home / "play.sqlite3")) as database:
        return dict(database.execute("SELECT name, value FROM settings").fetchall())


@pytest.mark.terminal
@pytest.mark.parametrize("draft", each_version("home/drafts/*.bf"))
def test_a_draft_is_offered_again(draft: Path, restore: Restore, tmp_path: Path) -> None:
    """It is found by its file's path, which is another one here."""
    restored = restore(draft)
    file = (tmp_path / "draft.bf").resolve()
    file.write_bytes(b"+++\n")
    name = hashlib.sha256(os.fsencode(file)).hexdigest()[:16]
    shutil.move(restored.home / "drafts" / draft.name, restored.home / "drafts" / f"{name}.bf")
    with in_a_terminal(restored, "play", file) as terminal:
        terminal.wait_for("-.-+++")
        terminal.send(CTRL_Q)
        terminal.wait_for("unsaved changes")
        terminal.send("k")
        assert terminal.wait_for_end() == 0


@pytest.mark.parametrize("theme", each_version("home/themes/*.toml"))
def test_a_theme_is_read(theme: Path) -> None:
    themes, notices, _ = load_themes([theme.parent])
    assert theme.stem in themes
    assert notices == []


@pytest.mark.parametrize("keys", each_version("home/keys.toml"))
def test_keys_are_read(keys: Path) -> None:
    read = read_keys(keys.parent)
    assert read.keymap == {"tests.submit": "f9", "debug.over": "n,o"}
    assert read.notice is None
