"""Editor support for Brainfuck."""

from __future__ import annotations

from collections.abc import Iterator

from esolangs.editing import Editing

_INSTRUCTIONS = frozenset("+-<>[].,")
_WORD_ENDS = _INSTRUCTIONS | {" ", "\t"}
"""Characters that end a word of a comment."""
_BLANKS, _PUNCTUATION = frozenset(" \t"), frozenset(".,-")


class BrainfuckEditing(Editing):
    """Editor support for Brainfuck: line breaks have no effect, and brackets are loops."""

    wraps = True
    brackets = ("[]",)

    def fold(self, line: str, start: int, limit: int) -> int:
        """Return the index, at most ``limit``, at which to break the row that begins at ``start``.

        A word of a comment is not split if possible, and a space or punctuation mark after it stays
        in its row.
        """
        end = limit
        while end > start and _stays_in_row(line, end):
            end -= 1
        return end if line[start:end].strip() else limit

    def reflow(self, source: bytes, width: int) -> bytes:
        """Break the source into lines of at most ``width`` characters."""
        lines: list[str] = []
        for line in source.decode("utf-8", "surrogateescape").split("\n"):
            lines += [line[at : at + width] for at in range(0, len(line) or 1, width)]
        return "\n".join(lines).encode("utf-8", "surrogateescape")

    def comments(self, source: bytes) -> Iterator[str]:
        """Yield the comment of each line: its text without the commands before and after it."""
        for line in source.decode("utf-8", "replace").split("\n"):
            words = line.split()
            while words and _INSTRUCTIONS.issuperset(words[0]):
                words = words[1:]
            while words and _INSTRUCTIONS.issuperset(words[-1]):
                words = words[:-1]
            text = " ".join(words)
            starts, ends = text.startswith("["), text.endswith("]")
            if starts and (ends or "]" not in text):
                text = text[1:]
            if ends and (starts or "[" not in text):
                text = text[:-1]
            yield text.strip()

    def without_comments(self, source: bytes) -> bytes:
        """Return the commands with their line breaks; leave out blank lines and comment loops."""
        rows = [bytearray()]
        for byte in _iterate_code(source, _COMMANDS | {_NEWLINE}):
            if byte == _NEWLINE:
                rows.append(bytearray())
            else:
                rows[-1].append(byte)
        return b"\n".join(filter(None, rows)) + b"\n"

    def code_size(self, source: bytes) -> int:
        """Count commands, except in loops that are never entered, which serve as comments.

        Such a loop is at the start or after another loop, where the cell is 0.
        """
        return sum(1 for _ in _iterate_code(source, _COMMANDS))


def _iterate_code(source: bytes, kept_bytes: frozenset[int]) -> Iterator[int]:
    """Yield the bytes that are in ``kept_bytes``, except in loops that are never entered."""
    skipped = 0
    zero = True
    for byte in source:
        if byte not in kept_bytes:
            continue
        if skipped:
            skipped += (byte == _OPEN) - (byte == _CLOSE)
        elif byte == _OPEN and zero:
            skipped = 1
        else:
            yield byte
            zero = byte == _CLOSE or (zero and byte not in _COMMANDS)


def _stays_in_row(line: str, at: int) -> bool:
    """Return whether the character at ``at`` must stay in the same row as the one before it."""
    before, char = line[at - 1], line[at]
    if char in _BLANKS:
        return before not in _BLANKS
    return before not in _WORD_ENDS and (char not in _WORD_ENDS or char in _PUNCTUATION)


_COMMANDS = frozenset(b"+-<>.,[]")
_OPEN, _CLOSE, _NEWLINE = b"[]\n"

EDITING = BrainfuckEditing()
