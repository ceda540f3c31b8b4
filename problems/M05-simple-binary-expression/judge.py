"""M05 Simple Binary Expression: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

from operator import add, mul, sub

OPERATIONS = {"+": add, "-": sub, "*": mul}


def solve(text: str) -> str:
    a, op, b = text.split()
    return str(OPERATIONS[op](int(a), int(b)))


def cases(rng):
    yield "sum", expression("+", rng.shuffle([rng.integer(1, 5000), -rng.integer(1, 5000)]))
    a = rng.integer(1, 4999)
    yield "difference", expression("-", [a, rng.integer(a + 1, 5000)])
    yield "product", expression("*", [rng.integer(16, 999), rng.integer(16, 999)])
    yield "signs", expression("-", [-rng.integer(1, 5000), -rng.integer(1, 5000)])
    yield "zero", expression("*", rng.shuffle([0, -rng.integer(1, 5000)]))
    ends = [rng.choice([1, -1]) * rng.integer(4900, 5000) for _ in range(2)]
    yield "largest", expression("*", ends)


def expression(op: str, numbers: list[int]) -> str:
    a, b = numbers
    return f"{a} {op} {b}"
