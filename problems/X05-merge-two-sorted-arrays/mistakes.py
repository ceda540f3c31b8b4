"""Wrong ways to merge two lists, by the edge class that catches each."""

from __future__ import annotations


def _lines(text: str) -> tuple[list[int], list[int]]:
    first, second = ([int(number) for number in line.split()] for line in text.split("\n"))
    return first, second


def _text(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))


def _merged(text: str, rest: bool = True, twice: bool = True) -> list[int]:
    """``rest``: print what is left of the longer one; ``twice``: keep both of two equal ones."""
    first, second = _lines(text)
    found: list[int] = []
    while first and second:
        if first[0] == second[0] and not twice:
            second.pop(0)
        found.append(first.pop(0) if first[0] <= second[0] else second.pop(0))
    return found + (first + second if rest else [])


def single__space_at_the_end(text: str) -> str:
    return _text(_merged(text)) + " "


def single__newline_kept(text: str) -> str:
    first, second = _lines(text)
    return "\n".join(map(str, sorted([*first, *second])))


def apart__one_line_after_the_other(text: str) -> str:
    first, second = _lines(text)
    return _text(first + second)


def apart__rest_left_out(text: str) -> str:
    return _text(_merged(text, rest=False))


def equal__once_each(text: str) -> str:
    first, second = _lines(text)
    return _text(sorted({*first, *second}))


def equal__once_if_in_both_lines(text: str) -> str:
    return _text(_merged(text, twice=False))


def uneven__number_by_number(text: str) -> str:
    pairs = zip(*_lines(text), strict=False)
    return _text([number for pair in pairs for number in sorted(pair)])


def negative__by_absolute_value(text: str) -> str:
    first, second = _lines(text)
    return _text(sorted(first + second, key=abs))


def longest__compared_as_text(text: str) -> str:
    return " ".join(sorted(text.split()))


def longest__eleven_places(text: str) -> str:
    first, second = _lines(text)
    return _text(sorted(first[:11] + second[:11]))
