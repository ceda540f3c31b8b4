"""POSIX regular expressions against an oracle that tries every way, and their limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles import posix_regex as oracle
from strategies.posix_patterns import patterns, texts

from esolangs.befunge_98.posix_match import MAX_TEXT, MAX_WORK, MatchLimitExceeded, match
from esolangs.befunge_98.posix_regex import MAX_PATTERN, PatternError, compile_pattern

Span = tuple[int, int]
Answer = list[Span | None] | None


def cells(text: str) -> list[int]:
    return [ord(char) for char in text]


def found(pattern: str, text: str, flags: int = 1, how: int = 0) -> Answer:
    return match(compile_pattern(cells(pattern), flags), cells(text), how)[0]


def error(pattern: str, flags: int) -> int:
    with pytest.raises(PatternError) as refused:
        compile_pattern(cells(pattern), flags)
    return refused.value.number


@given(pattern=patterns(), text=texts(), how=st.integers(0, 3))
def test_matches_equal_the_oracle(pattern: tuple[str, int], text: str, how: int) -> None:
    source, flags = pattern
    try:
        expected: Answer | int = oracle.match_text(cells(source), flags, cells(text), how)
    except oracle.InvalidPattern as invalid:
        expected = invalid.number
    try:
        answer: Answer | int = found(source, text, flags, how)
    except PatternError as refused:
        answer = refused.number
    assert answer == expected


@pytest.mark.parametrize(
    ("pattern", "text", "spans"),
    [
        ("a|ab|abc", "xabcd", [(1, 4)]),
        ("(a|ab)(c|bcd)(d*)", "abcd", [(0, 4), (0, 2), (2, 3), (3, 4)]),
        ("(a|ab)(bc|c)?", "abc", [(0, 3), (0, 2), (2, 3)]),
        ("(a*)(a|aa)", "aaaa", [(0, 4), (0, 3), (3, 4)]),
        ("(a*)*", "b", [(0, 0), (0, 0)]),
        ("(a*)*", "aa", [(0, 2), (0, 2)]),
        ("(a*)+", "b", [(0, 0), (0, 0)]),
        ("((a)|b)*", "ab", [(0, 2), (1, 2), None]),
        ("(a)?b", "b", [(0, 1), None]),
        ("(a){0}b", "ab", [(1, 2), None]),
        ("x*", "aaa", [(0, 0)]),
        ("(.)(.)\\2\\1", "xabba", [(1, 5), (1, 2), (2, 3)]),
        ("a)", "a)", [(0, 2)]),
        ("[[:digit:]]{2,3}", "a1234", [(1, 4)]),
        ("[^]a-]+", "]-ab-", [(3, 4)]),
        ("[\\.]+", "a\\.b", [(1, 3)]),
        ("a.c", "a\nc", [(0, 3)]),
    ],
)
def test_the_leftmost_and_longest_match_counts(pattern: str, text: str, spans: Answer) -> None:
    assert found(pattern, text) == spans
    assert oracle.match_text(cells(pattern), 1, cells(text), 0) == spans


@pytest.mark.parametrize(
    ("pattern", "text", "spans"),
    [
        ("*a", "x*a", [(1, 3)]),
        ("\\(*a\\)", "*a", [(0, 2), (0, 2)]),
        ("^*a", "*a", [(0, 2)]),
        ("a^b$c", "a^b$c", [(0, 5)]),
        ("\\(^a\\)\\1", "aaa", [(0, 2), (0, 1)]),
        ("a\\{2\\}", "aaa", [(0, 2)]),
        ("a+b?", "a+b?", [(0, 4)]),
        ("a\\+b\\?", "aaab", [(0, 4)]),
        ("a\\|b", "b", [(0, 1)]),
        ("(a|b)", "(a|b)", [(0, 5)]),
    ],
)
def test_basic_expressions_match_as_in_posix(pattern: str, text: str, spans: Answer) -> None:
    assert found(pattern, text, 0) == spans


@pytest.mark.parametrize(
    ("number", "pattern", "flags"),
    [
        (1, "a{2,1}", 1), (1, "a{x}", 1), (1, "a{256}", 1), (1, "a{}", 1), (1, "a\\{x\\}", 0),
        (3, "*a", 1), (3, "a|*b", 1), (3, "(+a)", 1), (3, "^*", 1), (3, "{1}", 1),
        (3, "\\{1\\}", 0), (4, "a{1", 1), (4, "a\\{1,2}", 0), (5, "[a", 1), (5, "[]", 0),
        (5, "[[:alpha:", 1), (6, "[[.ab.]]", 1), (7, "[[:vowel:]]", 1), (9, "a\\", 1),
        (9, "\\", 0), (10, "(a", 1), (10, "\\(a", 0), (10, "a\\)", 0), (11, "[z-a]", 1),
        (11, "[a-c-e]", 1), (11, "[a-[:digit:]]", 1), (14, "(a)\\2", 1), (14, "\\(a\\1\\)", 0),
        (13, "a" * (MAX_PATTERN + 1), 1), (13, "(" * 60 + ")" * 60, 1), (13, "a" + "*" * 60, 1),
        (13, "(a)" * 100, 1),
    ],
)  # fmt: skip
def test_each_error_has_its_number(number: int, pattern: str, flags: int) -> None:
    assert error(pattern, flags) == number


def test_flags_of_a_match_have_their_effect() -> None:
    assert found("^a", "a", 1, 1) is None
    assert found("a$", "a", 1, 2) is None
    assert found("^b$", "a\nb\nc", 1) is None
    assert found("^b$", "a\nb\nc", 9, 3) == [(2, 3)]
    assert found("a.b|[^x]c", "a\nb\nc", 9) is None
    assert found("[a-c]+X", "ABCx", 3) == [(0, 4)]


def test_characters_may_be_any_integers() -> None:
    pattern = compile_pattern([ord("["), -7, ord("-"), 300, ord("]"), ord("*")], 1)
    assert match(pattern, [301, -8, -7, 300, 5], 0)[0] == [(0, 0)]
    assert match(pattern, [-7, 300, 10**30], 0)[0] == [(0, 2)]
    assert found("(.)\\1", "\U0001f600\U0001f600") == [(0, 2), (0, 1)]


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(x+x+)+y", "x" * MAX_TEXT),
        ("((a*)*)*b", "a" * 5000),
        ("(a|aa)*$", "a" * 5000),
        ("(((a?){255}){255}){255}b", "a" * 300),
        (".*.*.*.*=", "a" * MAX_TEXT),
        ("|".join(["abc"] * 1000), "abd" * 1000),
    ],
)
def test_hostile_expressions_take_little_work(pattern: str, text: str) -> None:
    _, work = match(compile_pattern(cells(pattern), 1), cells(text), 0)
    assert work < MAX_WORK // 4


@pytest.mark.parametrize(
    ("pattern", "text"),
    [
        ("(a*)*\\1b", "a" * 40),
        ("(a|b|ab)*\\1c", "ab" * 50),
        ("((ab|b)*c)*", "abababbc" * 8000),
        ("a", "a" * (MAX_TEXT + 1)),
    ],
)
def test_too_much_work_is_refused(pattern: str, text: str) -> None:
    with pytest.raises(MatchLimitExceeded):
        match(compile_pattern(cells(pattern), 1), cells(text), 0)
