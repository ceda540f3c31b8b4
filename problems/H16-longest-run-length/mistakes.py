"""Wrong ways to measure runs, by the edge class that catches each."""

from __future__ import annotations

from itertools import groupby


def empty__at_least_one(text: str) -> str:
    return str(max([1, *lengths(text)]))


def distinct__repetitions_counted(text: str) -> str:
    return str(max(lengths(text)) - 1)


def last__run_at_the_end_missed(text: str) -> str:
    return str(max(lengths(text)[:-1]))


def last__first_run(text: str) -> str:
    return str(lengths(text)[0])


def apart__all_counted(text: str) -> str:
    return str(max(map(text.count, text)))


def apart__case_ignored(text: str) -> str:
    return str(max(lengths(text.lower())))


def spaces__stripped(text: str) -> str:
    return str(max(lengths(text.strip())))


def spaces__in_words_only(text: str) -> str:
    return str(max(max(lengths(word)) for word in text.split()))


def huge__in_a_byte(text: str) -> str:
    return str(max(length % 256 for length in lengths(text)))


def lengths(text: str) -> list[int]:
    return [len(list(run)) for _, run in groupby(text)]
