"""Editor support for Shakespeare: sentences, the targets of gotos, and completions."""

from __future__ import annotations

import re
from collections.abc import Iterator

from esolangs.editing import MAX_DISTANCE, Completion, Completions, Editing, Mark, Structure
from esolangs.shakespeare import words as w

MAX_COMPLETIONS = 60
"""Maximum number of completions that ``complete`` returns; it omits less likely ones."""

_SEARCHED_BYTES = 400  # before and after the cursor
_MAX_PHRASE_WORDS = 6  # "the remainder of the quotient between"
_WORD = re.compile(rb"[A-Za-z][A-Za-z'\-]*")
_BEGINS = re.compile(rb"[.!?:\]\[]")
_CAST = re.compile(rb"^\s*([A-Za-z][A-Za-z ]*?)\s*,", re.M)
_HEADING = re.compile(rb"\b(act|scene)\s+([ivxlcdm]+)\s*:\s*([^.!?]*)", re.I)

_STATEMENTS = (
    ("You are", "set the value of the addressee: You are as good as …"),
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
    ("If so,", "only if the last question's answer is “yes”"),
    ("If not,", "only if the last question's answer is “no”"),
    ("Let us proceed to scene", "go to a scene of this act"),
    ("Let us return to scene", "go to a scene of this act"),
    ("Let us proceed to act", "go to the beginning of an act"),
    ("Act", "Act I: a title."),
    ("Scene", "Scene I: a title."),
)
_SPOKEN = {text for text, _ in _STATEMENTS}
_DIRECTIONS = (
    ("Enter", "characters enter the stage"),
    ("Exit", "one character leaves"),
    ("Exeunt", "several leave, or all"),
)
_SIGNS = ("a + b", "a − b", "a × b", "a ÷ b, rounded towards 0", "the remainder of a ÷ b")
_UNARY_SIGNS = ("2 × a", "a × a", "a × a × a", "√a, rounded down", "1 × 2 × … × a")
_VALUES = (
    ("nothing", "0"),
    ("zero", "0"),
    ("yourself", "the value of the addressee"),
    ("thyself", "the value of the addressee"),
    ("you", "the value of the addressee"),
    ("me", "the value of the speaker"),
    ("myself", "the value of the speaker"),
)
_COMPARISONS = (
    *((word, ">, before “than”") for word in ("better", "bigger", "nicer", "friendlier")),
    *((word, "<, before “than”") for word in ("worse", "smaller", "punier")),
    ("as good as", "= in a question; after “You are”, introduces the new value"),
    ("more", ">, before a positive adjective and “than”"),
    ("less", "<, before a positive adjective and “than”"),
)


def _describe_words(text: str, description: str) -> tuple[tuple[str, str], ...]:
    return tuple((" ".join(each.split()), description) for each in text.split(","))


_KIND_WORDS = {
    1: (
        *_describe_words(w.POSITIVE_NOUNS, "noun: 1"),
        *_describe_words(w.NEUTRAL_NOUNS, "noun: 1"),
        *_describe_words(w.POSITIVE_ADJECTIVES, "adjective: ×2, only before nouns worth 1"),
    ),
    -1: (
        *_describe_words(w.NEGATIVE_NOUNS, "noun: −1"),
        *_describe_words(w.NEGATIVE_ADJECTIVES, "adjective: ×2, only before nouns worth −1"),
    ),
    0: _describe_words(w.NEUTRAL_ADJECTIVES, "adjective: ×2, before any noun"),
}
_SIGN_OF = {
    word: sign
    for sign, adjectives in ((1, w.POSITIVE_ADJECTIVES), (-1, w.NEGATIVE_ADJECTIVES))
    for word, _ in _describe_words(adjectives, "")
}
_NEUTRAL = {word for word, _ in _describe_words(w.NEUTRAL_ADJECTIVES, "")}
_OPERATIONS = (
    *zip(w.BINARIES, _SIGNS, strict=True),
    *zip(w.UNARIES, _UNARY_SIGNS, strict=True),
)


_MEANINGS = {
    word: description
    for words in (*_KIND_WORDS.values(), _VALUES)
    for word, description in words
    if " " not in word
}


def meaning(source: bytes, offset: int) -> str:
    """Return the word at an offset with its meaning in an expression, or '' if it has none."""
    low = max(0, offset - _SEARCHED_BYTES)
    for word in _WORD.finditer(source, low, offset + _SEARCHED_BYTES):
        if word.start() <= offset <= word.end():
            spoken = word[0].decode().lower()
            return f"{spoken}, {_MEANINGS[spoken]}" if spoken in _MEANINGS else ""
    return ""


