"""The text of a term with marks in it, and the way from one of its parts to another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Literal

Range = tuple[int, int]
Kind = Literal["", "redex", "selected"]

OPEN, CLOSE = "⟦", "⟧"
"""Around what the next step reduces."""
OPEN_PART, CLOSE_PART = "‹", "›"
"""Around the part that is selected."""


class Marked:
    """A text with its redex and the selected part in brackets.

    redex, selected: where they are in ``text``, with their brackets.
    """

    def __init__(self, text: str, redex: Range | None, selected: Range | None) -> None:
        marks: list[tuple[int, int, int, int, str]] = []
        for rank, (some, opens, closes) in enumerate(
            ((redex, OPEN, CLOSE), (selected, OPEN_PART, CLOSE_PART))
        ):
            if some is not None:
                start, end = some
                # At one place brackets close before others open, the outer ones around the inner.
                marks.append((start, 1, start - end, rank, opens))
                marks.append((end, 0, end - start, -rank, closes))
        self._at: list[int] = []  # of every character in the text without marks
        kinds: list[Kind] = []
        texts: list[str] = []
        ends: dict[str, int] = {}
        done = 0
        for place, _, _, _, mark in [*sorted(marks), (len(text), 2, 0, 0, "")]:
            texts += text[done:place]
            kinds.extend(_kind(at, redex, selected) for at in range(done, place))
            self._at += range(done, place)
            done = place
            if mark:
                ends[mark] = len(texts)
                texts.append(mark)
                kinds.append("selected" if mark in (OPEN_PART, CLOSE_PART) else "redex")
                self._at.append(place if mark in (OPEN, OPEN_PART) else place - 1)
        self.text = "".join(texts)
        self._kinds = kinds
        self.redex = (ends[OPEN], ends[CLOSE] + 1) if redex is not None else None
        self.selected = (ends[OPEN_PART], ends[CLOSE_PART] + 1) if selected is not None else None

    def unmarked(self, at: int) -> int | None:
        """The character of the text without marks that the one shown at ``at`` belongs to."""
        return self._at[at] if 0 <= at < len(self._at) else None

    def runs(self, low: int, high: int) -> Iterator[tuple[str, Kind]]:
        """The text from ``low`` to ``high``, cut where its meaning changes."""
        at = low
        for kind, run in groupby(self._kinds[low:high]):
            length = len(list(run))
            yield self.text[at : at + length], kind
            at += length


def _kind(at: int, redex: Range | None, selected: Range | None) -> Kind:
    if redex is not None and redex[0] <= at < redex[1]:
        return "redex"
    if selected is not None and selected[0] <= at < selected[1]:
        return "selected"
    return ""


def part_at(parts: Sequence[Range], at: int) -> int | None:
    """The innermost part around a character."""
    around = [part for part, (start, end) in enumerate(parts) if start <= at < end]
    return around[-1] if around else None


def neighbour(parts: Sequence[Range], part: int, *, rows: int = 0, columns: int = 0) -> int:
    """The part that is next to ``part``; itself where there is none.

    rows: the following one that is not inside it, or the previous one beside it, else the one
    around it.  columns: the first one inside it, or the one around it.
    """
    end = parts[part][1]
    around = _around(parts, part)
    if columns > 0:
        inside = part + 1 < len(parts) and parts[part + 1][0] < end
        return part + 1 if inside else part
    if columns < 0:
        return around
    if rows > 0:
        return next((at for at in range(part + 1, len(parts)) if parts[at][0] >= end), part)
    beside = (at for at in range(part - 1, around, -1) if _around(parts, at) == around)
    return next(beside, around)


def opened_rows(parts: Sequence[Range], focus: int) -> list[int]:
    """The parts around ``focus``, the outermost first, itself, and those right inside it."""
    if focus >= len(parts):
        return []
    low, high = parts[focus]
    rows = [part for part in range(focus + 1) if parts[part][0] <= low and high <= parts[part][1]]
    inside = focus + 1
    while inside < len(parts) and parts[inside][0] < high:
        rows.append(inside)
        end = parts[inside][1]
        inside = next((at for at in range(inside, len(parts)) if parts[at][0] >= end), len(parts))
    return rows


def with_hole(text: str, around: Range, inside: Range, room: int) -> str:
    """The text of a part with a ``_`` for a part inside it, cut to ``room`` characters."""
    left, right = text[around[0] : inside[0]], text[inside[1] : around[1]]
    room -= 1
    left = cut(left, max(room - len(right), room // 2))
    right = cut(right, room - len(left))
    return f"{left}_{right}"


def cut(text: str, room: int) -> str:
    """The text, its end elided where there is no room for all of it."""
    return text if len(text) <= room else text[: max(0, room - 1)] + "…"


def _around(parts: Sequence[Range], part: int) -> int:
    """The part around ``part``; itself if there is none."""
    end = parts[part][1]
    return next((at for at in range(part - 1, -1, -1) if parts[at][1] >= end), part)
