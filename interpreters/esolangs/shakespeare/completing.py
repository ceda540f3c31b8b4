"""Words and phrases that may follow, with what each of them means."""

from __future__ import annotations

import re
from collections.abc import Iterator

from esolangs.editing import Completion, Completions
from esolangs.shakespeare import words as w

MOST = 60
"""Completions offered at a time."""

_LOOKED_AT = 400  # bytes before the cursor
_MOST_WORDS = 6  # of a phrase: the remainder of the quotient between
_WORD = re.compile(rb"[A-Za-z][A-Za-z'\-]*")
_BEGINS = re.compile(rb"[.!?:\]\[]")
_CAST = re.compile(rb"^\s*([A-Za-z][A-Za-z ]*?)\s*,", re.M)
_HEADING = re.compile(rb"\b(act|scene)\s+([ivxlcdm]+)\s*:\s*([^.!?]*)", re.I)

_STATEMENTS = (
    ("You are", "set the value of who is spoken to: You are as good as …"),
    ("Speak your mind!", "print the value as a character"),
    ("Open your heart!", "print the value as a number"),
    ("Open your mind!", "read a character"),
    ("Listen to your heart!", "read a number"),
    ("Remember", "push a value: Remember me."),
    ("Recall", "pop the value remembered last: Recall your youth!"),
    ("Am I better than", "a question: >"),
    ("Am I as good as", "a question: ="),
    ("Am I worse than", "a question: <"),
    ("Are you better than", "a question: >"),
    ("Are you as good as", "a question: ="),
    ("Are you worse than", "a question: <"),
    ("Is", "a question about two values"),
    ("If so,", "only if the answer was yes"),
    ("If not,", "only if the answer was no"),
    ("Let us proceed to scene", "go to a scene of this act"),
    ("Let us return to scene", "go to a scene of this act"),
    ("Let us proceed to act", "go to the beginning of an act"),
    ("Act", "Act I: a title."),
    ("Scene", "Scene I: a title."),
)
_SPOKEN = {text for text, _ in _STATEMENTS}
_DIRECTIONS = (
    ("Enter", "characters come on stage"),
    ("Exit", "one character leaves"),
    ("Exeunt", "several leave, or all"),
)
_SIGNS = ("a + b", "a − b", "a × b", "a ÷ b, rounded towards 0", "what a ÷ b leaves over")
_UNARY_SIGNS = ("2 × a", "a × a", "a × a × a", "√a, rounded down", "1 × 2 × … × a")
_VALUES = (
    ("nothing", "0"),
    ("zero", "0"),
    ("yourself", "the value of who is spoken to"),
    ("thyself", "the value of who is spoken to"),
    ("you", "the value of who is spoken to"),
    ("me", "the value of who speaks"),
    ("myself", "the value of who speaks"),
)
_COMPARISONS = (
    *((word, ">, before “than”") for word in ("better", "bigger", "nicer", "friendlier")),
    *((word, "<, before “than”") for word in ("worse", "smaller", "punier")),
    ("as good as", "a question: =; after “You are”: the value to take follows"),
    ("more", ">, with an adjective that is not negative"),
    ("less", "<, with an adjective that is not negative"),
)


def _list(text: str, told: str) -> tuple[tuple[str, str], ...]:
    return tuple((" ".join(each.split()), told) for each in text.split(","))


_KIND_WORDS = {
    1: (
        *_list(w.POSITIVE_NOUNS, "noun: 1"),
        *_list(w.NEUTRAL_NOUNS, "noun: 1"),
        *_list(w.POSITIVE_ADJECTIVES, "adjective: ×2, of nouns that count 1"),
    ),
    -1: (
        *_list(w.NEGATIVE_NOUNS, "noun: −1"),
        *_list(w.NEGATIVE_ADJECTIVES, "adjective: ×2, of nouns that count −1"),
    ),
    0: _list(w.NEUTRAL_ADJECTIVES, "adjective: ×2, of any noun"),
}
_SIGN_OF = {
    word: sign
    for sign, told in ((1, w.POSITIVE_ADJECTIVES), (-1, w.NEGATIVE_ADJECTIVES))
    for word, _ in _list(told, "")
}
_NEUTRAL = {word for word, _ in _list(w.NEUTRAL_ADJECTIVES, "")}
_OPERATIONS = (
    *zip(w.BINARIES, _SIGNS, strict=True),
    *zip(w.UNARIES, _UNARY_SIGNS, strict=True),
)


_MEANINGS = {
    word: told
    for words in (*_KIND_WORDS.values(), _VALUES)
    for word, told in words
    if " " not in word
}


