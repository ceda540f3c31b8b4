"""Wrong ways to run the machine, by the edge class that catches each."""

from __future__ import annotations


def empty__nothing_printed(text: str) -> str:
    return str(value(text)) if text else ""


def negative__sign_lost(text: str) -> str:
    return str(abs(value(text)))


def negative__stopped_at_zero(text: str) -> str:
    found = 0
    for command in text:
        found = 0 if command == "0" else max(0, found + value(command))
    return str(found)


def ends_with_reset__not_heeded(text: str) -> str:
    return str(value(text.removesuffix("0")))


def ends_with_reset__nothing_for_zero(text: str) -> str:
    return str(value(text) or "")


def one_reset__ignored(text: str) -> str:
    return str(value(text.replace("0", "")))


def one_reset__taken_for_the_end(text: str) -> str:
    return str(value(text.partition("0")[0]))


def one_reset__halts_with_zero(text: str) -> str:
    return "0" if "0" in text else str(value(text))


def several_resets__only_the_first(text: str) -> str:
    return str(value(text.partition("0")[2].replace("0", "")))


def several_resets__counts_added(text: str) -> str:
    return str(sum(map(value, text.split("0"))))


def far__in_a_byte(text: str) -> str:
    return str(value(text) % 256)


def far__in_a_byte_with_a_sign(text: str) -> str:
    return str((value(text) + 128) % 256 - 128)


def value(text: str) -> int:
    counted = text.rpartition("0")[2]
    return counted.count("+") - counted.count("-")
