"""Wrong solutions of B14, by the edge class that catches each."""

from __future__ import annotations


def status(text: str) -> str:
    return text.rpartition("/")[2] if ":18114/" in text else "error"


def fine__all_are_200(text: str) -> str:
    return "200" if status(text)[0] == "2" and status(text) != "200" else "ok"


def redirect__followed(text: str) -> str:
    return "200" if status(text)[0] == "3" else status(text)


def client__error(text: str) -> str:
    return "error" if status(text)[0] == "4" else status(text)


def server__error(text: str) -> str:
    return "error" if status(text)[0] == "5" else status(text)


def nothing__status_of_the_path(text: str) -> str:
    return text.rpartition("/")[2]
