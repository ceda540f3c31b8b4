"""Wrong solutions of B20, by the edge class that catches each."""

from __future__ import annotations


def mirror(text: str, total: int = 219, upper: int = 155) -> str:
    signs = [
        chr(total - ord(c)) if c.islower() else chr(upper - ord(c)) if c.isupper() else c
        for c in text
    ]
    return f"<{''.join(signs)}>"


def empty__prints_nothing(text: str) -> str:
    return mirror(text) if text else ""


def lower__unchanged(text: str) -> str:
    return f"<{text}>"


def upper__becomes_lower(text: str) -> str:
    return mirror(text).lower()


def spaces__removed(text: str) -> str:
    return mirror(text).replace(" ", "")


def ends__shifted_by_thirteen(text: str) -> str:
    import codecs

    return f"<{codecs.encode(text, 'rot13')}>"
