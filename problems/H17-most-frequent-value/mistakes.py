"""Wrong ways to find the most frequent value, by the edge class that catches each."""

from __future__ import annotations

from itertools import groupby


def single__two_of_a_kind_awaited(text: str) -> str:
    found = values(text)
    return str(min((v for v in found if found.count(v) > 1), key=rank(found), default=""))


def different__first_one(text: str) -> str:
    found = values(text)
    return str(max(found, key=found.count))


def different__last_one(text: str) -> str:
    found = values(text)
    return str(max(reversed(found), key=found.count))


def tie__first_of_equals(text: str) -> str:
    found = values(text)
    return str(max(found, key=found.count))


def tie__last_of_equals(text: str) -> str:
    found = values(text)
    return str(max(reversed(list(dict.fromkeys(found))), key=found.count))


def tie__greatest_of_equals(text: str) -> str:
    found = values(text)
    return str(max(found, key=lambda value: (found.count(value), value)))


def tie__compared_as_texts(text: str) -> str:
    found = list(map(str, values(text)))
    return min(found, key=lambda value: (-found.count(value), value))


def tie__least_of_all(text: str) -> str:
    return str(min(values(text)))


def negative__signs_lost(text: str) -> str:
    found = list(map(abs, values(text)))
    return str(min(found, key=rank(found)))


def negative__nearest_to_zero(text: str) -> str:
    found = values(text)
    return str(min(found, key=lambda value: (-found.count(value), abs(value))))


def apart__longest_run(text: str) -> str:
    runs = [(value, len(list(run))) for value, run in groupby(values(text))]
    return str(min(runs, key=lambda run: (-run[1], run[0]))[0])


def wrap__in_a_byte(text: str) -> str:
    found = [value % 256 for value in values(text)]
    return str(min(found, key=rank(found)))


def values(text: str) -> list[int]:
    return list(map(int, text.split("\n")[1].split(" ")))


def rank(found: list[int]):
    return lambda value: (-found.count(value), value)
