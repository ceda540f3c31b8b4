"""A screen that shows an evaluation: its questions, and the texts of the selected question."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from textual.widget import Widget

from esolangs.registry import language_ids
from esolangs.wording import plural
from esoplay.reporting.viewer import MARKS, ViewerEntry
from esoplay.tui.debug.byte_glyphs import CONTROL_PICTURES
from esoplay.tui.debug.canvas import StyledText
from esoplay.tui.debug.status_rows import LineCanvas
from esoplay.tui.replay.run_screen import DebugProgram, RunApp, RunLine, RunScreen
from esoplay.tui.viewer.entries import EntryList, EntryText
from esoplay.tui.viewer.source import DebugInput, ViewerSource


class EvaluationRunLine(RunLine):
    """The title of an evaluation, the number of its verdicts, and how many are solutions."""

    def __init__(self, source: ViewerSource) -> None:
        super().__init__()
        self._title = source.run.title.translate(CONTROL_PICTURES)
        verdicts = [entry for entry in source.run.entries if entry.is_last]
        solved = sum(entry.tone == "good" for entry in verdicts)
        self._counts = f"{plural(len(verdicts), 'verdict')}, {solved} solved"

    def run_name(self) -> str:
        return self._title

    def counts(self) -> str:
        return self._counts


class ResultLine(LineCanvas):
    """The complete result of the selected entry."""

    def __init__(self) -> None:
        super().__init__(id="item-line")
        self._entry: ViewerEntry | None = None

    def show(self, entry: ViewerEntry | None) -> None:
        """Show the result of an entry; None clears the line."""
        self._entry = entry
        self.repaint()

    def left(self) -> list[StyledText]:
        palette, entry = self.palette, self._entry
        if entry is None:
            return []
        tone = {"good": palette.good, "bad": palette.bad, "calm": palette.base}[entry.tone]
        results = [section.title for section in entry.sections if section.kind == "result"]
        said = results[-1] if results else entry.outcome
        return [StyledText(f" {MARKS[entry.tone]} {said}".translate(CONTROL_PICTURES), tone)]

    def right(self) -> list[StyledText]:
        if self._entry is None or self._entry.program is None:
            return []
        return [StyledText(f"{plural(len(self._entry.program), 'byte')} ", self.palette.faint)]


class ViewerScreen(RunScreen[ViewerEntry]):
    """A read-only screen that shows an evaluation and debugs its programs."""

    DEFAULT_CSS = """
    ViewerScreen.-tiny #run-body, ViewerScreen.-narrow #run-body { grid-columns: 46 1fr; }
    ViewerScreen.-alone #run-body, ViewerScreen.-debugging #run-body { grid-columns: 1fr; }
    """

    def __init__(self, source: ViewerSource) -> None:
        super().__init__()
        self._source = source

    def make_list(self) -> EntryList:
        return EntryList(self._source.run.entries)

    def make_run_line(self) -> EvaluationRunLine:
        return EvaluationRunLine(self._source)

    def make_item_line(self) -> ResultLine:
        return ResultLine()

    def make_panes(self) -> Sequence[Widget]:
        return (EntryText(),)

    def panes(self) -> Sequence[Widget]:
        return (self.query_one(EntryText),)

    def show_item(self, item: ViewerEntry | None) -> None:
        self.query_one(ResultLine).show(item)
        self.query_one(EntryText).show(item)

    def item_name(self, item: ViewerEntry) -> str:
        labels = ", ".join(label for label in item.labels if label)
        return f"#{item.number}: {labels}".translate(CONTROL_PICTURES)

    def item_program(self, item: ViewerEntry) -> DebugProgram | str:
        if item.program is None:
            return "No program was run from this answer."
        if item.language not in language_ids():
            return f"The debugger does not support {item.language}."
        return DebugProgram(item.language, item.program, self._source.dialect, self._source.options)

    def item_inputs(self, item: ViewerEntry) -> Sequence[DebugInput]:
        return self._source.inputs(item)

    def describe_inputs(self, inputs: Sequence[DebugInput]) -> str:
        hidden = any(each.name == "hidden test" for each in inputs)
        return "Public examples and hidden tests." if hidden else "Public examples."

    def help_subject(self) -> tuple[str, str]:
        selected = self.items.selected_item
        known = selected is not None and selected.language in language_ids()
        language = selected.language if selected is not None and known else language_ids()[0]
        return language, self._source.dialect


def viewer_app(source: ViewerSource, folder: Path | None = None) -> RunApp:
    """Return an application that shows one evaluation."""
    return RunApp(lambda: ViewerScreen(source), folder)
