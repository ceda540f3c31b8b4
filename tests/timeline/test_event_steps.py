"""The steps of printed and read bytes behave like one list."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right

from hypothesis import given
from hypothesis import strategies as st

from esoplay.timeline.event_steps import EventSteps

parts = st.lists(st.sampled_from([0, 1, 2, 4095, 4096, 5000]), max_size=8)


@given(sizes=parts, cut=st.integers(0, 20_000), more=parts)
def test_steps_equal_those_of_a_list(sizes: list[int], cut: int, more: list[int]) -> None:
    steps, expected = EventSteps(), list[int]()

    def add(size: int) -> None:
        first = expected[-1] if expected else 0
        new = [first + 3 * number for number in range(1, size + 1)]
        steps.extend(array("q", new))
        expected.extend(new)

    for size in sizes:
        add(size)
    steps.truncate(cut)
    del expected[cut:]
    for size in more:
        add(size)
    assert len(steps) == len(expected)
    assert list(steps) == expected
    assert steps[-3:] == expected[-3:]
    for step in (0, 1, 3, 12_000, 12_288, 12_289, 1 << 40):
        assert bisect_right(steps, step) == bisect_right(expected, step)
        assert bisect_left(steps, step) == bisect_left(expected, step)
    assert steps.size == 8 * len(expected)
