"""Wrong ways to add long integers, by the edge class that catches each."""

from __future__ import annotations

from itertools import zip_longest


def zero__nothing_printed(text: str) -> str:
    return str(total(text) or "")


def lengths__aligned_on_the_left(text: str) -> str:
    a, b = text.split("\n")
    width = max(len(a), len(b))
    return str(int(a.ljust(width, "0")) + int(b.ljust(width, "0")))


def lengths__only_as_far_as_the_shorter(text: str) -> str:
    a, b = text.split("\n")
    width = min(len(a), len(b))
    return str(int(a[-width:]) + int(b[-width:]))


def carry__not_carried(text: str) -> str:
    return "".join(str(column % 10) for column in columns(text))


def carry__two_digits_in_a_column(text: str) -> str:
    return "".join(map(str, columns(text)))


def chain__carry_not_passed_on(text: str) -> str:
    found = [0, *columns(text)]
    shifted = [*found[1:], 0]
    digits = [(x + (y > 9)) % 10 for x, y in zip(found, shifted, strict=True)]
    return "".join(map(str, digits)).lstrip("0")


def chain__last_carry_lost(text: str) -> str:
    return str(total(text))[-max(map(len, text.split("\n"))) :]


def zeros__left_out(text: str) -> str:
    return str(total(text)).replace("0", "")


def longest__sixty_four_bits(text: str) -> str:
    return str(total(text) % 2**64)


def longest__floating_point(text: str) -> str:
    return str(int(sum(map(float, text.split("\n")))))


def total(text: str) -> int:
    return sum(map(int, text.split("\n")))


def columns(text: str) -> list[int]:
    """Return the sums of the digits by column, from the left."""
    backwards = zip_longest(*(line[::-1] for line in text.split("\n")), fillvalue="0")
    return [int(x) + int(y) for x, y in backwards][::-1]
