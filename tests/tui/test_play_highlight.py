"""Colours of programs: tokens that cross lines, texts that change, lexing a moment at a time."""

from __future__ import annotations

from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pygments.lexer import RegexLexer
from pygments.token import Comment, Keyword, Name, Number, Text

from esoplay.tui import highlight
from esoplay.tui.editor.document import to_text
from esoplay.tui.highlight import (
    MAX_CHARACTERS,
    Highlighter,
    character_kinds,
    is_whitespace_code,
    token_kind,
)


class PlayLexer(RegexLexer):
    """Words, numbers, and remarks in braces that go over lines; tabs are variables."""

    name = "Play"
    tokens: ClassVar = {
        "root": [
            (r"\{[^}]*\}?", Comment),
            (r"[a-z]+", Keyword),
            (r"[0-9]+", Number),
            (r"\t", Name.Variable),
            (r".|\n", Text),
        ]
    }


@pytest.fixture
def play_lexer(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highlight, "find_lexer", lambda _id: PlayLexer())
    monkeypatch.setattr(highlight, "character_kinds", lambda _id: None)


def kinds(highlighter: Highlighter, lines: list[str]) -> list[str]:
    """One letter for each character and line break."""
    rows: list[str] = []
    for number, line in enumerate(lines):
        row = ["-"] * (len(line) + 1)
        for piece in highlighter.highlighted_spans(number, 0, len(line) + 1):
            row[piece.start : piece.end] = piece.kind[0] * (piece.end - piece.start)
        rows.append("".join(row))
    return rows


def test_token_may_span_lines(play_lexer: None) -> None:
    lines = ["ab {x", "yz} 12"]
    assert kinds(Highlighter("play", lines), lines) == ["llcccc", "ccccaa-"]


TEXTS = st.text(alphabet="ab1{} \t\n", max_size=60).map(lambda text: text.split("\n"))


@given(TEXTS, st.integers(0, 5), st.integers(0, 20), st.integers(0, 20))
def test_partial_lexing_equals_lexing_the_whole_text(
    lines: list[str], line: int, start: int, end: int
) -> None:
    whole = "\n".join(lines)
    expected = ["-"] * len(whole)
    for at, token, value in PlayLexer().get_tokens_unprocessed(whole):
        expected[at : at + len(value)] = (token_kind(token) or "-")[0] * len(value)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(highlight, "find_lexer", lambda _id: PlayLexer())
        patch.setattr(highlight, "character_kinds", lambda _id: None)
        highlighter = Highlighter("play", lines)
        line = min(line, len(lines) - 1)
        first = sum(len(each) + 1 for each in lines[:line])
        for piece in highlighter.highlighted_spans(line, start, end):
            assert start <= piece.start < piece.end <= end
            found = expected[first + piece.start : first + piece.end]
            assert set(found) == {piece.kind[0]}


def test_placeholders_are_lexed_as_the_bytes_they_stand_for(play_lexer: None) -> None:
    lines = to_text(b"a\t\tb").split("\n")
    assert kinds(Highlighter("play", lines), lines) == ["lmml-"]


def test_slow_lexing_delays_the_colours(play_lexer: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highlight, "LEXING_SECONDS", 0)
    lines = ["1 a" for _ in range(500)]
    highlighter = Highlighter("play", lines)
    assert highlighter.highlighted_spans(499, 0, 3) == []
    assert highlighter.has_pending_spans
    turns = 1
    while not highlighter.continue_lexing():
        turns += 1
    assert turns > 5
    assert not highlighter.has_pending_spans
    assert [piece.kind for piece in highlighter.highlighted_spans(499, 0, 3)] == [
        "arithmetic",
        "comment",
        "loop",
    ]


def test_lines_keep_their_colours_until_lexed_again(
    play_lexer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(highlight, "LEXING_SECONDS", 60)
    lines = ["1 a" for _ in range(500)]
    highlighter = Highlighter("play", lines)
    before = highlighter.highlighted_spans(499, 0, 3)
    assert before
    monkeypatch.setattr(highlight, "LEXING_SECONDS", 0)
    changed = [*lines[:3], "{", "}", *lines[3:]]
    highlighter.change(changed)
    assert highlighter.highlighted_spans(501, 0, 3) == before
    assert highlighter.has_pending_spans
    highlighter.change(["{", *changed])  # changed again before the colours have come
    assert highlighter.highlighted_spans(502, 0, 3) == before
    while not highlighter.continue_lexing():
        pass
    assert {piece.kind for piece in highlighter.highlighted_spans(2, 0, 3)} == {"comment"}


def test_only_the_start_of_a_huge_text_is_coloured(play_lexer: None) -> None:
    lines = ["a" * MAX_CHARACTERS, "1"]
    highlighter = Highlighter("play", lines)
    assert highlighter.highlighted_spans(0, 0, 5)[0].kind == "loop"
    assert highlighter.highlighted_spans(1, 0, 1) == []
    assert not highlighter.has_pending_spans


def test_brainfuck_needs_no_lexing() -> None:
    assert character_kinds("brainfuck") is not None
    lines = ["+[->]", "x."]
    assert kinds(Highlighter("brainfuck", lines), lines) == ["alaml-", "ci-"]


def test_a_language_without_a_lexer_has_no_colours(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(highlight, "find_lexer", lambda _id: None)
    monkeypatch.setattr(highlight, "character_kinds", lambda _id: None)
    assert Highlighter("none", ["abc"]).highlighted_spans(0, 0, 3) == []
    assert highlight.find_lexer("no-such-language") is None


def test_brainfuck_is_not_whitespace_code() -> None:
    assert not is_whitespace_code("brainfuck")


@given(st.lists(st.text(alphabet="\"'ab;12 >", max_size=12), min_size=1, max_size=6))
def test_row_of_a_plane_has_the_colours_of_the_whole_text(lines: list[str]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        by_row = kinds(Highlighter("befunge-98", lines), lines)
        patch.setattr(highlight, "LONG_ROW", -1)
        assert [row[:-1] for row in kinds(Highlighter("befunge-98", lines), lines)] == [
            row[:-1] for row in by_row
        ]


def test_changed_large_text_is_lexed_after_a_pause(
    play_lexer: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(highlight, "MANY_LINES", 1)
    highlighter = Highlighter("play", ["ab", "12"])
    assert kinds(highlighter, ["ab", "12"]) == ["llc", "aa-"]
    highlighter.change(["ab", "x", "12"])
    assert kinds(highlighter, ["ab", "x", "12"]) == ["llc", "--", "aa-"]
    assert highlighter.has_pending_spans
    assert highlighter.pause_seconds == highlight.LONG_PAUSE
    assert highlighter.continue_lexing()
    assert kinds(highlighter, ["ab", "x", "12"]) == ["llc", "lc", "aa-"]
