"""Tape windows, the timeline's columns, the pane's arrangement, anchors of breakpoints."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from esoplay.service.debugging import Bucket
from esoplay.tui.debug.anchors import Change
from esoplay.tui.debug.arrangement import arrange
from esoplay.tui.debug.strip_chart import column_of, marks, step_at
from esoplay.tui.debug.tape_window import Base, Grid, grid_for, spell, value_width

GRIDS = st.builds(Grid, st.integers(1, 32), st.integers(1, 20), st.just(5))


@given(GRIDS, st.integers(-1000, 1000), st.integers(-1000, 1000))
def test_a_window_shows_the_cell_and_rests_while_it_can(
    grid: Grid, cell: int, current: int
) -> None:
    first = grid.window_for(cell, current)
    assert first <= cell < first + grid.cells
    assert first % grid.across == 0
    assert grid.window_for(cell, first) == first


@given(GRIDS, st.integers(0, 1000), st.integers(0, 1000))
def test_a_tape_that_begins_at_0_is_never_shown_from_before(
    grid: Grid, cell: int, current: int
) -> None:
    assert grid.window_for(cell, current) >= 0


@given(st.integers(1, 300), st.integers(0, 60), st.sampled_from([8, 16, 32]), st.sampled_from(Base))
def test_a_grid_fits_its_panel(width: int, height: int, bits: int, base: Base) -> None:
    grid = grid_for(width, height, bits=bits, base=base, highest=99)
    assert grid.across == 1 or grid.across * grid.pitch <= width
    assert grid.bands == 1 or grid.bands * 2 <= height
    assert len(spell((1 << bits) - 1, base)) <= value_width(bits, base) <= grid.pitch - 2


@pytest.mark.parametrize(
    ("value", "base", "text"),
    [
        (10, Base.DECIMAL, "10"),
        (10, Base.HEXADECIMAL, "0a"),
        (10, Base.CHARACTER, "␊"),
        (65, Base.CHARACTER, "A"),
        (32, Base.CHARACTER, "␠"),
        (200, Base.CHARACTER, "·"),
    ],
)
def test_values_in_every_base(value: int, base: Base, text: str) -> None:
    assert spell(value, base) == text


@given(st.integers(1, 5000), st.integers(1, 200), st.data())
def test_a_click_on_the_column_of_a_step_leads_near_it(
    known: int, columns: int, data: st.DataObject
) -> None:
    columns = min(columns, known)
    edges = [known * column // columns for column in range(columns + 1)]
    buckets = [Bucket(edges[i], edges[i + 1], 0, 0) for i in range(columns)]
    step = data.draw(st.integers(0, known))
    column = column_of(step, buckets)
    assert column is not None
    assert buckets[column].first_step <= step <= buckets[column].last_step
    reached = step_at(column, buckets)
    assert reached is not None
    assert abs(reached - step) <= -(-known // columns)


def test_a_timeline_tells_output_input_breaks_and_marks_apart() -> None:
    buckets = [Bucket(0, 1, 0, 0), Bucket(1, 2, 1, 0), Bucket(2, 3, 90, 0)]
    buckets += [Bucket(3, 4, 0, 1), Bucket(4, 5, 0, 0), Bucket(5, 6, 0, 0)]
    glyphs = "".join(mark.glyph for mark in marks(buckets, [5], {"a": 6}))
    assert glyphs == "▁▂▅i●a"


@given(st.integers(1, 300), st.integers(1, 120))
def test_parts_never_need_more_than_there_is(width: int, height: int) -> None:
    parts = arrange(width, height)
    assert parts.top + parts.pages + 4 <= max(height, 8)
    assert 0 <= parts.tape <= parts.top
    assert parts.tape + parts.breaks <= parts.top
    assert parts.state_width <= max(width, 4)


def test_at_80_columns_everything_important_has_rows() -> None:
    parts = arrange(80, 22)
    assert parts.top >= 11
    assert parts.pages >= 7
    assert parts.tape >= 7


@given(
    st.binary(max_size=40), st.binary(max_size=10), st.binary(max_size=40), st.binary(max_size=9)
)
def test_anchors_follow_the_text_around_an_edit(
    head: bytes, old: bytes, tail: bytes, new: bytes
) -> None:
    before, after = head + old + tail, head + new + tail
    change = Change(before, after)
    for offset in range(len(before)):
        moved = change.moved(offset)
        if moved is not None:
            assert after[moved] == before[offset]
    assume(len(head) + len(tail) > len(old) + len(new))
    assert change.is_version


def test_another_program_is_no_version() -> None:
    assert not Change(b"+++[>+<-].", b",[.,]").is_version
