"""Expected and printed output, one above the other, with the first difference in brackets."""

from __future__ import annotations

from rich.style import Style
from textual.message import Message
from textual.strip import Strip

from esolangs.source import locate
from esolangs.wording import plural
from esoplay.tui.debug.byte_glyphs import byte_name, format_int, to_glyphs
from esoplay.tui.debug.canvas import PanelFrame, StyledText, make_strip, spans_width
from esoplay.tui.debug.debug_snapshot import DebugSnapshot
from esoplay.tui.debug.divergence import Divergence, DivergenceKind, excerpt_range

EXPECTED, GOT = "exp ", "got "
ELLIPSIS = "…"
HEX_BYTES_BEFORE = 4


class DiffPage(PanelFrame):
    """Compares printed and expected output; Enter or a click moves to the first wrong byte."""

    NAME = "diff"
    LABEL = "the difference"
    ACTIONS = ("printed", "choose", "page-next", "page-previous")

    class JumpRequested(Message):
        """A request to move to the first wrong byte, or to the end if output is missing."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.snapshot: DebugSnapshot | None = None
        self._expected: bytes | None = None
        self.divergence = Divergence(DivergenceKind.SO_FAR, None)

    def show(self, snapshot: DebugSnapshot) -> None:
        """Compare the known output of a snapshot with its expected output."""
        self.snapshot = snapshot
        self._expected = snapshot.expected_output
        self.divergence = snapshot.divergence or Divergence(DivergenceKind.SO_FAR, None)
        self.repaint()

    @property
    def has_difference(self) -> bool:
        """Whether the outputs differ, so that the user can move to the step of the difference."""
        return self._expected is not None and self.divergence.offset is not None

    def available_actions(self, snapshot: DebugSnapshot) -> tuple[str, ...]:
        missing = () if self.has_difference else ("printed", "choose")
        return tuple(each for each in self.ACTIONS if each not in missing)

    def choose(self) -> None:
        """Request a move to the step of the first wrong byte."""
        if self.has_difference:
            self.post_message(self.JumpRequested())

    def handle_click(self, column: int, row: int) -> None:
        self.choose()

    # Drawing

    def caption(self) -> list[StyledText]:
        if self._expected is None or self.snapshot is None:
            return []
        kind = self.divergence.kind
        word = "wrong" if kind.is_failure else "same"
        style = self.palette.bad if kind.is_failure else self.palette.good
        return [StyledText(word if kind is not DivergenceKind.SO_FAR else "the same so far", style)]

    def row_count(self) -> int:
        if self._expected is not None and self.inner_height >= 6:
            return 6
        return 4 if len(self._description_rows(self.inner_width)) > 1 else 3

    def line(self, row: int, width: int) -> Strip:
        return make_strip(self._row(row, width), width, self.palette.base)

    def _row(self, row: int, width: int) -> list[StyledText]:
        palette = self.palette
        if self._expected is None or self.snapshot is None:
            message = " this run has no expected output to compare with"
            return [StyledText(message, palette.faint)] if row == 0 else []
        match row:
            case 0:
                return self._text(EXPECTED, self._expected, width)
            case 1:
                return self._text(GOT, self.snapshot.output, width)
            case 2 | 3:
                sentences = self._description_rows(width)
                return sentences[row - 2] if row - 2 < len(sentences) else []
            case 4:
                return self._hex(EXPECTED, self._expected)
            case 5:
                return self._hex(GOT, self.snapshot.output)
            case _:
                return []

    def _text(self, label: str, data: bytes, width: int) -> list[StyledText]:
        """Return a row with one glyph per byte; only bytes around the difference if not all fit."""
        palette, at = self.palette, self.divergence.offset
        assert self.snapshot is not None
        assert self._expected is not None
        room = width - len(label) - 5
        focus = min(len(self.snapshot.output), len(self._expected)) if at is None else at
        longest = max(len(self.snapshot.output), len(self._expected), 1)
        start, end = excerpt_range(longest, focus, room)
        pieces = [StyledText(f" {label}", palette.faint)]
        pieces.append(StyledText(ELLIPSIS if start else "", palette.faint))
        end = min(end, len(data))
        printed_count = self.snapshot.view.output_length if label == GOT else len(data)
        plain = palette.expected if label == EXPECTED else palette.got
        split = end if at is None else max(start, min(at, end))
        pieces += self._style_by_time(data, start, split, printed_count, plain)
        if at is not None:
            pieces.append(StyledText(f"[{to_glyphs(data[at : at + 1])}]", palette.wrong))
            pieces += self._style_by_time(data, at + 1, end, printed_count, plain)
        if end < len(data):
            pieces.append(StyledText(ELLIPSIS, palette.faint))
        return pieces

    def _style_by_time(
        self, data: bytes, start: int, end: int, printed_count: int, style: Style
    ) -> list[StyledText]:
        """Return bytes in ``style``; bytes after the first ``printed_count`` are future output."""
        middle = max(start, min(printed_count, end))
        return [
            StyledText(to_glyphs(data[start:middle]), style),
            StyledText(to_glyphs(data[middle:end]), self.palette.future),
        ]

    def _description_rows(self, width: int) -> list[list[StyledText]]:
        """Describe the difference and when it was printed, in one or two rows."""
        if self._expected is None or self.snapshot is None:
            return []
        description, printed = self._description(self.snapshot, self._expected)
        if not printed or spans_width(description) + spans_width(printed) <= width:
            return [description + printed]
        first, *rest = printed
        return [
            description,
            [StyledText(f"     {first.text.removeprefix(', ')}", first.style), *rest],
        ]

    def _description(
        self, snapshot: DebugSnapshot, expected: bytes
    ) -> tuple[list[StyledText], list[StyledText]]:
        palette = self.palette
        kind, at = self.divergence
        if at is None:
            size = plural(len(snapshot.output), "byte")
            missing = len(expected) - len(snapshot.output)
            missing_text = f", {plural(missing, 'more byte')} expected" if missing > 0 else ""
            style = palette.good if kind is DivergenceKind.SAME else palette.base
            return [StyledText(f" {kind.value}: {size}{missing_text}", style)], []
        got, want = snapshot.output[at : at + 1], expected[at : at + 1]
        line, column = locate(expected, at)
        where = f" byte {format_int(at)} ({line}:{column}): "
        if kind is DivergenceKind.WRONG:
            description = f"{byte_name(got[0])}, want {byte_name(want[0])}"
        elif got:
            extra = plural(len(snapshot.output) - at, "byte")
            first = "" if kind is DivergenceKind.NEWLINE_EXTRA else f", first {byte_name(got[0])}"
            description = f"{kind.value} ({extra}{first})"
        else:
            description = f"{kind.value}, want {byte_name(want[0])}"
        step = snapshot.wrong_step
        printed = "" if step is None else f", {'printed' if got else 'halted'} @{format_int(step)}"
        return [StyledText(where, palette.faint), StyledText(description, palette.base)], [
            StyledText(printed, palette.base),
            StyledText("   o", palette.key),
            StyledText(" jump there", palette.faint),
        ]

    def _hex(self, label: str, data: bytes) -> list[StyledText]:
        """Return bytes in hexadecimal: bytes around the difference, or the last bytes."""
        at = self.divergence.offset
        bytes_per_row = max(1, (self.inner_width - 14) // 3)
        assert self.snapshot is not None
        start = len(self.snapshot.output) - bytes_per_row if at is None else at - HEX_BYTES_BEFORE
        start = max(0, start)
        pieces = [StyledText(f" {label}{start:06x} ", self.palette.faint)]
        printed_count = self.snapshot.view.output_length if label == GOT else len(data)
        for index in range(start, min(len(data), start + bytes_per_row)):
            style = self.palette.base if index < printed_count else self.palette.future
            style = self.palette.wrong if index == at else style
            left, right = ("[", "]") if index == at else (" ", "")
            if at is not None and index == at + 1:
                left = ""
            pieces.append(StyledText(f"{left}{data[index]:02x}{right}", style))
        return pieces
