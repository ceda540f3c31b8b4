"""The lexer gives back the text it got, and keeps characters with what they belong to."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pygments.token import Comment, Error, Keyword, Name, Operator, Punctuation, String
from strategies.unlambda import sources

from esolangs.unlambda import LANGUAGE
from esolangs.unlambda.lexer import UnlambdaLexer

LEXER = UnlambdaLexer()


@given(st.one_of(st.text(), st.text("`.?#\nski x"), sources().map(bytes.decode)))
@example(".\r\n?\x85\u2028#")
@example(".")
def test_tokens_join_to_the_text(text: str) -> None:
    at = 0
    for index, _, value in LEXER.get_tokens_unprocessed(text):
        assert index == at
        assert value
        at += len(value)
    assert at == len(text)


@given(sources().map(bytes.decode))
def test_atom_tokens_match_the_parser(text: str) -> None:
    text = text.removesuffix(" trailing")
    atoms: list[tuple[int, int]] = []
    for index, kind, value in LEXER.get_tokens_unprocessed(text):
        if kind in String:
            atoms.append((index, index + len(value)))
        elif kind in Keyword or kind in Name or kind in Operator:
            assert len(value) == 1
            atoms.append((index, index + 1))
    assert tuple(atoms) == LANGUAGE.parse(text.encode()).spans()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("`.#i", [(Punctuation, "`"), (String.Char, ".#"), (Keyword, "i")]),
        (".\ni", [(String.Char, ".\n"), (Keyword, "i")]),
        ("?`@", [(String.Symbol, "?`"), (Operator, "@")]),
        ("#`.\nR", [(Comment.Single, "#`."), (String.Escape, "R")]),
        ("x?", [(Error, "x"), (Error, "?")]),
    ],
)
def test_tokens_have_their_kinds(text: str, expected: list[tuple[object, str]]) -> None:
    tokens = [(kind, value) for _, kind, value in LEXER.get_tokens_unprocessed(text)]
    assert [token for token in tokens if token[1] != "\n"] == expected
