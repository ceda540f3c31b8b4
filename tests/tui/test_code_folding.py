"""Long lines of code are broken between tokens, in the debugger and in the editor."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esolangs.editing import Editing
from esolangs.registry import find_language
from esoplay.tui.debug.text_layout import TextLayout
from esoplay.tui.editor.document import ByteDocument, CellWrapping

SENTENCE = b"If so, let us return to scene II. If not, let us proceed to scene III."
LOOPS = b"++++++[>++++ counts the columns <-]>. prints it [-] and clears"
TERMS = b"```s``sii`ki``s``sii`ki.*`.a.``.?i  # a comment of several words after it"
TOKENS = {
    "shakespeare": rb"\S+",
    "brainfuck": rb"[^\s+\-<>\[\].,]+",
    "unlambda": rb"[.?].|\S",
}


Rows = Callable[[bytes, int, str], list[bytes]]


def editing(language: str) -> Editing:
    return find_language(language).editing()


def rows_of(source: bytes, width: int, language: str) -> list[bytes]:
    layout = TextLayout(source, width, fold=editing(language).fold)
    rows = [layout.row(index) for index in range(layout.row_count)]
    return [source[row.start : row.end] for row in rows]


def edited_rows(source: bytes, width: int, language: str) -> list[bytes]:
    wrapping = CellWrapping(ByteDocument(source), width)
    wrapping.fold = editing(language).fold
    wrapping.wrap(width)
    return [section.encode() for line in wrapping.lines for section in line]


def cut_tokens(rows: list[bytes], width: int, language: str) -> list[bytes]:
    """Return tokens that do not end in the row in which they start, but would fit one."""
    whole, edges, at = b"".join(rows), set[int](), 0
    for row in rows[:-1]:
        at += len(row)
        edges.add(at)
    found = re.finditer(TOKENS[language], whole)
    return [
        token.group()
        for token in found
        if len(token.group()) < width and edges & set(range(token.start() + 1, token.end()))
    ]


@pytest.mark.parametrize("rows", [rows_of, edited_rows])
@pytest.mark.parametrize("width", range(8, 40))
@pytest.mark.parametrize(
    ("language", "source"),
    [("shakespeare", SENTENCE), ("brainfuck", LOOPS), ("unlambda", TERMS[:33])],
)
def test_no_token_is_cut(rows: Rows, width: int, language: str, source: bytes) -> None:
    shown = rows(source, width, language)
    assert b"".join(shown) == source
    assert max(map(len, shown)) <= width
    assert cut_tokens(shown, width, language) == []


def test_a_row_may_end_between_scene_and_number() -> None:
    assert rows_of(b"Juliet: If so, let us return to scene II.", 39, "shakespeare") == [
        b"Juliet: If so, let us return to scene ",
        b"II.",
    ]


@pytest.mark.parametrize("rows", [rows_of, edited_rows])
@pytest.mark.parametrize("language", ["brainfuck", "shakespeare"])
def test_no_row_begins_with_a_blank_or_a_comma(rows: Rows, language: str) -> None:
    source = b"this loop is skipped, whatever it holds, since its cell holds 0 at the start. Yes"
    for width in range(10, 60):
        shown = rows(source, width, language)
        assert not [row for row in shown if row[:1] in (b" ", b",", b".")]
        assert b"".join(shown) == source
        assert max(map(len, shown)) <= width


def test_applications_begin_rows() -> None:
    assert rows_of(b"`k``s`ki``s`ki`.a.b", 8, "unlambda") == [b"`k``s`ki", b"``s`ki", b"`.a.b"]


def test_comments_of_unlambda_are_broken_at_words() -> None:
    shown = rows_of(TERMS, 24, "unlambda")
    assert shown[-3:] == [b"# a comment of several ", b"words after it"] or all(
        word in b"\n".join(shown).split() for word in b"comment several words after".split()
    )


@pytest.mark.parametrize("language", TOKENS)
def test_a_token_longer_than_a_row_is_broken_at_the_width(language: str) -> None:
    assert rows_of(b"x" * 25, 10, language)[:2] == [b"x" * 10] * 2


TEXTS = st.text(alphabet="+-[]`.?# xy\tä漢", max_size=120).map(str.encode)


@given(TEXTS, st.integers(1, 30), st.sampled_from([*TOKENS, "whitespace"]))
def test_every_byte_has_a_place_in_folded_text(source: bytes, width: int, language: str) -> None:
    layout = TextLayout(source, width, fold=editing(language).fold)
    rows = [layout.row(index) for index in range(layout.row_count)]
    assert b"".join(source[row.start : row.end] for row in rows) == source
    for index, row in enumerate(rows):
        for glyph in layout.glyphs(row):
            assert glyph.column + glyph.width <= width
            assert layout.row_and_column(glyph.offset) == (index, glyph.column)
            assert layout.offset_at(index, glyph.column) == glyph.offset


@given(TEXTS, st.integers(2, 30), st.sampled_from([*TOKENS, "whitespace"]))
def test_every_character_has_a_row_in_the_editor(source: bytes, width: int, language: str) -> None:
    wrapping = CellWrapping(ByteDocument(source), width)
    wrapping.fold = editing(language).fold
    wrapping.wrap(width)
    (line,) = wrapping.lines
    assert "".join(line) == wrapping.document.get_line(0)
    assert all(line[:-1])


def test_a_plane_is_never_folded_in_the_editor() -> None:
    assert not editing("befunge-98").wraps


def test_tab_that_grows_in_a_new_row_starts_another_row() -> None:
    shown = rows_of(b"??#???\t", 6, "unlambda")
    assert b"".join(shown) == b"??#???\t"
    assert shown[-1] == b"\t"
