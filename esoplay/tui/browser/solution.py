"""The page of a pack's solution: the reference program next to its source or the user's program."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, ClassVar, Literal, NamedTuple

from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Static

from esolangs.registry import find_language, language_ids
from esolangs.wording import plural
from esoplay.errors import EsoplayError
from esoplay.grading.problem import Problem
from esoplay.packs.stars import SolutionFigures
from esoplay.tui.buffers import SOURCE_LANGUAGE
from esoplay.tui.editor.editor import Editor
from esoplay.tui.footer import ModalPage
from esoplay.tui.keys import Action, bindings
from esoplay.tui.workspace import OwnProgram

if TYPE_CHECKING:
    from esoplay.codegen.source_map import SourceMap
    from esoplay.packs.par import Par
    from esoplay.packs.references import Reference


Page = Literal["program", "yours", "source"]
"""The pages that Tab switches between; a wide screen shows the program next to the other page."""


KEY_HINTS = "Enter debugs · Tab program / yours / source · L language · Esc closes"
KEY_HINTS_BY_HAND = "Enter debugs · Y by hand/generated · Tab page · L lang · Esc closes"


class DebugRequest(NamedTuple):
    """A request to debug a program."""

    problem: Problem
    language_id: str
    program: bytes
    source_map: SourceMap | None


class SolutionScreen(ModalPage[DebugRequest | None]):
    """Shows a reference program and its source, read-only."""

    DEFAULT_CSS = """
    SolutionScreen {
        align: center middle;
        background: $background 60%;
        & > Vertical {
            width: 96%;
            max-width: 180;
            height: 90%;
            border: round $border;
            border-title-style: bold;
            border-subtitle-color: $quiet;
            background: $surface;
        }
        Horizontal { height: 1fr; }
        Horizontal > Vertical {
            width: 1fr;
            border: round $border-blurred;
            border-title-color: $quiet;
            &:focus-within { border: round $border; }
        }
        #solution-said { height: auto; max-height: 9; padding: 0 1; color: $quiet; }
    }
    SolutionScreen.-narrow #solution-beside { display: none; }
    SolutionScreen.-narrow.-beside #solution-beside { display: block; }
    SolutionScreen.-narrow.-beside #solution-box { display: none; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "solution",
        Action("solution.close", "dismiss(None)", "Close", in_footer=True, priority=True),
        Action(
            "solution.turn",
            "turn",
            "Switch pack's / yours / source",
            in_footer=True,
            priority=True,
        ),
        Action("solution.debug", "debug", "Debug the program", in_footer=True, priority=True),
        Action("solution.language", "language(1)", "Next language", in_footer=True, priority=True),
        Action(
            "solution.previous", "language(-1)", "Previous language", in_footer=True, priority=True
        ),
        Action(
            "solution.generated",
            "generated",
            "Handwritten / generated",
            in_footer=True,
            priority=True,
        ),
    )
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (110, "-mid")]  # noqa: RUF012
    app: App[None]

    def __init__(
        self,
        problem: Problem,
        language_id: str,
        find_own: Callable[[str], OwnProgram | None] = lambda language: None,
        find_best: Callable[[str], tuple[int, int] | None] = lambda language: None,
    ) -> None:
        """Show the pack's solution of a problem in a language.

        find_own: returns the user's solution in a language. find_best: returns the minimum steps
        and bytes of the user's solutions in a language.
        """
        super().__init__()
        self._problem = problem
        self.language_id = language_id
        self._find_own, self._find_best = find_own, find_best
        self._own: OwnProgram | None = None
        self._shows_generated = False
        self._shown_reference: Reference | None = None
        self._page: Page = "program"
        self._program_editor = Editor(id="solution")
        self._side_editor = Editor(id="solution-source")

    def compose(self) -> ComposeResult:
        with Vertical() as box:
            box.border_title = Content(
                f"{self._problem.id} {self._problem.title}: the pack's solution"
            )
            box.border_subtitle = KEY_HINTS
            yield Static(id="solution-said", markup=False)
            with Horizontal():
                yield Vertical(self._program_editor, id="solution-box")
                yield Vertical(self._side_editor, id="solution-beside")

    def on_mount(self) -> None:
        self._load()

    # What is shown

    @property
    def shown_reference(self) -> Reference | None:
        """The reference on the screen; None while it is being loaded, or if none exists."""
        return self._shown_reference

    def _load(self) -> None:
        """Read or generate the reference in a thread, because it may be slow."""
        self._shown_reference, self._own = None, self._find_own(self.language_id)
        self._show_message(f"{find_language(self.language_id).name} …")
        self.run_worker(
            self._read_reference(), exclusive=True, group="reference", exit_on_error=False
        )

    async def _read_reference(self) -> None:
        wanted = self._problem, self.language_id, self._shows_generated
        found = await asyncio.to_thread(_load_reference, *wanted)
        if isinstance(found, str):
            self._show_message(found)
            self._show_reference(None)
        else:
            self._show_reference(found)
            await self._show_sizes(found)

    async def _show_sizes(self, reference: Reference) -> None:
        """Show the steps and bytes of the pack's solution and of the user's best solution."""
        own, best = self._own, self._find_best(self.language_id)
        if own is None or self._shows_generated:
            return
        par = await asyncio.to_thread(_measure_par, self._problem, self.language_id)
        if par is not None and reference is self._shown_reference:
            from esoplay.packs.par import comparison_lines, own_approach

            own_figures = SolutionFigures(own.steps, own.size)
            best_figures = None if best is None else SolutionFigures(*best)
            approach = own_approach(self._problem, self.language_id, own.source)
            lines = comparison_lines(own_figures, par, best_figures, approach)
            self._show_message("\n".join([_describe_origin(reference), *lines]))

    def _show_reference(self, reference: Reference | None) -> None:
        self._shown_reference = reference
        program = b"" if reference is None else reference.program
        self._program_editor.load(program, self.language_id)
        self._program_editor.read_only = True
        name = find_language(self.language_id).name
        self.query_one("#solution-box").border_title = f"{name} · {plural(len(program), 'byte')}"
        if self._page not in self._pages:
            self._page = "program"
        self._show_side_editor()
        if reference is not None:
            self._show_message(_describe_origin(reference))
            by_hand = reference.by_hand or self._shows_generated
            self.query_one("SolutionScreen > Vertical").border_subtitle = (
                KEY_HINTS_BY_HAND if by_hand else KEY_HINTS
            )
        self._focus_page()

    def _show_message(self, message: str) -> None:
        self.query_one("#solution-said", Static).update(message)

    @property
    def _pages(self) -> list[Page]:
        """The pages that Tab switches between."""
        return ["program", "source"] if self._own is None else ["program", "yours", "source"]

    def _show_side_editor(self) -> None:
        """Show the user's solution or the source next to the program."""
        own, found = self._own, self._shown_reference
        box = self.query_one("#solution-beside")
        if own is not None and self._page != "source":
            self._side_editor.load(own.source, self.language_id)
            box.border_title = f"yours · {plural(len(own.source), 'byte')}"
        else:
            text = "" if found is None else found.source_text or ""
            self._side_editor.load(text.encode(), SOURCE_LANGUAGE)
            box.border_title = "source" if found is None else found.source_name
        self._side_editor.read_only = True

    def _focus_page(self) -> None:
        """Focus the page to which Tab has switched, and make it visible."""
        beside = self._page != "program"
        self.set_class(beside, "-beside")
        (self._side_editor if beside else self._program_editor).focus()

    # Keys

    def action_turn(self) -> None:
        pages = self._pages
        self._page = pages[(pages.index(self._page) + 1) % len(pages)]
        self._show_side_editor()
        self._focus_page()

    def action_language(self, offset: int) -> None:
        ids = language_ids()
        self.language_id = ids[(ids.index(self.language_id) + offset) % len(ids)]
        self._shows_generated = False
        self._load()

    def action_generated(self) -> None:
        """Switch between the hand-written and the generated solution."""
        if self._shows_generated or (
            self._shown_reference is not None and self._shown_reference.by_hand
        ):
            self._shows_generated = not self._shows_generated
            self._load()

    def action_debug(self) -> None:
        if self._shown_reference is not None:
            program, source_map = self._shown_reference.program, self._shown_reference.source_map
            self.dismiss(DebugRequest(self._problem, self.language_id, program, source_map))


def _load_reference(problem: Problem, language_id: str, wants_generated: bool) -> Reference | str:
    """Return the reference, or the reason why it does not exist; called in a thread."""
    from esoplay.packs.references import find_reference, generated_reference

    find = generated_reference if wants_generated else find_reference
    try:
        found = find(problem, language_id)
    except EsoplayError as error:
        return str(error)
    if found is None:
        return f"the pack has no solution in {find_language(language_id).name}"
    return found


def _measure_par(problem: Problem, language_id: str) -> Par | None:
    """Measure the pack's solution; return None if this fails. Called in a thread."""
    from esoplay.packs.par import measure_par

    try:
        return measure_par(problem, language_id)
    except EsoplayError:
        return None


def _describe_origin(reference: Reference) -> str:
    if reference.by_hand:
        return "Written by hand; Tab shows the source of the generated program."
    return "Generated from a source; the debugger steps by source line."
