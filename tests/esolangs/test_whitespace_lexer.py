"""Colours of a Whitespace program, and the promise that no character is lost."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from pygments.token import Comment, Error, Keyword, Name, Number, Operator
from strategies.whitespace import sources

from esolangs.registry import find_language
from esolangs.whitespace.lexer import WhitespaceLexer


def lexed(text: str) -> list[tuple[object, str]]:
    return [(kind, piece) for _, kind, piece in WhitespaceLexer().get_tokens_unprocessed(text)]


def kinds(text: str) -> list[object]:
    """Kinds without repetitions."""
    found: list[object] = []
    for kind, _ in lexed(text):
        if found[-1:] != [kind]:
            found.append(kind)
    return found


@given(st.text(" \t\nab\r\u00a0é", max_size=40))
def test_lexing_preserves_any_text_in_order(text: str) -> None:
    assert "".join(piece for _, piece in lexed(text)) == text
    at = 0
    for offset, _, piece in WhitespaceLexer().get_tokens_unprocessed(text):
        assert offset == at
        at += len(piece)
    if "\r" not in text:
        assert "".join(piece for _, piece in WhitespaceLexer().get_tokens(text)) == text


@given(sources())
def test_a_program_that_parses_has_no_error(source: bytes) -> None:
    find_language("whitespace").parse(source)
    assert all(kind is not Error for kind, _ in lexed(source.decode("latin-1")))


def test_the_parts_of_an_instruction_have_their_kinds() -> None:
    stack = Name.Builtin.Pseudo
    assert kinds("   \t\n") == [stack, Number.Integer]
    assert kinds("\n   \n") == [Keyword, Name.Label]
    assert kinds("\t   ") == [Operator]
    assert kinds("\t\t\t") == [Name.Variable]
    assert kinds("\t\n \t") == [Name.Tag]
    assert kinds("here \n yes") == [Comment, stack, Comment]
    assert kinds(" x\nx ") == [stack, Comment, stack, Comment, stack]


def test_invalid_instructions_are_errors() -> None:
    assert kinds("\t\t\n \n ") == [Error, Name.Builtin.Pseudo]
    assert kinds("\n\n\t") == [Error]
    assert kinds("\n\n\n\n") == [Keyword, Comment]
    assert kinds("\t\n") == [Error]
