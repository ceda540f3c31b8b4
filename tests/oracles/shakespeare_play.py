"""A parser of plays: characters, sentences, and the meaning of phrases."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from esolangs.shakespeare import words

ADJECTIVES = {
    word.strip(): tone
    for tone, text in (
        ("good", words.POSITIVE_ADJECTIVES),
        ("plain", words.NEUTRAL_ADJECTIVES),
        ("bad", words.NEGATIVE_ADJECTIVES),
    )
    for word in text.replace("\n", " ").split(",")
}
NOUNS = {
    " ".join(word.split()): sign
    for sign, text in (
        (1, words.POSITIVE_NOUNS + "," + words.NEUTRAL_NOUNS),
        (-1, words.NEGATIVE_NOUNS),
    )
    for word in text.split(",")
}
NAMES = sorted((name.lower() for name in words.NAMES_IN_ORDER), key=len, reverse=True)
OPERATIONS = {
    "the sum of": 2,
    "the difference between": 2,
    "the product of": 2,
    "the quotient between": 2,
    "the remainder of the quotient between": 2,
    "twice": 1,
    "the square of": 1,
    "the cube of": 1,
    "the square root of": 1,
    "the factorial of": 1,
}


@dataclass
class Play:
    """The sentences and stage directions of a play, by number.

    script: start, end, speaker ("" for a direction) and text of each.  homes: the act of each.
    scenes: the number of the first one, by numerals of act and scene; "" for the act itself.
    """

    people: list[str]
    script: list[tuple[int, int, str, str]] = field(default_factory=list)
    scenes: dict[tuple[str, str], int] = field(default_factory=dict)
    homes: list[str] = field(default_factory=list)


def read_play(source: bytes) -> Play:
    text = source.decode()
    body = re.search(r"(?i)\bact\s+[ivxlcdm]+\s*:", text)
    assert body
    listed = re.findall(r"(?m)^([\w ]+),", text[: body.start()])
    play = Play([each.lower() for each in listed])
    speaker = act = ""
    pattern = (
        r"(?i)(?P<head>(?P<kind>act|scene)\s+(?P<numeral>[ivxlcdm]+)\s*:[^.!?]*[.!?])"
        r"|(?P<direction>\[[^\]]*\])"
        r"|(?P<speaker>[a-z ]+):"
        r"|(?P<sentence>[^.!?:\[\]]+[.!?])"
    )
    for found in re.compile(pattern).finditer(text, body.start()):
        if found["head"]:
            if found["kind"].lower() == "act":
                act = found["numeral"].upper()
                play.scenes[act, ""] = len(play.script)
            else:
                play.scenes[act, found["numeral"].upper()] = len(play.script)
        elif found["speaker"]:
            speaker = found["speaker"].strip().lower()
        else:
            what = found[0].strip()
            start = found.start() + len(found[0]) - len(found[0].lstrip())
            who = "" if found["direction"] else speaker
            play.script.append((start, found.end(), who, " ".join(what.lower().split())))
            play.homes.append(act)
    return play


def value(text: str, speaker: str) -> tuple[object, str]:
    """Parse the value at the start of ``text``, spoken by ``speaker``; return it and the rest.

    A tree is a number, a name, or an operation with its operands.
    """
    for phrase, operands in OPERATIONS.items():
        if text.startswith(phrase + " "):
            first, text = value(text[len(phrase) + 1 :], speaker)
            if operands == 1:
                return (phrase, first), text
            assert text.startswith("and "), text
            second, text = value(text[4:], speaker)
            return (phrase, first, second), text
    for name in NAMES:
        if re.match(name + r"\b", text):
            return name, text[len(name) :].lstrip()
    word, _, rest = text.partition(" ")
    if word in ("i", "me", "myself"):
        return speaker, rest
    if word in ("you", "thou", "thee", "yourself", "thyself"):
        return "you", rest
    if word in ("nothing", "zero"):
        return 0, rest
    if re.match(r"(a|an|the|mine|my|his|her|its|their|thine|thy|your) ", text):
        text = rest
    doubled = 0
    while (word := text.partition(" ")[0]) in ADJECTIVES:
        text = text[len(word) + 1 :]
        doubled += 1
    for noun, sign in NOUNS.items():
        if re.match(noun + r"(?![\w-])", text):
            return sign * 2**doubled, text[len(noun) :].lstrip()
    raise AssertionError(text)
