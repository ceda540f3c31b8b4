"""E01 Print Hello World: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    return "Hello World!"


def cases(rng):
    for _ in range(6):
        yield "nothing", ""
