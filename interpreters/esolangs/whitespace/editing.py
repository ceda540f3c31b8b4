"""Editor support for Whitespace: the instruction at the cursor, and typing by letter."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import ClassVar

from esolangs.editing import Editing, Mark, Structure, VisibleSource
from esolangs.errors import ParseError
from esolangs.whitespace.assembly import (
    NEW_LINE,
    NO_BREAK_SPACE,
    assemble,
    disassemble,
    from_visible,
    to_visible,
)
from esolangs.whitespace.opcodes import INSTRUCTIONS, NO_OPERAND, NUMBER

_BLANKS = b" \t\n"
_ALL_BUT_BLANKS = bytes(set(range(256)) - set(_BLANKS))
_LETTERS = bytes.maketrans(_BLANKS, b"STL")
_BY_SPELLING = {spelling.encode(): (name, kind) for name, spelling, kind in INSTRUCTIONS}
_INSTRUCTION = re.compile(
    b"|".join(
        re.escape(spelling.encode().translate(bytes.maketrans(b"STL", _BLANKS)))
        + (b"" if kind == NO_OPERAND else rb"[ \t]*+\n")
        for _, spelling, kind in INSTRUCTIONS
    )
)
_INSTRUCTIONS = re.compile(rb"(?>%b)*+" % _INSTRUCTION.pattern)
_MAX_DIGITS = 60
_JUMPS = ("call", "jump", "jz", "jn")
_MAX_TEXT = 24
_MAX_PARSED_BYTES = 20_000
"""Maximum size, in bytes, of a source that is parsed to describe one of its instructions."""
_LAYOUT = b"STL \t\n"
_SIGNS = tuple(sign.encode() for sign in "·→¶")


class WhitespaceEditing(Editing):
    """Editor support for Whitespace, in which everything but whitespace is comment."""

    brackets = ()
    letters: ClassVar[Mapping[str, str]] = {"s": " ", "t": "\t", "l": "\n"}
    comment_blank = NO_BREAK_SPACE.decode()

    def structure(self, source: bytes, offset: int) -> Structure | None:
        """Return the instruction that contains ``offset``, even if it is unfinished.

        If none contains it, return the instruction that ends there, if any.
        """
        whitespace = source.translate(None, _ALL_BUT_BLANKS)
        before = len(source[:offset].translate(None, _ALL_BUT_BLANKS))
        at_end = before == len(whitespace)
        start = _complete_end(whitespace, before)
        found = _INSTRUCTION.match(whitespace, start)
        if found is not None and found.end() > before:
            end = found.end()
        elif start == before and start:  # nothing is incomplete: show the last instruction typed
            end = start
            start = _complete_end(whitespace, before - 1)
            if _INSTRUCTION.fullmatch(whitespace, start, end) is None:
                return None
        elif start < before or not at_end:
            tokens = whitespace[start : start + _MAX_DIGITS].translate(_LETTERS)
            return Structure((), _describe_unfinished(tokens))
        else:
            return None
        tokens = whitespace[start:end].translate(_LETTERS)
        first, last = _span(source, offset, start - before, end - start)
        return Structure(
            (Mark(first, last, "here"),),
            _describe_instruction(source, first) or _describe_tokens(tokens),
        )

    def from_visible(self, text: bytes) -> VisibleSource | None:
        """Return the source that a text spells with the letters S, T and L; None without them.

        ``is_certain`` is true if the text has no other letters or signs, which would be comments.
        """
        if not any(letter in text for letter in (b"S", b"T", b"L")):
            return None
        return VisibleSource(from_visible(text), not text.translate(None, _LAYOUT))

    def misreading_hint(self, source: bytes) -> str:
        """Return the likely reason why a source has no tabs; '' if it has some or is blank."""
        if b"\t" in source:
            return ""
        if any(sign in source for sign in _SIGNS):
            return (
                "the file contains ·, → and ¶, which are comments: write spaces, tabs "
                "and line feeds, or the letters S, T and L with --set notation=visible"
            )
        shown = self.from_visible(source)
        if shown is not None and shown.is_certain:
            return (
                "the file contains the letters S, T and L, which are comments: add "
                "--set notation=visible"
            )
        if not source.strip():
            return ""
        try:
            assemble(source)
        except ParseError:
            return "the file has no tabs, so the program can neither read nor print"
        return "the file is in assembly: add --set notation=assembly"

    def in_notation(self, source: bytes, notation: str) -> bytes:
        """Return a source in letters (``visible``), in assembly (``assembly``), or unchanged."""
        if notation == "visible":
            return to_visible(source)
        return disassemble(source) if notation == "assembly" else source

    def from_notation(self, text: bytes, notation: str) -> bytes:
        """Return the source of a text in letters (``visible``) or assembly (``assembly``)."""
        if notation == "visible":
            return from_visible(text)
        return assemble(text).source if notation == "assembly" else text

    def comments(self, source: bytes) -> Iterator[str]:
        """Yield the lines of the first comment, decoded.

        Comments cannot contain whitespace, so other characters represent spaces and line breaks.
        """
        found = re.search(r"[^ \t\r\n]+", source.decode("utf-8", "replace"))
        if found is not None:
            for line in found[0].split(NEW_LINE.decode()):
                yield line.replace(self.comment_blank, " ").strip()

    def without_comments(self, source: bytes) -> bytes:
        """Remove all bytes except spaces, tabs and line feeds."""
        return bytes(byte for byte in source if byte in _BLANKS)

    def code_size(self, source: bytes) -> int:
        """Count spaces, tabs and line feeds; all other bytes are comments."""
        return sum(map(source.count, (b" ", b"\t", b"\n")))


EDITING = WhitespaceEditing()


def _complete_end(whitespace: bytes, max_bytes: int) -> int:
    """Return the end of the last instruction that is complete in the first ``max_bytes`` bytes.

    The next instruction, which may be incomplete, starts there.
    """
    complete = _INSTRUCTIONS.match(whitespace, 0, max_bytes)
    return complete.end() if complete else 0


def _span(source: bytes, offset: int, back: int, size: int) -> tuple[int, int]:
    """Return the span of ``size`` whitespace bytes and of the comments between them.

    back: 0 if the span starts at the first whitespace byte from ``offset`` on, or -n if it starts n
    whitespace bytes before that byte.
    """
    first = offset
    while first < len(source) and source[first] not in _BLANKS:
        first += 1
    while back < 0:
        first -= 1
        back += source[first] in _BLANKS
    last = first
    while size:
        size -= source[last] in _BLANKS
        last += 1
    return first, last


def _describe_instruction(source: bytes, offset: int) -> str:
    """Return an instruction as the disassembly writes it, with its spelling.

    Return '' if the source is too long for this, and past its first error.
    """
    if len(source) > _MAX_PARSED_BYTES:
        return ""
    from esolangs.whitespace.listing import list_source

    listing = list_source(source)
    row = listing.row(listing.row_at(offset))
    if row.error or row.span[0] != offset:
        return ""
    spelled = source[slice(*row.span)].translate(_LETTERS, _ALL_BUT_BLANKS).decode()
    words = row.words
    if row.target is not None:
        line = source.count(b"\n", 0, listing.start(row.target)) + 1
        words += f" in line {line}"
    elif row.mnemonic in _JUMPS:
        words += ": no such label"
    return f"{words}  {_shorten(spelled)}"


def _describe_tokens(tokens: bytes) -> str:
    for length in range(2, 5):
        name, kind = _BY_SPELLING.get(tokens[:length], ("", NO_OPERAND))
        if name:
            break
    else:
        return ""
    spelled = tokens.decode()
    if kind == NO_OPERAND:
        return f"{name}  {spelled}"
    return f"{name} {_operand(kind, tokens[length:-1])}  {_shorten(spelled)}"


def _operand(kind: int, digits: bytes) -> str:
    if kind != NUMBER:
        return _shorten(digits.decode()) or "(empty)"
    if len(digits) > _MAX_DIGITS:
        return f"a number of {len(digits) - 1} bits"
    size = int(digits[1:].translate(bytes.maketrans(b"ST", b"01")) or b"0", 2)
    return str(-size if digits[:1] == b"T" else size)


def _describe_unfinished(tokens: bytes) -> str:
    """Describe the ways to complete an instruction of which only ``tokens`` have been typed."""
    for length in range(2, 5):
        name, kind = _BY_SPELLING.get(tokens[:length], ("", NO_OPERAND))
        if name:
            digits = tokens[length:]
            if kind == NUMBER and not digits:
                return f"{name} …: S begins a positive number, T a negative one"
            so_far = _operand(kind, digits)
            added = "S adds a 0, T a 1" if kind == NUMBER else "S or T adds to the label"
            return f"{name} {so_far} …: {added}, L ends it"
    started = [(s.decode(), name) for s, (name, _) in _BY_SPELLING.items() if s.startswith(tokens)]
    if not started:
        return f"{_shorten(tokens.decode())} is not an instruction"
    rest = ", ".join(f"{spelling[len(tokens) :]} {name}" for spelling, name in started[:7])
    return f"{tokens.decode()} …: {rest}" + (" …" if len(started) > 7 else "")


def _shorten(text: str) -> str:
    return text if len(text) <= _MAX_TEXT else f"{text[: _MAX_TEXT - 1]}…"
