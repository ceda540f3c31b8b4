"""Drawing: exact widths, and only what changed is sent."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style
from textual.strip import Strip

from esoplay.tui.debug.canvas import StyledText, changed_columns, make_strip

STYLES = [Style(bold=True), Style(color="red"), Style(italic=True)]
PIECES = st.lists(
    st.builds(StyledText, st.text(alphabet="ab漢 ●", max_size=6), st.sampled_from(STYLES)),
    max_size=8,
)


def cells(strip: Strip) -> list[tuple[str, Style | None]]:
    """One entry a column; a wide character fills two."""
    return [
        (char, segment.style)
        for segment in strip
        for char in segment.text
        for _ in range(cell_len(char))
    ]


@given(PIECES, st.integers(0, 30))
def test_a_strip_has_exactly_its_width(pieces: list[StyledText], width: int) -> None:
    strip = make_strip(pieces, width, STYLES[0])
    assert sum(cell_len(segment.text) for segment in strip) == width


@given(PIECES, PIECES, st.integers(1, 30))
def test_columns_outside_the_change_are_the_same(
    before: list[StyledText], after: list[StyledText], width: int
) -> None:
    old, new = make_strip(before, width, STYLES[0]), make_strip(after, width, STYLES[0])
    changed = changed_columns(old, new)
    left, right = cells(old), cells(new)
    if changed is None:
        assert left == right
    else:
        first, end = changed
        assert 0 <= first < end <= width
        assert left[:first] == right[:first]
        assert left[end:] == right[end:]


def test_only_changed_cells_are_refreshed() -> None:
    old = make_strip([StyledText("++[>+<-]", STYLES[0])], 20, STYLES[0])
    new = make_strip(
        [StyledText("++", STYLES[0]), StyledText("[", STYLES[1]), StyledText(">+<-]", STYLES[0])],
        20,
        STYLES[0],
    )
    assert changed_columns(old, new) == (2, 3)
