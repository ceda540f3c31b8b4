"""Parsing of command lines: a word and its arguments, numbers, and quoted text.

A count may precede the word: ``200 s``, ``200s`` and ``s 200`` are the same command.  A line that
is only a number is the command ``goto`` with this step.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from esoplay.errors import UsageError


class CommandLine(NamedTuple):
    """A command line: the command word, its arguments, and the unparsed text after the word.

    repeat_count: the number after the slash, as in gdb: 8 in ``x/8 3``.
    """

    word: str
    arguments: tuple[str, ...]
    rest: str
    repeat_count: int | None = None


_COUNTED = re.compile(r"(\d+)\s*(?=[A-Za-z?])")
_STEP = re.compile(r"\d+(\.\d+)?%|\d[\d,_]*")
_STEPS = re.compile(r"([+-])\s*(\d[\d,_]*)")
_SLASH_COMMAND = re.compile(r"([A-Za-z]+)/(\d{1,9})[a-z]*")
_WORD = re.compile(r"(\S+) ?(.*)", re.DOTALL)


def parse_line(text: str) -> CommandLine | None:
    """Parse a command line; return None for a blank line or a comment (``#``).

    A leading colon, which opens the command line on the screen, is skipped.
    """
    text = text.strip("\r\n").lstrip().removeprefix(":").lstrip()
    bare = text.strip()
    if not bare or text.startswith("#"):
        return None
    if _STEP.fullmatch(bare):
        return CommandLine("goto", (bare,), bare)
    if steps := _STEPS.fullmatch(bare):
        return CommandLine("step" if steps[1] == "+" else "back", (steps[2],), steps[2])
    counted = _COUNTED.match(text)
    count = counted[1] if counted else ""
    found = _WORD.match(text, counted.end() if counted else 0)
    assert found is not None  # the text is not only whitespace
    word, rest = found.groups()
    if count:
        rest = f"{count} {rest}".rstrip()
    if slashed := _SLASH_COMMAND.fullmatch(word):
        return CommandLine(slashed[1], tuple(rest.split()), rest, int(slashed[2]))
    return CommandLine(word, tuple(rest.split()), rest)


_COMMAND = re.compile(r"""(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|[^;])+""", re.DOTALL)


def split_commands(text: str) -> list[str]:
    """Split a text into commands at semicolons that are not within quotes."""
    return [each.strip() for each in _COMMAND.findall(text) if each.strip()]


_MAX_DIGITS = 4_000  # Python's limit is 4,300 digits
_MAX_QUOTE_LENGTH = 60

NO_MINIMUM = -(1 << 62)
"""The ``minimum`` for ``parse_whole_number`` if a number may be negative."""


def quote(text: str) -> str:
    """Return typed text in quotes for an error message; long text is shortened."""
    return repr(text if len(text) <= _MAX_QUOTE_LENGTH else text[: _MAX_QUOTE_LENGTH - 1] + "…")


def parse_whole_number(text: str, name: str, minimum: int = 0) -> int:
    """Parse an integer; raise UsageError if it is invalid or less than ``minimum``.

    name: the subject of the error message, such as ``a line``.
    """
    if len(text) > _MAX_DIGITS:
        raise UsageError(f"{name} must have at most {_MAX_DIGITS:,} digits")
    try:
        number = int(text.replace(",", "").replace("_", ""))
    except ValueError:
        number = None
    if number is None or number < minimum:
        bound = "" if minimum < 0 else f", {minimum} or more"
        raise UsageError(f"{name} must be an integer{bound}, not {quote(text)}")
    return number


def parse_value(text: str) -> int:
    """Parse a value: an integer, a hexadecimal number such as ``0x41``, or a quoted character."""
    byte = parse_quoted_byte(text)
    if byte is not None:
        return byte[0]
    if text.lower().startswith("0x"):
        try:
            return int(text, 16)
        except ValueError:
            pass
    return parse_whole_number(text, "a value", NO_MINIMUM)


_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|.)", re.DOTALL)
_ESCAPES = {"n": b"\n", "t": b"\t", "r": b"\r", "0": b"\0", "\\": b"\\", '"': b'"', "'": b"'"}


def unescape(text: str) -> bytes:
    r"""Return the bytes of a text with the escapes ``\n \t \r \0 \\ \" \xHH``.

    Quotes around the whole text are removed, so that it can begin or end with whitespace.
    """
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        text = text[1:-1]
    data = bytearray()
    position = 0
    for found in _ESCAPE.finditer(text):
        data += text[position : found.start()].encode("utf-8", "surrogateescape")
        letter = found[1]
        if letter[0] == "x" and len(letter) == 3:
            data.append(int(letter[1:], 16))
        elif letter in _ESCAPES:
            data += _ESCAPES[letter]
        else:
            raise UsageError(rf"unknown escape \{letter}; expected \n \t \r \0 \\ \" or \xHH")
        position = found.end()
    return bytes(data + text[position:].encode("utf-8", "surrogateescape"))


_TYPED_ESCAPE = re.compile(rb"\\(x[0-9a-fA-F]{2}|[ntr0\\])")


def typed_bytes(text: str) -> bytes:
    """Return the bytes of typed input or search text; unknown escapes are not changed."""
    return _TYPED_ESCAPE.sub(
        lambda found: unescape(found[0].decode()), text.encode("utf-8", "surrogateescape")
    )


_CHARACTER_ESCAPES_SHOWN = {"\n": r"\n", "\t": r"\t", "\r": r"\r", "\\": r"\\", "'": r"\'"}


def escape(data: bytes) -> str:
    """Return ``data`` as quoted text that ``unescape`` reads back."""
    text = data.decode("utf-8", "surrogateescape")
    return "'" + "".join(map(_escape_character, text)) + "'"


def _escape_character(character: str) -> str:
    if character in _CHARACTER_ESCAPES_SHOWN:
        return _CHARACTER_ESCAPES_SHOWN[character]
    if character.isprintable():
        return character
    return "".join(f"\\x{byte:02x}" for byte in character.encode("utf-8", "surrogateescape"))


_QUOTED = re.compile(r"(['\"])((?:\\.[0-9a-fA-F]{0,2}|.))\1", re.DOTALL)


def parse_quoted_byte(text: str) -> bytes | None:
    """Return the byte of a quoted character such as ``'H'`` or ``'\\n'``, else None."""
    found = _QUOTED.fullmatch(text)
    data = unescape(found[2]) if found else b""
    return data if len(data) == 1 else None
