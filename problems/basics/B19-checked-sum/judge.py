"""B19 Checked Sum of a List: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def number(line: str) -> int | None:
    valid = 1 <= len(line) <= 5 and line.isascii() and line.isdigit() and int(line) <= 65535
    return int(line) if valid else None


def invalid(rng):
    return rng.choice(["", "x7", "-1", "+5", "4.0", "65536", "99999", "000001", "123456", "1 2"])


def solve(text: str) -> str:
    count, *lines = text.split("\n")
    many = number(count)
    if many is None or many > 6 or len(lines) < many:
        return "error"
    values = [number(line) for line in lines[:many]]
    total = sum(value or 0 for value in values)
    return "error" if None in values or total > 65535 else str(total)


def cases(rng):
    yield "zero", "0" + rng.choice(["", "\n5", "\nx"])
    values = [str(rng.integer(0, 9999)) for _ in range(5)]
    many = rng.integer(1, 4)
    yield "missing", "\n".join([str(many + 1), *values[:many]])
    bad = [*values[:many], invalid(rng) or "x"]
    yield "invalid", "\n".join([str(many + 1), *rng.shuffle(bad)])
    first = rng.integer(1, 65535)
    yield "above", f"3\n{first}\n{65535 - first}\n{rng.integer(1, 65535)}"
    yield "count", "\n".join([rng.choice(["7", "10", "x", "", "-1"]), *["1"] * 10])
    yield "further", "\n".join([str(many), *values[:many], rng.choice(["x", "9", "77"])])
