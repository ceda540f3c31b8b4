"""The lexer gives back the text it got, and tells instructions apart by what they touch."""

from __future__ import annotations

import tomllib
from importlib import import_module
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from pygments.token import Comment, Keyword, Name, Number, String, Text, Whitespace
from strategies.befunge_98 import sources

from esolangs.befunge_98.lexer import Befunge98Lexer

LEXER = Befunge98Lexer()


def lexed(text: str) -> list[tuple[object, str]]:
    return [(kind, value) for _, kind, value in LEXER.get_tokens_unprocessed(text)]


@given(st.one_of(st.text(), sources().map(lambda source: source.decode("latin-1"))))
@example('"never closed\r\n\x0c\x85\u2028;')
def test_tokens_join_to_the_text(text: str) -> None:
    tokens = list(LEXER.get_tokens_unprocessed(text))
    assert "".join(value for _, _, value in tokens) == text
    at = 0
    for index, _, value in tokens:
        assert index == at
        at += len(value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('>"!dlroW"<', [(Keyword, ">"), (String.Double, '"!dlroW"'), (Keyword, "<")]),
        ('"LOOB"4(A', [(Name.Namespace, '"LOOB"'), (Number, "4")]),
        ("'@1", [(String.Char, "'@"), (Number, "1")]),
        (";a @;@", [(Comment, ";a @;"), (Keyword.Reserved, "@")]),
        ("12fg", [(Number, "12f"), (Name.Variable, "g")]),
        ("  z", [(Whitespace, "  "), (Keyword.Constant, "z")]),
        ('"\n"', [(String.Delimiter, '"'), (Whitespace, "\n"), (String.Delimiter, '"')]),
        ("{u}", [(Name.Builtin.Pseudo, "{"), (Name.Builtin.Pseudo, "u")]),
        ("é\x01", [(Text, "é"), (Text, "\x01")]),
    ],
)
def test_tokens_have_their_kinds(text: str, expected: list[tuple[object, str]]) -> None:
    assert lexed(text)[: len(expected)] == expected


def test_every_instruction_has_a_colour_of_its_kind() -> None:
    for char in map(chr, range(33, 127)):
        kind = lexed(char)[0][0]
        assert (kind is Text) == (char in "hlm"), char


def test_pygments_finds_the_lexer() -> None:
    declared = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text())
    entry = declared["project"]["entry-points"]["pygments.lexers"]["befunge-98"]
    module, name = entry.split(":")
    assert getattr(import_module(module), name) is Befunge98Lexer
    assert "befunge-98" in Befunge98Lexer.aliases
