"""Wrong ways to follow a walk, by the edge class that catches each."""

from __future__ import annotations


def empty__nothing_printed(text: str) -> str:
    return str(position(text)) if text else ""


def left__sign_lost(text: str) -> str:
    return str(abs(position(text)))


def left__tape_with_an_end(text: str) -> str:
    return stopped_at_zero(text)


def return__nothing_for_zero(text: str) -> str:
    return str(position(text) or "")


def return__last_move_missed(text: str) -> str:
    return str(position(text[:-1]))


def crossing__tape_with_an_end(text: str) -> str:
    return stopped_at_zero(text)


def crossing__moves_counted(text: str) -> str:
    return str(len(text))


def far_right__in_a_byte(text: str) -> str:
    return str(position(text) % 256)


def far_left__in_a_byte_with_a_sign(text: str) -> str:
    return str((position(text) + 128) % 256 - 128)


def position(text: str) -> int:
    return text.count("R") - text.count("L")


def stopped_at_zero(text: str) -> str:
    place = 0
    for move in text:
        place = place + 1 if move == "R" else max(0, place - 1)
    return str(place)
