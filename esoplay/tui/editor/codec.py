"""Any bytes as editable text, and back without loss.

Each character of the text takes part in the screen's grid (no tabs, no combining marks, no
hidden line breaks).  Bytes that have no such character – controls, broken UTF-8, characters
without a width of their own – become *placeholders*, one per byte, in a private range of
Unicode; :func:`visible` shows them.
"""

from __future__ import annotations

import re

from rich.cells import get_character_cell_size

PLACEHOLDER = 0xE000
"""The placeholder of byte ``b`` is the character ``PLACEHOLDER + b``."""

NO_BREAK_SPACE = 0xA0
"""A blank that is a character: where blanks are code it keeps comments apart."""

_JOINS_NEIGHBOURS = (range(0x1F1E6, 0x1F200), range(0x1F3FB, 0x1F400))
"""Flags and skin tones: their width depends on what stands beside them."""


def to_text(source: bytes) -> str:
    """The text that stands for ``source``; only ``\\n`` breaks its lines."""
    return source.decode("utf-8", "surrogateescape").translate(_ESCAPES)


def to_bytes(text: str) -> bytes:
    """The bytes that ``text`` stands for; ``to_bytes(to_text(b)) == b`` for any bytes.

    Where a program is full of tabs, replacing them first is many times as fast as a table.
    """
    for placeholder, character in _FREQUENT:
        text = text.replace(placeholder, character)
    if text.isascii():
        return text.encode()
    if _ANY_PLACEHOLDER.search(text):
        text = text.translate(_BYTES)
    return text.encode("utf-8", "surrogateescape")


def clean(text: str) -> str:
    """Text from outside (typed, pasted) as editable text; placeholders in it are kept."""
    return text.translate(_CLEANING)


def visible(text: str) -> str:
    """One drawable character for each character of ``text``: ``␉`` for a tab, and so on."""
    return text.translate(_VISIBLE)


def characters(text: str) -> str:
    """The text with each placeholder as the character of its byte, as lexers know it."""
    for placeholder, character in _FREQUENT:
        text = text.replace(placeholder, character)
    return text if text.isascii() else text.translate(_CHARACTERS)


def _placeholders(data: bytes) -> str:
    return "".join(chr(PLACEHOLDER + byte) for byte in data)


def _has_own_cell(code: int) -> bool:
    character = chr(code)
    return code == NO_BREAK_SPACE or (
        character.isprintable()
        and get_character_cell_size(character) > 0
        and not any(code in block for block in _JOINS_NEIGHBOURS)
    )


class _Escapes(dict[int, int | str]):
    """For ``str.translate``: decides about each character once."""

    def __missing__(self, code: int) -> int | str:
        if code == 0x0A or _has_own_cell(code):
            self[code] = code
        else:
            self[code] = _placeholders(chr(code).encode("utf-8", "surrogateescape"))
        return self[code]


class _Cleaning(_Escapes):
    """As above, for text from outside, which may hold lone surrogates that are no byte."""

    def __missing__(self, code: int) -> int | str:
        if 0xD800 <= code < 0xDC80 or 0xDD00 <= code < 0xE000:
            self[code] = "\N{REPLACEMENT CHARACTER}"
            return self[code]
        return super().__missing__(code)


_ESCAPES = _Escapes()
_CLEANING = _Cleaning({PLACEHOLDER + byte: PLACEHOLDER + byte for byte in range(256)})
_BYTES = {PLACEHOLDER + byte: byte if byte < 0x80 else 0xDC00 + byte for byte in range(256)}
_FREQUENT = [(chr(PLACEHOLDER + byte), chr(byte)) for byte in b"\t\r"]
_ANY_PLACEHOLDER = re.compile(f"[{chr(PLACEHOLDER)}-{chr(PLACEHOLDER + 255)}]")
_CHARACTERS = {PLACEHOLDER + byte: byte for byte in range(256)}
_VISIBLE = {
    PLACEHOLDER + byte: (
        chr(0x2400 + byte) if byte < 0x20 else "␡" if byte == 0x7F else "\N{REPLACEMENT CHARACTER}"
    )
    for byte in range(256)
} | {NO_BREAK_SPACE: "␣"}


def read_escapes(text: str) -> bytes:
    r"""The bytes that ``text`` spells; an escape that is none stays as it is."""
    named = {"n": b"\n", "t": b"\t", "r": b"\r", "0": b"\0", "\\": b"\\"}
    data = bytearray()
    at = 0
    while at < len(text):
        character, following = text[at], text[at + 1 : at + 2]
        digits = text[at + 2 : at + 4]
        if character == "\\" and following in named:
            data += named[following]
            at += 2
        elif character == "\\" and following == "x" and _is_hex(digits):
            data.append(int(digits, 16))
            at += 4
        else:
            data += character.encode("utf-8", "surrogateescape")
            at += 1
    return bytes(data)


def _is_hex(digits: str) -> bool:
    return len(digits) == 2 and all(digit in "0123456789abcdefABCDEF" for digit in digits)
