"""Wrong ways to find the survivor, by the edge class that catches each."""

from __future__ import annotations


def _survivor(persons: int, step: int) -> int:
    place = 0
    for size in range(2, persons + 1):
        place = (place + step) % size
    return place + 1


def _numbers(text: str) -> tuple[int, int]:
    persons, step = map(int, text.split())
    return persons, step


def single__counted_from_zero(text: str) -> str:
    return str(_survivor(*_numbers(text)) - 1)


def every__first_person_not_counted(text: str) -> str:
    persons, step = _numbers(text)
    return str(_survivor(persons, step + 1))


def two__first_to_leave(text: str) -> str:
    persons, step = _numbers(text)
    return str((step - 1) % persons + 1)


def equal__one_too_few(text: str) -> str:
    persons, step = _numbers(text)
    return str(_survivor(persons, step - 1))


def equal__one_too_many(text: str) -> str:
    persons, step = _numbers(text)
    return str(_survivor(persons, step + 1))


def beyond__step_reduced_once(text: str) -> str:
    persons, step = _numbers(text)
    return str(_survivor(persons, step % persons or persons))


def beyond__does_not_go_around(text: str) -> str:
    persons, step = _numbers(text)
    return str(_survivor(persons, min(step, persons)))


def largest__step_kept_in_a_byte(text: str) -> str:
    persons, step = _numbers(text)
    return str(_survivor(persons, step % 256))
