"""Brainfuck in an editor."""

from __future__ import annotations

from esolangs.editing import Editing


class BrainfuckEditing(Editing):
    """Line breaks mean nothing anywhere, brackets are loops."""

    wraps = True
    brackets = ("[]",)

    def reflow(self, source: bytes, width: int) -> bytes:
        """Lines of ``width`` characters at most, broken anywhere but inside a character."""
        lines: list[str] = []
        for line in source.decode("utf-8", "surrogateescape").split("\n"):
            lines += [line[at : at + width] for at in range(0, len(line) or 1, width)]
        return "\n".join(lines).encode("utf-8", "surrogateescape")


EDITING = BrainfuckEditing()
