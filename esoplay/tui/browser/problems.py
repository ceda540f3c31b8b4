"""The list of problems with their results in each language, and its filter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import App
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList
from textual.widgets.option_list import Option

from esoplay.grading.problem import Pack, Problem
from esoplay.progress.records import (
    NO_PROGRESS,
    ProblemStanding,
    Standings,
    Status,
    count,
    problems_by_tier,
)
from esoplay.tui.frame import ListPane
from esoplay.tui.keys import (
    Action,
    FooterKey,
    FooterKeys,
    KeyProvider,
    bindings,
    enter_key,
    escape_key,
)

# The filter: each word must match the id, title, tier, category or status of the problem.

_STATUS_WORDS = {
    "solved": ("solved",),
    "tried": ("tried", "unsolved"),
    "untried": ("untried", "unsolved"),
}
"""The filter words that match each status of a problem in the current language."""


def matches(problem: Problem, standing: ProblemStanding, text: str) -> bool:
    """Return whether a problem matches all words of a filter.

    A word matches if it is in the id, title, tier or category, or is the start of a status name.
    """
    known = f"{problem.id} {problem.title} {problem.tier} {problem.category}".casefold()
    states = _STATUS_WORDS[standing.status]
    return all(
        word in known or any(state.startswith(word) for state in states)
        for word in text.casefold().split()
    )


# The mark of a problem in a language. The signs differ, so that colour is not needed.

MARKS: dict[Status, tuple[str, str]] = {
    "solved": ("✓", "$success"),
    "tried": ("◐", "$warning"),
    "untried": ("·", "$quiet"),
}
"""Character and style of each status."""


def progress_mark(standing: ProblemStanding) -> tuple[str, str]:
    """Return the character and the style of a problem's status."""
    return MARKS[standing.status]


MAX_FILTER_LENGTH = 60
"""Maximum length of the filter in characters; further characters are ignored."""
HEADING_PREFIX = "tier "
"""Prefix of the ids of list options that are headings."""
NOTHING_FOUND = "no problem matches; Esc shows all"


