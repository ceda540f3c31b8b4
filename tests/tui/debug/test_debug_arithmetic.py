"""Tape windows, the timeline's columns, the pane's layout, anchors of breakpoints."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from esoplay.debugging.debugger import Bucket
from esoplay.tui.debug.breakpoints import TextChange
from esoplay.tui.debug.state.calls_panel import CallsPanel
from esoplay.tui.debug.state.panel_box import PanelHeight
from esoplay.tui.debug.state.stacks import StacksPanel
from esoplay.tui.debug.state.tape_panel import TapePanel
from esoplay.tui.debug.state.values import NumberBase, format_value, value_width
from esoplay.tui.debug.status_rows import find_column, step_at, timeline_columns
from esoplay.tui.debug.viewport import Bands, choose_bands
from esoplay.tui.debug.widgets import arrange, distribute_rows

BANDS = st.builds(Bands, st.integers(1, 32), st.integers(1, 20), st.just(5))


@given(BANDS, st.integers(-1000, 1000), st.integers(-1000, 1000))
def test_tape_window_contains_the_cell_and_moves_rarely(
    bands: Bands, cell: int, current: int
) -> None:
    first = bands.window_start(cell, current)
    assert first <= cell < first + bands.cell_count
    assert first % bands.cells_per_band == 0
    assert bands.window_start(cell, first) == first


@given(BANDS, st.integers(0, 1000), st.integers(0, 1000))
def test_tape_window_never_starts_before_cell_0(bands: Bands, cell: int, current: int) -> None:
    assert bands.window_start(cell, current) >= 0


@given(
    st.integers(1, 300),
    st.integers(0, 60),
    st.sampled_from([8, 16, 32]),
    st.sampled_from(NumberBase),
)
def test_bands_fit_their_panel(width: int, height: int, bits: int, base: NumberBase) -> None:
    bands = choose_bands(width, height, bits=bits, base=base, highest=99)
    assert bands.cells_per_band == 1 or bands.cells_per_band * bands.pitch <= width
    assert bands.band_count == 1 or bands.band_count * 2 <= height
    assert len(format_value((1 << bits) - 1, base)) <= value_width(bits, base) <= bands.pitch - 2


@pytest.mark.parametrize(
    ("value", "base", "text"),
    [
        (10, NumberBase.DECIMAL, "10"),
        (10, NumberBase.HEXADECIMAL, "0a"),
        (10, NumberBase.CHARACTER, "␊"),
        (65, NumberBase.CHARACTER, "A"),
        (32, NumberBase.CHARACTER, "␠"),
        (200, NumberBase.CHARACTER, "·"),
    ],
)
def test_values_in_every_base(value: int, base: NumberBase, text: str) -> None:
    assert format_value(value, base) == text


@given(st.integers(1, 5000), st.integers(1, 200), st.data())
def test_click_on_a_timeline_column_goes_near_its_step(
    known: int, columns: int, data: st.DataObject
) -> None:
    columns = min(columns, known)
    edges = [known * column // columns for column in range(columns + 1)]
    buckets = [Bucket(edges[i], edges[i + 1], 0, 0) for i in range(columns)]
    step = data.draw(st.integers(0, known))
    column = find_column(step, buckets)
    assert column is not None
    assert buckets[column].first_step <= step <= buckets[column].last_step
    reached = step_at(column, buckets)
    assert reached is not None
    assert abs(reached - step) <= -(-known // columns)


def test_timeline_distinguishes_output_input_breakpoints_and_marks() -> None:
    buckets = [Bucket(0, 1, 0, 0), Bucket(1, 2, 1, 0), Bucket(2, 3, 90, 0)]
    buckets += [Bucket(3, 4, 0, 1), Bucket(4, 5, 0, 0), Bucket(5, 6, 0, 0)]
    glyphs = "".join(mark.glyph for mark in timeline_columns(buckets, [5], {"a": 6}))
    assert glyphs == "▁▂▅i●a"


BRAINFUCK = (TapePanel.HEIGHT, CallsPanel.HEIGHT)
BEFUNGE = (StacksPanel.HEIGHT,)
HEIGHTS = st.lists(
    st.builds(PanelHeight, st.integers(1, 8), st.integers(1, 6), st.integers(8, 1000)), max_size=6
)


LISTED = st.integers(0, 50)


PLANES = st.none() | st.integers(1, 300)


@given(st.integers(1, 300), st.integers(1, 120), HEIGHTS, PLANES, LISTED, LISTED)
def test_layout_never_exceeds_the_pane(
    width: int, height: int, panels: list[PanelHeight], plane: int | None, watches: int, breaks: int
) -> None:
    parts = arrange(
        width, height, panels, plane_width=plane, watch_count=watches, breakpoint_count=breaks
    )
    assert parts.top_rows + parts.page_rows + 3 <= max(height, 8)
    lists = parts.watch_rows + parts.note_rows + parts.breakpoint_rows
    assert sum(parts.panel_rows) + lists <= parts.top_rows
    assert parts.state_width <= max(width, 4)


@given(st.integers(0, 80), HEIGHTS)
def test_panels_share_all_rows_in_order(rows: int, panels: list[PanelHeight]) -> None:
    heights = distribute_rows(rows, panels)
    assert len(heights) == len(panels)
    assert sum(heights) == (rows if panels else 0)
    shown = sum(height > 0 for height in heights)
    assert all(heights[:shown])
    if shown > 1:
        least = [panel.minimum for panel in panels]
        assert all(height >= wanted for height, wanted in zip(heights[:shown], least, strict=False))


def test_important_parts_have_rows_at_80_columns() -> None:
    parts = arrange(80, 22, BRAINFUCK)
    assert parts.top_rows >= 11
    assert parts.page_rows >= 7
    assert parts.panel_rows[0] >= 7
    parts = arrange(80, 22, BEFUNGE, plane_width=87)
    assert 80 - parts.state_width >= 56
    assert parts.top_rows >= 13
    assert parts.panel_rows[0] == parts.top_rows


@given(st.integers(60, 300), st.integers(1, 2000))
def test_plane_gets_at_least_half_of_the_pane(width: int, plane: int) -> None:
    state = arrange(width, 40, BEFUNGE, plane_width=plane).state_width
    assert state <= max(width // 2, 36)
    assert width - state >= min(plane, width * 6 // 10)


@given(
    st.binary(max_size=40), st.binary(max_size=10), st.binary(max_size=40), st.binary(max_size=9)
)
def test_anchors_follow_the_text_around_an_edit(
    head: bytes, old: bytes, tail: bytes, new: bytes
) -> None:
    before, after = head + old + tail, head + new + tail
    change = TextChange(before, after)
    for offset in range(len(before)):
        moved = change.new_offset(offset)
        if moved is not None:
            assert after[moved] == before[offset]
    assume(len(head) + len(tail) > len(old) + len(new))
    assert change.is_new_version


def test_unrelated_program_is_not_a_version() -> None:
    assert not TextChange(b"+++[>+<-].", b",[.,]").is_new_version


def test_timeline_shows_depth_and_notes_in_quiet_columns() -> None:
    buckets = [Bucket(at, at + 1, int(at == 2), int(at == 3)) for at in range(6)]
    columns = timeline_columns(buckets, depths=(0, 1, 9, 9, 9, 2), note_steps=(6,))
    assert [mark.glyph for mark in columns] == ["▁", "⡀", "▅", "i", "⡇", "◆"]
    assert timeline_columns(buckets, depths=())[0].glyph == "▁"
