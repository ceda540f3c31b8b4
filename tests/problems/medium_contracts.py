"""The contracts of the medium problems."""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction
from functools import reduce

from problem_contracts import INTEGER, LINE, PAIR, Contract, Measured, line, numbers

COUNTED = rf"[1-9][0-9]*\n{INTEGER}(?: {INTEGER})*"
"""A number of integers, and on the next line the integers."""


def two_lines(first: str, second: str) -> Callable[[str], Measured]:
    def measured(text: str) -> Measured:
        lengths = map(len, text.split("\n"))
        return dict(zip((first, second), lengths, strict=True))

    return measured


def operands(text: str) -> Measured:
    a, _, b = text.split(" ")
    return {"a": int(a), "b": int(b)}


def integers(text: str) -> list[int]:
    return [int(number) for number in re.split("[ \n]", text)][1:]


def counted(text: str) -> Measured:
    found = integers(text)
    assert int(text.split("\n")[0]) == len(found)
    return {"N": len(found), "each integer": found}


def distinct_counted(text: str) -> Measured:
    assert min(integers(text)) < max(integers(text))
    return counted(text)


def divisible(text: str) -> Measured:
    assert text != "0 0"
    return numbers("a", "b")(text)


def same_lengths(text: str) -> Measured:
    assert len(text) % 2 == 1
    assert text[len(text) // 2] == "\n"
    return two_lines("length of S1", "length of S2")(text)


def palindrome(text: str) -> str:
    signs = list(text)
    while len(signs) > 1:
        if signs.pop(0) != signs.pop():
            return "no"
    return "yes"


def words(text: str) -> str:
    return str(len(re.findall(r"(?<![^ ])[^ ]", text)))


def encoded(text: str) -> str:
    return re.sub(r"(.)\1*", lambda run: f"{run[1]}{run.end() - run.start()}", text)


def caesar(text: str) -> str:
    twice = "abcdefghijklmnopqrstuvwxyz" * 2
    return "".join(twice[twice.index(letter) + 3] for letter in text)


def expression(text: str) -> str:
    a, op, b = text.split(" ")
    x, y = Fraction(a), Fraction(b)
    if op == "*":
        return str(x / (1 / y) if y else 0)
    return str(x - (y if op == "-" else -y))


def common_divisor(text: str) -> str:
    a, b = (abs(int(number)) for number in text.split(" "))
    return str(max(d for d in range(1, max(a, b) + 1) if a % d == b % d == 0))


def fibonacci(text: str) -> str:
    # The n-th power of ((0, 1), (1, 1)) holds F(n) beside its diagonal.
    def times(x: tuple[int, int, int], y: tuple[int, int, int]) -> tuple[int, int, int]:
        return (
            x[0] * y[0] + x[1] * y[1],
            x[0] * y[1] + x[1] * y[2],
            x[1] * y[1] + x[2] * y[2],
        )

    return str(reduce(times, [(0, 1, 1)] * int(text))[1])


def binary(text: str) -> str:
    n = int(text)
    places = [place for place in range(24) if n >> place] or [0]
    return "".join("01"[n // 2**place % 2] for place in reversed(places))


def decimal(text: str) -> str:
    return str(sum(2**place for place, bit in enumerate(reversed(text)) if bit == "1"))


def occurrences(text: str) -> str:
    whole, part = text.split("\n")
    return str(len(re.findall(f"(?={re.escape(part)})", whole)))


def without_vowels(text: str) -> str:
    return re.sub("[aeiou]", "", text, flags=re.IGNORECASE)


def ascending(text: str) -> str:
    left = integers(text)
    found: list[int] = []
    while left:
        found.append(left.pop(left.index(min(left))))
    return " ".join(map(str, found))


def second_largest(text: str) -> str:
    found = integers(text)
    return str(max(number for number in found if number < max(found)))


def anagrams(text: str) -> str:
    first, second = text.split("\n")
    for letter in second:
        if letter not in first:
            return "no"
        first = first.replace(letter, "", 1)
    return "no" if first else "yes"


def interleaved(text: str) -> str:
    half = len(text) // 2
    return "".join(text[place] + text[half + 1 + place] for place in range(half))


def total(text: str) -> str:
    return str(reduce(lambda x, y: x - -y, integers(text)))


def distinct(text: str) -> str:
    return str(sum(text.index(sign) == place for place, sign in enumerate(text)))


CONTRACTS = {
    "M01": Contract(LINE, line, palindrome),
    "M02": Contract(r"(?:[!-~]+(?: [!-~]+)*)?", line, words),
    "M03": Contract(r"[ -/:-~]*", line, encoded),
    "M04": Contract("[a-z]*", line, caesar),
    "M05": Contract(rf"{INTEGER} [+*-] {INTEGER}", operands, expression),
    "M06": Contract(PAIR, divisible, common_divisor),
    "M07": Contract(
        INTEGER,
        numbers("N"),
        lambda text: str(reduce(lambda x, y: x * y, range(1, int(text) + 1), 1)),
    ),
    "M08": Contract(INTEGER, numbers("N"), fibonacci),
    "M09": Contract(INTEGER, numbers("N"), binary),
    "M10": Contract("[01]+", line, decimal),
    "M11": Contract(f"{LINE}\n{LINE}", two_lines("length of S", "length of P"), occurrences),
    "M12": Contract(LINE, line, without_vowels),
    "M13": Contract(COUNTED, counted, ascending),
    "M14": Contract(COUNTED, distinct_counted, second_largest),
    "M15": Contract("[a-z]*\n[a-z]+", two_lines("length of S1", "length of S2"), anagrams),
    "M16": Contract(f"{LINE}\n{LINE}", same_lengths, interleaved),
    "M17": Contract(LINE, line, lambda text: "_".join(text.split(" "))),
    "M18": Contract(COUNTED, counted, total),
    "M19": Contract(
        LINE, line, lambda text: "".join(text[place] for place in range(0, len(text), 2))
    ),
    "M20": Contract(LINE, line, distinct),
}
