"""How the output of a program is compared with the expected output."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Literal, get_args

Compare = Literal["exact", "newline", "strip", "numeric"]
"""The modes of comparison.

exact: byte by byte. newline: the same without a line break at the end of either output. strip: as
text without whitespace at both ends. numeric: word by word, where numbers are equal if their values
are.
"""

COMPARE_MODES: tuple[Compare, ...] = get_args(Compare)

COMPARE_HELP = (
    "exact: byte by byte; newline: without a line break at the end; strip: as text "
    "without white space at both ends; numeric: word by word, numbers by their values; default: "
)

_NUMBER = re.compile(r"([+-]?)(\d*)(?:\.(\d*))?", re.ASCII)


def same_output(got: bytes, expected: bytes, compare: Compare) -> bool:
    """Return whether ``got`` counts as ``expected``."""
    if got == expected:
        return True
    forms = _FORMS.get(compare)
    return forms is not None and forms(got) == forms(expected)


def without_ignored(data: bytes, compare: Compare) -> bytes:
    """Return an output without what the mode ignores at its ends, to describe a difference."""
    if compare == "newline":
        return _without_line_break(data)
    return data if compare == "exact" else data.strip()


def _without_line_break(data: bytes) -> bytes:
    return data.removesuffix(b"\n").removesuffix(b"\r") if data.endswith(b"\n") else data


def _as_text(data: bytes) -> str:
    """Return output as text; not as UTF-8 if it is none, as the published harnesses do."""
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _stripped(data: bytes) -> str:
    return _as_text(data).strip()


def _values(data: bytes) -> list[str]:
    return [_value(word) for word in _as_text(data).split()]


def _value(word: str) -> str:
    """Return a decimal number in its shortest form, and any other word as it is."""
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
    "strip": _stripped,
    "numeric": _values,
}
"""What is compared in place of the bytes."""
