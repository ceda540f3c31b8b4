"""What the command palette (``^p``) offers: every action, and every problem by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from textual.app import SystemCommand
from textual.command import Hit, Hits, Provider

from esolangs.registry import find_language
from esoplay.tui.dialogs import TextDialog
from esoplay.tui.editor.document import read_escapes
from esoplay.tui.editor.pane import can_reflow
from esoplay.tui.screen import PlayScreen

if TYPE_CHECKING:
    from textual.dom import DOMNode


IN_THE_TABLE = frozenset(
    {
        "help",
        "quit",
        "theme.next",
        "tests.examples",
        "tests.submit",
        "language",
        "hint.next",
        "problem.next",
        "matrix",
        "solutions",
        "file.save",
        "sidebar",
    }
    | {"file.external", "editor.find", "editor.go_to", "editor.mode", "editor.path"}
)
"""Ids of keys whose actions are commands with words of their own."""


def commands_of(screen: PlayScreen) -> Iterator[SystemCommand]:
    """The commands that make sense now."""
    desk = screen.desk
    table: list[tuple[str, str, Callable[[], object]]] = [
        ("Help", "Keys of this view and the language's card", screen.action_help)
    ]
    if desk.problem is not None:
        table += [
            ("Run the examples", "Test with what the problem shows", screen.action_run_examples),
            ("Submit", "Test with all hidden tests", screen.action_submit),
        ]
    if desk.starter is not None:
        table += [
            ("Language…", "Solve problems in another one", screen.action_language),
            ("Next hint", "One rung at a time, from a nudge to a plan", screen.action_hint),
            ("Start over", "Put the starter back; undo helps", partial(start_over, screen)),
        ]
    table += [
        ("Next unsolved problem", "In the language in use", screen.pages.next_unsolved),
        ("All cells", "Every problem in every language, with bests", screen.action_matrix),
    ]
    if desk.problem is not None:
        words = "Ranked by steps and by bytes; open or compare them"
        table.append(("Your solutions", words, screen.action_solutions))
    table += screen.sources.commands()
    editor = screen.program.editor
    if can_reflow(editor.editing):
        table.append(("Reflow", "Break lines longer than 80 columns", editor.reflow))
    if editor.editing.grid or editor.editing.letters:
        table.append(("Way of typing", "The language's own, or as usual", editor.action_mode))
    if editor.editing.grid:
        table += [
            ("Arrows turn typing", "Typed outside of strings: on or off", editor.action_turns),
            ("Show the IP's way", "From the cursor on: on or off", editor.action_path),
        ]
    table += [
        ("Find, replace", "Text in the program", editor.action_find),
        ("Go to…", "A line, a column, an offset", editor.action_go_to),
        ("Debug with input…", "Run with input of your own", partial(ask_input, screen)),
        ("Import a session…", "Compare with its solutions", screen.comparing.ask_import),
        ("Export progress…", "Everything achieved, as a file", screen.pages.ask_export),
        ("Import progress…", "Merge such a file; nothing is lost", screen.pages.ask_import),
        ("Save", "Write the program to its file", screen.action_save),
        ("Edit in $EDITOR", "Let another editor have it", screen.action_external_editor),
        ("Start page", "Lesson 1, E01, a file, or go on", screen.show_start),
        ("Debug a file…", "Open a program of yours", screen.opening.ask_file),
        ("Sidebar", "Problems, statement, score: show or hide", screen.action_sidebar),
        ("View: learn", "Short lessons, one after the other", partial(screen.show_view, "learn")),
        ("View: browse", "Problems and statements", partial(screen.show_view, "browse")),
        ("View: edit", "Write the program", partial(screen.show_view, "edit")),
        ("View: debug", "Step through the program", partial(screen.show_view, "debug")),
        ("View: score", "What you have solved", partial(screen.show_view, "score")),
    ]
    if not screen.generating.active:
        words = "A small program that works"
        table.append(("Load the sample", words, partial(load_sample, screen)))
    yield from (SystemCommand(*row) for row in table)
    yield from _keys(screen)


def _keys(screen: PlayScreen) -> Iterator[SystemCommand]:
    """Whatever a key does here or in the debugger, with its key."""
    seen: set[str] = set()
    here = [(each.node, each.binding) for each in screen.active_bindings.values()]
    debugger = screen.debugger
    there = [(debugger, each) for _, each in debugger._bindings]  # pyright: ignore[reportPrivateUsage]
    for node, binding in (*here, *there):
        title = f"{'Debug: ' if node is debugger else ''}{binding.description}"
        if binding.id is None or title in seen or binding.id in IN_THE_TABLE:
            continue
        seen.add(title)
        words = f"the key {screen.app.get_key_display(binding)}"
        press = partial(_press, screen, node, binding.action)
        yield SystemCommand(title, words, press, discover=False)  # found once one types


async def _press(screen: PlayScreen, node: DOMNode, action: str) -> None:
    """Do what a key does, in the debugger's view where it is about the debugger."""
    if node is screen.debugger and screen.view != "debug":
        screen.show_view("debug")
    await screen.app.run_action(action, node)


def start_over(screen: PlayScreen) -> None:
    """Put the starter of the problem or lesson back, as one edit."""
    starter = screen.desk.starter
    if starter is not None:
        screen.program.editor.replace_source(starter)
        screen.show_view("edit")


def load_sample(screen: PlayScreen) -> None:
    """Put the language's sample into the editor, as one edit."""
    screen.program.editor.replace_source(find_language(screen.desk.language_id).sample())
    screen.show_view("edit")


def ask_input(screen: PlayScreen) -> None:
    """Ask for input and debug with it."""
    words = r"What the program reads. \n is a newline, \t a tab, \x00 any byte, \\ a backslash."

    def answered(text: str | None) -> None:
        if text is not None:
            screen.debug_with(read_escapes(text), None)

    screen.app.push_screen(TextDialog("Input", words), answered)


class ProblemProvider(Provider):
    """Finds problems by id, title, tier or category, once somebody types."""

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for name, words, open_it in self._problems():
            score = matcher.match(f"{name} {words}")
            if score > 0:
                yield Hit(score, matcher.highlight(name), open_it, help=words)

    def _problems(self) -> Iterator[tuple[str, str, partial[object]]]:
        for screen in self.app.screen_stack:
            if isinstance(screen, PlayScreen):
                for problem in screen.desk.pack:
                    name = f"{problem.id} {problem.title}"
                    words = f"{problem.tier}, {problem.category}"
                    yield name, words, partial(_open, screen, problem.id)


async def _open(screen: PlayScreen, problem_id: str) -> None:
    await screen.open_problem(screen.desk.pack.problem(problem_id))
    screen.show_view("edit")
