"""A region divided into panes, whose borders can be moved with the mouse and by keys.

A :class:`Split` divides a region into a part with a saved size and the rest. :func:`place_panes`
computes regions and dividers for a tree of splits. :class:`SplitControl` finds the divider for a
drag or a key, and :class:`SplitSizes` saves the positions of dividers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, cast

from textual import events
from textual.containers import Container
from textual.geometry import Offset, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget


class Split(NamedTuple):
    """A region in two parts; one of them, the sized part, has a saved size.

    name: the key of the saved size. side_by_side: whether the parts are side by side, instead of
    one above the other. size: default columns or rows of the sized part. is_first_sized: whether
    the first part is the sized part. min_sizes: minimum columns or rows of both parts.
    """

    name: str
    side_by_side: bool
    size: int
    is_first_sized: bool
    first: SplitPart
    second: SplitPart
    min_sizes: tuple[int, int]


SplitPart = str | Split
"""The id of a pane, or a split."""


class Divider(NamedTuple):
    """The border between two parts.

    line: the first column or row of the second part.
    start, end: the extent along the border.
    size: the current size of the sized part.
    growth_direction: 1 if the sized part grows as the line increases, otherwise -1.
    low, high: the limits of the line.
    """

    name: str
    side_by_side: bool
    line: int
    start: int
    end: int
    size: int
    growth_direction: int
    low: int
    high: int

    def size_at(self, line: int) -> int:
        """Return the size that the sized part has after the divider is moved to ``line``.

        A ``line`` outside the limits is replaced by the nearest limit.  For "sized part", see
        :class:`Split`.
        """
        return self.size + self.growth_direction * (min(max(line, self.low), self.high) - self.line)

    def contains(self, x: int, y: int) -> bool:
        """Return whether a cell is in the border.

        The border is the last row or column of the first part and the first one of the second part.
        """
        at, along = (x, y) if self.side_by_side else (y, x)
        return self.line - 1 <= at <= self.line and self.start <= along < self.end

    def translate(self, offset: Offset) -> Divider:
        """Return the divider, moved by an offset."""
        line, along = (offset.x, offset.y) if self.side_by_side else (offset.y, offset.x)
        return self._replace(
            line=self.line + line,
            low=self.low + line,
            high=self.high + line,
            start=self.start + along,
            end=self.end + along,
        )


def place_panes(
    part: SplitPart, region: Region, sizes: Mapping[str, int]
) -> tuple[dict[str, Region], list[Divider]]:
    """Return the region of each pane, and the dividers.

    sizes: overrides the sizes of splits, by name.
    """
    panes: dict[str, Region] = {}
    dividers: list[Divider] = []
    _place_part(part, region, sizes, panes, dividers)
    return panes, dividers


def _place_part(
    part: SplitPart,
    region: Region,
    sizes: Mapping[str, int],
    panes: dict[str, Region],
    dividers: list[Divider],
) -> None:
    if isinstance(part, str):
        panes[part] = region
        return
    x, y, width, height = region
    start, total = (x, width) if part.side_by_side else (y, height)
    low, high = line_limits(total, part.min_sizes)
    wanted = sizes.get(part.name, part.size)
    line = min(max(wanted if part.is_first_sized else total - wanted, low), high)
    if part.side_by_side:
        first, second = region.split_vertical(line)
    else:
        first, second = region.split_horizontal(line)
    dividers.append(
        Divider(
            part.name,
            part.side_by_side,
            start + line,
            *((y, y + height) if part.side_by_side else (x, x + width)),
            size=line if part.is_first_sized else total - line,
            growth_direction=1 if part.is_first_sized else -1,
            low=start + low,
            high=start + high,
        )
    )
    _place_part(part.first, first, sizes, panes, dividers)
    _place_part(part.second, second, sizes, panes, dividers)


def line_limits(total: int, min_sizes: tuple[int, int]) -> tuple[int, int]:
    """Return the lowest and the highest line that can divide ``total`` columns or rows.

    Both are the middle if the parts cannot have their minimum sizes.
    """
    if sum(min_sizes) > total:
        return total // 2, total // 2
    return min_sizes[0], total - min_sizes[1]


def pane_ids(part: SplitPart) -> Iterator[str]:
    """Yield the ids of the panes in a tree."""
    if isinstance(part, str):
        yield part
    else:
        yield from pane_ids(part.first)
        yield from pane_ids(part.second)


# Saved sizes.


class SplitSizes:
    """The positions of dividers that the user has moved, saved between runs."""

    def __init__(self, stored_sizes: object, save: Callable[[dict[str, int]], None]) -> None:
        """Load the sizes that an earlier run passed to ``save``; ignore invalid values."""
        self._save = save
        self._sizes: dict[str, int] = {}
        if isinstance(stored_sizes, dict):
            for name, size in cast("dict[object, object]", stored_sizes).items():
                if isinstance(name, str) and isinstance(size, int) and size > 0:
                    self._sizes[name] = size

    def sizes_for(self, kind: str) -> dict[str, int]:
        """Return the saved sizes, by the name of the divider, for terminals of one kind.

        kind: the width, such as ``mid``; ``mid debugger`` for the dividers of the debugger.
        """
        return {
            name.removeprefix(f"{kind} "): size
            for name, size in self._sizes.items()
            if name.startswith(f"{kind} ")
        }

    def set(self, kind: str, name: str, size: int | None) -> None:
        """Set the size of a split; None restores the default. :meth:`save` saves the change."""
        if size is None:
            self._sizes.pop(f"{kind} {name}", None)
        else:
            self._sizes[f"{kind} {name}"] = size

    def reset(self, kind: str) -> None:
        """Remove the saved sizes for a kind of terminal; see :meth:`sizes_for`."""
        self._sizes = {
            name: size for name, size in self._sizes.items() if not name.startswith(f"{kind} ")
        }

    def save(self) -> None:
        """Save all sizes for the next session of the app."""
        self._save(dict(self._sizes))


# The widget that contains the panes.


class _PlannedLayout(Layout):
    """Places each pane of a :class:`SplitBody` in its region."""

    name = "planned"

    def arrange(
        self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True
    ) -> ArrangeResult:
        """Return the regions of the children, except panes that are not in the tree of splits."""
        regions = cast("SplitBody", parent).regions(size)
        none = Offset()
        return [
            WidgetPlacement(regions[child.id], none, child.styles.margin, child)
            for child in children
            if child.id in regions
        ]


class SplitBody(Container):
    """Panes that are placed by a tree of splits; other panes are hidden."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._planned = _PlannedLayout()
        self._part: SplitPart = ""
        self._sizes: Mapping[str, int] = {}
        self._dividers: list[Divider] = []
        self.control: SplitControl | None = None
        """The control that moves the dividers with the mouse."""
        self.drag_callback: Callable[[], object] = lambda: None
        """A function called while the mouse moves a divider."""

    @property
    def layout(self) -> Layout:
        """The layout that places panes by the tree of splits."""
        return self._planned

    def arrange_panes(
        self, part: SplitPart, sizes: Mapping[str, int], panes: Sequence[Widget]
    ) -> None:
        """Show the panes of a tree, and hide all others in ``panes``."""
        self._part, self._sizes = part, dict(sizes)
        shown = set(pane_ids(part))
        for pane in panes:
            if pane.display != (pane.id in shown):
                pane.display = pane.id in shown
        self._clear_arrangement_cache()
        if self.is_attached:
            self.refresh(layout=True)

    def regions(self, size: Size) -> dict[str, Region]:
        """Return the regions of the panes in a body of this size."""
        regions, self._dividers = place_panes(self._part, size.region, self._sizes)
        return regions

    @property
    def dividers(self) -> list[Divider]:
        """The dividers on the screen; [] if a pane is maximised."""
        return [each.translate(self.region.offset) for each in self._dividers]

    def on_mouse_down(self, event: events.MouseDown) -> None:
        if self.control is not None:
            self.control.press(event)

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self.control is not None and self.control.drag(event):
            event.stop()
            self.capture_mouse()
            self.drag_callback()

    def on_mouse_up(self) -> None:
        if self.control is not None and self.control.release():
            self.release_mouse()
            self.screen.clear_selection()

    def on_click(self, event: events.Click) -> None:
        if self.control is not None and event.chain == 2:
            self.control.reset(event.screen_x, event.screen_y)


