"""Where values come from, over long histories: bounded, cancellable, exact."""

from __future__ import annotations

import pytest

from esolangs.stops import Slot
from esoplay.debugging import provenance
from esoplay.debugging.debugger import BreakpointSpec, Debugger, MoveCancelled
from esoplay.debugging.provenance import value_writes
from esoplay.errors import UsageError
from esoplay.timeline.provenance import MAX_VALUE_LINKS

ENDLESS = b"push 7\nlabel S\ndup\nslide 1\njump S\n"
LATE = b"push 7\npush 0\nlabel S\npush 1\nadd\njump S\n"


def at(source: bytes, step: int) -> Debugger:
    debugger = Debugger.open("whitespace", source, options={"notation": "assembly"})
    debugger.seek(step)
    return debugger


def test_chain_is_bounded_and_can_be_continued() -> None:
    debugger = at(ENDLESS, 6 * MAX_VALUE_LINKS)
    found = provenance.origin(debugger, Slot(0, 0))
    assert len(found.links) == MAX_VALUE_LINKS
    assert (found.end, found.value) == ("more", 7)
    steps = [each.step for each in found.links]
    assert steps == sorted(steps, reverse=True)
    assert {each.instruction for each in found.links} == {"dup", "slide 1"}
    assert "repeat the query" in provenance.end_text(found)
    debugger.seek(found.step)
    last = provenance.origin(debugger, found.place)
    while last.end == "more":
        debugger.seek(last.step)
        last = provenance.origin(debugger, last.place)
    assert (last.end, last.step, last.links[-1].instruction) == ("computed", 1, "push 7")


def test_early_push_is_found_from_a_late_step() -> None:
    debugger = at(LATE, 2_000_000)
    (link,) = provenance.origin(debugger, Slot(0, 0)).links
    assert (link.step, link.value) == (1, 7)
    (link,) = provenance.origin(debugger, Slot(0, 1)).links
    assert link.instruction == "add"
    assert debugger.step == 2_000_000


def test_search_for_origin_can_be_cancelled() -> None:
    debugger = at(ENDLESS, 6 * MAX_VALUE_LINKS)
    seen: list[tuple[int, int]] = []

    def tick(done: int, total: int) -> bool:
        seen.append((done, total))
        return len(seen) < 5

    with pytest.raises(MoveCancelled):
        provenance.origin(debugger, Slot(0, 0), tick)
    assert len(seen) == 5
    assert all(0 <= done <= total for done, total in seen)
    assert debugger.step == 6 * MAX_VALUE_LINKS


def test_list_of_writes_can_be_cancelled() -> None:
    debugger = at(ENDLESS, 6 * MAX_VALUE_LINKS)
    seen: list[int] = []

    def tick(done: int, total: int) -> bool:
        seen.append(done)
        return len(seen) < 50

    with pytest.raises(MoveCancelled):
        value_writes(debugger, Slot(0, 0), limit=1000, ticker=tick)
    assert len(seen) == 50
    assert [each.step for each in value_writes(debugger, Slot(0, 0), limit=3)] == [
        6 * MAX_VALUE_LINKS - each for each in (0, 4, 8)
    ]


def test_a_slot_and_a_cell_of_the_same_numbers_are_two_places() -> None:
    debugger = Debugger.open("befunge-98", b"12\\:2g#.@")
    debugger.seek(4)
    debugger.set_cell((0, 1), 65)
    assert provenance.origin(debugger, Slot(0, 1)).end == "computed"
    found = provenance.origin(debugger, (0, 1))
    assert (found.end, found.step, found.value) == ("edited", 4, 65)


def test_origins_of_values_on_lower_stacks_are_found() -> None:
    """``{`` leaves 1 and 2 on a stack below; each further one begins another upon it."""
    debugger = Debugger.open("befunge-98", b"12" + b"0{" * 100 + b"@")
    debugger.seek(2 + 2 * 100)
    found = provenance.origin(debugger, Slot(0, 1))
    assert (found.value, found.step) == (2, 2)
    with pytest.raises(UsageError, match="the stack ends at level"):
        provenance.origin(debugger, Slot(50, 1000))


def test_breakpoints_at_slots_can_be_combined() -> None:
    debugger = at(LATE, 0)
    debugger.add_breakpoint(BreakpointSpec(slot=Slot(0, 1), effect="write"))
    debugger.add_breakpoint(BreakpointSpec(slot=Slot(0, 2), condition="step > 20"))
    debugger.add_breakpoint(BreakpointSpec(slot=Slot(0, 1), log="{top}"))
    stop = debugger.resume(budget=100)
    assert (stop.step, stop.reasons[0].breakpoint) == (24, 2)
    assert stop.logs == ("0", "1", "2", "3", "4", "5")
    assert str(BreakpointSpec(slot=Slot(2, 5))) == "push to level 5 of stack 2"


@pytest.mark.parametrize("place", [Slot(0, 5), Slot(0, 10**30), (1, 2), (10**30,)])
def test_invalid_places_are_refused(place: Slot | tuple[int, ...]) -> None:
    with pytest.raises(UsageError):
        provenance.origin(at(LATE, 9), place)


@pytest.mark.parametrize("place", [10**30, -(10**30)])
def test_far_cells_have_their_initial_value(place: int) -> None:
    found = provenance.origin(at(LATE, 9), place)
    assert (found.end, found.value, found.links) == ("initial", 0, ())
