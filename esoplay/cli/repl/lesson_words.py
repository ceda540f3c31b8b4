"""Lessons as the text debugger tells them: plain, and with its commands instead of keys."""

from __future__ import annotations

import re

from esoplay.cli.prose import plain_lines, plain_phrase

_KEYS = re.compile(r"`(\d*)([lh])`|`:d (\d+)`")
"""Keys of the screen that are other commands here, as lessons write them."""


def told_lines(text: str) -> list[str]:
    """A text of several paragraphs."""
    return plain_lines(_in_commands(text))


def told_phrase(text: str) -> str:
    """A text of one paragraph, in one line."""
    return plain_phrase(_in_commands(text))


def _in_commands(text: str) -> str:
    def command(found: re.Match[str]) -> str:
        count, key, number = found.groups()
        if number is not None:
            return f"`d {number}`"
        return f"`{f'{count} ' if count else ''}{'s' if key == 'l' else 'S'}`"

    return _KEYS.sub(command, text)
