"""X06 Compute Power Modulo: the oracle and the hidden tests, by edge class."""

from __future__ import annotations


def solve(text: str) -> str:
    base, exponent, modulus = map(int, text.split())
    return str(pow(base, exponent, modulus))


def cases(rng):
    modulus = rng.integer(3, 5000)
    base = rng.choice([0, rng.integer(2, modulus - 1)])
    yield "zero-exponent", f"{base} 0 {modulus}"
    yield "modulus-one", f"{rng.integer(0, 9999)} 0 1"
    modulus = rng.integer(2, 999)
    yield "multiple", f"{modulus * rng.integer(0, 9)} {rng.integer(1, 2000)} {modulus}"
    modulus = rng.integer(2, 5000)
    yield "reduced", f"{rng.integer(modulus + 1, 9999)} 1 {modulus}"
    yield "binary", telling(rng, lambda: 2 ** rng.integer(8, 10) - rng.integer(0, 1), (2, 5000))
    yield "largest", telling(rng, lambda: rng.integer(1800, 2000), (4900, 5000))


def telling(rng, exponent, moduli: tuple[int, int]) -> str:
    """Return an input for which every shortcut gives a wrong answer."""
    while True:
        b, e, m = rng.integer(9000, 9999), exponent(), rng.integer(*moduli)
        highest = 1 << e.bit_length() - 1
        wrong = {pow(b, other, m) for other in (e - 1, e - highest, highest, e % 256) if other != e}
        if pow(b, e, m) not in wrong | {b * e % m, b % m, 0, 1, sixteen_bits(b, e, m)}:
            return f"{b} {e} {m}"


def sixteen_bits(b: int, e: int, m: int) -> int:
    """Return the result if every product is truncated to 16 bits."""
    result, b = 1 % m, b % m
    while e:
        if e % 2:
            result = result * b % 65536 % m
        b = b * b % 65536 % m
        e //= 2
    return result
