"""The contracts of the easy problems."""

from __future__ import annotations

import re
from collections.abc import Mapping
from fractions import Fraction

from problem_contracts import INTEGER, LINE, PAIR, Contract, line, nothing, numbers


def repetition(text: str) -> Mapping[str, int]:
    number, text = text.split("\n")
    return {"N": int(number), "length of S": len(text)}


def two_lines(text: str) -> Mapping[str, int]:
    first, second = text.split("\n")
    return {"length of S1": len(first), "length of S2": len(second)}


def product(text: str) -> str:
    a, b = map(Fraction, text.split(" "))
    return str(a / (1 / b) if b else 0)


def total(text: str) -> str:
    a, b = map(int, text.split(" "))
    return str(a - -b)


def vowels(text: str) -> str:
    return str(len(re.findall("[aeiou]", text, re.IGNORECASE)))


def repeated(text: str) -> str:
    number, _, part = text.partition("\n")
    return "".join(part for _ in range(int(number)))


def upper(text: str) -> str:
    return "".join(chr(ord(sign) - 32) if "a" <= sign <= "z" else sign for sign in text)


def average(text: str) -> str:
    a, b = map(int, text.split(" "))
    return str(int(Fraction(a + b, 2)))


def comparison(text: str) -> str:
    a, b = map(int, text.split(" "))
    return ("less", "equal", "greater")[(a > b) - (a < b) + 1]


def ordered(text: str) -> list[int]:
    return sorted(map(int, text.split(" ")))


CONTRACTS = {
    "E01": Contract("", nothing, lambda _: "Hello World!"),
    "E02": Contract(LINE, line, lambda text: text),
    "E03": Contract(LINE, line, lambda text: "Hello, " + text + "!"),
    "E04": Contract(PAIR, numbers("a", "b"), total),
    "E05": Contract(PAIR, numbers("a", "b"), product),
    "E06": Contract(INTEGER, numbers("n"), lambda text: "even" if text[-1] in "02468" else "odd"),
    "E07": Contract(LINE, line, lambda text: str(sum(1 for _ in text))),
    "E08": Contract(LINE, line, lambda text: "".join(reversed(text))),
    "E09": Contract(LINE, line, vowels),
    "E10": Contract(INTEGER, numbers("N"), lambda text: str(sum(range(int(text) + 1)))),
    "E11": Contract(
        INTEGER, numbers("n"), lambda text: str(sum(ord(sign) - 48 for sign in text if sign != "-"))
    ),
    "E12": Contract(PAIR, numbers("a", "b"), lambda text: str(ordered(text)[0])),
    "E13": Contract(
        f"{PAIR} {INTEGER}", numbers("a", "b", "c"), lambda text: str(ordered(text)[-1])
    ),
    "E14": Contract(f"{INTEGER}\n{LINE}", repetition, repeated),
    "E15": Contract(f"{LINE}\n{LINE}", two_lines, lambda text: " ".join(text.split("\n"))),
    "E16": Contract(LINE, line, lambda text: text[:1] + " " + text[::-1][:1]),
    "E17": Contract(LINE, line, upper),
    "E18": Contract(LINE, line, lambda text: str(len(re.findall(" ", text)))),
    "E19": Contract(PAIR, numbers("a", "b"), average),
    "E20": Contract(PAIR, numbers("a", "b"), comparison),
}
