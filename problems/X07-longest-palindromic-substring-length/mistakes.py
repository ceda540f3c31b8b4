"""Wrong ways to measure palindromes, by the edge class that catches each."""

from __future__ import annotations

from collections.abc import Iterator


def _substrings(text: str) -> Iterator[str]:
    for start in range(len(text)):
        for end in range(start + 1, len(text) + 1):
            yield text[start:end]


def _palindromes(text: str) -> list[str]:
    return [part for part in _substrings(text) if part == part[::-1]]


def empty__at_least_one(text: str) -> str:
    return str(max(map(len, _palindromes(text)), default=1))


def mirrored__common_with_the_reverse(text: str) -> str:
    return str(max(len(part) for part in _substrings(text) if part in text[::-1]))


def mirrored__length_two_at_least(text: str) -> str:
    return str(max((len(part) for part in _palindromes(text) if len(part) > 1), default=0))


def even__middle_is_a_character(text: str) -> str:
    return str(max(len(part) for part in _palindromes(text) if len(part) % 2))


def odd__middle_is_between_two(text: str) -> str:
    return str(max((len(part) for part in _palindromes(text) if len(part) % 2 == 0), default=0))


def odd__characters_left_out(text: str) -> str:
    best = [[0] * (len(text) + 1) for _ in range(len(text) + 1)]
    for size in range(1, len(text) + 1):
        for start in range(len(text) - size + 1):
            end = start + size
            inner = best[start + 1][end - 1] if size > 1 else -1
            longer = max(best[start + 1][end], best[start][end - 1])
            best[start][end] = inner + 2 if text[start] == text[end - 1] else longer
    return str(best[0][-1])


def odd__only_at_the_beginning(text: str) -> str:
    return str(max(len(part) for part in _palindromes(text) if text.startswith(part)))


def equal__last_character_not_reached(text: str) -> str:
    return str(max(map(len, _palindromes(text[:-1]))))


def equal__one_digit_printed(text: str) -> str:
    return str(max(map(len, _palindromes(text))))[0]


def case__ignored(text: str) -> str:
    return str(max(map(len, _palindromes(text.lower()))))