def complete(source: bytes, offset: int) -> Completions | None:
    """Return the completions of the last words before ``offset``, or None if none is possible."""
    low = max(0, offset - _SEARCHED_BYTES)
    begin = max((mark.end() for mark in _BEGINS.finditer(source, low, offset)), default=low)
    words = list(_WORD.finditer(source, begin, offset))[-_MAX_PHRASE_WORDS:]
    is_direction = source[begin - 1 : begin] == b"["
    after_blank = not words or words[-1].end() < offset
    first_of = 0 if words and not after_blank else len(words)
    for first in range(first_of, len(words) + after_blank):
        typed = _join_words(words[first:])
        before = [word[0].decode().lower() for word in words[:first]]
        found = [
            Completion(_match_case(text, typed), description)
            for text, description in dict(_candidates(source, offset, before, is_direction)).items()
            if text.lower().startswith(typed.lower()) and text.lower() != typed.lower()
        ]
        if found:
            start = words[first].start() if first < len(words) else offset
            return Completions(start, tuple(found[:MAX_COMPLETIONS]))
    return None


def _join_words(words: list[re.Match[bytes]]) -> str:
    return " ".join(word[0].decode() for word in words)


def _match_case(text: str, typed: str) -> str:
    """Return the text with the capitalization of ``typed``; names stay capitalized."""
    if typed[:1].isupper():
        return text[0].upper() + text[1:]
    return text[0].lower() + text[1:] if typed and text in _SPOKEN else text


def _candidates(
    source: bytes, offset: int, before: list[str], is_direction: bool
) -> Iterator[tuple[str, str]]:
    """Yield possible next words of a sentence, each with a description, the most likely first.

    before: the words of the sentence so far.  is_direction: whether it is a stage direction.
    """
    last = before[-1] if before else ""
    if is_direction:
        yield from _cast(source) if before else _DIRECTIONS
    elif last in ("act", "scene") and len(before) > 2:
        yield from _numerals(source, offset, last)
    elif last == "to" and len(before) > 1 and before[-2] in ("proceed", "return"):
        yield from (("scene", "a scene of this act"), ("act", "the first scene of an act"))
    elif not before or before in (["if", "so"], ["if", "not"]):
        yield from _STATEMENTS
        yield from _cast(source)
        if not _HEADING.search(source, 0, offset):
            yield from ((name, "a character") for name in w.NAMES_IN_ORDER)
    else:
        yield from _expression(source, before)


def _expression(source: bytes, before: list[str]) -> Iterator[tuple[str, str]]:
    """Yield possible next words of an expression, with descriptions; see ``_candidates``."""
    sign = next(
        (_SIGN_OF[word] for word in reversed(before) if _has_signed_adjective(before, word)), 0
    )
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


def _has_signed_adjective(before: list[str], word: str) -> bool:
    """Return whether ``word`` is a positive or negative adjective in the last noun phrase.

    This is so if all words after it in ``before`` are adjectives.
    """
    if word not in _SIGN_OF:
        return False
    after = before[len(before) - before[::-1].index(word) :]
    return all(each in _SIGN_OF or each in _NEUTRAL for each in after)


def _cast(source: bytes) -> Iterator[tuple[str, str]]:
    """Yield the dramatis personae: the characters introduced before the first act."""
    heading = _HEADING.search(source)
    known = {name.lower(): name for name in w.NAMES_IN_ORDER}
    for line in _CAST.finditer(source, 0, heading.start() if heading else min(len(source), 10_000)):
        name = known.get(" ".join(line[1].decode().split()).lower())
        if name:
            yield name, "in this play"


def _numerals(source: bytes, offset: int, kind: str) -> Iterator[tuple[str, str]]:
    """Yield the numerals and titles of the acts, or of the scenes in the act at ``offset``."""
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


_NUMERAL = rb"([ivxlcdm]+)"
_ACT = re.compile(rb"\bact\s+" + _NUMERAL + rb"\s*:([^.!?]*)", re.I)
_SCENE = re.compile(rb"\bscene\s+" + _NUMERAL + rb"\s*:([^.!?]*)", re.I)
_GOTO = re.compile(rb"\b(?:proceed|return)\s+to\s+(act|scene)\s+" + _NUMERAL + rb"\b", re.I)
_END = re.compile(rb"[.!?\]]")
_FREE_TEXT = (
    rb"(?:[^.!?]|\?(?!\s*(?:\[|\Z|(?:act|scene)\s+[ivxlcdm]+\s*:|[a-z][a-z\s'-]*[,:])))*[.!?]"
)
"""Matches a title or description with its end mark.

A question mark is an end mark only where the play can continue: before ``[``, a heading, a name
with its comma or colon, or the end of the source.
"""
_TITLE = re.compile(_FREE_TEXT, re.I)
_PERSON = re.compile(rb"([a-z][a-z\s'-]*?)\s*," + _FREE_TEXT, re.I)
_TITLED = re.compile(rb"\b((?:act|scene)\s+[ivxlcdm]+)\s*:" + _FREE_TEXT, re.I)
_MAX_SENTENCE_BYTES = 4_000
_MAX_TITLE = 40


