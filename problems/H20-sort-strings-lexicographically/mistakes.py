"""Wrong ways to sort lines, by the edge class that catches each."""

from __future__ import annotations


def single__nothing_to_compare(text: str) -> str:
    return " ".join(sorted(lines(text))) if len(lines(text)) > 1 else ""


def prefix__longer_first(text: str) -> str:
    return " ".join(sorted(lines(text), key=lambda line: line + "\x7f"))


def prefix__by_length(text: str) -> str:
    return " ".join(sorted(lines(text), key=lambda line: (len(line), line)))


def prefix__only_first_characters(text: str) -> str:
    return " ".join(sorted(lines(text), key=lambda line: line[0]))


def case__not_told_apart(text: str) -> str:
    return " ".join(sorted(lines(text), key=str.lower))


def case__small_letters_first(text: str) -> str:
    return " ".join(sorted(lines(text), key=str.swapcase))


def numbers__by_value(text: str) -> str:
    return " ".join(sorted(lines(text), key=int))


def equal__printed_once(text: str) -> str:
    return " ".join(sorted(set(lines(text))))


def falling__greatest_first(text: str) -> str:
    return " ".join(sorted(lines(text), reverse=True))


def falling__one_pass_of_swaps(text: str) -> str:
    found = lines(text)
    for i in range(len(found) - 1):
        if found[i] > found[i + 1]:
            found[i], found[i + 1] = found[i + 1], found[i]
    return " ".join(found)


def falling__on_lines_of_their_own(text: str) -> str:
    return "\n".join(sorted(lines(text)))


def falling__last_line_missed(text: str) -> str:
    return " ".join(sorted(lines(text)[:-1]))


def lines(text: str) -> list[str]:
    return text.split("\n")[1:]
