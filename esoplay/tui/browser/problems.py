"""The list of problems: tier by tier, each with how far one has come."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual import on
from textual.app import App
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from esoplay.grading.problem import Pack, Problem
from esoplay.tui.panes import ListPane
from esoplay.tui.state import NOTHING_YET, Progress


class ProblemList(ListPane):
    """Problems to choose from; posts :class:`Chosen`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("j", "cursor_down", "Down", show=False, id="problems.down"),
        Binding("k", "cursor_up", "Up", show=False, id="problems.up"),
        Binding("enter", "select", "Open", id="problems.open"),
    ]
    app: App[None]

    @dataclass
    class Chosen(Message):
        """A problem was chosen to work on."""

        problem_id: str

    @dataclass
    class Shown(Message):
        """The cursor came to rest on a problem: its statement should be shown."""

        problem_id: str

    def __init__(self, pack: Pack, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._pack = pack
        self.border_title = "problems"

    def on_mount(self) -> None:
        for tier in self._pack.tiers:
            problems = [problem for problem in self._pack if problem.tier == tier]
            if problems:
                self.add_option(Option(Content.styled(tier, "$quiet"), disabled=True))
                self.add_options(
                    Option(_row(problem, NOTHING_YET, current=False), id=problem.id)
                    for problem in problems
                )

    def show(self, progress: Mapping[str, Progress], current: str | None) -> None:
        """Redraw the marks; ``current`` is the problem being worked on."""
        for problem in self._pack:
            row = _row(problem, progress.get(problem.id, NOTHING_YET), problem.id == current)
            self.replace_option_prompt(problem.id, row)
        solved = sum(entry.solved for entry in progress.values())
        self.border_subtitle = f"{solved} of {len(self._pack.problems)} solved"

    def move_to(self, problem_id: str) -> None:
        """Put the cursor on a problem."""
        self.highlighted = self.get_option_index(problem_id)

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option.id:
            self.post_message(self.Chosen(event.option.id))

    @on(OptionList.OptionHighlighted)
    def _rest(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option.id:
            self.post_message(self.Shown(event.option.id))


def _row(problem: Problem, progress: Progress, current: bool) -> Content:
    if progress.solved:
        mark = ("✓", "$success")
    elif progress.tries:
        mark = ("◐", "$warning")
    else:
        mark = ("·", "$quiet")
    title = (problem.title, "bold" if current else "")
    return Content.assemble(mark, " ", (problem.id, "$quiet"), " ", title)
