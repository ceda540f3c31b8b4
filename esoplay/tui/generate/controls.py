"""What the palette and the keys do with write-once sources."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from esoplay.errors import EsoplayError
from esoplay.tui.dialogs import TextDialog
from esoplay.tui.generate.writing import place_of, write_beside, write_to

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from esoplay.tui.screen import PlayScreen

    Row = tuple[str, str, Callable[[], object]]


def commands(screen: PlayScreen) -> Iterator[Row]:
    """What the palette offers about sources for what is in hand."""
    desk = screen.desk
    writing = screen.generating.active
    if desk.problem is not None and desk.lesson is None and _is_own(screen):
        if writing:
            words = "Leave the source, and go back to the program"
            yield f"Write in {desk.language_id}", words, partial(write_once, screen, False)
        else:
            words = "One source in Python for all languages: write once"
            yield "New source", words, partial(write_once, screen, True)
    elif desk.lesson is None:
        yield "New source…", "A file that programs are made of", partial(ask_source, screen)
    if writing:
        words = "What was made of the source, with its map"
        yield "Write the program to…", words, partial(ask_program_file, screen)


def _is_own(screen: PlayScreen) -> bool:
    """The text in hand belongs to a problem, and is no file of the user's."""
    buffer = screen.desk.buffer
    return buffer is not None and buffer.problem_id is not None


async def write_once(screen: PlayScreen, on: bool) -> None:
    """Solve problems by a source for all languages, or again by programs."""
    desk = screen.desk
    problem = desk.problem
    if problem is None:
        return
    screen.testing.cancel()
    screen.files.keep()
    try:
        desk.write_once(on)
    except EsoplayError as error:
        screen.notify(str(error), severity="warning")
        return
    await screen.take_up(desk.open_problem(problem))
    screen.show_view("edit")


def ask_source(screen: PlayScreen) -> None:
    """Ask for the file of a source, and open it."""

    async def answered(text: str | None) -> None:
        if text:
            await open_source(screen, Path(text))

    words = "A file whose name ends with .py; if there is none, it begins with a template."
    screen.app.push_screen(TextDialog("New source", words, "source.py"), answered)


async def open_source(screen: PlayScreen, path: Path) -> None:
    """Work on a source of the user's; what was in hand is kept."""
    if not await screen.files.ready_to_quit():
        return
    try:
        opened = screen.desk.open_source(path)
    except EsoplayError as error:
        screen.notify(str(error), severity="error")
        return
    await screen.take_up(opened)
    screen.show_view("edit")


def retarget(screen: PlayScreen, language_id: str) -> None:
    """Make programs in another language of the source in hand."""
    try:
        screen.desk.retarget(language_id)
    except EsoplayError as error:
        screen.notify(str(error), severity="warning")
        return
    screen.testing.cancel()
    screen.generating.follow()
    screen.refresh_score()
    if screen.view == "debug":
        screen.refresh_debugger()


def save_program(screen: PlayScreen) -> None:
    """Write the program and its map beside the source, once it is made."""

    def save() -> None:
        buffer, program = screen.desk.buffer, screen.generating.program
        if buffer is None or program is None or screen.generating.error is not None:
            screen.notify(f"Saved {_name(screen)}; no program: the source is wrong")
            return
        try:
            path = write_beside(buffer.path, program)
        except EsoplayError as error:
            words = f"Saved {buffer.path.name}, but {error}; ^p “Write the program to…”"
            screen.notify(words, severity="warning")
            return
        screen.notify(f"Saved {buffer.path.name}, {path.name} and its map")

    screen.generating.follow(save)


def ask_program_file(screen: PlayScreen) -> None:
    """Ask where the program is to go, and write it there with its map."""
    buffer, program = screen.desk.buffer, screen.generating.program
    if buffer is None or program is None:
        screen.notify("No program was made of the source yet.", severity="warning")
        return

    def answered(text: str | None) -> None:
        if not text:
            return
        path = Path(text).expanduser()
        try:
            write_to(path, program)
        except EsoplayError as error:
            screen.notify(str(error), severity="error")
        else:
            screen.notify(f"Written: {path} and its map")

    words = "The program goes there, its map beside it. What is there is written over."
    place = str(place_of(buffer.path, program))
    screen.app.push_screen(TextDialog("Write the program", words, place), answered)


def _name(screen: PlayScreen) -> str:
    buffer = screen.desk.buffer
    return "" if buffer is None else buffer.path.name
