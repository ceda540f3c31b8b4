"""What a problem asks: statement, examples that open in the debugger, hints rung by rung."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import VerticalScroll
from textual.content import Content
from textual.events import Click
from textual.message import Message
from textual.widgets import Static

from esoplay.grading.problem import Example, Problem
from esoplay.tui.browser.prose import CODE, read_markdown
from esoplay.tui.invisibles import invisibles
from esoplay.tui.keys import Action, bindings
from esoplay.tui.panes import Offer, TextPane

NO_PROBLEM = Content.assemble(
    "This program is a file of your own: there is no problem to read about, ",
    "and there are no tests.\n\n",
    ("F2", CODE),
    " debugs it, ",
    ("^s", CODE),
    " saves it, ",
    ("F1", CODE),
    " shows the keys and the language. Enter on a problem in the list takes that up.",
)
"""Stands in the place of a statement while a file is open."""


class ExampleCard(Static):
    """One public example; a click opens it in the debugger."""

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
                invisibles(example.input, none="nothing"),
                ("\nout  ", "$quiet"),
                invisibles(example.output, none="nothing"),
            )
        )
        self._example = example
        self.tooltip = f"Example {number}: click to debug it"

    def on_click(self, event: Click) -> None:
        event.stop()
        self.post_message(Statement.ExampleOpened(self._example))


class Statement(TextPane):
    """Shows one problem."""

    DEFAULT_CSS = """
    Statement #prose { height: auto; margin: 1 2; }
    Statement #examples { height: auto; }
    Statement .example-title { margin: 0 2; color: $quiet; }
    Statement Offer { margin: 0 2 1 2; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "statement",
        Action("statement.down", "scroll_down", "Down"),
        Action("statement.up", "scroll_up", "Up"),
        Action("statement.solution", "solution", "The pack's solution, once solved", shown=True),
    )
    app: App[None]

    @dataclass
    class ExampleOpened(Message):
        """An example was clicked: it should open in the debugger."""

        example: Example

    class HintWanted(Message):
        """The next hint was asked for."""

    class SolutionWanted(Message):
        """The pack's solution of the problem shown was asked for."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._problem: Problem | None = None
        self._hints = Offer(self.HintWanted, id="statement-hints")
        self._way_to_solution = Offer(self.SolutionWanted, id="statement-solution")
        self._way_to_solution.display = False

    @property
    def problem(self) -> Problem | None:
        """The problem shown."""
        return self._problem

    def compose(self) -> ComposeResult:
        yield Static(NO_PROBLEM, id="prose", markup=False)
        yield VerticalScroll(id="examples")
        yield self._hints
        yield self._way_to_solution

    async def show(self, problem: Problem, hints: int) -> None:
        """Show a problem with this many rungs of its hints."""
        if problem is not self._problem:
            self._problem = problem
            self.border_title = f"{problem.id} {problem.title}"
            self.border_subtitle = f"{problem.tier} · {problem.category}"
            self.scroll_home(animate=False)
            with self.app.batch_update():
                self.query_one("#prose", Static).update(read_markdown(problem.statement))
                await self._show_examples(problem)
        self.show_hints(hints)

    def show_hints(self, shown: int) -> None:
        """Show this many rungs."""
        hints = self._problem.hints if self._problem else ()
        parts: list[Content] = [
            Content.assemble((f"hint {number}  ", "$accent"), hint)
            for number, hint in enumerate(hints[:shown], 1)
        ]
        if shown < len(hints):
            offer = "Stuck? H shows a hint" if shown == 0 else "H shows the next hint"
            parts.append(Content.styled(f"{offer} ({shown} of {len(hints)} shown)", "$quiet"))
        self._hints.update(Content("\n").join(parts))

    def offer_solution(self, unlocked: bool) -> None:
        """Let a program that solves the problem shown be read, or not yet."""
        self._way_to_solution.update(
            Content.assemble(
                ("✓ ", "$success"),
                "solved: ",
                ("s", "bold $accent"),
                " shows how the pack solves it",
            )
        )
        self._way_to_solution.display = unlocked

    def action_solution(self) -> None:
        self.post_message(self.SolutionWanted())

    async def _show_examples(self, problem: Problem) -> None:
        box = self.query_one("#examples")
        await box.remove_children()
        title = "example" if len(problem.examples) == 1 else "examples"
        cards = [ExampleCard(number, each) for number, each in enumerate(problem.examples, 1)]
        await box.mount(Static(title, classes="example-title"), *cards)