# Moving dividers

STEP_COLUMNS, STEP_ROWS = 4, 2
"""Number of columns and rows by which a key moves a divider."""


def pane_region(widget: Widget) -> Region:
    """Return the region of the widget's pane, or of the widget if the pane has no frame."""
    pane = widget
    while isinstance(pane.parent, Widget) and not isinstance(pane.parent, SplitBody):
        pane = pane.parent
    framed = pane.styles.border_top[0] not in ("", "none")
    return pane.region if framed else widget.region


class DividerOwner(NamedTuple):
    """A widget with dividers.

    dividers: returns the dividers on the screen. move: sets the size of the sized part at a
    divider, given the divider's name and the size; None resets the size.
    """

    dividers: Callable[[], list[Divider]]
    move: Callable[[str, int | None], None]


class SplitControl:
    """Moves the dividers of nested owners, which are listed from the outermost to the innermost."""

    def __init__(self, *owners: DividerOwner) -> None:
        self._owners = owners
        self._dragged_divider: tuple[DividerOwner, str] | None = None

    def _owned_dividers(self) -> Iterator[tuple[DividerOwner, Divider]]:
        for owner in reversed(self._owners):
            for divider in owner.dividers():
                yield owner, divider

    def divider_at(self, x: int, y: int) -> tuple[DividerOwner, Divider] | None:
        """Return the divider in a cell of the screen and its owner, or None."""
        return next((found for found in self._owned_dividers() if found[1].contains(x, y)), None)

    def divider_beside(
        self, region: Region, *, side_by_side: bool
    ) -> tuple[DividerOwner, Divider] | None:
        """Return the nearest divider after a pane, with the owner of the divider.

        If no divider follows the pane, return the nearest one before it, or None.
        """
        begin, end = (region.x, region.right) if side_by_side else (region.y, region.bottom)
        low, high = (region.y, region.bottom) if side_by_side else (region.x, region.right)
        near = [
            (owner, each)
            for owner, each in self._owned_dividers()
            if each.side_by_side is side_by_side and each.start < high and low < each.end
        ]
        after = [each for each in near if each[1].line >= end]
        if after:
            return min(after, key=lambda each: each[1].line)
        before = [each for each in near if each[1].line <= begin]
        return max(before, key=lambda each: each[1].line) if before else None

    def move_beside(self, region: Region, columns: int, rows: int) -> bool:
        """Move the divider next to a pane by one step; return False if it cannot move.

        columns, rows: the direction; one of them is -1 or 1, the other 0.
        """
        side_by_side = bool(columns)
        found = self.divider_beside(region, side_by_side=side_by_side)
        if found is None:
            return False
        owner, divider = found
        size = divider.size_at(divider.line + columns * STEP_COLUMNS + rows * STEP_ROWS)
        if size == divider.size:
            return False
        owner.move(divider.name, size)
        return True

    # The mouse

    def press(self, event: events.MouseDown) -> None:
        """Start to drag the divider at the mouse, if any."""
        found = self.divider_at(event.screen_x, event.screen_y) if event.button == 1 else None
        self._dragged_divider = None if found is None else (found[0], found[1].name)

    def drag(self, event: events.MouseMove) -> bool:
        """Move the dragged divider to the mouse; return False if none is being dragged."""
        if self._dragged_divider is None or not event.button:
            self._dragged_divider = None
            return False
        owner, name = self._dragged_divider
        divider = next((each for each in owner.dividers() if each.name == name), None)
        if divider is None:
            return False
        line = event.screen_x if divider.side_by_side else event.screen_y
        size = divider.size_at(line)
        if size != divider.size:
            owner.move(name, size)
        return True

    def release(self) -> bool:
        """Stop dragging; return whether a divider was being dragged."""
        held, self._dragged_divider = self._dragged_divider is not None, None
        return held

    def reset(self, x: int, y: int) -> None:
        """Reset the divider at a cell of the screen, if any."""
        found = self.divider_at(x, y)
        if found is not None:
            owner, divider = found
            owner.move(divider.name, None)
