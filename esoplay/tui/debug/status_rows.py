"""Rows of the debug pane: status, next instruction and timeline."""

from __future__ import annotations

from abc import abstractmethod
from bisect import bisect_left
from collections.abc import Mapping, Sequence
from math import log1p
from typing import NamedTuple

from rich.cells import cell_len, set_cell_size
from textual import events
from textual.message import Message
from textual.strip import Strip

from esoplay.debugging.debugger import Bucket
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES, format_int
from esoplay.tui.debug.canvas import Canvas, StyledText, make_strip, spans_width, truncate_spans
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.word_wrap import cut_words

# The timeline in one row: the effects of the steps in each column, and the current step.

BAR_GLYPHS = "▁▂▃▄▅"
DEPTH_GLYPHS = "▁⡀⡄⡆⡇"
"""Glyphs for the nesting depth, on a logarithmic scale, in columns without input or output."""
INPUT_GLYPH = "i"
BREAK_GLYPH = "●"
NOTE_GLYPH = "◆"


class TimelineColumn(NamedTuple):
    """One column of the timeline.

    kind: one of ``quiet output input break note mark``.
    """

    glyph: str
    kind: str


def timeline_columns(
    buckets: Sequence[Bucket],
    breakpoint_steps: Sequence[int] = (),
    marks: Mapping[str, int] | None = None,
    depths: Sequence[int] = (),
    note_steps: Sequence[int] = (),
) -> list[TimelineColumn]:
    """Return one column for each bucket; bars show printed bytes on a logarithmic scale.

    breakpoint_steps: steps at which breakpoints stopped. marks: the user's marks with their steps.
    depths: nesting of loops and calls, by bucket. note_steps: steps with notes.
    """
    max_outputs = max((bucket.outputs for bucket in buckets), default=0)
    columns = [_bucket_column(bucket, max_outputs) for bucket in buckets]
    deepest = max(depths, default=0)
    for column, depth in enumerate(depths[: len(columns)]):
        if depth and columns[column].kind == "quiet":
            level = 1 + round(
                (len(DEPTH_GLYPHS) - 2) * log1p(depth - 1) / log1p(max(1, deepest - 1))
            )
            columns[column] = TimelineColumn(
                DEPTH_GLYPHS[min(level, len(DEPTH_GLYPHS) - 1)], "quiet"
            )
    for step in note_steps:
        if (column := find_column(step, buckets)) is not None:
            columns[column] = TimelineColumn(NOTE_GLYPH, "note")
    for step in breakpoint_steps:
        if (column := find_column(step, buckets)) is not None:
            columns[column] = TimelineColumn(BREAK_GLYPH, "break")
    for name, step in (marks or {}).items():
        if (column := find_column(step, buckets)) is not None:
            columns[column] = TimelineColumn(name, "mark")
    return columns


def _bucket_column(bucket: Bucket, max_outputs: int) -> TimelineColumn:
    if bucket.inputs:
        return TimelineColumn(INPUT_GLYPH, "input")
    if not bucket.outputs:
        return TimelineColumn(BAR_GLYPHS[0], "quiet")
    height = 1 + round((len(BAR_GLYPHS) - 2) * log1p(bucket.outputs) / log1p(max_outputs))
    return TimelineColumn(BAR_GLYPHS[height], "output")


def find_column(step: int, buckets: Sequence[Bucket]) -> int | None:
    """Return the column of the timeline that contains ``step``; None after the last bucket."""
    if not buckets or step > buckets[-1].last_step:
        return None
    return bisect_left(buckets, step, key=_last_step)


def step_at(column: int, buckets: Sequence[Bucket]) -> int | None:
    """Return the last step of a column; for the first column, its first step.

    Returns None without known history.
    """
    if not buckets:
        return None
    if column <= 0:
        return buckets[0].first_step
    return buckets[min(column, len(buckets) - 1)].last_step


def _last_step(bucket: Bucket) -> int:
    return bucket.last_step


LABEL_COLUMNS = len(" next  ") + 4
"""Columns of the label and of the spaces around an instruction and its explanation."""
MIN_INSTRUCTION_COLUMNS = 24
"""Minimum columns of an instruction next to its explanation."""


