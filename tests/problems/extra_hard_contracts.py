"""The contracts of the extra-hard problems."""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Callable, Mapping
from fractions import Fraction
from heapq import merge
from itertools import accumulate, count

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
    length, *found = map(int, text.split())
    assert length == len(found)
    return found


def counted(text: str) -> Mapping[str, int]:
    found = values(text)
    return {"N": len(found), "least number": min(found), "greatest number": max(found)}


def sieve(end: int) -> list[int]:
    """The primes below ``end``."""
    is_prime = [False, False, *[True] * (end - 2)]
    for p in range(2, end):
        if is_prime[p]:
            is_prime[2 * p :: p] = [False] * len(is_prime[2 * p :: p])
    return [p for p in range(end) if is_prime[p]]


PRIMES = sieve(10000)


def factors(text: str) -> str:
    n = int(text)
    exponents = range(1, n.bit_length() + 1)
    found = [p for p in PRIMES if n % p == 0 for exponent in exponents if n % p**exponent == 0]
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


def inversions(text: str) -> str:
    """By insertion: each number passes all that are greater."""
    total = 0
    passed: list[int] = []
    for number in values(text):
        at = bisect_right(passed, number)
        total += len(passed) - at
        passed.insert(at, number)
    return str(total)


def common_multiple(text: str) -> str:
    a, b = map(int, text.split(" "))
    return str(next(multiple for multiple in count(a, a) if multiple % b == 0))


def brackets(text: str) -> str:
    while (shorter := re.sub(r"\(\)|\[\]|\{\}", "", text)) != text:
        text = shorter
    return "no" if text else "yes"


def next_greater(text: str) -> str:
    """From the right, with a stack of the numbers that may still be a next greater one."""
    stack: list[int] = []
    found: list[int] = []
    for number in reversed(values(text)):
        while stack and stack[-1] <= number:
            stack.pop()
        found.append(stack[-1] if stack else -1)
        stack.append(number)
    return " ".join(map(str, reversed(found)))


def grid(text: str) -> list[list[int]]:
    (height, width), *found = rows(text)
    assert [len(row) for row in found] == [width] * height
    return found


def grid_sizes(text: str) -> Mapping[str, int]:
    found = grid(text)
    elements = [number for row in found for number in row]
    sizes = {"R": len(found), "C": len(found[0])}
    return sizes | {"least element": min(elements), "greatest element": max(elements)}


def spiral(text: str) -> str:
    """Step by step, turning right at the edge and at elements that were visited before."""
    left = {(y, x): number for y, row in enumerate(grid(text)) for x, number in enumerate(row)}
    y, x, down, right = 0, 0, 0, 1
    found = [left.pop((0, 0))]
    while left:
        if (y + down, x + right) not in left:
            down, right = right, -down
        y, x = y + down, x + right
        found.append(left.pop((y, x)))
    return " ".join(map(str, found))


def differing_bits(text: str) -> str:
    a, b = (f"{int(number):014b}" for number in text.split(" "))
    return str(sum(x != y for x, y in zip(a, b, strict=True)))


def roman(number: int) -> str:
    """By strokes: five of a letter make one of the next, then what is too long is shortened."""
    text = "I" * number
    for five, letter in ("IIIII", "V"), ("VV", "X"), ("XXXXX", "L"), ("LL", "C"):
        text = text.replace(five, letter)
    text = text.replace("CCCCC", "D").replace("DD", "M")
    text = "".join(sorted(text, key="MDCLXVI".index))
    for long, short in ("DCCCC", "CM"), ("CCCC", "CD"), ("LXXXX", "XC"), ("XXXX", "XL"):
        text = text.replace(long, short)
    return text.replace("VIIII", "IX").replace("IIII", "IV")


NUMERALS = {roman(number): number for number in range(1, 4000)}


def permutation(text: str) -> str:
    found = values(text)
    return "yes" if set(found) == set(range(1, len(found) + 1)) else "no"


def survivor(text: str) -> str:
    persons, step = map(int, text.split(" "))
    circle = deque(range(1, persons + 1))
    while len(circle) > 1:
        circle.rotate(1 - step)
        circle.popleft()
    return str(circle[0])


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
    "X11": Contract(LIST, counted, inversions),
    "X12": Contract(PAIR, numbers("A", "B"), common_multiple),
    "X13": Contract(r"[()\[\]{}]*", line, brackets),
    "X14": Contract(LIST, counted, next_greater),
    "X15": Contract(f"{PAIR}(?:\n{ROW})+", grid_sizes, spiral),
    "X16": Contract(PAIR, numbers("A", "B"), differing_bits),
    "X17": Contract(
        "[IVXLCDM]+", lambda text: {"value": NUMERALS[text]}, lambda text: str(NUMERALS[text])
    ),
    "X18": Contract(INTEGER, numbers("N"), lambda text: roman(int(text))),
    "X19": Contract(LIST, counted, permutation),
    "X20": Contract(PAIR, numbers("N", "K"), survivor),
}
