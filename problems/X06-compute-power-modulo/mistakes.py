"""Wrong ways to compute a power modulo a number, by the edge class that catches each."""

from __future__ import annotations


def zero_exponent__begins_with_the_base(text: str) -> str:
    b, e, m = map(int, text.split())
    return str(pow(b, max(e, 1), m))


def modulus_one__one_not_reduced(text: str) -> str:
    b, e, m = map(int, text.split())
    return str(pow(b, e, m) if e else 1)


def multiple__zero_to_any_power_is_one(text: str) -> str:
    b, e, m = map(int, text.split())
    return str(pow(b, e, m) if b % m else 1)


def reduced__base_printed_as_it_is(text: str) -> str:
    b, e, m = map(int, text.split())
    return str(b if e == 1 else pow(b, e, m))


def binary__highest_bit_left_out(text: str) -> str:
    b, e, m = map(int, text.split())
    return str(pow(b, e - (1 << e.bit_length() - 1), m))


def binary__one_factor_too_few(text: str) -> str:
    b, e, m = map(int, text.split())
    return str(pow(b, e - 1, m))


def largest__exponent_kept_in_a_byte(text: str) -> str:
    b, e, m = map(int, text.split())
    return str(pow(b, e % 256, m))


def largest__products_of_sixteen_bits(text: str) -> str:
    b, e, m = map(int, text.split())
    result, b = 1 % m, b % m
    while e:
        if e % 2:
            result = result * b % 65536 % m
        b = b * b % 65536 % m
        e //= 2
    return str(result)


def largest__multiplied(text: str) -> str:
    b, e, m = map(int, text.split())
    return str(b * e % m)