class LineCanvas(Canvas):
    """A row with text on the left and on the right."""

    DEFAULT_CSS = """
    LineCanvas { height: 1; width: 1fr; }
    """

    @abstractmethod
    def left(self) -> list[StyledText]: ...

    def right(self) -> list[StyledText]:
        return []

    def draw(self) -> list[Strip]:
        width, fill = self.size.width, self.palette.base
        left, right = self.left(), self.right()
        room = width - spans_width(right)
        if not right or room <= spans_width(left):  # The text on the left has priority.
            return [make_strip(truncate_spans(left, width), width, fill)]
        right_width = width - room
        return [Strip.join([make_strip(left, room, fill), make_strip(right, right_width, fill)])]


class StateBadge(NamedTuple):
    """The state of the run as one word. kind: one of ``calm busy good bad attention``."""

    word: str
    kind: str = "calm"


class StatusLine(LineCanvas):
    """State and reason on the left, step and known history on the right."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._badge = StateBadge("EMPTY")
        self._text = ""
        self._step_text = ""

    def show_state(self, badge: StateBadge, text: str, step: str) -> None:
        """Show a state, a sentence about it, and the step."""
        self._badge, self._text, self._step_text = badge, text, step
        self.repaint()

    @property
    def hidden_text(self) -> str:
        """The part of the sentence that does not fit into this row."""
        return self._split_text()[1]

    def _split_text(self) -> tuple[str, str]:
        """Split the sentence at the end of the row, between words."""
        text = self._text.translate(CONTROL_PICTURES)
        room = self.size.width - cell_len(self._badge.word) - 3
        if not 0 < room < cell_len(text):
            return text, ""
        part = set_cell_size(text, room - 1)
        shown = part.rpartition(" ")[0] or part
        return f"{shown} …", text[len(shown) :].strip()

    def left(self) -> list[StyledText]:
        palette = self.palette
        styles = {
            "calm": palette.title_focused,
            "busy": palette.warning,
            "good": palette.good,
            "bad": palette.bad,
            "attention": palette.warning,
        }
        text = self._split_text()[0]
        return [
            StyledText(f" {self._badge.word}", styles[self._badge.kind]),
            StyledText(f"  {text}" if text else "", palette.base),
        ]

    def right(self) -> list[StyledText]:
        return [StyledText(f"{self._step_text} ", self.palette.faint)]


def step_text(snapshot: DebugSnapshot) -> str:
    """Return ``step 1,204/98,331 (1%)``; a plus means that the run continues after these steps."""
    if snapshot.end is not None:
        share = f" ({100 * snapshot.step // snapshot.end}%)" if snapshot.end else ""
        return f"step {format_int(snapshot.step)}/{format_int(snapshot.end)}{share}"
    more = f"/{format_int(snapshot.known_steps)}+" if snapshot.known_steps > snapshot.step else ""
    return f"step {format_int(snapshot.step)}{more}"


class ExplanationLine(LineCanvas):
    """Explains the next instruction, or shows the rest of a long status."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._snapshot: DebugSnapshot | None = None
        self._overflow = ""

    def show(self, snapshot: DebugSnapshot | None) -> None:
        """Explain the next instruction of a snapshot."""
        self._snapshot = snapshot
        self._overflow = ""
        self.repaint()

    def show_overflow(self, hidden_text: str) -> None:
        """Show the remainder of a sentence that started in the status line."""
        self._overflow = hidden_text
        self.repaint()

    def left(self) -> list[StyledText]:
        palette = self.palette
        if self._overflow:
            return [StyledText(f" … {self._overflow}", palette.base)]
        if self._snapshot is None:
            return []
        view = self._snapshot.view
        width = self.size.width - spans_width(self.right())
        explanation = view.location.explanation.translate(CONTROL_PICTURES)
        if view.fault is not None:
            return [
                StyledText(" fault ", palette.bad),
                StyledText(f" {view.fault.line}:{view.fault.column}  {explanation}", palette.base),
            ]
        if self._snapshot.has_ended:
            if view.limit is not None:
                explanation = f"the {view.limit} limit ends the run here"
            return [StyledText(" end  ", palette.strong), StyledText(explanation, palette.base)]
        instruction = view.location.readable_instruction.translate(CONTROL_PICTURES)
        room = max(MIN_INSTRUCTION_COLUMNS, width - LABEL_COLUMNS - cell_len(explanation))
        if cell_len(instruction) > room:
            instruction = set_cell_size(instruction, room - 1).rstrip() + "…"
        if instruction.startswith(explanation):
            explanation = ""
        elif len(instruction) > 1:  # Letter and explanation would read as one sentence.
            explanation = explanation.removeprefix(f"{instruction} ")
        room = width - LABEL_COLUMNS - cell_len(instruction)
        if 0 < room < cell_len(explanation):
            explanation = cut_words(explanation, room)
        return [
            StyledText(" next  ", palette.faint),
            StyledText(f" {instruction} ", palette.next),
            StyledText(f"  {explanation}", palette.base),
        ]

    def right(self) -> list[StyledText]:
        """Return the source line of the instruction, with its label."""
        snapshot = self._snapshot
        if (
            self._overflow
            or snapshot is None
            or snapshot.source_position is None
            or snapshot.has_ended
        ):
            return []
        span = snapshot.source_position.span
        if span is None:
            return [StyledText(" no source line ", self.palette.faint)]
        text = f"line {span.line}: {span.label}" if span.label else f"line {span.line}"
        text = text.translate(CONTROL_PICTURES)
        max_columns = max(MIN_INSTRUCTION_COLUMNS, self.size.width * 2 // 5)
        text = cut_words(text, max_columns)
        return [StyledText(f" {text} ", self.palette.strong)]


class TimelineStrip(LineCanvas):
    """Known history in one row; a click moves to a step."""

    LABEL = " timeline "

    class Clicked(Message):
        """A request to move to ``step``."""

        def __init__(self, step: int) -> None:
            super().__init__()
            self.step = step

    class Resized(Message):
        """The width has changed to ``columns``."""

        def __init__(self, columns: int) -> None:
            super().__init__()
            self.columns = columns

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._snapshot: DebugSnapshot | None = None
        self._note_steps: Sequence[int] = ()

    @property
    def columns(self) -> int:
        return max(1, self.size.width - len(self.LABEL) - 2)

    def show(self, snapshot: DebugSnapshot | None, note_steps: Sequence[int] = ()) -> None:
        """Show the known history, the current step in it, and the steps with notes."""
        self._snapshot = snapshot
        self._note_steps = note_steps
        self.repaint()

    def left(self) -> list[StyledText]:
        palette, snapshot = self.palette, self._snapshot
        pieces = [StyledText(self.LABEL, palette.faint)]
        if snapshot is None:
            return pieces
        styles = {
            "quiet": palette.faint,
            "output": palette.code["io"],
            "input": palette.code["move"],
            "break": palette.breakpoint,
            "mark": palette.strong,
            "note": palette.strong,
        }
        buckets: Sequence[Bucket] = snapshot.buckets
        current_index = find_column(snapshot.step, buckets)
        columns = timeline_columns(
            buckets, snapshot.breakpoint_steps, snapshot.marks, snapshot.depths, self._note_steps
        )
        for index, column in enumerate(columns):
            if index == current_index:
                glyph = "▲" if column.kind == "quiet" else column.glyph
                pieces.append(StyledText(glyph, palette.cursor))
            else:
                pieces.append(StyledText(column.glyph, styles[column.kind]))
        if not buckets:
            pieces.append(StyledText("▲", palette.cursor))
        pieces.append(StyledText("■" if snapshot.end is not None else "…", palette.faint))
        return pieces

    def on_click(self, event: events.Click) -> None:
        if self._snapshot is None:
            return
        step = step_at(event.x - len(self.LABEL), self._snapshot.buckets)
        if step is not None:
            self.post_message(self.Clicked(step))

    def on_resize(self, event: events.Resize) -> None:
        self.post_message(self.Resized(self.columns))
