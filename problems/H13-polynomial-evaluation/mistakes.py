"""Wrong ways to evaluate a polynomial, by the edge class that catches each."""

from __future__ import annotations


def constant__multiplied_by_x(text: str) -> str:
    coefficients, x = parts(text)
    return str(value(coefficients, x) * x)


def constant__not_read_for_degree_zero(text: str) -> str:
    coefficients, x = parts(text)
    return str(value(coefficients[: len(coefficients) - 1], x))


def at_zero__constant_times_x(text: str) -> str:
    coefficients, x = parts(text)
    return str(sum(a * x ** max(1, n) for n, a in enumerate(reversed(coefficients))))


def at_zero__lowest_power_first(text: str) -> str:
    coefficients, x = parts(text)
    return str(value(coefficients[::-1], x))


def negative__sign_of_x_lost(text: str) -> str:
    coefficients, x = parts(text)
    return str(value(coefficients, abs(x)))


def order__lowest_power_first(text: str) -> str:
    coefficients, x = parts(text)
    return str(value(coefficients[::-1], x))


def order__last_coefficient_missed(text: str) -> str:
    coefficients, x = parts(text)
    return str(value(coefficients[:-1], x))


def root__nothing_for_zero(text: str) -> str:
    return str(value(*parts(text)) or "")


def largest__twenty_four_bits(text: str) -> str:
    return str((value(*parts(text)) + 2**23) % 2**24 - 2**23)


def largest__highest_power_missed(text: str) -> str:
    coefficients, x = parts(text)
    return str(value(coefficients[1:], x))


def parts(text: str) -> tuple[list[int], int]:
    _, coefficients, x = text.split("\n")
    return list(map(int, coefficients.split(" "))), int(x)


def value(coefficients: list[int], x: int) -> int:
    return sum(a * x**n for n, a in enumerate(reversed(coefficients)))
