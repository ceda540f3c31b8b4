"""Plays, their options and inputs."""

from __future__ import annotations

from hypothesis import strategies as st

CAST = ("Romeo", "Juliet", "The Ghost", "Lady Macbeth")
SCENES = ("I", "II", "III")

_GOOD = st.sampled_from(["big", "fair", "golden", "tiny", "proud"])
_BAD = st.sampled_from(["big", "rotten", "fat-kidneyed", "tiny"])
_ARTICLE = st.sampled_from(["a ", "the ", "thy ", "my ", "her ", ""])
_positive = st.builds(
    lambda article, adjectives, noun: article + " ".join([*adjectives, noun]),
    _ARTICLE,
    st.lists(_GOOD, max_size=7),
    st.sampled_from(["rose", "cat", "summer's day", "stone wall", "King"]),
)
_negative = st.builds(
    lambda article, adjectives, noun: article + " ".join([*adjectives, noun]),
    _ARTICLE,
    st.lists(_BAD, max_size=6),
    st.sampled_from(["pig", "Microsoft", "flirt-gill"]),
)
_letter = st.sampled_from(
    [
        "the sum of a big big big big big big cat and a rose",
        "the product of a big big big big rose and the sum of a big big cat and a hero",
        "a big big big big big sky",
    ]
)
_huge = st.sampled_from(
    [
        "the cube of the cube of a big big big big big big big big cat",
        "the factorial of the sum of a big big big big cat and a big big big cat",
        "a " + "golden " * 61 + "rose",
        "a " + "golden " * 62 + "rose",
        "a " + "rotten " * 63 + "pig",
    ]
)
_leaf = st.one_of(
    st.sampled_from(["I", "you", "thyself", "me", "nothing", "zero", *CAST]),
    _positive,
    _negative,
    _letter,
    _huge,
)


_divisor = st.one_of(_positive, _positive, _negative, st.sampled_from(["you", "I", "nothing"]))


def _deeper(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Operations; those that fault easily seldom get an operand that makes them."""
    binary = st.sampled_from(["the sum of", "the difference between", "the product of"])
    divide = st.sampled_from(["the quotient between", "the remainder of the quotient between"])
    unary = st.sampled_from(
        ["twice", "the square of", "the cube of", "the square root of the square of"]
    )
    return st.one_of(
        st.builds("{} {} and {}".format, binary, inner, inner),
        st.builds("{} {} and {}".format, binary, inner, inner),
        st.builds("{} {} and {}".format, divide, inner, _divisor),
        st.builds("{} {}".format, unary, inner),
        st.builds("the square root of {}".format, inner),
        st.builds("the factorial of {}".format, _positive),
    )


values = st.recursive(_leaf, _deeper, max_leaves=3)
# What is kept must not grow without end, or loops would be slow rather than interesting.
_kept = st.one_of(
    _leaf,
    st.builds(
        "the remainder of the quotient between {} and a {}rose".format,
        values,
        st.sampled_from(["big " * 10, "big " * 64, "big " * 150]),
    ),
)
_comparison = st.sampled_from(
    [
        "better than",
        "punier than",
        "as good as",
        "more rotten than",
        "less rotten than",
        "less fair than",
        "not better than",
        "not as bad as",
        "not worse than",
    ]
)
_goto = st.builds(
    "{} {} {} {}".format,
    st.sampled_from(["Let us", "We must", "We shall"]),
    st.sampled_from(["return to", "proceed to"]),
    st.sampled_from(["scene", "scene", "scene", "act"]),
    st.sampled_from(SCENES),
)
_statement = st.one_of(
    st.builds("{} {}".format, st.sampled_from(["You are", "Thou", "You are as good as"]), _kept),
    st.builds("Remember {}".format, _kept),
    st.sampled_from(
        [
            "Remember a rose. Recall thy youth",
            "Recall thy youth",
            "Remember me",
            "Remember thyself",
            "You are the sum of a big big big big big big cat and a rose",
            "You are nothing",
            "Speak your mind",
            "Open thy heart",
            "Open your mind",
            "Listen to thy heart",
            "You are as bad as the sum of yourself and a rose",
            "You are a rose",
            "Speak thine mind",
        ]
    ),
    _goto,
)
_question = st.builds(
    "{} {} {} {}?".format, st.sampled_from(["Am", "Are", "Is"]), values, _comparison, values
)
_sentence = st.builds(
    "{}{}".format,
    st.sampled_from(["", "", "", "If so, ", "If not, "]),
    st.one_of(_question, st.builds("{}{}".format, _statement, st.sampled_from(".!"))),
)
_sentences = st.lists(_sentence, min_size=1, max_size=4).map("\n ".join)


_who = st.sampled_from(CAST)
_odd = st.one_of(
    st.just(""),
    st.just(""),
    st.sampled_from(["[A pause]\n", "[Enter Romeo and Romeo]\n", "[Exeunt]\n"]),
    st.builds("[Enter {}]\n".format, _who),
    st.builds("[Exit {}]\n".format, _who),
    st.builds("{}:\n {}\n".format, _who, _sentences),
)


def _exchange(pair: tuple[str, str]) -> st.SearchStrategy[str]:
    """Two come on stage alone and speak; now and then somebody else does, or comes and goes."""
    enter = "[Exeunt]\n[Enter {} and {}]\n".format(*pair)
    line = st.builds("{}:\n {}\n".format, st.sampled_from(pair), _sentences)
    lines = st.lists(line, min_size=1, max_size=2).map("".join)
    return st.builds("{}{}{}".format, st.just(enter), lines, _odd)


_PAIRS = (("Romeo", "Juliet"), ("Juliet", "The Ghost"), ("Lady Macbeth", "Romeo"))
_block = st.one_of([_exchange(pair) for pair in _PAIRS])


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
    """Plays that are well formed; what they do is their own affair."""
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
    """Numbers, lines, characters of all lengths and what is none."""
    part = st.one_of(
        st.sampled_from([b"12\n", b"-7 x\n", b"0042", b"\n", b"+5\n", b"9" * 25, b"x"]),
        st.sampled_from(["é€🎭".encode(), b"\xff", b"\xc3", b"\xe2\x82", b"\xed\xa0\x80"]),
        st.binary(max_size=3),
    )
    return st.lists(part, max_size=4).map(b"".join)
