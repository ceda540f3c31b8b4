"""The first divergence, and what kind of difference it is."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esolangs.source import common_prefix
from esoplay.tui.debug.divergence import DivergenceKind, excerpt_range, first_divergence

TEXT = st.binary(max_size=30)


@pytest.mark.parametrize(
    ("expected", "got", "kind", "at"),
    [
        (b"abc", b"abc", DivergenceKind.SAME, None),
        (b"1245\n", b"1246\n", DivergenceKind.WRONG, 3),
        (b"abc", b"ab", DivergenceKind.SHORT, 2),
        (b"abc", b"", DivergenceKind.SHORT, 0),
        (b"ab", b"abc", DivergenceKind.EXTRA, 2),
        (b"ab\n", b"ab", DivergenceKind.NEWLINE_MISSING, 2),
        (b"ab", b"ab\n", DivergenceKind.NEWLINE_EXTRA, 2),
        (b"ab", b"ab\n\n", DivergenceKind.EXTRA, 2),
    ],
)
def test_each_kind_of_difference_is_recognized(
    expected: bytes, got: bytes, kind: DivergenceKind, at: int | None
) -> None:
    assert first_divergence(expected, got, complete=True) == (kind, at)


@pytest.mark.parametrize("got", [b"", b"a", b"abc"])
def test_running_program_is_not_too_short(got: bytes) -> None:
    assert first_divergence(b"abc", got, complete=False) == (DivergenceKind.SO_FAR, None)


@given(TEXT, TEXT, st.booleans())
def test_divergence_is_the_first_different_byte(
    expected: bytes, got: bytes, complete: bool
) -> None:
    kind, at = first_divergence(expected, got, complete=complete)
    if at is None:
        assert expected.startswith(got)
        assert kind is not DivergenceKind.SAME or expected == got
    else:
        assert expected[:at] == got[:at]
        assert expected[at : at + 1] != got[at : at + 1]
        assert kind.is_failure


@given(TEXT, TEXT)
def test_common_prefix_is_the_longest(left: bytes, right: bytes) -> None:
    size = common_prefix(left, right)
    assert left[:size] == right[:size]
    assert left[: size + 1] != right[: size + 1] or size == min(len(left), len(right))


@given(st.integers(1, 500), st.integers(0, 499), st.integers(1, 100))
def test_excerpt_contains_the_place_and_fills_the_width(length: int, at: int, room: int) -> None:
    at = min(at, length - 1)
    start, end = excerpt_range(length, at, room)
    assert 0 <= start <= at < end <= length
    assert end - start == min(room, length)
