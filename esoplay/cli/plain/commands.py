"""What a command of the text mode is."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from esoplay.cli.plain.bench import Bench
from esoplay.cli.repl.lessons import LessonSession
from esoplay.debugging.command_line import Line
from esoplay.service.debugging import Debugger


class Console(NamedTuple):
    """What a command may do besides answering.

    say: one line, at once.  debug: a conversation with a debugger until it is left, which begins
    with a command.  edit: let the user's editor have a text under a file name.  lines: typed
    lines up to one that is a single dot.
    """

    say: Callable[[str], None]
    debug: Callable[[Debugger, str], LessonSession]
    edit: Callable[[bytes, str], bytes]
    lines: Callable[[], list[str]]


Handler = Callable[[Bench, Console, Line], None]


class Command(NamedTuple):
    """names: the word, then its short forms.  usage: its arguments.  help: what it does."""

    names: tuple[str, ...]
    usage: str
    help: str
    handler: Handler
