"""The command palette (``^p``): actions, problems by name, and the selection of a theme."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from textual.app import SystemCommand
from textual.command import CommandPalette, DiscoveryHit, Hit, Hits, Provider
from textual.content import Content
from textual.theme import ThemeProvider
from textual.widget import Widget

from esolangs.registry import find_language
from esoplay.tui.dialogs import TextDialog
from esoplay.tui.editor.document import read_escapes
from esoplay.tui.editor.pane import can_reflow
from esoplay.tui.footer import Footer
from esoplay.tui.frame import MATRIX_NAME, View
from esoplay.tui.keys import FooterKey, FooterKeys, KeyProvider, action_key, enter_key, escape_key
from esoplay.tui.palette_search import SYNONYMS, match_score
from esoplay.tui.screen import PlayScreen

if TYPE_CHECKING:
    from textual.dom import DOMNode


PALETTE_ID = "--command-palette"
"""The id by which Textual recognises its palette."""


class PaletteScreen(CommandPalette, KeyProvider):
    """Textual's palette with esoplay's footer."""

    DEFAULT_CSS = """
    PaletteScreen > Footer { background: $background; }
    """

    def _extend_compose(self, widgets: list[Widget]) -> None:
        super()._extend_compose(widgets)
        widgets.append(Footer())

    def footer_keys(self) -> FooterKeys:
        keys = (FooterKey("↑/↓", "Choose", ("up", "down"), "down"), enter_key("Run"))
        return FooterKeys((FooterKey("", "Type to search"), *keys), (escape_key("Close"),))


def command_palette() -> PaletteScreen:
    """Return a palette of all commands."""
    return PaletteScreen(id=PALETTE_ID)


def theme_palette() -> PaletteScreen:
    """Return a palette screen in which the user searches for a theme and chooses it."""
    return PaletteScreen(providers=[ThemeProvider], placeholder="Search for themes…")


class PaletteEntry(NamedTuple):
    """A command of the palette.

    id: the id of its action, another key of ``SYNONYMS``, or "". details: text after the title.
    run: executes the command. discover: whether the command is listed for an empty query.
    """

    id: str
    title: str
    details: str
    run: Callable[[], object]
    discover: bool = True


def palette_commands(screen: PlayScreen) -> Iterator[SystemCommand]:
    """Yield the commands that are available at the moment."""
    for entry in palette_entries(screen):
        yield SystemCommand(entry.title, entry.details, entry.run, entry.discover)


def palette_entries(screen: PlayScreen) -> Iterator[PaletteEntry]:
    """Yield the commands that are available at the moment, with the ids of their actions."""
    table = _titled_entries(screen)
    yield from table
    taken = {entry.id for entry in table} | {"theme.next", "quit"}
    yield from _key_entries(screen, taken, {entry.title for entry in table})


def _titled_entries(screen: PlayScreen) -> list[PaletteEntry]:
    """Return the commands of the palette whose titles are defined in this function.

    For other commands, the palette shows the titles of their keys; see ``_key_entries``.
    """
    workspace = screen.workspace
    table = [
        PaletteEntry(
            "help", "Help", "Keys of this view and the language's card", screen.action_help
        )
    ]
    if workspace.problem is not None:
        table += [
            PaletteEntry(
                "tests.examples",
                "Run the examples",
                "Test with the public examples",
                screen.action_run_examples,
            ),
            PaletteEntry(
                "tests.submit", "Submit", "Test with all hidden tests", screen.action_submit
            ),
        ]
    if workspace.starter is not None:
        start = partial(start_over, screen)
        table += [
            PaletteEntry("language", "Language…", "Use another language", screen.action_language),
            PaletteEntry(
                "hint.next",
                "Next hint",
                "One hint at a time",
                screen.action_hint,
            ),
            PaletteEntry("start.over", "Start over", "Restore the starter; you can undo it", start),
        ]
    cells = "Best steps and bytes in each language"
    table += [
        PaletteEntry(
            "problem.next",
            "Next unsolved problem",
            "In the current language",
            screen.progress_pages.open_next_unsolved,
        ),
        PaletteEntry("matrix", MATRIX_NAME, cells, screen.action_matrix),
    ]
    if workspace.problem is not None:
        words = "Ranked by steps and bytes; open or compare"
        table.append(PaletteEntry("solutions", "Your solutions", words, screen.action_solutions))
    table += [PaletteEntry("", *command) for command in screen.sources.commands()]
    return table + _program_entries(screen) + _view_entries(screen)


def _program_entries(screen: PlayScreen) -> list[PaletteEntry]:
    """Return the commands for the program."""
    editor = screen.program.editor
    table: list[PaletteEntry] = []
    if can_reflow(editor.editing):
        table.append(
            PaletteEntry("reflow", "Reflow", "Break lines beyond 80 columns", editor.reflow)
        )
    if editor.editing.grid or editor.editing.letters:
        words = "Switch to plain typing, or back"
        table.append(PaletteEntry("editor.mode", "Typing mode", words, editor.action_mode))
    if editor.editing.grid:
        turns, path = (
            "Typing > < ^ v sets the direction (on/off)",
            "From the cursor (on/off)",
        )
        table += [
            PaletteEntry(
                "", "Arrows set the typing direction", turns, editor.toggle_follows_arrows
            ),
            PaletteEntry("editor.path", "Show the IP's path", path, editor.action_path),
        ]
    with_input = partial(ask_input, screen)
    table += [
        PaletteEntry("editor.find", "Find, replace", "Text in the program", editor.action_find),
        PaletteEntry("editor.go_to", "Go to…", "A line, a column, an offset", editor.action_go_to),
        PaletteEntry("input", "Debug with input…", "Run with your own input", with_input),
        PaletteEntry("file.save", "Save", "Write the program to its file", screen.action_save),
        PaletteEntry(
            "file.external",
            "Edit in $EDITOR",
            "Open the program in $EDITOR",
            screen.action_external_editor,
        ),
    ]
    if screen.debugger.has_supplied_input:
        drop = screen.debugger.drop_supplied_input
        table.append(
            PaletteEntry(
                "input.drop",
                "Drop the input",
                "Open the program again with its original input",
                drop,
            )
        )
    if not screen.compiler.is_active:
        sample = partial(load_sample, screen)
        table.append(
            PaletteEntry("sample", "Load the sample", "A small program that works", sample)
        )
    return table


def _view_entries(screen: PlayScreen) -> list[PaletteEntry]:
    """Return the commands for views and progress files."""
    views: tuple[tuple[View, str], ...] = (
        ("learn", "Short lessons, one after the other"),
        ("browse", "Problems and statements"),
        ("edit", "Write the program"),
        ("debug", "Step through the program"),
        ("score", "What you have solved"),
    )
    show, pages = screen.show_view, screen.progress_pages
    side, start = (
        "Problems, statement, score: show or hide",
        "Lesson 1, problem E01, a file, or resume",
    )
    ask_file = screen.start_actions.ask_file
    session, merge = (
        "Compare your solutions with the session's",
        "Merge an exported file; nothing is lost",
    )
    return [
        *(
            PaletteEntry(f"view.{each}", f"View: {each}", words, partial(show, each))
            for each, words in views
        ),
        PaletteEntry("sidebar", "Sidebar", side, screen.action_sidebar),
        PaletteEntry("start.page", "Start page", start, screen.show_start_page),
        PaletteEntry("file.debug", "Debug a file…", "Open one of your programs", ask_file),
        PaletteEntry("session.import", "Import a session…", session, screen.score_model.ask_import),
        PaletteEntry(
            "progress.export",
            "Export progress…",
            "Your progress, as a file",
            pages.ask_export,
        ),
        PaletteEntry("progress.import", "Import progress…", merge, pages.ask_import),
    ]


def _key_entries(
    screen: PlayScreen, known_ids: set[str], seen_titles: set[str]
) -> Iterator[PaletteEntry]:
    """Yield commands for active keys, and for all keys of the editor and the debugger.

    Omits actions in ``known_ids`` and titles in ``seen_titles``; adds the titles to the latter.
    """
    here = [(each.node, each.binding) for each in screen.active_bindings.values()]
    editor, debugger = screen.program.editor, screen.debugger
    there = [
        (node, each)
        for node in (editor, debugger)
        for _, each in node._bindings  # pyright: ignore[reportPrivateUsage]
    ]
    for node, binding in (*here, *there):
        title = f"{'Debug: ' if node is debugger else ''}{binding.description}"
        if not binding.id or title in seen_titles or binding.id in known_ids:
            continue
        seen_titles.add(title)
        press = partial(_press_key, screen, node, binding.action)
        yield PaletteEntry(
            binding.id, title, "", press, discover=False
        )  # not listed for an empty query


async def _press_key(screen: PlayScreen, node: DOMNode, action: str) -> None:
    """Run the action of a key; for a key of the debugger or editor, open that view first."""
    if node is screen.debugger and screen.view != "debug":
        screen.show_view("debug")
    elif node is screen.program.editor and screen.view != "edit":
        screen.show_view("edit")
    await screen.app.run_action(action, node)


def start_over(screen: PlayScreen) -> None:
    """Restore the starter of the problem or lesson, as one edit."""
    starter = screen.workspace.starter
    if starter is not None:
        screen.program.editor.replace_source(starter)
        screen.show_view("edit")


def load_sample(screen: PlayScreen) -> None:
    """Replace the program by the language's sample, as one edit."""
    screen.program.editor.replace_source(find_language(screen.workspace.language_id).sample())
    screen.show_view("edit")


