"""Wrong ways to find a common prefix, by the edge class that catches each."""

from __future__ import annotations

from itertools import takewhile


def single_line__nothing_to_compare(text: str) -> str:
    found = lines(text)
    return prefix(found) if len(found) > 1 else ""


def single_line__count_taken_for_a_line(text: str) -> str:
    return prefix(text.split("\n"))


def whole_line__first_line_never_cut_at_an_end(text: str) -> str:
    first, *others = lines(text)
    size = len(first)
    for line in others:
        differing = [i for i, (x, y) in enumerate(zip(first, line, strict=False)) if x != y]
        size = min([size, *differing])
    return first[:size]


def whole_line__end_counted_as_a_difference_too_soon(text: str) -> str:
    found = lines(text)
    return prefix(found)[: min(map(len, found)) - 1]


def empty_line__skipped(text: str) -> str:
    return prefix([line for line in lines(text) if line])


def middle__first_and_last_compared(text: str) -> str:
    found = lines(text)
    return prefix([found[0], found[-1]])


def middle__only_two_lines_compared(text: str) -> str:
    return prefix(lines(text)[:2])


def again__agreeing_places_kept(text: str) -> str:
    columns = zip(*lines(text), strict=False)
    return "".join(column[0] for column in columns if len(set(column)) == 1)


def spaces__stripped(text: str) -> str:
    return prefix(lines(text)).strip()


def spaces__not_read(text: str) -> str:
    return prefix([line.replace(" ", "") for line in lines(text)])


def lines(text: str) -> list[str]:
    return text.split("\n")[1:]


def prefix(lines: list[str]) -> str:
    columns = zip(*lines, strict=False)
    return "".join(column[0] for column in takewhile(lambda signs: len(set(signs)) == 1, columns))
