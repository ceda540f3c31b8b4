"""X04 Evaluate Postfix Expression: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

LIMIT = 9999999


def solve(text: str) -> str:
    stack: list[int] = []
    for token in text.split(" "):
        if token.isdigit():
            stack.append(int(token))
        else:
            right, left = stack.pop(), stack.pop()
            stack.append(apply(token, left, right))
    return str(stack.pop())


def apply(operator: str, left: int, right: int) -> int:
    if operator == "/":
        quotient = abs(left) // abs(right)
        return quotient if (left < 0) == (right < 0) else -quotient
    return {"+": left + right, "-": left - right, "*": left * right}[operator]


def cases(rng):
    yield "single", str(rng.integer(0, 9))
    a, b = rng.sample(range(10), 2)
    yield "order", f"{a} {b} - {rng.integer(1, 9)} -"
    yield "truncate", truncate(rng)
    yield "nested", nested(rng)
    a, b = rng.integer(1, 9), rng.integer(1, 9)
    yield (
        "zero",
        rng.choice([f"{a} 0 {b} - *", f"0 {a} - {b} *", f"0 {a} {b} * -", f"{a} 0 * {b} -"]),
    )
    factors = [rng.integer(7, 9) for _ in range(rng.integer(6, 7))]
    product = " ".join(map(str, factors[:1])) + "".join(f" {factor} *" for factor in factors[1:])
    yield "largest", product + rng.choice(["", " 0 +", f" {rng.integer(1, 9)} -"])


def truncate(rng) -> str:
    """Return a division with a negative operand and a remainder."""
    while True:
        small, large = sorted(rng.sample(range(10), 2))
        other = rng.integer(2, 9)
        if (large - small) % other and rng.chance(1, 2):
            return f"{small} {large} - {other} /"
        if large - small > 1 and other % (large - small):
            return f"{other} {small} {large} - /"


def nested(rng) -> str:
    """Return operands, then operators; evaluation from left to right gives another value."""
    while True:
        operands = [rng.integer(1, 9) for _ in range(rng.integer(6, 11))]
        operators: list[str] = []
        value = operands[-1]
        for operand in operands[-2::-1]:
            fitting = [sign for sign in "+-*" if abs(apply(sign, operand, value)) <= LIMIT]
            operators.append(rng.choice(fitting))
            value = apply(operators[-1], operand, value)
        running = operands[0]
        for sign, operand in zip(operators, operands[1:], strict=True):
            running = apply(sign, running, operand)
        if running != value:
            return " ".join([*map(str, operands), *operators])
