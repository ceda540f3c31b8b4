"""The REPL on stdin and stdout: prompts on a terminal only, Ctrl-C ends a move and not the REPL."""

from __future__ import annotations

import contextlib
import signal
import sys
from collections.abc import Iterator

from esoplay.cli.repl.desk import Desk
from esoplay.cli.repl.shell import Shell
from esoplay.service.debugging import Debugger

PROMPT = "> "


def converse(debugger: Debugger, *, as_json: bool = False, first: str = "") -> Desk:
    """Take commands from stdin until it ends or a command leaves; ``first``: one before them.

    Returns what they led to.
    """
    reconfigure = getattr(sys.stdin, "reconfigure", None)  # a stand-in may not have it
    if reconfigure is not None:
        reconfigure(errors="backslashreplace")  # a script's bytes need not be text
    interactive = sys.stdin.isatty() and sys.stdout.isatty() and not as_json
    desk = Desk(debugger, keeps_notes=True, keeps_watches=interactive)  # scripts say what they want
    shell = Shell(desk, _say, as_json=as_json)
    before = signal.getsignal(signal.SIGINT)
    if interactive:
        signal.signal(signal.SIGINT, lambda number, frame: desk.interrupt())
    try:
        shell.greet()
        shell.do(first)
        shell.run(typed(PROMPT) if interactive else sys.stdin)
    finally:
        signal.signal(signal.SIGINT, before)
    return desk


def typed(prompt: str) -> Iterator[str]:
    """Lines from a person, with history and editing where the platform has them."""
    with contextlib.suppress(ImportError):
        import readline  # noqa: F401  # pyright: ignore[reportUnusedImport]
    while True:
        try:
            yield input(prompt)
        except EOFError:
            return


def _say(line: str) -> None:
    print(line, flush=True)
