"""Freeze the state folder: progress, programs, notes, breakpoints, watches, settings, themes."""

from __future__ import annotations

from base64 import b64encode
from hashlib import sha256

from tui.terminal import CTRL_Q, ENTER, F2, Terminal
from workshop import Workshop

F3 = "\x1bOR"

BREAKPOINTS = {
    "brainfuck": (
        "at 1:3 if value > 1",
        "backwards at 1:4",
        "at '.' log saw {cell[1]}",
        "write 1",
        "read 0",
        "output 2",
        'output "12"',
        "step 7",
        "every 5",
        "new",
        "on input",
        "cell[1] == 2 and hits > 5",
    ),
    "befunge-98": ("at 3,0", "write 3,-4", "slot 2:5", "slot 1"),
}
PROGRAMS = {"brainfuck": b"++[>+++<-]>.,.\n", "befunge-98": b"12+.~,@\n"}
THEME = """\
name = "frozen"
primary = "#ff8800"
dark = true

[variables]
pointer = "orange 40%"
"""
KEYS = """\
"tests.submit" = "f9"

[debug]
over = "n,o"
"""
LANE = """\
id = "posix-shell"
name = "POSIX shell"
extensions = [".frozen-sh"]
source = "main.sh"
starter = "true\\n"
card = "- `printf %s` prints without a newline."

[toolchain]
command = ["dash", "sh"]
version = ["{tool}", "-c", "echo any"]

[compile]
command = ["{tool}", "-n", "{source}"]

[run]
command = ["{tool}", "{source}"]
environment = { PATH = "/usr/bin:/bin" }
address_space = true
allowance = 16
processes = 16
"""


def freeze(shop: Workshop) -> None:
    """Use the application, and keep its state folder as ``home``."""
    shop.write(shop.home / "themes" / "frozen.toml", THEME)
    shop.write(shop.home / "keys.toml", KEYS)
    shop.store("lanes/posix-shell.toml", LANE)
    practise(shop)
    keep_watches(shop)
    keep_notes(shop)
    for language in BREAKPOINTS:
        debug_on_the_screen(shop, language)
    leave_a_draft(shop)
    import_progress(shop)
    shop.store("progress/exported.json", shop.run("progress", "export"))
    shop.store("progress/shown.json", shop.json("progress"))
    shop.store("progress/small-pack.json", shop.json("progress", "--pack", "small"))


def practise(shop: Workshop) -> None:
    """Submissions, hints and a lesson, in the application as lines of text."""
    with shop.terminal("play", "--plain") as terminal:
        _say(terminal, "problem E02", "Print the line that you read")
        _say(terminal, "hint", "hint 1 of 3")
        _type_in(terminal, ",.")
        _say(terminal, "submit", "hidden test 6")
        _type_in(terminal, ",[.,]")
        _say(terminal, "submit", "E02 is solved")
        _say(terminal, "language befunge-98", "Befunge-98, in use")
        _type_in(terminal, "~:a-!#@_,")
        _say(terminal, "submit", "hidden test 6")
        _say(terminal, "language brainfuck", "Brainfuck, in use")
        _say(terminal, "problem E08", "Print a line backwards")
        _type_in(terminal, ">,[>,]<[.<]")
        _say(terminal, "submit", "E08 is solved")
        _say(terminal, "lesson 1", "task: Step until")
        _say(terminal, "hint", "hint 1")
        _say(terminal, "6 s", "done")
        _say(terminal, "quit", "back in esoplay")
        terminal.send("quit\n")
        terminal.wait_for_end()


def _say(terminal: Terminal, line: str, wanted: str) -> None:
    """Type a line, and wait for a part of the answer after it."""
    before = bytes(terminal.raw)
    terminal.send(line + "\n")

    def answered(_: str) -> bool:
        return wanted.encode() in bytes(terminal.raw)[len(before) + len(line) :]

    terminal.wait_for(answered, wanted)


def _type_in(terminal: Terminal, program: str) -> None:
    _say(terminal, "type", "single dot")
    terminal.send(program + "\n")
    _say(terminal, ".", "bytes")


def keep_watches(shop: Workshop) -> None:
    """Watch expressions, which the text debugger keeps on a terminal."""
    file = shop.write(shop.work / "watched.bf", b"+++>++<[-]\n")
    with shop.terminal("debug", file, "--input", "", "--repl") as terminal:
        for line, wanted in (
            ("display cell[1] + 1", "watch 1"),
            ("display ptr", "watch 2"),
            ("2 s", "step 2"),
        ):
            _say(terminal, line, wanted)
        terminal.send("quit\n")
        terminal.wait_for_end()
    shop.store("watched/watched.bf", file.read_bytes())


