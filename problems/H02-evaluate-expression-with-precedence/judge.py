"""H02 Evaluate Expression With Precedence: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

from math import prod


def solve(text: str) -> str:
    terms = text.replace("-", "+-").split("+")
    return str(sum(prod(map(int, term.split("*"))) for term in terms))


def cases(rng):
    yield "single", str(rng.integer(10, 999))
    a, b, c, d, e = (rng.integer(2, 99) for _ in range(5))
    yield "precedence", f"{a}+{b}*{c}+{d}*{e}"
    a, b, c, d, e = (rng.integer(1, most) for most in (999, 12, 12, 99, 99))
    yield "subtraction", f"{a}-{b}*{c}-{d}+{e}"
    a, b, c, d = rng.integer(1, 9), rng.integer(10, 99), rng.integer(10, 99), rng.integer(1, 9)
    yield "negative", rng.choice([f"{a}-{b}*{c}+{d}", f"{a}*{d}-{b}*{c}", f"{a}+{d}-{b}*{c}-{b}"])
    a, b, c = (rng.integer(2, 99) for _ in range(3))
    yield "zero", f"{a}*{b}-{b}*{a}" + rng.choice(["", f"+{c}-{c}", f"-{c}+{c}"])
    products = [f"{rng.integer(990, 999)}*{rng.integer(990, 999)}" for _ in range(6)]
    signs = rng.shuffle("++++-")
    yield "largest", "".join(map("".join, zip(products, [*signs, ""], strict=True)))
