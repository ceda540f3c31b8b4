"""The start page: entries for new users, and an entry that resumes the last session."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from textual import on
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from esolangs.errors import EngineError
from esolangs.registry import find_language
from esoplay.errors import EsoplayError
from esoplay.grading.problem import Problem
from esoplay.learning.lessons import get_first_lesson
from esoplay.tui.debug_launcher import DebugLauncher
from esoplay.tui.editor.pane import EditorPane
from esoplay.tui.frame import View
from esoplay.tui.keys import key_names
from esoplay.tui.learn.lessons import LessonController
from esoplay.tui.views import Navigation
from esoplay.tui.workspace import Workspace

ABOUT = (
    "Write, run and debug programs in Brainfuck, Befunge-98, Whitespace, Shakespeare and Unlambda. "
    "The debugger goes backwards as well as forwards, and hidden tests grade what you write."
)


class StartOption(NamedTuple):
    """An entry of the start page. id: posted when the user selects the entry."""

    id: str
    title: str
    description: str


def start_options(workspace: Workspace) -> list[StartOption]:
    """Return the entries; the first one resumes the last session of the application, if any."""
    found: list[StartOption] = []
    if not workspace.is_first_run:
        found.append(StartOption("continue", "Continue", _current_name(workspace)))
    try:
        lesson = get_first_lesson(workspace.language_id)
    except EsoplayError:
        pass
    else:
        found.append(StartOption("lesson", "Start lesson 1", f"“{lesson.title}”, a few minutes"))
    first = workspace.pack.problems[0]
    words = f"“{first.title}”: the editor contains a starter program"
    found.append(StartOption("problem", f"Solve {first.id}", words))
    words = "Step through one of your programs, forwards and backwards"
    found.append(StartOption("file", "Debug a file…", words))
    return found


def _current_name(workspace: Workspace) -> str:
    """Return the name of the current program."""
    name = find_language(workspace.language_id).name
    if workspace.lesson is not None:
        return f"lesson {workspace.lesson.name} {workspace.lesson.title}, {name}"
    if workspace.problem is not None:
        return f"{workspace.problem.id} {workspace.problem.title}, {name}"
    return f"{workspace.buffer.path.name}, {name}" if workspace.buffer is not None else name


class StartPage(VerticalScroll, can_focus=False):
    """The start page, with a list of entries; posts :class:`Chosen`."""

    DEFAULT_CSS = """
    StartPage {
        align: center middle;
        background: $background;
        scrollbar-size-vertical: 1;
        & > Static { width: 100%; max-width: 72; margin: 0 2 1 2; }
        & > OptionList {
            width: 100%; max-width: 72; height: auto; margin: 0 0 1 0; padding: 0 1;
            border: round $border-blurred; background: $background;
            &:focus { border: round $border; background-tint: $foreground 0%; }
        }
    }
    """
    app: App[None]

    @dataclass
    class Chosen(Message):
        """The user selected an entry."""

        option_id: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.list = OptionList()
        self._key_line = Static(markup=False)

    def compose(self) -> ComposeResult:
        name = Content.styled("esoplay", "bold $primary")
        yield Static(Content("\n").join([name, Content(ABOUT)]), markup=False)
        yield self.list
        yield self._key_line

    def show_options(self, workspace: Workspace) -> None:
        """Show the current entries, and focus the list."""
        self.list.clear_options()
        self.list.add_options(
            Option(
                Content.assemble((each.title, "bold"), ("\n  ", ""), (each.description, "$quiet")),
                id=each.id,
            )
            for each in start_options(workspace)
        )
        self.list.highlighted = 0
        language = find_language(workspace.language_id).name
        keys = (
            ("↑ ↓", "choose"),
            ("Enter", "open"),
            (key_names("screen", "language"), f"a language other than {language}"),
            (key_names("screen", "help"), "help"),
            (key_names("app", "quit").replace("ctrl+", "^"), "quit"),
        )
        parts = [Content.assemble((key, "bold $accent"), f" {words}") for key, words in keys]
        self._key_line.update(Content("   ").join(parts))
        self.list.focus()

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option.id is not None:
            self.post_message(self.Chosen(event.option.id))

    @on(OptionList.OptionHighlighted)
    def _stop_highlight_event(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()


class StartActions:
    """Opens the selected entry of the start page, and the user's files."""

    def __init__(
        self,
        workspace: Workspace,
        editor_pane: EditorPane,
        lessons: LessonController,
        debug_launcher: DebugLauncher,
        navigation: Navigation,
        *,
        open_problem: Callable[[Problem], Awaitable[None]],
        prepare_to_leave: Callable[[], Awaitable[bool]],
    ) -> None:
        """Create the actions on the programs of ``workspace``.

        prepare_to_leave: saves the current program, asks about a file with unsaved changes, and
        returns whether another program can be opened.
        """
        self._workspace = workspace
        self._editor_pane = editor_pane
        self._lessons = lessons
        self._debug_launcher = debug_launcher
        self._navigation = navigation
        self._open_problem = open_problem
        self._prepare_to_leave = prepare_to_leave

    async def open_option(self, option_id: str) -> None:
        """Open the entry of the start page with this id."""
        navigation = self._navigation
        match option_id:
            case "lesson":
                lesson = self._lessons.course.lesson(1)
                if navigation.is_narrow():
                    await self._lessons.open(lesson)
                    navigation.show_view("learn")
                else:
                    await self._lessons.open_task(lesson)
            case "problem":
                await self._open_problem(self._workspace.pack.problems[0])
                navigation.show_view("edit")
            case "file":
                self.ask_file()
            case _:
                navigation.show_view(navigation.work_view())

    def ask_file(self) -> None:
        """Prompt for a file, and debug it."""
        from esoplay.tui.file_dialog import FileDialog  # late: the first frame does not show it

        self._editor_pane.app.push_screen(FileDialog("Debug a file"), self._debug_file)

    async def _debug_file(self, path: Path | None) -> None:
        if path is not None:
            await self.open_file(path, "debug")

    async def open_file(self, path: Path, view: View) -> None:
        """Open a user's file in a view."""
        if not await self._prepare_to_leave():
            return
        try:
            opened = self._workspace.open_file(path)
        except (EsoplayError, EngineError) as error:
            self._editor_pane.notify(str(error), severity="error")
            return
        self._debug_launcher.set_input(b"", None)
        await self._navigation.edit_buffer(opened)
        self._navigation.show_view(view)
