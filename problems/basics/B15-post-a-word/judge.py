"""B15 Post a Word: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "abcdefghijklmnopqrstuvwxyz"
URL = "http://127.0.0.1:18115"


def solve(text: str) -> str:
    url, word = text.split("\n")
    return word.upper() if url.endswith("/shout") else "error"


def cases(rng):
    for path in ("shout", "shout", "missing", "number", "text", "busy"):
        yield path, f"{URL}/{path}\n{rng.text(LETTERS, 1, 12)}"
