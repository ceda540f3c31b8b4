"""What the contracts of the problems are made of, and the table of the benchmark.

A contract is written apart from the judge: a pattern that inputs match, the quantities whose
ranges the problem states, and an answer found in another way.  Each tier has a module of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from esoplay.grading.packs import Problem

INTEGER = r"(?:0|-?[1-9][0-9]*)"
LINE = r"[ -~]*"
PAIR = f"{INTEGER} {INTEGER}"


Measured = Mapping[str, int | Sequence[int]]
"""Quantity = its value; all of its values where an input has several, as a list of numbers."""


class Contract(NamedTuple):
    pattern: str
    quantities: Callable[[str], Measured]
    answer: Callable[[str], str]

    def check(self, text: str, problem: Problem) -> None:
        """Form and ranges of an input."""
        assert re.fullmatch(self.pattern, text), text
        measured = self.quantities(text)
        ranges = {entry.quantity: entry for entry in problem.ranges}
        assert set(measured) == set(ranges)
        for quantity, found in measured.items():
            least, greatest = ranges[quantity].least, ranges[quantity].greatest
            for value in [found] if isinstance(found, int) else found:
                assert least <= value <= greatest, (quantity, text)


def nothing(text: str) -> Mapping[str, int]:
    return {}


def line(text: str) -> Mapping[str, int]:
    return {"length of S": len(text)}


def numbers(*names: str) -> Callable[[str], Mapping[str, int]]:
    return lambda text: dict(zip(names, map(int, text.split(" ")), strict=True))


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
