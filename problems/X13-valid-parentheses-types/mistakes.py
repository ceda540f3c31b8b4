"""Wrong ways to check brackets, by the edge class that catches each."""

from __future__ import annotations

CLOSING = {"(": ")", "[": "]", "{": "}"}


def _answer(right: bool) -> str:
    return "yes" if right else "no"


def _check(text: str, ignore_unopened: bool = False, end: bool = True) -> str:
    expected: list[str] = []
    for sign in text:
        if sign in CLOSING:
            expected.append(CLOSING[sign])
        elif not expected:
            if not ignore_unopened:
                return "no"
        elif expected.pop() != sign:
            return "no"
    return _answer(not end or not expected)


def empty__no(text: str) -> str:
    return _check(text) if text else "no"


def crossed__types_apart(text: str) -> str:
    for opening, closing in CLOSING.items():
        depth = 0
        for sign in text:
            depth += (sign == opening) - (sign == closing)
            if depth < 0:
                return "no"
        if depth:
            return "no"
    return "yes"


def crossed__types_not_compared(text: str) -> str:
    depth = 0
    for sign in text:
        depth += 1 if sign in CLOSING else -1
        if depth < 0:
            return "no"
    return _answer(depth == 0)


def unclosed__end_not_checked(text: str) -> str:
    return _check(text, end=False)


def unopened__ignored(text: str) -> str:
    return _check(text, ignore_unopened=True)


def reversed__counted_only(text: str) -> str:
    counts = (text.count(a) - text.count(b) for a, b in CLOSING.items())
    return _answer(not any(counts))


def reversed__depth_at_the_end_only(text: str) -> str:
    depth = 0
    for sign in text:
        depth += 1 if sign in CLOSING else -1
    return _answer(depth == 0)


def nested__mirrored_only(text: str) -> str:
    half = (len(text) + 1) // 2
    return _answer(all(CLOSING.get(a) == b for a, b in zip(text[:half], text[::-1], strict=False)))


def nested__neighbours_only(text: str) -> str:
    for opening, closing in CLOSING.items():
        text = text.replace(opening + closing, "")
    return _answer(not text)
