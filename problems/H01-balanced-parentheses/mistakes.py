"""Wrong ways to check parentheses, by the edge class that catches each."""

from __future__ import annotations


def empty__refused(text: str) -> str:
    return "yes" if text and answer(depths(text)) == "yes" else "no"


def crossed__only_counted(text: str) -> str:
    return "yes" if text.count("(") == text.count(")") else "no"


def unclosed__end_not_looked_at(text: str) -> str:
    return "no" if min(depths(text)) < 0 else "yes"


def unopened__depth_kept_from_falling(text: str) -> str:
    depth = 0
    for sign in text:
        depth = depth + 1 if sign == "(" else max(0, depth - 1)
    return "no" if depth else "yes"


def nested__neighbours_removed_once(text: str) -> str:
    return "no" if text.replace("()", "") else "yes"


def nested__last_character_missed(text: str) -> str:
    return answer(depths(text[:-1]))


def wrap__depth_in_a_byte(text: str) -> str:
    depth = 0
    for sign in text:
        if sign == ")" and depth == 0:
            return "no"
        depth = (depth + (1 if sign == "(" else -1)) % 256
    return "no" if depth else "yes"


def depths(text: str) -> list[int]:
    found = [0]
    for sign in text:
        found.append(found[-1] + (1 if sign == "(" else -1))
    return found


def answer(depths: list[int]) -> str:
    return "yes" if min(depths) == depths[-1] == 0 else "no"
