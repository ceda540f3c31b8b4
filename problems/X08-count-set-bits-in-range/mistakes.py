"""Wrong ways to count bits, by the edge class that catches each."""

from __future__ import annotations

from itertools import accumulate

ONES_BELOW = [0, *accumulate(number.bit_count() for number in range(10000))]


def _count(least: int, greatest: int) -> int:
    return ONES_BELOW[greatest + 1] - ONES_BELOW[least]


def _ends(text: str) -> tuple[int, int]:
    least, greatest = map(int, text.split())
    return least, greatest


def from_zero__a_digit_counted_for_zero(text: str) -> str:
    least, greatest = _ends(text)
    return str(_count(least, greatest) + (least == 0))


def from_zero__minus_one_subtracted(text: str) -> str:
    least, greatest = _ends(text)
    return str(_count(0, greatest) - (_count(0, least - 1) if least else 1))


def single__last_left_out(text: str) -> str:
    least, greatest = _ends(text)
    return str(_count(least, greatest - 1))


def single__numbers_counted(text: str) -> str:
    least, greatest = _ends(text)
    return str(greatest - least + 1)


def border__first_left_out(text: str) -> str:
    least, greatest = _ends(text)
    return str(_count(least + 1, greatest))


def border__bits_of_the_ends(text: str) -> str:
    least, greatest = _ends(text)
    return str(greatest.bit_count() - least.bit_count())


def block__each_with_as_many(text: str) -> str:
    least, greatest = _ends(text)
    return str((greatest - least + 1) * least.bit_count())


def narrow__zeros_counted_too(text: str) -> str:
    least, greatest = _ends(text)
    return str(sum(number.bit_length() for number in range(least, greatest + 1)))


def narrow__low_byte_only(text: str) -> str:
    least, greatest = _ends(text)
    return str(sum((number & 255).bit_count() for number in range(least, greatest + 1)))


def widest__sixteen_bits_with_sign(text: str) -> str:
    return str((_count(*_ends(text)) + 32768) % 65536 - 32768)


def widest__sum_kept_in_a_byte(text: str) -> str:
    return str(_count(*_ends(text)) % 256)
