"""Wrong ways to write out runs, by the edge class that catches each."""

from __future__ import annotations

import re


def empty__first_pair_taken_for_granted(text: str) -> str:
    return text[0] * int(text[1]) + decoded(text[2:])


def single__printed_once(text: str) -> str:
    return text[::2]


def single__one_more(text: str) -> str:
    return "".join(text[i] * (int(text[i + 1]) + 1) for i in range(0, len(text), 2))


def single__code_for_count(text: str) -> str:
    return "".join(text[i] * ord(text[i + 1]) for i in range(0, len(text), 2))


def again__last_count_kept(text: str) -> str:
    counts = {text[i]: int(text[i + 1]) for i in range(0, len(text), 2)}
    return "".join(sign * count for sign, count in counts.items())


def digits__never_repeated(text: str) -> str:
    return "".join(sign * int(count) for sign, count in re.findall(r"(\D)(\d)", text))


def digits__counts_of_several_digits(text: str) -> str:
    return "".join(sign * min(int(count), 999) for sign, count in re.findall(r"(.)(\d+)", text))


def spaces__skipped(text: str) -> str:
    return decoded(text).replace(" ", "")


def spaces__stripped(text: str) -> str:
    return decoded(text.strip())


def longest__last_pair_missed(text: str) -> str:
    return decoded(text[:-2])


def decoded(text: str) -> str:
    return "".join(text[i] * int(text[i + 1]) for i in range(0, len(text), 2))
