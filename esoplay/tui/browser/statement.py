"""The statement of a problem, its examples, and its hints, which are shown one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.geometry import Region
from textual.message import Message
from textual.widgets import Static

from esoplay.grading.limits import statement_with_limits
from esoplay.grading.problem import Example, Problem
from esoplay.tui.dialogs import ReadDialog, show_invisibles
from esoplay.tui.frame import ActionLine, TextPane
from esoplay.tui.keys import KEYS, Action, bindings, key_names

if TYPE_CHECKING:
    from markdown_it import MarkdownIt
    from markdown_it.token import Token


# Markdown as one styled text, which is fast enough for the first frame. Textual's own widget builds
# a widget for each paragraph and guesses the language of each code block.

_STYLES = {"strong_open": "bold", "em_open": "italic"}
CODE_STYLE = "$code-io"
"""The style of code in text."""


def render_markdown(text: str) -> Content:
    """Return Markdown as styled text; unknown markup is shown unchanged."""
    return Content("\n\n").join(_blocks(_parser().parse(text)))


def _blocks(tokens: Sequence[Token]) -> Iterator[Content]:
    """Yield the text of each block; a list is one block."""
    items: list[Content] = []
    bullet, number = "", 0
    lists = 0
    heading = False
    following = iter(tokens)
    for token in following:
        heading = (heading and token.type != "heading_close") or token.type == "heading_open"
        if token.type == "ordered_list_open":
            number = int(token.attrGet("start") or 1)
        if token.type.endswith("_list_open"):
            lists += 1
        elif token.type.endswith("_list_close"):
            lists -= 1
            if lists == 0:
                yield Content("\n").join(items)
                items = []
        elif token.type == "list_item_open":
            indent = "  " * (lists - 1)
            bullet = f"{indent}{number}. " if token.info else f"{indent}• "
            number += 1
        elif token.type == "inline":
            inline = _inline(token.children or [])
            if lists:
                items.append(Content(bullet) + inline)
                bullet = " " * len(bullet)
            else:
                yield inline.stylize("bold") if heading else inline
        elif token.type in ("fence", "code_block"):
            yield Content("\n").join(
                Content.assemble(("▏ ", "$quiet"), (line, CODE_STYLE))
                for line in token.content.rstrip("\n").split("\n")
            )
        elif token.type == "table_open":
            yield Content("\n").join(_table(following))


MAX_TABLE_COLUMNS = 40
"""Maximum width of an aligned table, in screen columns; a wider table is shown as a list."""


def _table(tokens: Iterator[Token]) -> Iterator[Content]:
    """Yield the rows of a table, without an empty header."""
    rows: list[list[Content]] = []
    for token in tokens:
        if token.type == "table_close":
            break
        if token.type == "tr_open":
            rows.append([])
        elif token.type == "inline":
            rows[-1].append(_inline(token.children or []))
    head, *body = rows
    widths = [max(cell.cell_length for cell in cells) for cells in zip(*rows, strict=True)]
    aligned = sum(widths) + 2 * (len(widths) - 1) <= MAX_TABLE_COLUMNS

    def join_row(row: list[Content]) -> Content:
        padded = [
            cell.pad_right(max(0, n - cell.cell_length))
            for cell, n in zip(row, widths, strict=True)
        ]
        return Content("  ").join(padded).rstrip()

    if any(cell.plain for cell in head):
        yield (join_row(head) if aligned else Content(": ").join(head)).stylize("bold")
    for row in body:
        yield join_row(row) if aligned else Content.assemble("• ", Content(": ").join(row))


def _inline(tokens: Sequence[Token]) -> Content:
    parts: list[str | tuple[str, str]] = []
    styles: list[str] = []
    for token in tokens:
        if token.type in _STYLES:
            styles.append(_STYLES[token.type])
        elif token.type in ("strong_close", "em_close"):
            styles.pop()
        elif token.type in ("softbreak", "hardbreak"):
            parts.append(" " if token.type == "softbreak" else "\n")
        elif token.type == "code_inline":
            parts.append((token.content, CODE_STYLE))
        else:
            parts.append((token.content, " ".join(styles)))
    return Content.assemble(*parts)


@lru_cache(maxsize=1)
def _parser() -> MarkdownIt:
    from markdown_it import MarkdownIt

    return MarkdownIt("commonmark").enable("table")


NO_PROBLEM = Content.assemble(
    "This program is your own file. It does not belong to a problem, ",
    "so there are no tests.\n\n",
    ("F2", CODE_STYLE),
    " debugs it, ",
    ("^s", CODE_STYLE),
    " saves it, ",
    ("F1", CODE_STYLE),
    " shows the keys and the language's card. Enter opens the problem selected in the list.",
)
"""The text shown instead of a statement while a file of the user is open."""


# Hints of problems and lessons, one after the other.

HINT_IN_EDITOR = KEYS["screen"]["hint.next"].split(",")[-1]
"""The key that shows a hint while the editor has the focus, where ``H`` types a letter."""
HINT_KEYS = f"H (in the editor {HINT_IN_EDITOR})"


def hint_text(hints: Sequence[str], shown_count: int, key: str = HINT_KEYS) -> Content:
    """Return the first ``shown_count`` hints, and the ``key`` that shows the next hint."""
    parts = _number_hints(hints, shown_count)
    if shown_count < len(hints):
        offer = f"Stuck? {key} shows a hint" if shown_count == 0 else f"{key} shows the next hint"
        parts.append(Content.styled(f"{offer} ({shown_count} of {len(hints)} shown)", "$quiet"))
    return Content("\n").join(parts)


def _number_hints(hints: Sequence[str], shown_count: int) -> list[Content]:
    return [
        Content.assemble((f"hint {number}  ", "$accent"), render_markdown(hint))
        for number, hint in enumerate(hints[:shown_count], 1)
    ]


def hint_dialog(problem: Problem, hints: Sequence[str], shown_count: int) -> ReadDialog:
    """Return a dialog with the last hint shown, for screens that do not show the statement.

    shown_count: the number of hints shown, including this one.
    """
    title = f"{problem.id} {problem.title}: hint {shown_count} of {len(hints)}"
    return ReadDialog(title, render_markdown(hints[shown_count - 1]))


class HintLine(ActionLine):
    """The hints shown so far and, if there are more, an offer of the next one."""

    def __init__(self, message_type: type[Message], *, id: str) -> None:
        super().__init__(message_type, id=id)
        self._text = self._before_last = Content("")
        self._revealed_at: float | None = None  # the pane's scroll_y after ``reveal``

    def show(self, hints: Sequence[str], shown_count: int, key: str = HINT_KEYS) -> None:
        """Show the first ``shown_count`` hints, and which key shows the next one.

        key: the name of this key.
        """
        text = hint_text(hints, shown_count, key)
        if text != self._text:
            self._text, self._revealed_at = text, None
            self._before_last = Content("\n").join(_number_hints(hints, max(0, shown_count - 1)))
            self.update(text)

    def reveal(self) -> None:
        """Scroll to the last hint; if the hint does not fit, to its start.

        The hint stays visible when the layout changes, until the user scrolls.
        """
        self._revealed_at = self._pane.scroll_y
        self.call_after_refresh(self._scroll_to_last)

    @property
    def _pane(self) -> TextPane:
        return self.query_ancestor(TextPane)

    def on_resize(self) -> None:
        # The scrollbar that the text needs can make it narrower, and then higher.
        self._scroll_to_last()

    def _scroll_to_last(self) -> None:
        pane = self._pane
        if self._revealed_at != pane.scroll_y:
            return
        region, before = self.virtual_region, self._before_last
        rows = before.get_height({}, region.width) if before else 0
        last = Region(region.x, region.y + rows, region.width, max(1, region.height - rows))
        too_high = last.height > pane.scrollable_content_region.height
        pane.scroll_to_region(last, animate=False, top=too_high, force=True, immediate=True)
        self._revealed_at = pane.scroll_y


class ExampleCard(Static):
    """A public example; a click opens it in the debugger."""

    DEFAULT_CSS = """
    ExampleCard {
        height: auto;
        margin: 0 2 1 2;
        padding: 0 1;
        background: $panel;
        border-left: thick $border-blurred;
        pointer: pointer;
        &:hover { border-left: thick $accent; }
    }
    """

    def __init__(self, number: int, example: Example) -> None:
        super().__init__(
            Content.assemble(
                ("in   ", "$quiet"),
                show_invisibles(example.input, if_empty="nothing"),
                ("\nout  ", "$quiet"),
                show_invisibles(example.output, if_empty="nothing"),
                *(
                    Content.assemble((f"\n{name}  ", "$quiet"), value)
                    for name, value in example.invocation.as_rows().items()
                ),
            )
        )
        self._example = example
        self.tooltip = f"Example {number}: click to debug it"

    def on_click(self, event: Click) -> None:
        event.stop()
        self.post_message(StatementPane.ExampleOpened(self._example))


class StatementPane(TextPane):
    """Shows the statement of one problem."""

    DEFAULT_CSS = """
    StatementPane #prose { height: auto; margin: 1 2; }
    StatementPane #examples { height: auto; }
    StatementPane .example-title { margin: 0 2; color: $quiet; }
    StatementPane ActionLine { margin: 0 2 1 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "statement",
        Action("statement.down", "scroll_down", "Down"),
        Action("statement.up", "scroll_up", "Up"),
    )
    app: App[None]

    @dataclass
    class ExampleOpened(Message):
        """The user clicked an example to open it in the debugger."""

        example: Example

    class HintRequested(Message):
        """The user asked for the next hint."""

    class SolutionRequested(Message):
        """The user asked for the pack's solution of the problem shown."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._problem: Problem | None = None
        self._examples_problem: Problem | None = None
        self._examples_lock = asyncio.Lock()
        self.find_hints: Callable[[Problem], Sequence[str]] = lambda problem: problem.hints
        self._hint_line = HintLine(self.HintRequested, id="statement-hints")
        self._solution_line = ActionLine(self.SolutionRequested, id="statement-solution")
        self._solution_line.display = False

    @property
    def problem(self) -> Problem | None:
        """The problem whose statement is shown, or None."""
        return self._problem

    def compose(self) -> ComposeResult:
        yield Static(NO_PROBLEM, id="prose", markup=False)
        yield VerticalScroll(id="examples")
        yield self._hint_line
        yield self._solution_line

    async def show(self, problem: Problem, shown_count: int) -> None:
        """Show a problem with the first ``shown_count`` of its hints.

        If calls overlap, the last call takes effect.
        """
        with self.app.batch_update():
            if problem is not self._problem:
                self._problem = problem
                self.border_title = f"{problem.id} {problem.title}"
                self.border_subtitle = f"{problem.tier} · {problem.category}"
                self.scroll_home(animate=False, immediate=True)
                text = render_markdown(statement_with_limits(problem))
                self.query_one("#prose", Static).update(text)
            self.show_hints(shown_count)
            await self._show_examples()

    async def show_no_problem(self) -> None:
        """Show that the open program does not belong to a problem."""
        if self._problem is not None:
            self._problem = None
            self.border_title = self.border_subtitle = ""
            self.query_one("#prose", Static).update(NO_PROBLEM)
        self._hint_line.show((), 0)
        await self._show_examples()

    def show_hints(self, shown_count: int) -> None:
        """Show the first ``shown_count`` hints."""
        hints = self.find_hints(self._problem) if self._problem else ()
        self._hint_line.show(hints, shown_count)

    def reveal_hint(self, shown_count: int) -> None:
        """Show the first ``shown_count`` hints and scroll to the last one."""
        self.show_hints(shown_count)
        self._hint_line.reveal()

    def offer_solution(self, is_unlocked: bool) -> None:
        """Show or hide the offer of the pack's solution."""
        self._solution_line.update(
            Content.assemble(
                ("✓ ", "$success"),
                "solved: ",
                (f"{key_names('screen', 'go')} {key_names('go', 'solution')}", "bold $accent"),
                " shows how the pack solves it",
            )
        )
        self._solution_line.display = is_unlocked

    async def _show_examples(self) -> None:
        """Show the examples of the current problem; overlapping calls run one after another."""
        async with self._examples_lock:
            problem = self._problem
            if problem is self._examples_problem:
                return
            box, self._examples_problem = self.query_one("#examples"), None
            await box.remove_children()
            if problem is not None:
                title = "example" if len(problem.examples) == 1 else "examples"
                cards = [ExampleCard(at, each) for at, each in enumerate(problem.examples, 1)]
                await box.mount(Static(title, classes="example-title"), *cards)
            self._examples_problem = problem