def ask_input(screen: PlayScreen) -> None:
    """Prompt for input, and debug the program with this input."""
    words = (
        r"What the program reads. \n is a newline, \t a tab, \\ a backslash, \x41 the byte 0x41."
    )

    def answered(text: str | None) -> None:
        if text is not None:
            screen.debug_with(read_escapes(text), None)

    screen.app.push_screen(TextDialog("Input", words), answered)


PROBLEM_FACTOR = 0.85
"""Factor that lowers the scores of problems, so that equally good commands are listed first."""
MIN_TITLE_COLUMNS, NARROW_TITLE_COLUMNS, MAX_TITLE_COLUMNS = 20, 24, 38
"""Minimum columns of a row, and limits for the columns of its title.

NARROW_TITLE_COLUMNS: minimum in a narrow row with details.  MAX_TITLE_COLUMNS: maximum in all rows.
"""
MIN_FIXED_TITLE_ROW_COLUMNS = 100
"""Minimum columns of a row whose title has a fixed width; else details get more room."""
ROW_MARGIN = 6
"""Number of columns of a row for margins and the scrollbar."""


class PaletteProvider(Provider):
    """Finds commands by words and synonyms, and problems by id, title, tier or category."""

    async def discover(self) -> Hits:
        for entry in self._entries():
            if entry.discover:
                yield DiscoveryHit(self._row(entry), entry.run, text=entry.title)

    async def search(self, query: str) -> Hits:
        for entry in self._entries():
            also = SYNONYMS.get(entry.id, "")
            score = match_score(query, entry.title.removeprefix("Debug: "), entry.details, also)
            if score > 0:
                yield Hit(score, self._row(entry), entry.run, text=entry.title)
        for entry in self._problems():
            score = PROBLEM_FACTOR * match_score(query, entry.title, entry.details)
            if score > 0:
                yield Hit(score, self._row(entry), entry.run, text=entry.title)

    def _row(self, entry: PaletteEntry) -> Content:
        """Return a row with the title, its details, and its key at the right edge."""
        width = max(MIN_TITLE_COLUMNS, self.app.size.width - ROW_MARGIN)
        key = action_key(entry.id, self._keymap)
        room = min(MAX_TITLE_COLUMNS, width - len(key) - 1)
        if entry.details and width < MIN_FIXED_TITLE_ROW_COLUMNS:  # leave room for the details
            room = min(room, max(NARROW_TITLE_COLUMNS, len(entry.title) + 2))
        title = _cut(entry.title, room).ljust(room)
        words = _cut(entry.details, max(0, width - room - len(key) - 2))
        gap = " " * (width - room - len(words) - len(key))
        return Content.assemble(title, (words, "not bold $quiet"), gap, (key, "$primary"))

    @property
    def _keymap(self) -> Mapping[str, str]:
        """The keys configured by the user, by action id."""
        return self.app._keymap  # pyright: ignore[reportPrivateUsage]

    def _entries(self) -> Iterator[PaletteEntry]:
        for screen in self._screens():
            app = screen.app
            yield PaletteEntry("theme", "Theme", "Choose a theme", app.action_change_theme)
            yield from palette_entries(screen)
            next_theme, leave = (partial(app.run_action, each) for each in ("next_theme", "quit"))
            yield PaletteEntry(
                "theme.next", "Next theme", "Switch to the next theme file", next_theme
            )
            yield PaletteEntry("quit", "Quit", "Everything is saved", leave)

    def _problems(self) -> Iterator[PaletteEntry]:
        for screen in self._screens():
            for problem in screen.workspace.pack:
                name = f"{problem.id} {problem.title}"
                words = f"{problem.tier}, {problem.category}"
                yield PaletteEntry("", name, words, partial(_open, screen, problem.id))

    def _screens(self) -> Iterator[PlayScreen]:
        """Yield the main screen, if it exists; it can be below another screen."""
        return (each for each in self.app.screen_stack if isinstance(each, PlayScreen))


def _cut(text: str, width: int) -> str:
    """Return the start of a text, with an ellipsis if the text is too long."""
    return text if len(text) <= width else text[: max(0, width - 1)] + "…" * (width > 0)


async def _open(screen: PlayScreen, problem_id: str) -> None:
    await screen.open_problem(screen.workspace.pack.problem(problem_id))
    screen.show_view("edit")
