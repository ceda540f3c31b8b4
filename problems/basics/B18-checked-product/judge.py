"""B18 Checked Product: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def number(line: str) -> int | None:
    valid = 1 <= len(line) <= 5 and line.isascii() and line.isdigit() and int(line) <= 65535
    return int(line) if valid else None


def invalid(rng):
    return rng.choice(["", "x7", "-1", "+5", "4.0", "65536", "99999", "000001", "123456", "1 2"])


PAIRS = [
    (1, 65535),
    (3, 21845),
    (5, 13107),
    (15, 4369),
    (17, 3855),
    (51, 1285),
    (85, 771),
    (255, 257),
]


def solve(text: str) -> str:
    first, second = map(number, text.split("\n"))
    if first is None or second is None or first * second > 65535:
        return "error"
    return str(first * second)


def cases(rng):
    yield "zero", "\n".join(rng.shuffle(["0", str(rng.integer(30000, 65535))]))
    value = rng.integer(2, 3000)
    yield "above", f"{value}\n{65535 // value + rng.integer(1, 9)}"
    yield "largest", "\n".join(map(str, rng.shuffle(rng.choice(PAIRS))))
    yield "invalid", "\n".join(rng.shuffle([invalid(rng), str(rng.integer(0, 9))]))
    value = rng.integer(2, 700)
    yield "usual", f"{value}\n{rng.integer(1, 65535 // value)}"
    yield "above", f"{rng.integer(40000, 65535)}\n{rng.integer(40000, 65535)}"