class ProblemList(ListPane, KeyProvider):
    """A list of problems; posts :class:`Chosen` and :class:`Highlighted`."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "problems",
        Action("problems.down", "cursor_down", "Down"),
        Action("problems.up", "cursor_up", "Up"),
        Action("problems.open", "select", "Open", in_footer=True),
        Action("problems.filter", "filter", "Filter", in_footer=True),
        Action("problems.all", "show_all", "All problems"),
    )
    app: App[None]

    @dataclass
    class Chosen(Message):
        """The user selected a problem to work on."""

        problem_id: str

    @dataclass
    class Highlighted(Message):
        """The cursor moved to a problem, whose statement should be shown."""

        problem_id: str

    def __init__(self, pack: Pack, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._pack = pack
        self._all_standings: Standings = {}
        self._letters: Mapping[str, str] = {}
        self._stars: Mapping[str, str] = {}
        self._language = ""
        self._current: str | None = None
        self._rows: dict[str, Content] = {}
        self._row_columns = 0
        self._filter = ""
        self._is_typing_filter = False
        self.border_title = "problems"

    def show(
        self,
        standings: Standings,
        language: str,
        letters: Mapping[str, str],
        current: str | None,
        stars: Mapping[str, str] | None = None,
    ) -> None:
        """Replace the results, languages and stars that the list shows.

        standings: results by language and problem. language: the current language. letters: the
        letter of each language, by language id. current: the id of the open problem. stars: the
        stars of solved problems, by problem id.
        """
        self._all_standings, self._language, self._letters = standings, language, letters
        self._current, self._stars = current, stars or {}
        self._update_rows()

    @property
    def problem(self) -> Problem | None:
        """The problem under the cursor, or None."""
        option = self.highlighted_option
        if option is None or option.id is None or option.id.startswith(HEADING_PREFIX):
            return None
        return self._pack.problem(option.id)

    def move_to(self, problem_id: str) -> None:
        """Move the cursor to a problem, if the filter shows it."""
        if not self._rows:
            self._update_rows()
        if problem_id in self._rows:
            self.highlighted = self.get_option_index(problem_id)

    # Filtering

    @property
    def filter(self) -> str:
        """The text of the filter; "" shows all problems."""
        return self._filter

    def action_filter(self) -> None:
        """Open the filter, so that typed letters filter the list."""
        self._is_typing_filter = True
        self.refresh_bindings()
        self._update_frame()

    def footer_keys(self) -> FooterKeys | None:
        if not self._is_typing_filter:
            return None
        keys = FooterKey("", "Letters narrow the list"), enter_key("Open the problem")
        return FooterKeys(keys, (escape_key("Show all problems"),))

    def action_show_all(self) -> None:
        self._set_filter("", is_typing=False)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return bool(self._filter) if action == "show_all" else True

    def on_key(self, event: events.Key) -> None:
        if not self._is_typing_filter:
            return
        if event.key == "escape":
            self._set_filter("", is_typing=False)
        elif event.key == "enter":
            self._set_filter(self._filter, is_typing=False)
            self.action_select()
        elif event.key == "backspace":
            self._set_filter(self._filter[:-1])
        elif event.is_printable and event.character is not None:
            self._set_filter((self._filter + event.character)[:MAX_FILTER_LENGTH])
        else:
            return
        event.stop()
        event.prevent_default()

    def on_resize(self) -> None:
        if self._rows:
            self._update_rows()
        self.call_after_refresh(self.scroll_to_highlight)

    def on_blur(self) -> None:
        self._is_typing_filter = False
        self._update_frame()

    def on_click(self, event: events.Click) -> None:
        if event.y == 0:
            self.focus()
            self.action_filter()

    def _set_filter(self, text: str, *, is_typing: bool = True) -> None:
        changed, self._filter = text != self._filter, text
        if changed:
            self._rows = {}
            self._update_rows()
        if changed or is_typing != self._is_typing_filter:
            self._is_typing_filter = is_typing
            self.refresh_bindings()
        self._update_frame()

    # Drawing

    @property
    def _standings(self) -> Mapping[str, ProblemStanding]:
        return self._all_standings.get(self._language, {})

    def _update_rows(self) -> None:
        """Update the rows; replace all of them only if the set of shown problems changes."""
        rows = dict(self._shown_rows())
        room = self.content_size.width - (len(rows) > self.content_size.height)  # scrollbar
        if room != self._row_columns:
            self._row_columns = room
            rows = dict(self._shown_rows())
        if rows.keys() != self._rows.keys():
            option = self.highlighted_option
            here = option.id if option is not None else self._current
            self.clear_options()
            self.add_options(
                Option(row, id=id, disabled=id.startswith(HEADING_PREFIX))
                for id, row in rows.items()
            )
            problems = [id for id in rows if not id.startswith(HEADING_PREFIX)]
            if here in problems:
                self.highlighted = self.get_option_index(str(here))
            elif problems and self._filter:
                self.highlighted = self.get_option_index(problems[0])
        else:
            for id, row in rows.items():
                if not row.is_same(self._rows[id]):
                    self.replace_option_prompt(id, row)
        self._rows = rows
        self._update_frame()

    def _shown_rows(self) -> Iterator[tuple[str, Content]]:
        """Yield the ids and texts of the rows: headings and problems."""
        here, found = self._standings, False
        for tier, problems in problems_by_tier(self._pack):
            shown = [
                each
                for each in problems
                if matches(each, here.get(each.id, NO_PROGRESS), self._filter)
            ]
            if shown:
                found = True
                yield HEADING_PREFIX + tier, self._heading(tier, problems)
                for problem in shown:
                    yield problem.id, self._row(problem)
        if not found:
            yield HEADING_PREFIX, Content.styled(NOTHING_FOUND, "$quiet")

    def _heading(self, tier: str, problems: tuple[Problem, ...]) -> Content:
        """Return a heading: a tier and its number of problems solved in the current language."""
        solved, _, total = count(problems, self._standings)
        return Content.styled(f"{tier}: {solved} of {total} solved", "$quiet")

    def _row(self, problem: Problem) -> Content:
        mark = progress_mark(self._standings.get(problem.id, NO_PROGRESS))
        title = (problem.title, "bold" if problem.id == self._current else "")
        others = [
            id for id in self._letters if id != self._language and self._is_solved(id, problem)
        ]
        elsewhere = f"  solved in {others[0]}" if others else ""
        if len(others) > 1:
            elsewhere = f"  solved in {len(others)} others"
        signs = self._stars.get(problem.id, "")
        stars = (f"{signs} " if signs else "", "$accent")
        number = (f" {problem.id} ", "$quiet")
        row = Content.assemble(mark, number, stars, title)
        if 0 < self._row_columns < row.cell_length + len(elsewhere):
            return row
        return Content.assemble(row, (elsewhere, "$quiet"))

    def _is_solved(self, language: str, problem: Problem) -> bool:
        return self._all_standings.get(language, {}).get(problem.id, NO_PROGRESS).solved

    def _update_frame(self) -> None:
        """Show the number of matching or solved problems in the frame."""
        total = len(self._pack.problems)
        if self._filter or self._is_typing_filter:
            cursor = "▏" if self._is_typing_filter else ""
            self.border_title = Content(f"/{self._filter}{cursor}")
            shown = sum(not id.startswith(HEADING_PREFIX) for id in self._rows)
            self.border_subtitle = f"{shown} of {total} shown"
        else:
            self.border_title = "problems"
            solved = sum(entry.solved for entry in self._standings.values())
            self.border_subtitle = f"{solved} of {total} solved"

    # Choosing

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option.id:
            self.post_message(self.Chosen(event.option.id))

    @on(OptionList.OptionHighlighted)
    def _announce_highlight(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option.id:
            self.post_message(self.Highlighted(event.option.id))