class ShakespeareEditing(Editing):
    """Editor support for Shakespeare, in which line breaks separate words as spaces do."""

    wraps = True
    brackets = ("[]",)
    strips_exactly = False  # whether a question mark ends a text depends on the parser

    def structure(self, source: bytes, offset: int) -> Structure | None:
        """Return the sentence at ``offset``, and the act or scene to which a goto leads."""
        start, end = _sentence(source, offset)
        if start == end:
            return None
        marks = (Mark(start, end, "here"),)
        goto = _GOTO.search(source, start, end)
        if goto is None:
            parts = (meaning(source, offset), _place(source, start))
            return Structure(marks, " – ".join(part for part in parts if part))
        kind, numeral = goto[1].lower(), goto[2].upper()
        found = _goto_target(source, start, kind, numeral)
        name = f"{kind.decode().capitalize()} {numeral.decode()}"
        if found is None:
            place = "play" if kind == b"act" else "act"
            return Structure(marks, f"goes to {name}, which does not exist in this {place}")
        line = source.count(b"\n", 0, found.start()) + 1
        title = _format_title(found[2])
        return Structure(marks, f"goes to {name}, line {line}: {title}", found.start())

    def completions(self, source: bytes, offset: int) -> Completions | None:
        return complete(source, offset)

    def comments(self, source: bytes) -> Iterator[str]:
        """Yield the lines of the title, which may describe the play."""
        title = _TITLE.match(source)
        if title is not None:
            yield from title[0].decode("utf-8", "replace").split("\n")

    def without_comments(self, source: bytes) -> bytes:
        """Return the play with shortened titles and descriptions, which are its comments."""
        title = _TITLE.match(source)
        act = _ACT.search(source, 0 if title is None else title.end())
        if title is None or act is None:
            return source
        cast = _PERSON.sub(rb"\1, a person.", source[title.end() : act.start()])
        return b"A play." + cast + _TITLED.sub(rb"\1: A place.", source[act.start() :])

    def code_size(self, source: bytes) -> int:
        """Return the number of bytes; whitespace between two words counts as one byte.

        Titles and descriptions count: every play has them, and they may be short.
        """
        return len(b" ".join(source.split()))


EDITING = ShakespeareEditing()


def _sentence(source: bytes, offset: int) -> tuple[int, int]:
    """Return the span of the sentence, stage direction or heading at an offset."""
    low = max(0, offset - _MAX_SENTENCE_BYTES)
    before = max(source.rfind(mark, low, offset) for mark in (b".", b"!", b"?", b":", b"]"))
    opening = source.rfind(b"[", low, offset + 1)
    start = opening if opening > before else before + 1 if before >= 0 else low
    ending = _END.search(source, offset, offset + _MAX_SENTENCE_BYTES)
    end = ending.end() if ending else min(len(source), offset + _MAX_SENTENCE_BYTES)
    while start < end and source[start : start + 1].isspace():
        start += 1
    if start > offset and not source[offset:start].isspace():
        return offset, offset
    return start, max(start, end)


def _goto_target(source: bytes, start: int, kind: bytes, numeral: bytes) -> re.Match[bytes] | None:
    """Return the heading to which the goto at ``start`` leads, or None.

    kind: ``act`` or ``scene``; a scene must be in the act that contains the goto.  numeral: the
    number of the act or scene, in capital letters.
    """
    if kind == b"act":
        return next((act for act in _ACT.finditer(source) if act[1].upper() == numeral), None)
    low, high = 0, len(source)
    for act in _ACT.finditer(source):
        if act.start() > start:
            high = act.start()
            break
        low = act.end()
    scenes = _SCENE.finditer(source, low, high)
    return next((scene for scene in scenes if scene[1].upper() == numeral), None)


def _place(source: bytes, start: int) -> str:
    """Return text that names the act and scene of a sentence, such as ``Act I, Scene II``."""
    low = max(0, start - MAX_DISTANCE)
    some = source[low:start].lower()
    parts: list[str] = []
    for word, heading in ((b"act", _ACT), (b"scene", _SCENE)):
        at = some.rfind(word)
        while at >= 0:
            found = heading.match(source, low + at)
            if found is not None:
                parts.append(f"{word.decode().capitalize()} {found[1].decode().upper()}")
                break
            at = some.rfind(word, 0, at)
    return ", ".join(parts)


def _format_title(title: bytes) -> str:
    text = " ".join(title.decode("utf-8", "replace").split())
    text = "".join(each if each.isprintable() else "�" for each in text)
    return text if len(text) <= _MAX_TITLE else f"{text[: _MAX_TITLE - 1]}…"
