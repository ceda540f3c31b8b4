"""One's own solutions of a problem in a language, ranked; each can be opened or compared."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from esoplay.service.progress import Figure, OwnSolution, Ranked, rank
from esoplay.tui.keys import Action, bindings
from esoplay.tui.panes import ListPane

FRONT, LEAST = "◆", "★"
LEGEND = f"{LEAST} least   {FRONT} none beats it in one figure without losing in the other"
SOLUTION_HINTS = "Enter edits · Space picks · c compares with the picked one · o order"
NOT_KEPT = "This program was submitted before programs were kept."


class Picked(NamedTuple):
    """What to do: edit a program, or debug it beside another one; both by their digests."""

    digest: str
    beside: str | None = None


class SolutionsScreen(ModalScreen[Picked | None]):
    """The ranking; dismisses with what was chosen."""

    DEFAULT_CSS = """
    SolutionsScreen {
        align: center middle;
        background: $background 60%;
        & > Vertical {
            width: 96%;
            max-width: 100;
            height: auto;
            max-height: 90%;
            padding: 0 1;
            border: round $border;
            border-title-style: bold;
            border-subtitle-color: $quiet;
            background: $surface;
        }
        Static { height: auto; }
        ListPane { height: auto; max-height: 60vh; border: none; background: $surface; }
        ListPane:focus { border: none; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "solutions",
        Action("solutions.close", "dismiss(None)", "Close", shown=True),
        Action("solutions.order", "order", "By steps or by bytes", shown=True),
        Action("solutions.pick", "pick", "Pick for a comparison", shown=True),
        Action("solutions.compare", "compare", "Compare with the picked one", shown=True),
        Action("solutions.down", "move(1)", "Down"),
        Action("solutions.up", "move(-1)", "Up"),
    )
    app: App[None]

    def __init__(self, title: str, solutions: Sequence[OwnSolution]) -> None:
        super().__init__()
        self._title = title
        self._solutions = solutions
        self._by: Figure = "steps"
        self._ranked: list[Ranked] = []
        self._picked: OwnSolution | None = None

    def compose(self) -> ComposeResult:
        box = Vertical()
        box.border_title = Content(self._title)
        box.border_subtitle = "Esc closes"
        with box:
            yield Static(id="solutions-head", markup=False)
            yield ListPane(id="solutions")
            yield Static(Content.styled(f"\n{LEGEND}\n{SOLUTION_HINTS}", "$quiet"), markup=False)

    def on_mount(self) -> None:
        self._write()
        self._list.highlighted = 0
        self._list.focus()

    @property
    def _list(self) -> ListPane:
        return self.query_one(ListPane)

    @property
    def _here(self) -> OwnSolution:
        return self._ranked[self._list.highlighted or 0].solution

    def action_order(self) -> None:
        here = self._here
        self._by = "size" if self._by == "steps" else "steps"
        self._write()
        found = [each.solution for each in self._ranked]
        self._list.highlighted = found.index(here)

    def action_move(self, by: int) -> None:
        self._list.action_cursor_down() if by > 0 else self._list.action_cursor_up()

    def action_pick(self) -> None:
        at = self._list.highlighted
        self._picked = None if self._picked == self._here else self._here
        self._write()
        self._list.highlighted = at

    def action_compare(self) -> None:
        here, picked = self._here, self._picked
        if picked is None or picked == here:
            self.notify("Space picks one, c on another compares the two.")
        elif here.digest is None or picked.digest is None:
            self.notify(NOT_KEPT, severity="warning")
        else:
            self.dismiss(Picked(here.digest, picked.digest))

    @on(OptionList.OptionSelected)
    def _selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        digest = self._ranked[event.option_index].solution.digest
        if digest is None:
            self.notify(NOT_KEPT, severity="warning")
        else:
            self.dismiss(Picked(digest))

    def _write(self) -> None:
        self._ranked = rank(self._solutions, self._by)
        steps, size = ("steps ▾", "bytes") if self._by == "steps" else ("steps", "bytes ▾")
        head = f"       {steps:>13}{size:>11}{'memory':>12}  submitted"
        self.query_one("#solutions-head", Static).update(Content.styled(head, "$quiet"))
        self._list.clear_options()
        self._list.add_options(
            Option(self._row(number, each)) for number, each in enumerate(self._ranked, 1)
        )

    def _row(self, number: int, ranked: Ranked) -> Content:
        own = ranked.solution
        steps = f"{LEAST if ranked.least_steps else ' '}{own.steps:,}"
        size = f"{LEAST if ranked.least_size else ' '}{own.size:,}"
        memory = "–" if own.memory is None else f"{own.memory:,}"
        return Content.assemble(
            ("▸" if own == self._picked else " ", "bold $accent"),
            (f"{number:>3} ", "$quiet"),
            (f"{FRONT if ranked.front else ' '} ", "$accent"),
            (f"{steps:>13}", "$success" if ranked.least_steps else ""),
            (f"{size:>11}", "$success" if ranked.least_size else ""),
            f"{memory:>12}",
            (f"  {own.at[:10]} {own.at[11:16]}", "$quiet"),
            ("" if own.digest else "  not kept", "$warning"),
        )
