"""The contracts of the problems, written a second time and apart from the judges.

Each has a pattern that its inputs match, the quantities whose ranges the problem
states, and an answer found in another way than the judge's.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import NamedTuple

from esoplay.grading.packs import Problem

INTEGER = r"(?:0|-?[1-9][0-9]*)"
LINE = r"[ -~]*"


class Contract(NamedTuple):
    pattern: str
    quantities: Callable[[str], Mapping[str, int]]
    answer: Callable[[str], str]

    def check(self, text: str, problem: Problem) -> None:
        """Form and ranges of an input."""
        assert re.fullmatch(self.pattern, text), text
        measured = self.quantities(text)
        ranges = {entry.quantity: entry for entry in problem.ranges}
        assert set(measured) == set(ranges)
        for quantity, value in measured.items():
            assert ranges[quantity].least <= value <= ranges[quantity].greatest, (quantity, text)


def nothing(text: str) -> Mapping[str, int]:
    return {}


def line(text: str) -> Mapping[str, int]:
    return {"length of S": len(text)}


def numbers(*names: str) -> Callable[[str], Mapping[str, int]]:
    return lambda text: dict(zip(names, map(int, text.split(" ")), strict=True))


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


PAIR = f"{INTEGER} {INTEGER}"

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

_TABLE = """\
Print Hello World | Palindrome Check | Balanced Parentheses | Prime Factorization
Echo Line | Word Count | Evaluate Expression With Precedence | Longest Increasing Subsequence Length
Hello Name | Run Length Encoding | Count Primes Up To N | Matrix Multiplication Result Element
Sum Two Integers | Caesar Shift By 3 | Nth Prime Number | Evaluate Postfix Expression
Multiply Two Integers | Simple Binary Expression | Big Integer Addition | Merge Two Sorted Arrays
Even Or Odd | Greatest Common Divisor | Longest Word | Compute Power Modulo
String Length | Factorial (0≤N≤10) | Longest Common Prefix | Longest Palindromic Substring Length
Reverse String | Nth Fibonacci Number (F1=F2=1) | Digit Frequency | Count Set Bits In Range
Count Vowels | Decimal To Binary | General Caesar Cipher | Bracket Depth Maximum
Sum From 1 To N | Binary To Decimal | Remove Consecutive Duplicates | String Rotation Check
Sum Of Digits | Substring Occurrences (overlapping) | Run Length Decoding | Count Inversions
Minimum Of Two | Remove Vowels | ASCII Sum | Least Common Multiple
Maximum Of Three | Sort Numbers | Polynomial Evaluation | Valid Parentheses Types
Repeat String N Times | Second Largest Distinct Number | List All Divisors | Next Greater Element
Concatenate Two Lines | Anagram Test | Tape Walk Final Position | Spiral Matrix Traversal
First And Last Character | Interleave Two Strings | Longest Run Length | Hamming Distance
Uppercase String | Replace Spaces With Underscores | Most Frequent Value | Roman To Integer
Count Spaces | Sum Of List | Divisible By 3 | Integer To Roman
Integer Average Of Two (truncate to zero) | Characters At Even Indices | \
Plus Minus Reset Machine | Permutation Check
Compare Two Integers | Count Distinct Characters | Sort Strings Lexicographically | Josephus Problem
"""

TITLES = {
    f"{'EMHX'[tier]}{number:02}": row.split(" | ")[tier]
    for tier in range(4)
    for number, row in enumerate(_TABLE.splitlines(), 1)
}
"""Ids and titles of all 80, in the fixed order of a session."""
