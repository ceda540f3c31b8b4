"""Compare the output of a program with the expected output."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, get_args

Compare = Literal["exact", "newline", "strip", "numeric"]
"""Comparison modes.

exact: byte by byte. newline: like exact, but one line break at the end of each output is ignored.
strip: as text, without whitespace at both ends. numeric: word by word; numbers are compared by
value.
"""

COMPARE_MODES: tuple[Compare, ...] = get_args(Compare)

COMPARE_HELP = (
    "exact: byte by byte; newline: ignoring a line break at the end; strip: as text, ignoring "
    "whitespace at the start and end; numeric: word by word, with numbers compared by value; "
    "default: "
)

_NUMBER = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?", re.ASCII)


def same_output(actual: bytes, expected: bytes, compare: Compare) -> bool:
    """Return whether ``actual`` equals ``expected`` in a comparison mode."""
    if actual == expected:
        return True
    forms = _FORMS.get(compare)
    return forms is not None and forms(actual) == forms(expected)


def strip_ignored_whitespace(data: bytes, compare: Compare) -> bytes:
    """Remove the whitespace that a mode ignores at the start and end of an output."""
    if compare == "newline":
        return _without_line_break(data)
    return data if compare == "exact" else data.strip()


def _without_line_break(data: bytes) -> bytes:
    return data.removesuffix(b"\n").removesuffix(b"\r") if data.endswith(b"\n") else data


def _as_text(data: bytes) -> str:
    """Decode output as UTF-8 or, if that is invalid, as Latin-1, like the published harnesses."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _strip(data: bytes) -> str:
    return _as_text(data).strip()


def _values(data: bytes) -> list[str]:
    return [_value(word) for word in _as_text(data).split()]


def _value(word: str) -> str:
    """Return the shortest form of a decimal number; return any other word unchanged."""
    found = _NUMBER.fullmatch(word)
    if found is None:
        return word
    sign, whole, fraction = found[1], found[2], found[3] or ""
    if not whole and not fraction:
        return word
    whole, fraction = whole.lstrip("0") or "0", fraction.rstrip("0")
    if whole == "0" and not fraction:
        return "0"
    return ("-" if sign == "-" else "") + whole + (f".{fraction}" if fraction else "")


_FORMS: dict[Compare, Callable[[bytes], object]] = {
    "newline": _without_line_break,
    "strip": _strip,
    "numeric": _values,
}
"""Functions that convert an output to the value that a mode compares."""
