"""The widgets of the debug pane, their layout, and the open tabs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple

from textual.app import ComposeResult
from textual.containers import Container, Horizontal, Vertical
from textual.widget import Widget

from esoplay.tui.debug.breakpoint_editor import BreakpointsPage
from esoplay.tui.debug.bytes_page import InputPage, OutputPage
from esoplay.tui.debug.canvas import PanelFrame
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.diff_page import DiffPage
from esoplay.tui.debug.heat_map import HeatMap, LineHeatMap
from esoplay.tui.debug.list_page import LogPage
from esoplay.tui.debug.listing_view import ListingView
from esoplay.tui.debug.messages import DebugBoxZoomed
from esoplay.tui.debug.notes import NotesPage
from esoplay.tui.debug.program_view import ProgramView
from esoplay.tui.debug.prompt import Prompt, PromptKind
from esoplay.tui.debug.run_analysis import ComparePage, DiagnosisPage
from esoplay.tui.debug.source_view import SourceView, VariablesList
from esoplay.tui.debug.state.column import StateColumn
from esoplay.tui.debug.state.panel_box import PanelHeight
from esoplay.tui.debug.state.plane import GridPanel
from esoplay.tui.debug.status_rows import ExplanationLine, StatusLine, TimelineStrip
from esoplay.tui.debug.watches import WatchPage
from esoplay.tui.splits import Divider

if TYPE_CHECKING:
    from esolangs.language import Program


# Layout limits. Heights depend on the size of the pane and do not change while a program runs.

NARROW_BELOW = 84
MIN_WIDE_COLUMNS = 130
TWO_PAGES_FROM = 104
MIN_LIST_ROWS = 5
"""Minimum rows of the lists of notes and breakpoints; with fewer rows they are only tabs."""
MAX_WATCH_ROWS, MAX_BREAK_ROWS = 8, 5
MIN_BREAK_ROWS = 3
MIN_VARIABLE_ROWS, MAX_VARIABLE_ROWS = 5, 16
"""Minimum and maximum rows of the list of variables."""
SIDE_BY_SIDE_COLUMNS = 84
"""Minimum columns to show source and program side by side; with fewer, one is shown."""
MIN_BYTES_ROWS, BYTES_DIVISOR = 18, 4
"""Minimum rows of the program's view to show bytes, and the divisor for their share of the rows.

If the view has at least ``MIN_BYTES_ROWS`` rows, the program's bytes are shown below the
disassembly, in the number of rows divided by ``BYTES_DIVISOR``.
"""
MIN_STATE_ROWS = 14
"""Minimum height of the state above watches and breakpoints, in rows."""
AMPLE_STATE_ROWS = 24
"""Minimum rows of the state at which empty lists of notes and breakpoints are also shown."""
MIN_TOP_ROWS, MIN_COLUMNS = 6, 24
"""The limits for borders that the user moves.

