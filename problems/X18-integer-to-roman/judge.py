"""X18 Integer To Roman: the oracle and the hidden tests, by edge class."""

from __future__ import annotations

SYMBOLS = [
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
]


def solve(text: str) -> str:
    rest = int(text)
    parts: list[str] = []
    for value, symbol in SYMBOLS:
        parts.append(symbol * (rest // value))
        rest %= value
    return "".join(parts)


def cases(rng):
    yield "digit", str(rng.integer(1, 9))
    yield "fours", several(rng, 4)
    yield "nines", several(rng, 9)
    yield "zeros", zeros(rng)
    yield "longest", str(rng.integer(1, 3)) + rng.text("567", 1, 1) + "8" + rng.text("5678", 1, 1)
    yield "largest", f"39{rng.integer(1, 9)}{rng.integer(1, 9)}"


def several(rng, digit: int) -> str:
    """Return a number with ``digit`` in two or three places."""
    other = rng.integer(0, 9)
    lower = rng.choice([(digit, digit, digit), (digit, digit, other), (other, digit, digit)])
    return str(int("".join(map(str, [rng.integer(0, 3), *lower]))))


def zeros(rng) -> str:
    first, last = rng.integer(1, 3), rng.integer(1, 9)
    other = rng.integer(1, 9)
    return rng.choice(
        [f"{other}0{last}", f"{first}00{last}", f"{first}0{other}{last}", f"{first}{other}0{last}"]
    )
