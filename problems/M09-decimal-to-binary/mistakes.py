"""Wrong ways to write a number in binary, by the edge class that catches each."""

from __future__ import annotations


def zero__nothing_printed(text: str) -> str:
    return f"{int(text):b}".lstrip("0")


def small__padded_to_a_byte(text: str) -> str:
    return f"{int(text):08b}"


def small__prefix_printed(text: str) -> str:
    return bin(int(text))


def power__last_digit_first(text: str) -> str:
    return f"{int(text):b}"[::-1]


def power__stops_when_nothing_is_left(text: str) -> str:
    n, bits = int(text), ""
    for place in range(23, -1, -1):
        if n == 0:
            break
        bits += str(n >> place)
        n %= 1 << place
    return bits.lstrip("0") or "0"


def ones__halves_rounded_up(text: str) -> str:
    n, bits = int(text), ""
    while n > 1:
        n, bits = (n + 1) // 2, str(n % 2) + bits
    return str(n) + bits


def ones__octal(text: str) -> str:
    return f"{int(text):o}"


def over_255__eight_digits_only(text: str) -> str:
    return f"{int(text) % 256:b}"


def largest__sixteen_digits_only(text: str) -> str:
    return f"{int(text) % 2**16:b}"


def largest__most_significant_digit_lost(text: str) -> str:
    return f"{int(text) - 2 ** (int(text).bit_length() - 1) if int(text) else 0:b}"
