"""Wrong ways to measure a line, by the edge class that catches each."""

from __future__ import annotations


def empty__nothing_printed(text: str) -> str:
    return str(len(text) or "")


def single__last_character_not_counted(text: str) -> str:
    return str(max(len(text) - 1, 0))


def spaces__not_counted(text: str) -> str:
    return str(len(text.replace(" ", "")))


def spaces__stripped(text: str) -> str:
    return str(len(text.strip()))


def round__zeros_lost(text: str) -> str:
    return str(len(text)).rstrip("0")


def carry__hundreds_lost(text: str) -> str:
    return str(len(text) % 100)


def over_255__one_byte(text: str) -> str:
    return str(len(text) % 256)
