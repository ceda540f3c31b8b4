"""Wrong solutions of B15, by the edge class that catches each."""

from __future__ import annotations


def read(text: str) -> tuple[str, str]:
    url, word = text.split("\n")
    return url.rpartition("/")[2], word


def right(text: str) -> str:
    path, word = read(text)
    return word.upper() if path == "shout" else "error"


def shout__sends_nothing(text: str) -> str:
    return "" if read(text)[0] == "shout" else "error"


def missing__prints_the_other_member(text: str) -> str:
    path, word = read(text)
    return word if path == "missing" else right(text)


def number__prints_it(text: str) -> str:
    path, word = read(text)
    return str(len(word)) if path == "number" else right(text)


def text__prints_it(text: str) -> str:
    path, word = read(text)
    return word.upper() if path == "text" else right(text)


def busy__ignores_the_status(text: str) -> str:
    path, word = read(text)
    return word.upper() if path == "busy" else right(text)
