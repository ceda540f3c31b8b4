"""B16 Tag of a Page: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LETTERS = "abcdefghijklmnopqrstuvwxyz"
URL = "http://127.0.0.1:18116"


def solve(text: str) -> str:
    return text.rpartition("/")[2] if "/bare" not in text and "/gone/" not in text else "none"


def cases(rng):
    for kind in ("tag", "tag", "lower", "upper"):
        yield kind, f"{URL}/{kind}/{rng.text(LETTERS, 1, 12)}"
    yield "bare", f"{URL}/bare"
    yield "gone", f"{URL}/gone/{rng.text(LETTERS, 1, 12)}"