def keep_notes(shop: Workshop) -> None:
    """Notebooks, as the text debugger and JSON-RPC keep them."""
    file = shop.write(shop.work / "noted.bf", PROGRAMS["brainfuck"])
    lines = "3 s\nnote the loop begins — é\nG\nnote the end\nnotes\n"
    shop.store("notebooks/noted.bf", file.read_bytes())
    said = shop.run("debug", file, "--input", "x", "--repl", "--json", stdin=lines)
    shop.store("notebooks/noted.jsonl", said.splitlines()[-1] + "\n")
    shop.run("debug", file, "--input", "x", "--repl", stdin="export notes.md\n")
    shop.store("notebooks/noted.md", (shop.work / "notes.md").read_bytes())


def debug_on_the_screen(shop: Workshop, language: str) -> None:
    """Breakpoints of every kind and a watch, set on the screen."""
    ending = {"brainfuck": ".bf", "befunge-98": ".b98"}[language]
    file = shop.write(shop.work / f"stopped{ending}", PROGRAMS[language])
    with shop.terminal("play", file) as terminal:
        terminal.wait_for(file.name)
        terminal.send(F2)
        terminal.wait_for("PAUSED")
        texts = [f"b {each}" for each in BREAKPOINTS[language]]
        for text in [*texts, "watch stack[0] + 1" if language != "brainfuck" else "watch cell[0]"]:
            terminal.send(":")
            terminal.wait_for("cell[3]==10")
            terminal.send(text)
            terminal.wait_for(f" :{text}")
            terminal.send(ENTER)
            terminal.wait_for(lambda shown, text=text: f" :{text}" not in shown, "it is taken")
        if language != "brainfuck":
            terminal.send("z")  # one of the boxes fills the pane: a setting, as the theme is
            terminal.send(F3)
        terminal.send(CTRL_Q)
        if terminal.wait_for_end():
            raise SystemExit(f"the screen ended with {terminal.exit_code}")


def leave_a_draft(shop: Workshop) -> None:
    """A user's file with changes that were not saved when the terminal went away."""
    file = shop.write(shop.work / "draft.bf", b"+++\n")
    with shop.terminal("play", file) as terminal:
        terminal.wait_for("draft.bf")
        terminal.wait_for("^q Quit")
        terminal.send("-.-")
        terminal.wait_for("-.-+++")
        terminal.hang_up()
    drafts = list((shop.home / "drafts").iterdir())
    if [draft.read_bytes() for draft in drafts] != [b"-.-+++\n"]:
        raise SystemExit(f"no draft was kept: {drafts}")


def import_progress(shop: Workshop) -> None:
    """Progress of several days, in a file that is imported and kept."""
    program = b",[.,]"
    digest = sha256(program).hexdigest()
    submission = {
        "pack": "esoplay-80",
        "problem": "E02",
        "language": "brainfuck",
        "dialect": "standard",
        "size": len(program),
    }
    good = {"verdicts": ["pass"] * 6, "steps": 1099, "memory": 4, "program": digest}
    bad = {"verdicts": ["pass"] * 5 + ["fault"], "steps": 7, "memory": None, "program": None}
    data = {
        "format": "esoplay-progress",
        "format_version": 1,
        "submissions": [
            submission | bad | {"at": "2026-01-04T23:30:00+00:00", "day": "2026-01-05"},
            submission | good | {"at": "2026-01-05T19:30:00+00:00", "day": "2026-01-05"},
            submission | good | {"at": "2026-01-06T19:30:00+00:00", "day": "2026-01-06"},
            submission | good | {"at": "2026-01-07T08:00:00+00:00", "day": "2026-01-07"}
            | {"problem": "E01", "language": "unlambda", "program": None},
            submission | good | {"at": "2026-01-07T09:00:00+00:00", "day": "2026-01-07"}
            | {"pack": "small", "problem": "Q1", "verdicts": ["pass"] * 3},
        ],
        "programs": {digest: b64encode(program).decode()},
        "others": [
            {
                "solver": "somebody",
                "pack": "esoplay-80",
                "problem": "E02",
                "language": "brainfuck",
                "program": sha256(b",[.,]!").hexdigest(),
                "steps": 900,
                "size": 6,
                "memory": 2,
            }
        ],
        "hints": {"esoplay-80 E02": 2},
        "lesson_hints": {"brainfuck 01-cells": 1},
        "lessons": {"unlambda": ["01-printing"]},
    }  # fmt: skip
    shop.store("progress/imported.json", data)
    shop.run("progress", "import", shop.output / "progress" / "imported.json")
