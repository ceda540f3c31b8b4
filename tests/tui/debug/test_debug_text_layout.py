"""Wrapping: every byte has its place, and every place its byte."""

from hypothesis import given
from hypothesis import strategies as st

from esoplay.tui.debug.text_layout import TextLayout

TEXTS = st.one_of(
    st.binary(max_size=300),
    st.text(alphabet="+-[] \n\tä→漢e\u0301", max_size=200).map(str.encode),
)
WIDTHS = st.integers(1, 40)


@given(TEXTS, WIDTHS)
def test_rows_hold_all_bytes_once_and_in_order(source: bytes, width: int) -> None:
    layout = TextLayout(source, width)
    rows = [layout.row(index) for index in range(layout.row_count)]
    lines = [b""] * layout.line_count
    for row in rows:
        lines[row.line] += source[row.start : row.end]
    assert lines == source.split(b"\n")


@given(TEXTS, WIDTHS)
def test_no_row_is_wider_than_the_screen(source: bytes, width: int) -> None:
    layout = TextLayout(source, width)
    for index in range(layout.row_count):
        glyphs = layout.glyphs(layout.row(index))
        assert all(glyph.column + glyph.width <= width for glyph in glyphs)
        assert [glyph.column for glyph in glyphs] == sorted({glyph.column for glyph in glyphs})


@given(TEXTS, WIDTHS, st.data())
def test_offset_at_inverts_place(source: bytes, width: int, data: st.DataObject) -> None:
    layout = TextLayout(source, width)
    index = data.draw(st.integers(0, layout.row_count - 1))
    for glyph in layout.glyphs(layout.row(index)):
        assert layout.row_and_column(glyph.offset) == (index, glyph.column)
        for column in range(glyph.column, glyph.column + glyph.width):
            assert layout.offset_at(index, column) == glyph.offset


@given(TEXTS, WIDTHS, st.integers(-5, 400))
def test_every_offset_has_a_place_on_the_screen(source: bytes, width: int, offset: int) -> None:
    row, column = TextLayout(source, width).row_and_column(offset)
    assert 0 <= row < TextLayout(source, width).row_count
    assert 0 <= column < width


def test_line_break_follows_the_line() -> None:
    layout = TextLayout(b"+++\n--", 10)
    assert layout.offset_at(0, 9) == 3
    assert layout.offset_at(1, 9) == 6


def test_a_line_of_a_megabyte_is_laid_out_by_arithmetic() -> None:
    layout = TextLayout(b"+" * 1_000_000, 30)
    assert layout.row_count == 33_334
    assert layout.row_and_column(999_999) == (33_333, 9)
    assert not layout._tables


def test_control_characters_and_invalid_utf8_take_one_column() -> None:
    layout = TextLayout(b"a\x1b\xffb", 10)
    assert "".join(glyph.text for glyph in layout.glyphs(layout.row(0))) == "a␛·b"
