"""Wrong ways to recognize a rotation, by the edge class that catches each."""

from __future__ import annotations


def _answer(right: bool) -> str:
    return "yes" if right else "no"


def _is_rotation(first: str, second: str) -> bool:
    return len(first) == len(second) and second in first + first


def same__must_differ(text: str) -> str:
    first, second = text.split("\n")
    return _answer(first != second and _is_rotation(first, second))


def rotated__by_one_place_only(text: str) -> str:
    first, second = text.split("\n")
    return _answer(second in (first, first[1:] + first[:1], first[-1:] + first[:-1]))


def rotated__does_not_go_on_at_the_beginning(text: str) -> str:
    first, second = text.split("\n")
    return _answer(second in first)


def repeated__first_place_only(text: str) -> str:
    first, second = text.split("\n")
    at = second.find(first[0])
    return _answer(second[at:] + second[:at] == first)


def mirrored__same_characters(text: str) -> str:
    first, second = text.split("\n")
    return _answer(sorted(first) == sorted(second))


def mirrored__in_either_direction(text: str) -> str:
    first, second = text.split("\n")
    return _answer(_is_rotation(first, second) or _is_rotation(first, second[::-1]))


def near__same_set_of_characters(text: str) -> str:
    first, second = text.split("\n")
    return _answer(set(first) == set(second))


def near__last_character_not_compared(text: str) -> str:
    first, second = text.split("\n")
    return _answer(first[:-1] in second + second)


def case__ignored(text: str) -> str:
    first, second = text.lower().split("\n")
    return _answer(_is_rotation(first, second))
