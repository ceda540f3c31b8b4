"""Files, output, styles and options of commands: stdout is data, stderr is narration."""

from __future__ import annotations

import os
import stat
import sys

from esoplay.errors import UsageError
from esoplay.terminal_text import command

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any, TextIO


MAX_PROGRAM = 64 << 20
"""Bytes a program may have; what is longer is some other file, or has no end."""


_WRITTEN = 1 << 20
"""Characters written at a time."""


def json_line(value: Any) -> str:
    """JSON text on one line, in ASCII where stdout is not UTF-8."""
    import json

    return json.dumps(value, ensure_ascii=not speaks_unicode(sys.stdout))


def print_json(value: Any) -> None:
    """One JSON object on stdout, on one line."""
    line = json_line(value)
    for at in range(0, len(line), _WRITTEN):  # the system writes at most 2 GiB at a time
        sys.stdout.write(line[at : at + _WRITTEN])
    print()


def narrate(text: str) -> None:
    """A line for people on stderr."""
    print(f"{text}\n", end="", file=sys.stderr)  # at once: other threads may write as well


def repaint(text: str) -> None:
    """Take away the line of progress on the terminal, and write ``text`` in its place."""
    from esoplay.terminal_text import command

    clear = command("\r\x1b[K", sys.stderr)
    print(f"{clear}{text}", end="", file=sys.stderr, flush=True)


def print_program(data: bytes) -> None:
    """A program on stdout, byte for byte unless a terminal shows it."""
    if sys.stdout.isatty():
        sys.stdout.write(data.decode("utf-8", "backslashreplace"))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def read_program(path: str) -> bytes:
    """The bytes of a program file; ``-`` is stdin.  Raises UsageError."""
    program = read_input(path, MAX_PROGRAM + 1)
    if len(program) > MAX_PROGRAM:
        name = "stdin" if path == "-" else path
        raise UsageError(f"{name}: a program cannot be longer than {MAX_PROGRAM} bytes")
    return program


def read_input(path: str, most: int) -> bytes:
    """The first ``most`` bytes of a file; ``-`` is stdin.  Raises UsageError naming it."""
    return sys.stdin.buffer.read(most) if path == "-" else read_file(path, most)


def read_file(path: str, most: int = -1) -> bytes:
    """The bytes of a file, or the first ``most``; raises UsageError naming it."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    try:
        with open(fd, "rb") as file:
            return file.read(most)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def write_file(path: str, text: str, *, private: bool) -> None:
    """Put ``text`` in the place of a file; raises UsageError naming it."""
    try:
        fd = os.open(path, os.O_WRONLY | os.O_CREAT, 0o600 if private else 0o666)
        with open(fd, "w", encoding="utf-8") as file:
            if private:
                os.fchmod(fd, 0o600)
            if stat.S_ISREG(os.fstat(fd).st_mode):  # a device cannot be truncated
                file.truncate()
            file.write(text)
    except OSError as error:
        raise UsageError(f"cannot write {path}: {error.strerror}") from error


def parse_settings(settings: list[str]) -> dict[str, str]:
    """``["eof=-1"]`` to ``{"eof": "-1"}``; raises UsageError."""
    options: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"--set takes NAME=VALUE, such as eof=-1, not {setting!r}")
        options[name] = value
    return options


# Styles

_CODES = {"bold": "1", "dim": "2", "good": "32", "bad": "31", "accent": "36"}


def styled(text: str, style: str, stream: TextIO | None = None) -> str:
    """``text`` in a style (bold, dim, good, bad, accent), where colours are welcome."""
    target = stream or sys.stdout
    if not _colours(target):
        return text
    begin, end = f"\x1b[{_CODES[style]}m", "\x1b[0m"
    return f"{command(begin, target)}{text}{command(end, target)}"


def mark(good: bool, stream: TextIO | None = None) -> str:
    """A tick or a cross; another sign where the terminal has no such signs."""
    signs = "✓✗" if speaks_unicode(stream or sys.stdout) else "+x"
    return styled(signs[0 if good else 1], "good" if good else "bad", stream)


def is_plain(wanted: bool = False) -> bool:
    """Whether text is wanted instead of a screen: asked for, or the terminal cannot draw one."""
    if in_browser():
        return False
    asked = os.environ.get("ESOPLAY_PLAIN", "") not in ("", "0")
    return wanted or asked or os.environ.get("TERM") == "dumb"


def in_browser() -> bool:
    """Whether ``esoplay web`` started this process, whose screen is a page."""
    return os.environ.get("TEXTUAL_DRIVER") == "textual.drivers.web_driver:WebDriver"


def has_screen() -> bool:
    """Whether a screen can be drawn: on a terminal or in a browser."""
    return in_browser() or (sys.stdin.isatty() and sys.stdout.isatty())


def add_colours(parser: argparse.ArgumentParser) -> None:
    """Add ``--colours`` to a command that opens a screen; see :func:`choose_colours`."""
    from esoplay.color_depth import CHOICES

    parser.add_argument(
        "--colours",
        choices=CHOICES,
        help="how many colours the terminal shows (default: ESOPLAY_COLOURS, else detected)",
    )


def choose_colours(args: argparse.Namespace) -> None:
    """Pass ``--colours`` on to the screen."""
    from esoplay.color_depth import VARIABLE

    if args.colours is not None:
        os.environ[VARIABLE] = args.colours


def speaks_unicode(stream: TextIO) -> bool:
    """Whether every character can be written there."""
    return str(stream.encoding).lower().startswith("utf")


QUOTED = 300
"""Bytes of a program that ``quoted`` shows in a line."""


def quoted(data: bytes, limit: int = QUOTED) -> str:
    """Bytes of a program as one harmless line: controls are escaped, long ones cut."""
    text = data[:limit].decode("utf-8", "backslashreplace")
    shown = "".join(map(_escape, text))
    return f'"{shown}"' if len(data) <= limit else f'"{shown}" … ({len(data)} bytes)'


def _escape(character: str) -> str:
    if character == '"':
        return '\\"'
    if character.isprintable() and character != "\\":
        return character
    return character.encode("unicode_escape").decode("ascii")


def _colours(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


# The options ``--seed`` and ``--seed-file``


def add_seed_arguments(parser: Any) -> None:
    """Add both to a parser or a group of one; either may be given."""
    seeds = parser.add_mutually_exclusive_group()
    seeds.add_argument(
        "--seed",
        metavar="S",
        help="64 hexadecimal digits or any text (others can see it in the process list)",
    )
    seeds.add_argument("--seed-file", metavar="F", help="file with 64 hexadecimal digits, mode 600")


def seed_of(args: argparse.Namespace) -> bytes | None:
    """The seed that was given, if any; raises UsageError."""
    from pathlib import Path

    from esoplay.grading.seeds import parse_seed, read_seed_file

    if args.seed_file is not None:
        return read_seed_file(Path(args.seed_file))
    return None if args.seed is None else parse_seed(args.seed)
