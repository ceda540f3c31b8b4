"""Plays, their options and inputs.

A sentence is drawn as one number, the seed of a generator, because drawing its words one by one
would take longer than running it in all engines.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

CAST: tuple[str, ...] = ("Romeo", "Juliet", "The Ghost", "Lady Macbeth")
SCENES = ("I", "II", "III")

_GOOD = ("big", "fair", "golden", "tiny", "proud")
_BAD = ("big", "rotten", "fat-kidneyed", "tiny")
_ARTICLES = ("a ", "the ", "thy ", "my ", "her ", "")
_POSITIVE = ("rose", "cat", "summer's day", "stone wall", "King")
_NEGATIVE = ("pig", "Microsoft", "flirt-gill")
_LETTERS = (
    "the sum of a big big big big big big cat and a rose",
    "the product of a big big big big rose and the sum of a big big cat and a hero",
    "a big big big big big big sky",
)
_HUGE = (
    "the cube of " * 6 + "a big big big big big big big big cat",
    "the cube of the cube of a big big big big big big big big cat",
    "the factorial of the sum of a big big big big cat and a big big big cat",
    "a " + "golden " * 61 + "rose",
    "a " + "golden " * 62 + "rose",
    "a " + "rotten " * 63 + "pig",
)
_PEOPLE = ("I", "you", "thyself", "me", "nothing", "zero", *CAST)
_BINARY = ("the sum of", "the difference between", "the product of")
_DIVISION = ("the quotient between", "the remainder of the quotient between")
_UNARY = ("twice", "the square of", "the cube of", "the square root of the square of")
_MODULI = ("big " * 10, "big " * 64, "big " * 150)
_COMPARISONS = (
    "better than",
    "punier than",
    "as good as",
    "more rotten than",
    "less rotten than",
    "less fair than",
    "not better than",
    "not as bad as",
    "not worse than",
)
_SIMPLE = (
    "Remember a rose. Recall thy youth",
    "Recall thy youth",
    "Remember me",
    "Remember thyself",
    "You are the sum of a big big big big big big big cat and a rose",
    "You are nothing",
    "Speak your mind",
    "Open thy heart",
    "Open your mind",
    "Listen to thy heart",
    "You are as bad as the sum of yourself and a rose",
    "You are a rose",
    "Speak thine mind",
)


def _positive_number(random: Random) -> str:
    words = [random.choice(_GOOD) for _ in range(random.randrange(8))]
    return random.choice(_ARTICLES) + " ".join([*words, random.choice(_POSITIVE)])


def _negative_number(random: Random) -> str:
    words = [random.choice(_BAD) for _ in range(random.randrange(7))]
    return random.choice(_ARTICLES) + " ".join([*words, random.choice(_NEGATIVE)])


def _random_leaf(random: Random) -> str:
    kind = random.randrange(5)
    if kind < 2:
        return (_positive_number, _negative_number)[kind](random)
    return random.choice((_PEOPLE, _LETTERS, _HUGE)[kind - 2])


def _value(random: Random, depth: int = 2) -> str:
    """Return a value; operations that can fault rarely get an operand that makes them fault."""
    kind = random.randrange(12) if depth else 0
    if kind < 6:
        return _random_leaf(random)
    if kind < 8:
        first, second = _value(random, depth - 1), _value(random, depth - 1)
        return f"{random.choice(_BINARY)} {first} and {second}"
    if kind == 8:
        divisor = random.choice(
            (_positive_number(random), _negative_number(random), "you", "I", "nothing")
        )
        return f"{random.choice(_DIVISION)} {_value(random, depth - 1)} and {divisor}"
    if kind == 9:
        return f"{random.choice(_UNARY)} {_value(random, depth - 1)}"
    if kind == 10:
        return f"the square root of {_value(random, depth - 1)}"
    return f"the factorial of {_positive_number(random)}"


def _stored_value(random: Random) -> str:
    """Return a value for storing, bounded because growing values would make loops slow."""
    if random.randrange(2):
        return _random_leaf(random)
    modulus = random.choice(_MODULI)
    return f"the remainder of the quotient between {_value(random)} and a {modulus}rose"


def _random_goto(random: Random) -> str:
    us = random.choice(("Let us", "We must", "We shall"))
    go = random.choice(("return to", "proceed to"))
    goal = random.choice(("scene", "scene", "scene", "act"))
    return f"{us} {go} {goal} {random.choice(SCENES)}"


def sentence_of(number: int) -> str:
    """Return a random sentence, made from a number."""
    random = Random(number + (1 << 31))  # 0, the number drawn most often, reads a character
    condition = random.choice(("", "", "", "If so, ", "If not, "))
    kind = random.randrange(8)
    if kind < 3:
        be, comparison = random.choice(("Am", "Are", "Is")), random.choice(_COMPARISONS)
        return f"{condition}{be} {_value(random)} {comparison} {_value(random)}?"
    if kind == 3:
        text = f"{random.choice(('You are', 'Thou', 'You are as good as'))} {_stored_value(random)}"
    elif kind == 4:
        text = f"Remember {_stored_value(random)}"
    elif kind == 5:
        text = _random_goto(random)
    else:
        text = random.choice(_SIMPLE)
    return condition + text + random.choice(".!")


_sentences = st.lists(st.integers(0, 2**32 - 1).map(sentence_of), min_size=1, max_size=4).map(
    "\n ".join
)


def _line(who: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    return st.tuples(who, _sentences).map(":\n ".join).map("{}\n".format)


_who = st.sampled_from(CAST)
_odd = st.sampled_from(
    [
        *[""] * 10,
        "[A pause]\n",
        "[Enter Romeo and Romeo]\n",
        "[Exeunt]\n",
        *[f"[Enter {name}]\n" for name in CAST],
        *[f"[Exit {name}]\n" for name in CAST],
    ]
) | _line(_who)


def _dialogue(pair: tuple[str, str]) -> st.SearchStrategy[str]:
    """Lines of two characters, sometimes followed by another speaker, entrance or exit."""
    enter = "[Exeunt]\n[Enter {} and {}]\n".format(*pair)
    lines = st.lists(_line(st.sampled_from(pair)), min_size=1, max_size=2).map("".join)
    return st.tuples(st.just(enter), lines, _odd).map("".join)


_PAIRS = (("Romeo", "Juliet"), ("Juliet", "The Ghost"), ("Lady Macbeth", "Romeo"))
_block = st.one_of([_dialogue(pair) for pair in _PAIRS])


def _play(scenes: list[list[str]], second_act: list[str], entrance: str) -> str:
    text = "A play.\n" + "".join(f"{name}, somebody.\n" for name in CAST)
    text += "Act I: First.\n"
    for numeral, parts in zip(SCENES, scenes, strict=True):
        text += f"Scene {numeral}: Something?\n"
        text += (entrance if numeral == "I" else "") + "".join(parts)
    text += "Act II: Second.\n"
    for numeral in SCENES:
        text += f"Scene {numeral}: More!\n" + ("".join(second_act) if numeral == "II" else "")
    return text + "Act III: Nothing."


def sources() -> st.SearchStrategy[bytes]:
    """Well-formed plays, which may fault."""
    parts = st.lists(_block, max_size=1)
    return st.builds(
        _play,
        st.lists(parts, min_size=3, max_size=3),
        parts,
        st.sampled_from(["[Enter Romeo and Juliet]\n"] * 8 + ["[Enter Romeo]\n", ""]),
    ).map(str.encode)


def options() -> st.SearchStrategy[dict[str, str | int]]:
    """All options."""
    return st.fixed_dictionaries(
        {
            "number": st.sampled_from(["line", "digits"]),
            "io": st.sampled_from(["utf8", "bytes"]),
            "missing": st.sampled_from(["refused", "fault"]),
        }
    )


def stdins() -> st.SearchStrategy[bytes]:
    """Numbers, lines, characters of all lengths in UTF-8, and invalid bytes."""
    part = st.one_of(
        st.sampled_from([b"12\n", b"-7 x\n", b"0042", b"\n", b"+5\n", b"9" * 25, b"x"]),
        st.sampled_from(["é€🎭".encode(), b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80"]),
        st.binary(max_size=3),
    )
    return st.lists(part, max_size=4).map(b"".join)
