"""Wrong solutions of B16, by the edge class that catches each."""

from __future__ import annotations


def value(text: str) -> str:
    return text.rpartition("/")[2]


def right(text: str) -> str:
    return value(text) if "/bare" not in text and "/gone/" not in text else "none"


def tag__with_its_name(text: str) -> str:
    return f"X-Tag: {right(text)}"


def lower__not_found(text: str) -> str:
    return "none" if "/lower/" in text else right(text)


def upper__not_found(text: str) -> str:
    return "none" if "/upper/" in text else right(text)


def bare__prints_nothing(text: str) -> str:
    return "" if "/bare" in text else right(text)


def gone__ignores_the_status(text: str) -> str:
    return value(text) if "/gone/" in text else right(text)
