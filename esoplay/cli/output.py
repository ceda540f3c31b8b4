"""Files, output, styles and common options of commands; data on stdout, messages on stderr."""

from __future__ import annotations

import os
import stat
import sys

from esoplay.errors import UsageError
from esoplay.terminal_text import raw_sequence

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any, TextIO


MAX_PROGRAM_BYTES = 64 << 20
"""Maximum size of a program in bytes; longer files are rejected."""


_CHUNK = 1 << 20
"""Number of characters that are written at a time."""


def json_line(value: Any) -> str:
    """Encode a value as one line of JSON, with only ASCII characters unless stdout is UTF-8."""
    import json

    return json.dumps(value, ensure_ascii=not supports_unicode(sys.stdout))


def print_json(value: Any) -> None:
    """Print one JSON object on one line of stdout."""
    line = json_line(value)
    for at in range(0, len(line), _CHUNK):  # the system writes at most 2 GiB at a time
        sys.stdout.write(line[at : at + _CHUNK])
    print()


def print_stderr(text: str) -> None:
    """Print a line for people on stderr."""
    print(f"{text}\n", end="", file=sys.stderr)  # one write: other threads may write, too


def replace_line(text: str) -> None:
    """Replace the progress line on the terminal with ``text``."""
    from esoplay.terminal_text import raw_sequence

    clear = raw_sequence("\r\x1b[K", sys.stderr)
    print(f"{clear}{text}", end="", file=sys.stderr, flush=True)


def print_program(data: bytes) -> None:
    """Print a program on stdout: as text if stdout is a terminal, otherwise its exact bytes."""
    if sys.stdout.isatty():
        sys.stdout.write(data.decode("utf-8", "backslashreplace"))
    else:
        sys.stdout.flush()
        sys.stdout.buffer.write(data)


def read_program(path: str) -> bytes:
    """Read a program file; ``-`` is stdin. Raise UsageError if it is unreadable or too long."""
    program = read_input(path, MAX_PROGRAM_BYTES + 1)
    if len(program) > MAX_PROGRAM_BYTES:
        name = "stdin" if path == "-" else path
        raise UsageError(f"{name}: a program cannot be longer than {MAX_PROGRAM_BYTES} bytes")
    return program


def read_input(path: str, limit: int) -> bytes:
    """Read at most ``limit`` bytes of a file, or of stdin for ``-``; see :func:`read_file`."""
    return sys.stdin.buffer.read(limit) if path == "-" else read_file(path, limit)


def read_file(path: str, limit: int = -1) -> bytes:
    """Read a file, or its first ``limit`` bytes; raise UsageError if it is unreadable."""
    try:
        fd = os.open(path, os.O_RDONLY)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None
    try:
        with open(fd, "rb") as file:
            return file.read(limit)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def write_file(path: str, text: str, *, private: bool) -> None:
    """Replace a file with ``text``; raise UsageError if it cannot be written."""
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
    """Parse ``["eof=-1"]`` to ``{"eof": "-1"}``; raise UsageError if a setting has no ``=``."""
    options: dict[str, str] = {}
    for setting in settings:
        name, equals, value = setting.partition("=")
        if not equals:
            raise UsageError(f"--set must be NAME=VALUE, such as eof=-1, not {setting!r}")
        options[name] = value
    return options


# Styles

_CODES = {"bold": "1", "dim": "2", "good": "32", "bad": "31", "accent": "36"}


def paint(text: str, style: str, stream: TextIO | None = None) -> str:
    """Return ``text`` in a style (bold, dim, good, bad, accent) if the stream supports colors."""
    target = stream or sys.stdout
    if not _supports_colors(target):
        return text
    begin, end = f"\x1b[{_CODES[style]}m", "\x1b[0m"
    return f"{raw_sequence(begin, target)}{text}{raw_sequence(end, target)}"


def mark(passed: bool, stream: TextIO | None = None) -> str:
    """Return a tick or a cross, or ASCII characters if the stream cannot show them."""
    signs = "✓✗" if supports_unicode(stream or sys.stdout) else "+x"
    return paint(signs[0 if passed else 1], "good" if passed else "bad", stream)


def is_plain(requested: bool = False) -> bool:
    """Return whether to use text instead of a screen, as requested or required by the terminal."""
    if in_browser():
        return False
    asked = os.environ.get("ESOPLAY_PLAIN", "") not in ("", "0")
    return requested or asked or os.environ.get("TERM") == "dumb"


def in_browser() -> bool:
    """Return whether ``esoplay web`` started this process to show its screen in a browser."""
    return os.environ.get("TEXTUAL_DRIVER") == "textual.drivers.web_driver:WebDriver"


def has_screen() -> bool:
    """Return whether a screen is available: a capable terminal or a browser."""
    return in_browser() or (sys.stdin.isatty() and sys.stdout.isatty())


def add_colours(parser: argparse.ArgumentParser) -> None:
    """Add ``--colours`` to a command that opens a screen; see :func:`apply_colours`."""
    from esoplay.color_depth import CHOICES

    parser.add_argument(
        "--colours",
        choices=CHOICES,
        help="how many colours the terminal shows (default: ESOPLAY_COLOURS, else detected)",
    )


def apply_colours(colours: str | None) -> None:
    """Apply the value of ``--colours`` to the screen."""
    from esoplay.color_depth import VARIABLE

    if colours is not None:
        os.environ[VARIABLE] = colours


def supports_unicode(stream: TextIO) -> bool:
    """Return whether the stream can encode every character."""
    return str(stream.encoding).lower().startswith("utf")


MAX_QUOTED_BYTES = 300
"""Maximum number of program bytes that ``quote_bytes`` shows."""


def quote_bytes(data: bytes, limit: int = MAX_QUOTED_BYTES) -> str:
    """Return program bytes as one printable line: escaped, and truncated at ``limit`` bytes."""
    text = data[:limit].decode("utf-8", "backslashreplace")
    shown = "".join(map(_escape, text))
    return f'"{shown}"' if len(data) <= limit else f'"{shown}" … ({len(data)} bytes)'


def _escape(character: str) -> str:
    if character == '"':
        return '\\"'
    if character.isprintable() and character != "\\":
        return character
    return character.encode("unicode_escape").decode("ascii")


def _supports_colors(stream: TextIO) -> bool:
    return stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


# The options ``--seed`` and ``--seed-file``


def add_seed_arguments(parser: Any) -> None:
    """Add ``--seed`` and ``--seed-file`` to a parser or group; they exclude each other."""
    seeds = parser.add_mutually_exclusive_group()
    seeds.add_argument(
        "--seed",
        metavar="S",
        help="64 hexadecimal digits or any text (others can see it in the process list)",
    )
    seeds.add_argument("--seed-file", metavar="F", help="file with 64 hexadecimal digits, mode 600")


def seed_argument(args: argparse.Namespace) -> bytes | None:
    """Return the seed of the options, or None. Raises UsageError if it is invalid."""
    from pathlib import Path

    from esoplay.grading.seeds import parse_seed, read_seed_file

    if args.seed_file is not None:
        return read_seed_file(Path(args.seed_file))
    return None if args.seed is None else parse_seed(args.seed)
