"""The contracts of the extra-hard problems."""

from __future__ import annotations

from bisect import bisect_left
from collections import deque
from collections.abc import Callable, Mapping
from fractions import Fraction
from heapq import merge
from itertools import accumulate

from problem_contracts import INTEGER, LINE, PAIR, Contract, line, numbers

ROW = f"{INTEGER}(?: {INTEGER})*"
LIST = f"{INTEGER}\n{ROW}"
OPERATORS: dict[str, Callable[[int, int], int]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "/": lambda a, b: int(Fraction(a, b)),
}


def values(text: str) -> list[int]:
    """The numbers of an input whose first line says how many there are."""
    count, *found = map(int, text.split())
    assert count == len(found)
    return found


def counted(text: str) -> Mapping[str, int]:
    found = values(text)
    return {"N": len(found), "least number": min(found), "greatest number": max(found)}


def factors(text: str) -> str:
    n = int(text)
    sieve = [True] * (n + 1)
    found: list[int] = []
    for p in range(2, n + 1):
        if sieve[p]:
            sieve[2 * p :: p] = [False] * len(sieve[2 * p :: p])
            exponents = range(1, n.bit_length() + 1)
            found += [p for exponent in exponents if n % p**exponent == 0]
    return " ".join(map(str, found))


def increasing(text: str) -> str:
    piles: list[int] = []
    for number in values(text):
        at = bisect_left(piles, number)
        piles[at : at + 1] = [number]
    return str(len(piles))


def matrices(text: str) -> tuple[list[list[int]], list[list[int]], tuple[int, int]]:
    lines = [list(map(int, line.split())) for line in text.split("\n")]
    m, n, p = lines[0]
    assert [len(line) for line in lines[1:]] == [n] * m + [p] * n + [2]
    i, j = lines[-1]
    assert i < m
    assert j < p
    return lines[1 : m + 1], lines[m + 1 : -1], (i, j)


def product_sizes(text: str) -> Mapping[str, int]:
    first, second, (i, j) = matrices(text)
    elements = [number for row in first + second for number in row]
    sizes = {"M": len(first), "N": len(second), "P": len(second[0]), "i": i, "j": j}
    return sizes | {"least element": min(elements), "greatest element": max(elements)}


def product_element(text: str) -> str:
    first, second, (i, j) = matrices(text)
    columns = list(zip(*second, strict=True))
    product = [[sum(map(int.__mul__, row, column)) for column in columns] for row in first]
    return str(product[i][j])


def postfix_results(text: str) -> list[int]:
    """What each digit and each operator gives, the whole last."""
    results: list[int] = []
    tokens = text.split(" ")

    def evaluate() -> int:
        token = tokens.pop()
        if token in OPERATORS:
            right = evaluate()
            left = evaluate()
            results.append(OPERATORS[token](left, right))
        else:
            results.append(int(token))
        return results[-1]

    evaluate()
    assert not tokens
    return results


def postfix_sizes(text: str) -> Mapping[str, int]:
    largest = max(map(abs, postfix_results(text)))
    return {"number of tokens": len(text.split(" ")), "absolute value of a result": largest}


def rows(text: str) -> list[list[int]]:
    return [list(map(int, line.split(" "))) for line in text.split("\n")]


def sorted_rows(text: str) -> Mapping[str, int]:
    first, second = rows(text)
    assert first == sorted(first)
    assert second == sorted(second)
    return {
        "length of the first line": len(first),
        "length of the second line": len(second),
        "least number": min(first + second),
        "greatest number": max(first + second),
    }


def power(text: str) -> str:
    """Digit by digit of the exponent, from its first: (…)^10 times a power below 10."""
    base, exponent, modulus = text.split(" ")
    result = 1
    for digit in exponent:
        result = result**10 * int(base) ** int(digit) % int(modulus)
    return str(result % int(modulus))


def longest_palindrome(text: str) -> str:
    sizes = range(len(text), 0, -1)
    parts = ((size, text[at : at + size]) for size in sizes for at in range(len(text) - size + 1))
    return str(next((size for size, part in parts if part == part[::-1]), 0))


def interval(text: str) -> Mapping[str, int]:
    least, greatest = map(int, text.split(" "))
    assert least <= greatest
    return {"L": least, "R": greatest}


def set_bits(text: str) -> str:
    """By place: a bit is set in the upper half of each block of twice its value."""
    least, greatest = map(int, text.split(" "))

    def below(end: int, place: int) -> int:
        blocks, rest = divmod(end, 2 * place)
        return blocks * place + max(rest - place, 0)

    places = [2**exponent for exponent in range(14)]
    return str(sum(below(greatest + 1, place) - below(least, place) for place in places))


def deepest(text: str) -> str:
    """The greatest height above the lowest place before, without a floor."""
    heights = list(accumulate((1 if sign == "(" else -1 for sign in text), initial=0))
    return str(max(map(int.__sub__, heights, accumulate(heights, min))))


def equal_lines(text: str) -> Mapping[str, int]:
    first, second = text.split("\n")
    assert len(first) == len(second)
    return {"length of S1": len(first), "length of S2": len(second)}


def rotation(text: str) -> str:
    first, second = map(deque[str], text.split("\n"))
    for _ in range(len(first)):
        first.rotate(1)
        if first == second:
            return "yes"
    return "no"


CONTRACTS: dict[str, Contract] = {
    "X01": Contract(INTEGER, numbers("N"), factors),
    "X02": Contract(LIST, counted, increasing),
    "X03": Contract(f"{ROW}(?:\n{ROW})*", product_sizes, product_element),
    "X04": Contract(
        "[0-9](?: [0-9+*/-])*", postfix_sizes, lambda text: str(postfix_results(text)[-1])
    ),
    "X05": Contract(
        f"{ROW}\n{ROW}", sorted_rows, lambda text: " ".join(map(str, merge(*rows(text))))
    ),
    "X06": Contract(f"{INTEGER} {INTEGER} {INTEGER}", numbers("B", "E", "M"), power),
    "X07": Contract(LINE, line, longest_palindrome),
    "X08": Contract(PAIR, interval, set_bits),
    "X09": Contract("[()]*", line, deepest),
    "X10": Contract(f"{LINE}\n{LINE}", equal_lines, rotation),
}
