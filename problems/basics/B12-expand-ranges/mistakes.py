"""Wrong solutions of B12, by the edge class that catches each."""

from __future__ import annotations


def expand(text: str, more: int = 1) -> list[int]:
    found: list[int] = []
    for part in text.split(","):
        first, _, last = part.partition("-")
        found += range(int(first), int(last) + more) if last else [int(first)]
    return found


def shown(found: list[int]) -> str:
    return "".join(f"{each} " for each in found)


def number__lost(text: str) -> str:
    return shown(expand(text)) if "-" in text else ""


def range__end_excluded(text: str) -> str:
    return shown(expand(text, 0))


def range__ends_only(text: str) -> str:
    return shown([int(each) for each in text.replace("-", ",").split(",")])


def same__printed_twice(text: str) -> str:
    return shown([int(each) for each in text.replace("-", ",").split(",")])


def ten__stops_at_nine(text: str) -> str:
    return shown([each for each in expand(text) if each < 10])


def mixed__sorted(text: str) -> str:
    return shown(sorted(expand(text))[::-1])