def meaning(source: bytes, offset: int) -> str:
    """What the word at an offset counts; empty where it counts nothing."""
    low = max(0, offset - _LOOKED_AT)
    for word in _WORD.finditer(source, low, offset + _LOOKED_AT):
        if word.start() <= offset <= word.end():
            spoken = word[0].decode().lower()
            return f"{spoken}, {_MEANINGS[spoken]}" if spoken in _MEANINGS else ""
    return ""


def complete(source: bytes, offset: int) -> Completions | None:
    """What the last words before ``offset`` may become; None where nothing is known."""
    low = max(0, offset - _LOOKED_AT)
    begin = max((mark.end() for mark in _BEGINS.finditer(source, low, offset)), default=low)
    words = list(_WORD.finditer(source, begin, offset))[-_MOST_WORDS:]
    opened = source[begin - 1 : begin] == b"["
    after_blank = not words or words[-1].end() < offset
    first_of = 0 if words and not after_blank else len(words)
    for first in range(first_of, len(words) + after_blank):
        typed = _joined(words[first:])
        before = [word[0].decode().lower() for word in words[:first]]
        found = [
            Completion(_in_case(text, typed), told)
            for text, told in dict(_candidates(source, offset, before, opened)).items()
            if text.lower().startswith(typed.lower()) and text.lower() != typed.lower()
        ]
        if found:
            start = words[first].start() if first < len(words) else offset
            return Completions(start, tuple(found[:MOST]))
    return None


def _joined(words: list[re.Match[bytes]]) -> str:
    return " ".join(word[0].decode() for word in words)


def _in_case(text: str, typed: str) -> str:
    """The text as it goes on from what was typed; names keep their capital."""
    if typed[:1].isupper():
        return text[0].upper() + text[1:]
    return text[0].lower() + text[1:] if typed and text in _SPOKEN else text


def _candidates(
    source: bytes, offset: int, before: list[str], opened: bool
) -> Iterator[tuple[str, str]]:
    """All that may stand after the words of a sentence, the likeliest first."""
    last = before[-1] if before else ""
    if opened:
        yield from _cast(source) if before else _DIRECTIONS
    elif last in ("act", "scene") and len(before) > 2:
        yield from _numerals(source, offset, last)
    elif last == "to" and len(before) > 1 and before[-2] in ("proceed", "return"):
        yield from (("scene", "of this act"), ("act", "its first scene"))
    elif not before or before in (["if", "so"], ["if", "not"]):
        yield from _STATEMENTS
        yield from _cast(source)
        if not _HEADING.search(source, 0, offset):
            yield from ((name, "a character") for name in w.NAMES_IN_ORDER)
    else:
        yield from _expression(source, before)


def _expression(source: bytes, before: list[str]) -> Iterator[tuple[str, str]]:
    sign = next((_SIGN_OF[word] for word in reversed(before) if _describes(before, word)), 0)
    if before[-1] in _SIGN_OF or before[-1] in _NEUTRAL:
        for each in (sign,) if sign else (1, -1):
            yield from _KIND_WORDS[each]
        yield from _KIND_WORDS[0]
        return
    yield from _OPERATIONS
    yield from _cast(source)
    yield from _VALUES
    for each in (1, -1, 0):
        yield from _KIND_WORDS[each]
    yield from _COMPARISONS


def _describes(before: list[str], word: str) -> bool:
    """Whether an adjective with a sign is one of those that the sentence ends with."""
    if word not in _SIGN_OF:
        return False
    behind = before[len(before) - before[::-1].index(word) :]
    return all(each in _SIGN_OF or each in _NEUTRAL for each in behind)


def _cast(source: bytes) -> Iterator[tuple[str, str]]:
    """The dramatis personae: those who are introduced before the first act."""
    heading = _HEADING.search(source)
    known = {name.lower(): name for name in w.NAMES_IN_ORDER}
    for line in _CAST.finditer(source, 0, heading.start() if heading else min(len(source), 10_000)):
        name = known.get(" ".join(line[1].decode().split()).lower())
        if name:
            yield name, "in this play"


def _numerals(source: bytes, offset: int, kind: str) -> Iterator[tuple[str, str]]:
    """The acts, or the scenes of the act that ``offset`` is in, with their titles."""
    scenes: list[tuple[str, str]] = []
    for heading in _HEADING.finditer(source):
        found = heading[1].decode().lower()
        if found == "act" and kind == "scene":
            if heading.start() > offset:
                break
            scenes.clear()
        elif found == kind:
            title = " ".join(heading[3].decode("utf-8", "replace").split())
            scenes.append((heading[2].decode().upper(), title))
    yield from scenes
