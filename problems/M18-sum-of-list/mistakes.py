"""Wrong ways to add up a list, by the edge class that catches each."""

from __future__ import annotations


def read(text: str) -> list[int]:
    return list(map(int, text.split("\n")[1].split()))


def single__last_number_missed(text: str) -> str:
    return str(sum(read(text)[:-1]))


def single__count_added(text: str) -> str:
    return str(sum(map(int, text.split())))


def opposite__nothing_for_zero(text: str) -> str:
    return str(sum(read(text)) or "")


def opposite__minus_zero(text: str) -> str:
    total = sum(read(text))
    return str(total) if total > 0 else f"-{-total}"


def negative__sign_lost(text: str) -> str:
    return str(abs(sum(read(text))))


def negative__starts_with_the_first_twice(text: str) -> str:
    return str(read(text)[0] + sum(read(text)))


def mixed__signs_dropped(text: str) -> str:
    return str(sum(map(abs, read(text))))


def mixed__never_below_zero(text: str) -> str:
    total = 0
    for number in sorted(read(text)):
        total = max(0, total + number)
    return str(total)


def two_digits__first_digit_of_n_read(text: str) -> str:
    return str(sum(read(text)[: int(text[0])]))


def two_digits__nine_numbers_at_most(text: str) -> str:
    return str(sum(read(text)[:9]))


def largest__wraps_at_16_bits(text: str) -> str:
    return str((sum(read(text)) + 2**15) % 2**16 - 2**15)


def largest__five_digits_kept(text: str) -> str:
    total = sum(read(text))
    return str(total % 10**5 if total >= 0 else -(-total % 10**5))
