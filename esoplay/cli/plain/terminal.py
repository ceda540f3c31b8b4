"""The text mode on stdin and stdout: nothing is drawn, nothing is coloured, no sign turns."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Iterator

from esoplay.cli.plain.bench import Bench
from esoplay.cli.plain.commands import Console
from esoplay.cli.plain.shell import PlainShell
from esoplay.cli.repl import loop
from esoplay.cli.repl import shell as debugger_shell
from esoplay.cli.repl.lessons import LessonSession
from esoplay.errors import UsageError
from esoplay.service.debugging import Debugger
from esoplay.temporary import TemporaryFolder

PROMPT = "esoplay> "


def converse(bench: Bench) -> None:
    """Take commands until the input ends or one leaves; Ctrl-C ends what runs, not esoplay."""
    loop.converse(
        PlainShell(bench, Console(loop.say, _start_debugger, _start_editor, _lines_until_dot)),
        PROMPT,
    )


def _start_debugger(debugger: Debugger, first: str) -> LessonSession:
    session = debugger_shell.converse(debugger, first=first)
    loop.say("back in esoplay")
    return session


def _lines_until_dot() -> list[str]:
    return list(_until_dot(loop.typed("")))


def _until_dot(lines: Iterator[str]) -> Iterator[str]:
    for line in lines:
        if line == ".":
            return
        yield line


def _start_editor(source: bytes, name: str) -> bytes:
    """What the user's editor makes of a text; UsageError where there is none, or it fails."""
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not command:
        raise UsageError("no $EDITOR is set; type takes lines, load FILE takes a file")
    with TemporaryFolder("edit") as folder:
        copy = folder / name
        copy.write_bytes(source)
        try:
            sys.stdout.flush()
            ended = subprocess.run([*shlex.split(command), str(copy)], check=False)
            after = copy.read_bytes()
        except (OSError, ValueError) as error:
            raise UsageError(f"{command} could not be used: {error}") from None
    if ended.returncode:
        raise UsageError(f"{command} ended with {ended.returncode}; nothing was taken over")
    return after
