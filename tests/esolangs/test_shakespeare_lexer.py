"""Colours for plays: whatever the text, nothing of it is lost."""

from __future__ import annotations

from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.token import Comment, Error, Generic, Keyword, Name, Number, Operator, Punctuation
from strategies.shakespeare import sources

from esolangs.registry import find_language
from esolangs.shakespeare.lexer import ShakespeareLexer

LEXER = ShakespeareLexer()
PIECES = st.sampled_from(
    ["the", "summer's", "day", " ", "\n", "Act", "I", ":", ".", "[", "]", "Romeo", ",", "sum", "of"]
)


def kinds(text: str) -> dict[str, object]:
    """Each piece of a text (the last of its kind) with its colour."""
    return {value: token for _, token, value in LEXER.get_tokens_unprocessed(text)}


@pytest.mark.slow
@given(st.text() | st.lists(PIECES).map(" ".join) | sources().map(bytes.decode))
def test_lexing_preserves_any_text(text: str) -> None:
    at = 0
    for start, _, value in LEXER.get_tokens_unprocessed(text):
        assert start == at
        assert value
        at += len(value)
        assert text[start:at] == value
    assert at == len(text)


@given(sources())
def test_a_valid_play_has_no_error_tokens(source: bytes) -> None:
    assert Error not in kinds(source.decode()).values()


def test_the_sample_has_no_error_tokens() -> None:
    assert Error not in kinds(find_language("shakespeare").sample().decode()).values()


PLAY = """\
The title, with a rose.
Romeo, a rotten man.
The
Ghost, x.
Act I: Of the act.
Scene II: Of the scene!
[Enter Romeo and The Ghost]
Romeo: You are as good as the sum of a fair stone
 wall, a big pig. If so, let us return to scene IV. Recall me, you rose! Open your heart.
 Am I better than nothing? Smell it.
"""


@pytest.mark.parametrize(
    ("piece", "colour"),
    [
        ("The title, with a rose.", Generic.Heading),
        (", a rotten man.", Comment),
        ("The\nGhost", Name.Class),
        ("Of the act.", Generic.Subheading),
        ("Of the scene!", Generic.Subheading),
        ("Act", Keyword.Namespace),
        ("II", Number.Roman),
        ("IV", Number.Roman),
        ("[", Punctuation),
        ("Enter", Keyword),
        ("Romeo", Name.Label),
        ("the sum of", Operator.Word),
        ("stone\n wall", Number.Integer.Positive),
        ("pig", Number.Integer.Negative),
        ("fair", Name.Builtin.Positive),
        ("big", Name.Builtin.Neutral),
        ("If so", Keyword.Reserved),
        ("let us", Keyword.Reserved),
        (" me, you rose!".strip(), Comment),
        ("Open", Name.Function),
        ("better", Operator.Word),
        ("nothing", Number.Integer),
        ("Smell", Error),
    ],
)
def test_a_part_of_speech_has_its_colour(piece: str, colour: object) -> None:
    assert kinds(PLAY)[piece] is colour


def test_a_long_text_is_read_no_farther_than_asked_for() -> None:
    begun = LEXER.get_tokens_unprocessed("A.\n" + "Romeo: You are a rose.\n" * 10**6)
    assert [value for _, _, value in islice(begun, 4)] == ["A.", "\n", "Romeo", ":"]


def test_pygments_finds_the_lexer() -> None:
    assert {"shakespeare", "spl"} <= set(LEXER.aliases)
    assert "*.spl" in LEXER.filenames
