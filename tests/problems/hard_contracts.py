"""The contracts of the hard problems."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable
from itertools import takewhile
from string import ascii_lowercase

from problem_contracts import INTEGER, LINE, Contract, Measured, line, numbers

NATURAL = r"(?:0|[1-9][0-9]*)"


def lengths(*names: str) -> Callable[[str], Measured]:
    """The lengths of the lines, by name."""
    return lambda text: dict(zip(names, map(len, text.split("\n")), strict=True))


def balance(text: str) -> str:
    while "()" in text:
        text = text.replace("()", "")
    return "no" if text else "yes"


def expression(text: str) -> Measured:
    products: list[int] = []
    for term in re.split("[+-]", text):
        product = 1
        for factor in term.split("*"):
            product *= int(factor)
        products.append(product)
    integers = [int(number) for number in re.findall("[0-9]+", text)]
    return {"integers in S": len(integers), "an integer": integers, "a product": products}


def expression_value(text: str) -> str:
    """By a stack of terms, one sign after the other."""
    terms = [0]
    operator = "+"
    for token in re.findall(r"[0-9]+|[+*-]", text):
        if not token.isdigit():
            operator = token
        elif operator == "*":
            terms.append(terms.pop() * int(token))
        else:
            terms.append(int(token) if operator == "+" else -int(token))
    return str(sum(terms))


def sieve(limit: int) -> list[int]:
    composite = {multiple for d in range(2, limit) for multiple in range(2 * d, limit + 1, d)}
    return [number for number in range(2, limit + 1) if number not in composite]


def long_sum(text: str) -> str:
    """In columns, as on paper."""
    a, b = (list(map(int, number)) for number in text.split("\n"))
    digits: list[int] = []
    carry = 0
    while a or b or carry:
        carry, digit = divmod(sum(row.pop() for row in (a, b) if row) + carry, 10)
        digits.append(digit)
    return "".join(map(str, reversed(digits)))


def words(text: str) -> Measured:
    return {
        "length of S": len(text),
        "length of a word": [len(word) for word in text.split(" ") if text],
    }


def longest_word(text: str) -> str:
    best = ""
    for match in re.finditer("[^ ]+", text):
        if len(match[0]) > len(best):
            best = match[0]
    return best


def counted_lines(text: str) -> Measured:
    number, *lines = text.split("\n")
    assert int(number) == len(lines)
    return {
        "N": int(number),
        "length of a line": list(map(len, lines)),
        "length of the last line": len(lines[-1]),
    }


def common_prefix(text: str) -> str:
    columns = zip(*text.split("\n")[1:], strict=False)
    return "".join(column[0] for column in takewhile(lambda signs: len(set(signs)) == 1, columns))


def caesar(text: str) -> Measured:
    number, letters = text.split("\n")
    return {"K": int(number), "length of S": len(letters)}


def shifted(text: str) -> str:
    number, letters = text.split("\n")
    ring = deque(ascii_lowercase)
    ring.rotate(-int(number))
    return letters.translate(str.maketrans(ascii_lowercase, "".join(ring)))


def digit_counts(text: str) -> str:
    counts = Counter(text)
    return " ".join(str(counts[str(digit)]) for digit in range(10))


def pairs(text: str) -> Measured:
    return {"pairs in S": len(text) // 2, "a count": list(map(int, text[1::2]))}


def decoded(text: str) -> str:
    return re.sub("(.)([1-9])", lambda pair: pair[1] * int(pair[2]), text)


def polynomial(text: str) -> Measured:
    degree, coefficients, x = text.split("\n")
    found = list(map(int, coefficients.split(" ")))
    assert int(degree) == len(found) - 1
    return {"n": int(degree), "a coefficient": found, "x": int(x)}


def polynomial_value(text: str) -> str:
    """By powers, the constant first."""
    _, coefficients, x = text.split("\n")
    power, total = 1, 0
    for coefficient in reversed(coefficients.split(" ")):
        total += int(coefficient) * power
        power *= int(x)
    return str(total)


def divisors(text: str) -> str:
    number = int(text)
    low = {d for d in range(1, 11) if number % d == 0}
    return " ".join(map(str, sorted(low | {number // d for d in low})))


def machine(text: str) -> str:
    value = 0
    for command in text:
        value = {"+": value + 1, "-": value - 1, "0": 0}[command]
    return str(value)


def run_lengths(text: str) -> list[int]:
    return [len(run[0]) for run in re.finditer(r"(.)\1*", text)]


def list_of_integers(text: str) -> Measured:
    number, integers = text.split("\n")
    found = list(map(int, integers.split(" ")))
    assert int(number) == len(found)
    return {"N": int(number), "an integer": found}


def most_frequent(text: str) -> str:
    counts = Counter(map(int, text.split("\n")[1].split(" ")))
    most = max(counts.values())
    return str(min(value for value, count in counts.items() if count == most))


def remainder_machine(text: str) -> str:
    remainder = 0
    for digit in text:
        remainder = (10 * remainder + int(digit)) % 3
    return "no" if remainder else "yes"


def lines_to_sort(text: str) -> Measured:
    number, *lines = text.split("\n")
    assert int(number) == len(lines)
    sizes = list(map(len, lines))
    return {
        "N": int(number),
        "length of a line": sizes,
        "characters in all lines": sum(sizes),
    }


def sorted_by_codes(text: str) -> str:
    """By selection, on lists of codes."""
    left = [list(line.encode()) for line in text.split("\n")[1:]]
    found: list[bytes] = []
    while left:
        least = min(left)
        left.remove(least)
        found.append(bytes(least))
    return b" ".join(found).decode()


CONTRACTS = {
    "H01": Contract("[()]*", line, balance),
    "H02": Contract(r"[1-9][0-9]*(?:[+*-][1-9][0-9]*)*", expression, expression_value),
    "H03": Contract(INTEGER, numbers("N"), lambda text: str(len(sieve(int(text))))),
    "H04": Contract(INTEGER, numbers("K"), lambda text: str(sieve(100)[int(text) - 1])),
    "H05": Contract(f"{NATURAL}\n{NATURAL}", lengths("digits of A", "digits of B"), long_sum),
    "H06": Contract("(?:[!-~]+(?: [!-~]+)*)?", words, longest_word),
    "H07": Contract(
        f"{INTEGER}(?:\n{LINE})+",
        counted_lines,
        common_prefix,
    ),
    "H08": Contract("[0-9]*", line, digit_counts),
    "H09": Contract(f"{INTEGER}\n[a-z]+", caesar, shifted),
    "H10": Contract(LINE, line, lambda text: re.sub(r"(.)\1+", r"\1", text)),
    "H11": Contract("(?:[ -~][1-9])*", pairs, decoded),
    "H12": Contract(LINE, line, lambda text: str(sum(text.encode("ascii")))),
    "H13": Contract(
        f"{INTEGER}\n{INTEGER}(?: {INTEGER})*\n{INTEGER}", polynomial, polynomial_value
    ),
    "H14": Contract(INTEGER, numbers("N"), divisors),
    "H15": Contract(
        "[LR]*", line, lambda text: str(sum(1 if move == "R" else -1 for move in text))
    ),
    "H16": Contract(LINE, line, lambda text: str(max([0, *run_lengths(text)]))),
    "H17": Contract(f"{INTEGER}\n{INTEGER}(?: {INTEGER})*", list_of_integers, most_frequent),
    "H18": Contract("[0-9]+", line, remainder_machine),
    "H19": Contract("[+0-]*", line, machine),
    "H20": Contract(f"{INTEGER}(?:\n[!-~]+)+", lines_to_sort, sorted_by_codes),
}
