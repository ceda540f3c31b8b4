"""Wrong solutions of B13, by the edge class that catches each."""

from __future__ import annotations


def place_of(text: str) -> int:
    depth = 0
    for place, sign in enumerate(text, 1):
        depth += 1 if sign == "(" else -1
        if depth < 0:
            return place
    return len(text) + 1 if depth else 0


def empty__place_one(text: str) -> str:
    return str(place_of(text) or "ok") if text else "1"


def balanced__place_after_it(text: str) -> str:
    return str(place_of(text) or len(text) + 1) if text else "ok"


def open__is_fine(text: str) -> str:
    place = place_of(text)
    return str(place) if 0 < place <= len(text) else "ok"


def open__place_of_the_last_character(text: str) -> str:
    return str(min(place_of(text), len(text)) or "ok")


def first__counts_only(text: str) -> str:
    return "ok" if text.count("(") == text.count(")") else str(place_of(text) or "ok")


def later__counted_from_zero(text: str) -> str:
    place = place_of(text)
    return str(place - 1) if place else "ok"
