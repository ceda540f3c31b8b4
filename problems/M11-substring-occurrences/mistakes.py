"""Wrong ways to count occurrences, by the edge class that catches each."""

from __future__ import annotations


def lines(text: str) -> tuple[str, str]:
    line, part = text.split("\n")
    return line, part


def matches(line: str, part: str, places: range) -> str:
    return str(sum(line.startswith(part, place) for place in places))


def empty__empty_line_skipped(text: str) -> str:
    found = [line for line in text.split("\n") if line]
    return matches(found[0], found[-1], range(len(found[0])))


def longer__compared_to_the_end_of_the_line(text: str) -> str:
    line, part = lines(text)
    tails = [line[place:] for place in range(len(line))]
    return str(sum(all(x == y for x, y in zip(tail, part, strict=False)) for tail in tails))


def longer__lines_mixed_up(text: str) -> str:
    part, line = lines(text)
    return matches(line, part, range(len(line)))


def single__one_digit_printed(text: str) -> str:
    line, part = lines(text)
    return matches(line, part, range(len(line)))[-1]


def single__found_or_not(text: str) -> str:
    line, part = lines(text)
    return str(int(part in line))


def overlap__counted_side_by_side(text: str) -> str:
    line, part = lines(text)
    return str(line.count(part))


def ends__last_place_missed(text: str) -> str:
    line, part = lines(text)
    return matches(line, part, range(len(line) - len(part)))


def ends__first_place_missed(text: str) -> str:
    line, part = lines(text)
    return matches(line, part, range(1, len(line)))


def ends__case_ignored(text: str) -> str:
    line, part = lines(text.lower())
    return matches(line, part, range(len(line)))


def restart__begins_anew_at_each_difference(text: str) -> str:
    line, part = lines(text)
    found = matched = 0
    for sign in line:
        if sign != part[matched]:
            matched = 0
        if sign == part[matched]:
            matched += 1
        if matched == len(part):
            found, matched = found + 1, 0
    return str(found)