They are the minimum rows above the tabs, and the minimum columns of the program and of the state.
"""
UNMOVED_DIVIDERS: Mapping[str, int] = MappingProxyType({})
TAB_ROWS_BELOW_PLANE = 5
"""Maximum height of the tabs below a plane in a small pane, in rows."""
MAX_STATE_COLUMNS = 36
"""Maximum width of the state next to a plane, in columns."""


class WidgetSizes(NamedTuple):
    """Widths and heights of the widgets, in columns and rows.

    state_width: of the state and the breakpoints, right of the program. top_rows: of program and
    state. panel_rows: of each panel of the state; 0 hides it. watch_rows, note_rows,
    breakpoint_rows: of these lists; 0 shows the list only as a tab. page_rows: of the tabs.
    has_two_tab_groups: whether the tabs form two groups, side by side. variable_rows: of the list
    of variables. is_side_by_side: whether source and program are side by side.
    """

    state_width: int
    top_rows: int
    panel_rows: tuple[int, ...]
    watch_rows: int
    note_rows: int
    breakpoint_rows: int
    page_rows: int
    has_two_tab_groups: bool
    variable_rows: int = 0
    is_side_by_side: bool = False


_BOTTOM_ROWS = 3
"""Number of rows at the bottom: status, explanation, and the timeline or the prompt."""


def arrange(
    width: int,
    height: int,
    panels: Sequence[PanelHeight],
    *,
    plane_width: int | None = None,
    watch_count: int = 0,
    breakpoint_count: int = 0,
    variable_count: int | None = None,
    dividers: Mapping[str, int] = UNMOVED_DIVIDERS,
) -> WidgetSizes:
    """Return the layout for a pane of ``width`` × ``height``.

    panels: the heights of the panels of the state. plane_width: the preferred columns of the
    program's plane; None for a program of text. variable_count: None without a source. dividers:
    columns of the state and rows of the tabs that the user has set.
    """
    room = max(0, height - _BOTTOM_ROWS)
    page_rows = max(4, min(7 if room < 26 else 8 + (room - 26) // 3, room // 2))
    if plane_width is not None and room < 26:
        page_rows = min(page_rows, TAB_ROWS_BELOW_PLANE)
    if "pages" in dividers:
        page_rows = max(4, min(dividers["pages"], room - MIN_TOP_ROWS))
    top = max(0, room - page_rows)
    if width < NARROW_BELOW:
        state_width = width // 2 + 2
    else:
        state_width = 47 if width < MIN_WIDE_COLUMNS else min(85, max(56, width * 2 // 5))
    if (
        plane_width is not None
    ):  # Any width shows at least a part of the state, so the state gets the remaining columns.
        state_width = max(
            min(state_width, width - plane_width, width // 2),
            min(width * 3 // 10, MAX_STATE_COLUMNS),
        )
    if "state" in dividers:
        state_width = max(MIN_COLUMNS, min(dividers["state"], width - MIN_COLUMNS))
    has_two_tab_groups = width >= TWO_PAGES_FROM
    variable_rows, top_with_variables = _variable_row_count(variable_count, top), top
    top -= variable_rows
    watch_rows = (
        min(watch_count + 2, MAX_WATCH_ROWS) if watch_count and width >= NARROW_BELOW else 0
    )
    if watch_rows > top - MIN_STATE_ROWS:
        watch_rows = 0
    spare = top - watch_rows - AMPLE_STATE_ROWS
    first, second = _split_rows(spare)
    note_rows, breakpoint_rows = (first, second) if has_two_tab_groups else (second, first)
    if breakpoint_count and width >= NARROW_BELOW:
        wanted = min(
            breakpoint_count + 2, MAX_BREAK_ROWS, top - watch_rows - note_rows - MIN_STATE_ROWS
        )
        breakpoint_rows = max(breakpoint_rows, wanted if wanted >= MIN_BREAK_ROWS else 0)
    panel_rows = tuple(distribute_rows(top - watch_rows - note_rows - breakpoint_rows, panels))
    is_side_by_side = variable_count is not None and width - state_width >= SIDE_BY_SIDE_COLUMNS
    lists = watch_rows, note_rows, breakpoint_rows
    return WidgetSizes(
        state_width,
        top_with_variables,
        panel_rows,
        *lists,
        page_rows,
        has_two_tab_groups,
        variable_rows,
        is_side_by_side,
    )


def _variable_row_count(variable_count: int | None, top_rows: int) -> int:
    """Return how many of the ``top_rows`` rows next to the program the list of variables gets."""
    if variable_count is None:
        return 0
    max_rows = max(MIN_VARIABLE_ROWS, min(MAX_VARIABLE_ROWS, top_rows * 2 // 5))
    return min(max_rows, max(MIN_VARIABLE_ROWS, variable_count + 2), top_rows)


def _split_rows(rows: int) -> tuple[int, int]:
    """Divide ``rows`` between two lists; a list that does not fit gets 0."""
    if rows < MIN_LIST_ROWS:
        return 0, 0
    second = rows // 2 if rows >= 2 * MIN_LIST_ROWS else 0
    return rows - second, second


def distribute_rows(rows: int, panels: Sequence[PanelHeight]) -> list[int]:
    """Divide ``rows`` between the panels; the last panels may get 0."""
    shown = len(panels)
    while shown > 1 and sum(panel.minimum for panel in panels[:shown]) > rows:
        shown -= 1
    if not shown:
        return []
    heights = [panel.minimum for panel in panels[:shown]]
    if shown == 1:
        heights = [rows]
    for _ in range(rows - sum(heights)):
        growing = [at for at in range(shown) if heights[at] < panels[at].maximum] or [0]
        at = min(growing, key=lambda at: (heights[at] - panels[at].minimum) / panels[at].weight)
        heights[at] += 1
    return heights + [0] * (len(panels) - shown)


ONE_GROUP = (("diff", "out", "in", "breaks", "watch", "log", "notes", "why", "compare"),)
TWO_GROUPS = (("diff", "breaks", "watch", "log", "notes", "why", "compare"), ("out", "in"))


TextView = SourceView | ListingView | ProgramView | GridPanel
"""A view of the program or of its source."""


class DebugWidgets(Container):
    """The widgets of the debug pane and their layout, without a debugger."""

    DEFAULT_CSS = """
    DebugWidgets { layout: vertical; width: 1fr; height: 1fr; }
    DebugWidgets > #work { height: auto; width: 1fr; }
    DebugWidgets > #pages { height: auto; width: 1fr; }
    DebugWidgets #code { width: 1fr; height: 1fr; }
    DebugWidgets StateColumn { height: 1fr; }
    """

    requested_zoom: str | None = None
    """The name of the box to maximise as soon as it exists, or None."""
    is_on_plane = False
    """Whether the program is shown as a plane instead of text."""

    def __init__(self) -> None:
        super().__init__()
        self.status = StatusLine()
        self.program = ProgramView()
        self.listing = ListingView(self.program)
        self.listing.display = False
        self.code = Vertical(id="code")
        self.source = SourceView()
        self.source.display = False
        self.variables = VariablesList()
        self.plane = GridPanel()
        self.plane.display = False
        self.state = StateColumn(self.plane)
        self.explanation = ExplanationLine()
        self.diff = DiffPage()
        self.output = OutputPage()
        self.input = InputPage()
        self.breakpoints = BreakpointsPage()
        self.side_breakpoints = BreakpointsPage()
        self.watches = WatchPage()
        self.side_watches = WatchPage()
        self.log_page = LogPage()
        self.notes = NotesPage()
        self.side_notes = NotesPage()
        self.diagnosis = DiagnosisPage()
        self.compare = ComparePage()
        self.timeline = TimelineStrip()
        self.prompt = Prompt(lambda: self.text)
        self._source_first = False
        self._shows_only_bytes = False
        """Whether the bytes of a program are shown instead of its disassembly."""
        self._groups: tuple[tuple[str, ...], ...] = ONE_GROUP
        self._open_pages: dict[int, str] = {0: "diff", 1: "out"}
        self._page_before_input: str | None = None
        self._zoomed_box: PanelFrame | None = None
        self._arrangement: WidgetSizes | None = None
        self._dividers = UNMOVED_DIVIDERS
        self._counts = 0, 0, 0
        """The number of variables, watches and breakpoints in the lists."""
        for page in self.lists:  # hidden until the size is known
            page.display = False

    def compose(self) -> ComposeResult:
        yield self.status
        with Horizontal(id="work"):
            yield self.source
            with self.code:
                yield self.listing
                yield self.program
                yield self.plane
            with Vertical(id="side"):
                yield self.state
                yield from self.lists
        yield self.explanation
        with Horizontal(id="pages"):
            yield from self.pages.values()
        yield self.timeline
        yield self.prompt

    @property
    def pages(self) -> dict[str, PanelFrame]:
        """The pages by the names on their tabs."""
        pages = (
            self.diff,
            self.breakpoints,
            self.watches,
            self.log_page,
            self.notes,
            self.diagnosis,
            self.compare,
            self.output,
            self.input,
        )
        return {page.NAME: page for page in pages}

    @property
    def lists(self) -> tuple[PanelFrame, ...]:
        """The lists below the state, each shown if it fits; the last three are also tabs."""
        return self.variables, self.side_watches, self.side_notes, self.side_breakpoints

    @property
    def boxes(self) -> list[PanelFrame]:
        """All boxes that can have the focus."""
        first = dict.fromkeys((*self._text_views, *self.state.boxes))
        return [*first, *self.lists, *self.pages.values()]

    @property
    def focused_box(self) -> PanelFrame:
        """The focused box, or the program if no box has the focus."""
        return next((box for box in self.boxes if box.has_focus), self.text)

    @property
    def text(self) -> TextView:
        """The view of the program, or of its source if the source is shown instead."""
        shown = (each for each in (self.plane, self.listing, self.program) if each.display)
        return next(shown, self.source)

    def open_plane(self, program: Program | None) -> None:
        """Show a program as a plane; None if the program is to be shown as text."""
        self.is_on_plane = program is not None
        if program is not None:
            self.plane.open(program)

    def show_state(self, snapshot: DebugSnapshot) -> None:
        """Show the state in a snapshot."""
        if self.state.show(snapshot):
            self.update_panel_layout()

    def update_panel_layout(self) -> None:
        """Update the layout after the types of state panels have changed."""
        self._arrangement = None
        if self._zoomed_box is not None and self._zoomed_box not in self.boxes:
            self.zoom(None)
        else:
            self.update_layout()

    def show_heat(self, heat: HeatMap | None, lines: LineHeatMap | None) -> None:
        """Show the heat of the instructions and of the source lines; None hides the heat."""
        self.program.show_heat(heat)
        self.listing.show_heat(heat)
        if self.state.plane is not None:
            self.state.plane.show_heat(heat)
        self.source.show_heat(lines)

    def ask(self, kind: PromptKind, text: str = "") -> None:
        """Open the prompt at the bottom, in place of the timeline."""
        self.prompt.ask(kind, text)
        self.timeline.display = False

    def update_list_layout(self) -> None:
        """Update the layout after lists have grown or shrunk."""
        counts = tuple(
            page.item_count() for page in (self.variables, self.watches, self.breakpoints)
        )
        if counts != self._counts:
            self._counts = counts
            if self._zoomed_box is None:
                self.update_layout()

    def show_text(self, *, source_first: bool) -> None:
        """Select the source or the program, for a pane in which only one of them fits.

        If one of them had the focus, or nothing had it, the selected one gets the focus.
        """
        self._source_first = source_first
        had_focus = any(each.has_focus for each in self._text_views)
        wanted = self.source if source_first and self.source.is_open else self.main_code
        if self._zoomed_box in self._text_views:
            self.zoom(wanted)
        self._show_text_views()
        if had_focus or not self.screen.focused:
            wanted.focus()

    @property
    def search_target(self) -> TextView:
        """The view that ``/`` searches: the focused view, or else :attr:`text`."""
        return next((each for each in self._text_views if each.has_focus), self.text)

    @property
    def _text_views(self) -> tuple[TextView, ...]:
        return self.source, self.listing, self.program, self.plane

    @property
    def main_code(self) -> TextView:
        """The view of the program: its plane, its disassembly or its bytes."""
        if self.is_on_plane:
            return self.plane
        return self.listing if self.listing.is_open and not self._shows_only_bytes else self.program

    def cycle_text_views(self) -> None:
        """Switch to the next view of the text: source, disassembly or bytes.

        If that view is already visible, it only gets the focus.
        """
        if self.listing.is_open and not self.shows_source_first and not self._shows_only_bytes:
            self._shows_only_bytes = True
            self.show_text(source_first=False)
            return
        self._shows_only_bytes = False
        if not self.source.is_open:
            self.show_text(source_first=False)
        # Both are visible, so only the focus moves.
        elif self.source.display and self.main_code.display:
            (self.main_code if self.source.has_focus else self.source).focus()
        else:
            self.show_text(source_first=not self.shows_source_first)

    @property
    def shows_source_first(self) -> bool:
        """Whether the source, not the program, is shown if only one of them fits."""
        return self._source_first and self.source.is_open

    def _show_text_views(self) -> None:
        """Show source and program side by side, or one of them."""
        is_side_by_side = self._arrangement is not None and self._arrangement.is_side_by_side
        shows_code = not self.source.is_open or is_side_by_side or not self._source_first
        shows_listing = shows_code and self.main_code is self.listing
        rows = 0 if self._arrangement is None else self._arrangement.top_rows
        bytes_below = rows // BYTES_DIVISOR if rows >= MIN_BYTES_ROWS else 0
        self.program.styles.height = bytes_below if shows_listing else "1fr"
        self.program.title = "bytes" if self.listing.is_open else "program"
        shown: dict[TextView, bool] = {
            self.source: self.source.is_open and (is_side_by_side or self._source_first),
            self.listing: shows_listing,
            self.program: shows_code
            and not self.is_on_plane
            and (not shows_listing or bytes_below > 0),
            self.plane: shows_code and self.is_on_plane,
        }
        self.code.display = shows_code
        loses_focus = any(box.has_focus and not is_shown for box, is_shown in shown.items())
        for box, is_shown in shown.items():
            box.display = is_shown
        if loses_focus:
            self.text.focus()

    # Tabs

    def open_page(self, name: str) -> None:
        """Open a page in its group of tabs; focus it only if the focus was in the group."""
        for index, group in enumerate(self._groups):
            if name in group:
                had_focus = any(self.pages[each].has_focus for each in group)
                self._open_pages[index] = name
                self._show_pages()
                if any(self.pages[each] is self._zoomed_box for each in group):
                    self.zoom(self.pages[name])
                if had_focus:
                    self.pages[name].focus()

    def open_input(self, *, has_expected_output: bool) -> None:
        """Open the input page, because the program waits for input.

        has_expected_output: whether ``close_input`` can restore the page ``diff``; if not, it
        opens the page ``out`` in its place.
        """
        for index, group in enumerate(self._groups):
            open_name = self._open_page_name(index)
            if "in" in group and open_name != "in":
                self._page_before_input = (
                    open_name if has_expected_output or open_name != "diff" else "out"
                )
        self.open_page("in")

    def close_input(self) -> None:
        """Restore the page that :meth:`open_input` replaced.

        Nothing changes if the input page has the focus or is not open any more.
        """
        previous_page, self._page_before_input = self._page_before_input, None
        page = self.pages["in"]
        if previous_page is not None and page.display and not page.has_focus:
            self.open_page(previous_page)

    def reveal_page(self, name: str) -> None:
        """Open a page that the user requested; it replaces another box that is maximised."""
        self.open_page(name)
        if self._zoomed_box is not None and self._zoomed_box is not self.pages[name]:
            self.zoom(self.pages[name])
            self.pages[name].focus()

    def show_page(self, name: str) -> None:
        """Open a page, unless a visible list next to the state has the same content."""
        side_lists: dict[str, PanelFrame] = {
            "watch": self.side_watches,
            "notes": self.side_notes,
            "breaks": self.side_breakpoints,
        }
        if name not in side_lists or not side_lists[name].display:
            self.open_page(name)

    def focus_list(self, side: PanelFrame, page: PanelFrame) -> None:
        """Focus a list at the side, or its page if the list is hidden."""
        if side.display and not self.is_zoomed:
            side.focus()
        else:
            self.reveal_page(page.NAME)
            page.focus()

    def cycle_page(self, offset: int) -> None:
        """Open the next or previous page of the focused group, or of the first group."""
        groups = [g for g in self._groups if any(self.pages[name].has_focus for name in g)]
        group = groups[0] if groups else self._groups[0]
        open_name = self._open_page_name(self._groups.index(group))
        self.reveal_page(group[(group.index(open_name) + offset) % len(group)])

    def _open_page_name(self, index: int) -> str:
        group = self._groups[index]
        name = self._open_pages.get(index, group[0])
        return name if name in group else group[0]

    def _show_pages(self) -> None:
        shown = {self._open_page_name(index) for index in range(len(self._groups))}
        for group in self._groups:
            for name in group:
                self.pages[name].tab_names = group
                self.pages[name].display = name in shown
                self.pages[name].repaint()

    # Layout

    def on_mount(self) -> None:
        self._show_pages()

    def on_resize(self) -> None:
        self.update_layout()

    def update_layout(self) -> None:
        """Update the size and visibility of each widget."""
        arrangement = arrange(
            *self.size,
            self.state.wanted_heights,
            plane_width=self._columns_of_plane(),
            watch_count=self.watches.item_count(),
            breakpoint_count=self.breakpoints.item_count(),
            variable_count=self.variables.item_count() if self.source.is_open else None,
            dividers=self._dividers,
        )
        is_unchanged, self._arrangement = arrangement == self._arrangement, arrangement
        if self._zoomed_box is None:
            self._show_text_views()
            if is_unchanged:
                return
        work, pages = self.query_one("#work"), self.query_one("#pages")
        work.styles.height = arrangement.top_rows
        pages.styles.height = arrangement.page_rows
        self.query_one("#side").styles.width = arrangement.state_width
        rows = (arrangement.watch_rows, arrangement.note_rows, arrangement.breakpoint_rows)
        rows = (arrangement.variable_rows, *rows)
        for page, height in zip(self.lists, rows, strict=True):
            if page.has_focus and not height:
                self.text.focus()
            page.styles.height = height
            page.display = height > 0
        self.state.set_heights(arrangement.panel_rows)
        groups = TWO_GROUPS if arrangement.has_two_tab_groups else ONE_GROUP
        if groups != self._groups:
            open_name = self._open_page_name(0)
            self._groups = groups
            self._open_pages = {0: open_name if open_name in groups[0] else groups[0][0], 1: "out"}
            self._show_pages()
        if self._zoomed_box is not None:
            self._show_only(self._zoomed_box)

    def _columns_of_plane(self) -> int | None:
        """Return the number of columns that the plane prefers.

        None if the program is shown as text, or its source is shown next to the plane.
        """
        return self.plane.wanted_columns if self.is_on_plane and not self.source.is_open else None

    @property
    def dividers(self) -> list[Divider]:
        """The movable borders: left of the state, and above the tabs."""
        if self._zoomed_box is not None or not self.region.area:
            return []
        work, side, pages = (
            self.query_one(f"#{part}").region for part in ("work", "side", "pages")
        )
        low, high = work.x + MIN_COLUMNS, work.right - MIN_COLUMNS
        state = Divider("state", True, side.x, *work.line_span, side.width, -1, low, high)
        low, high = work.y + MIN_TOP_ROWS + 1, pages.bottom - 4
        rows = Divider("pages", False, pages.y, *work.column_span, pages.height, -1, low, high)
        return [state, rows]

    def move_dividers(self, sizes: Mapping[str, int]) -> None:
        """Set the width of the state panels and the height of the tabs below the program.

        sizes: columns of ``state`` and rows of ``pages``; a missing key means the default size.
        """
        if sizes != self._dividers:
            self._dividers = dict(sizes)
            if self.is_attached:
                self.update_layout()

    # Maximising

    @property
    def is_zoomed(self) -> bool:
        return self._zoomed_box is not None

    def zoom(self, box: PanelFrame | None) -> None:
        """Maximise a box; None restores the layout."""
        self._zoomed_box = box
        self._arrangement = None
        side = self.query_one("#side")
        for each in (self.query_one("#work"), self.query_one("#pages"), side):
            each.display = True
        for each in (self.state, *self.state.boxes):
            each.display = True
        self.state.styles.height = "1fr"
        self._show_pages()
        self.update_layout()
        self.post_message(DebugBoxZoomed(None if box is None else self._box_name(box)))

    def apply_requested_zoom(self) -> None:
        """Maximise the requested box once, and forget the request."""
        wanted, self.requested_zoom = self.requested_zoom, None
        box = next((each for each in self.boxes if self._box_name(each) == wanted), None)
        if box is not None:
            had_focus = self.text.has_focus
            self.zoom(box)
            if had_focus:
                box.focus()

    def _box_name(self, box: PanelFrame) -> str:
        """Return a name by which a saved arrangement of the panes refers to a box.

        A box with a tab has the name of the tab, with the prefix ``side`` if the box is at the
        side. Other boxes have the name of their class and their index among its boxes.
        """
        if box.NAME:
            return f"{'side ' if box in self.lists else ''}{box.NAME}"
        same_type = [each for each in self.boxes if type(each) is type(box)]
        return f"{type(box).__name__} {same_type.index(box)}"

    def zoom_next(self, offset: int) -> None:
        """Maximise the next or previous visible box, and focus it."""
        before = self._zoomed_box
        if before is None:
            return
        self.zoom(None)
        shown = [box for box in self.boxes if box.display]
        at = shown.index(before) if before in shown else 0
        box = shown[(at + offset) % len(shown)]
        self.zoom(box)
        box.focus()

    def _show_only(self, box: PanelFrame) -> None:
        """Hide all boxes except ``box``."""
        container: Widget = self.query_one("#work")
        other_container: Widget = self.query_one("#pages")
        if box in self.pages.values():
            container, other_container = other_container, container
            for page in self.pages.values():
                page.display = page is box
        elif box in self._text_views:
            self.query_one("#side").display = False
            self.code.display = box is not self.source
            for view in self._text_views:
                view.display = box is view
            self.program.styles.height = "1fr"
        else:
            for view in self._text_views:
                view.display = False
            self.code.display = False
            self.query_one("#side").styles.width = "1fr"
            for page in self.lists:
                page.display = page is box
            self.state.display = box not in self.lists
            for each in self.state.boxes:
                each.display = each is box
            box.styles.height = "1fr"
        other_container.display = False
        container.styles.height = "1fr"
