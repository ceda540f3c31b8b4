"""Wrong solutions of B02, by the edge class that catches each."""

from __future__ import annotations


def none__prints_nothing(text: str, *arguments: str) -> str:
    return "".join(f"[{each}]" for each in reversed(arguments))


def one__needs_two(text: str, *arguments: str) -> str:
    return "".join(f"[{each}]" for each in reversed(arguments[1:])) or "none"


def empty__left_out(text: str, *arguments: str) -> str:
    return "".join(f"[{each}]" for each in reversed(arguments) if each) or "none"


def spaces__split_into_words(text: str, *arguments: str) -> str:
    words = " ".join(arguments).split()
    return "".join(f"[{each}]" for each in reversed(words)) or "none"


def many__not_reversed(text: str, *arguments: str) -> str:
    return "".join(f"[{each}]" for each in arguments) or "none"


def many__sorted(text: str, *arguments: str) -> str:
    return "".join(f"[{each}]" for each in sorted(arguments)) or "none"
