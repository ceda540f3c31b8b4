"""Wrong ways to count differing bits, by the edge class that catches each."""

from __future__ import annotations


def _numbers(text: str) -> tuple[int, int]:
    a, b = map(int, text.split())
    return a, b


def equal__same_bits_counted(text: str) -> str:
    a, b = _numbers(text)
    return str(max(a, b).bit_length() - (a ^ b).bit_count())


def zero__ends_when_one_is_zero(text: str) -> str:
    a, b = _numbers(text)
    count = 0
    while a and b:
        count += a % 2 != b % 2
        a, b = a // 2, b // 2
    return str(count)


def carry__bits_of_the_difference(text: str) -> str:
    a, b = _numbers(text)
    return str(abs(a - b).bit_count())


def carry__difference_of_the_counts(text: str) -> str:
    a, b = _numbers(text)
    return str(abs(a.bit_count() - b.bit_count()))


def one_bit__number_of_the_differing_bits(text: str) -> str:
    a, b = _numbers(text)
    return str(a ^ b)


def one_bit__last_bit_only(text: str) -> str:
    a, b = _numbers(text)
    return str((a ^ b) % 2)


def length__as_many_as_the_shorter_has(text: str) -> str:
    a, b = _numbers(text)
    mask = (1 << min(a, b).bit_length()) - 1
    return str(((a ^ b) & mask).bit_count())


def largest__low_byte_only(text: str) -> str:
    a, b = _numbers(text)
    return str(((a ^ b) % 256).bit_count())


def largest__twelve_places(text: str) -> str:
    a, b = _numbers(text)
    return str(((a ^ b) % 4096).bit_count())
