"""Every jump of a graph that is arranged as nested loops leads to its target."""

from __future__ import annotations

from random import Random

import pytest

from esolangs import nesting
from esolangs.nesting import NestedLoop, Nesting


def _arrive(loop: NestedLoop, item: int, chosen: dict[int, int]) -> int:
    """Return the block that is executed after a jump to an item, or to a header (item -1)."""
    while True:
        if item < 0:
            value = chosen.pop(loop.depth, 0)
            if not value:
                return loop.header
            (item,) = [at for at, number in loop.item_values.items() if number == value]
        inner = loop.items[item]
        if not isinstance(inner, NestedLoop):
            return inner
        loop, item = inner, -1


def _graph(chance: Random) -> list[list[int]]:
    size = chance.randint(1, 12)
    return [
        [chance.randrange(size) for _ in range(chance.choice((0, 1, 1, 2, 2)))] for _ in range(size)
    ]


@pytest.mark.parametrize("depth", [1, 2, 12])
def test_jumps_lead_to_their_targets(monkeypatch: pytest.MonkeyPatch, depth: int) -> None:
    monkeypatch.setattr(nesting, "MAX_DEPTH", depth)
    for seed in range(300):
        graph = _graph(Random(seed))
        nested = Nesting(graph)
        assert sorted(nested.order) == list(range(len(graph)))
        place = {block: at for at, block in enumerate(nested.order)}
        for block, targets in enumerate(graph):
            for target in targets:
                route = nested.route(block, target)
                chosen = dict(route.choices)
                assert _arrive(route.loop, route.item, chosen) == target
                assert not chosen  # all variables are zero again
                assert target in nested.headers or place[block] < place[target]
            chosen = dict(nested.entry_choices(block))
            assert _arrive(nested.root, -1, chosen) == block
            assert not chosen


def test_a_loop_begins_where_control_enters_it() -> None:
    inner = [[1], [2], [3, 1], [1, 4], []]
    nested = Nesting(inner)
    assert nested.headers == {1}
    assert nested.order == [0, 1, 2, 3, 4]
