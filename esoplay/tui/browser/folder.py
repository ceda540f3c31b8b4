"""The list of programs in a folder, and a preview of the selected program."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widgets import OptionList, Static
from textual.widgets.option_list import Option

from esolangs.registry import find_language, language_ids
from esolangs.wording import plural
from esoplay.errors import UsageError
from esoplay.terminal_text import drop_controls
from esoplay.tui.frame import ListPane, TextPane
from esoplay.tui.keys import Action, bindings

MAX_PROGRAMS, MAX_ENTRIES = 2_000, 50_000
"""Maximum numbers of programs to list and of folder entries to examine."""
MAX_PREVIEW_BYTES = 20_000
"""Maximum length of a preview in bytes."""


class ProgramEntry(NamedTuple):
    """A program in a folder.

    name: its path relative to the folder.
    language: the name of its language.
    size: in bytes.
    """

    path: Path
    name: str
    language: str
    size: int


def languages_by_extension() -> dict[str, str]:
    """Return the names of languages by file extension."""
    languages = [find_language(id) for id in language_ids()]
    return {end: each.name for each in languages for end in each.extensions}


def find_programs(folder: Path, limit: int = MAX_PROGRAMS) -> tuple[list[ProgramEntry], bool]:
    """Return up to ``limit`` programs in a folder and its subfolders, and whether more may exist.

    Hidden folders are skipped and links to folders are not followed.
    """
    found: list[ProgramEntry] = []
    known, seen = languages_by_extension(), 0
    for root, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in sorted(names):
            seen += 1
            if len(found) == limit or seen > MAX_ENTRIES:
                return found, True
            language = known.get(os.path.splitext(name)[1].lower())
            if language is not None:
                path = Path(root, name)
                found.append(
                    ProgramEntry(path, str(path.relative_to(folder)), language, _size(path))
                )
    return found, False


def check_folder(folder: Path) -> None:
    """Raise UsageError if a folder does not contain a program."""
    if not find_programs(folder, limit=1)[0]:
        ends = ", ".join(sorted(languages_by_extension()))
        raise UsageError(f"no programs found in {folder}; expected files ending in {ends}")


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


class FolderList(ListPane):
    """A list of programs; posts :class:`Chosen`."""

    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "folder",
        Action("folder.down", "cursor_down", "Down"),
        Action("folder.up", "cursor_up", "Up"),
        Action("folder.open", "select", "Open", in_footer=True),
    )
    app: App[None]

    @dataclass
    class Chosen(Message):
        """The user selected a program to open."""

        path: Path

    def __init__(self, preview: ProgramPreview, *, id: str | None = None) -> None:
        """Create a list that shows the selected program in ``preview``."""
        super().__init__(id=id)
        self._preview = preview
        self._found: list[ProgramEntry] = []

    def show(self, folder: Path) -> None:
        """List the programs of a folder."""
        self._found, more = find_programs(folder)
        self.border_title = Content(drop_controls(folder.name or str(folder)))
        words = plural(len(self._found), "program")
        self.border_subtitle = f"the first {words}" if more else words
        self.clear_options()
        self.add_options(Option(_row(each), id=str(at)) for at, each in enumerate(self._found))
        if self._found:
            self.highlighted = 0
        else:
            words = Content.styled("no programs found", "$quiet")
            self.add_option(Option(words, disabled=True))

    @property
    def path(self) -> Path | None:
        """The path of the program under the cursor, or None."""
        at = self.highlighted
        return self._found[at].path if at is not None and self._found else None

    @on(OptionList.OptionSelected)
    def _choose(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        if event.option.id:
            self.post_message(self.Chosen(self._found[int(event.option.id)].path))

    @on(OptionList.OptionHighlighted)
    def _show_preview(self, event: OptionList.OptionHighlighted) -> None:
        event.stop()
        if event.option.id:
            self._preview.show(self._found[int(event.option.id)])


def _row(program: ProgramEntry) -> Content:
    return Content.assemble((f"{program.language:<11} ", "$quiet"), drop_controls(program.name))


class ProgramPreview(TextPane):
    """The start of a program, shown before the program is opened."""

    DEFAULT_CSS = """
    ProgramPreview > Static { height: auto; padding: 0 1; }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "preview",
        Action("preview.down", "scroll_down", "Down"),
        Action("preview.up", "scroll_up", "Up"),
    )
    app: App[None]

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._text = Static(markup=False)

    def compose(self) -> ComposeResult:
        yield self._text

    def show(self, program: ProgramEntry) -> None:
        """Show the start of a program."""
        self.border_title = Content(drop_controls(program.name))
        self.border_subtitle = f"{program.language} · {plural(program.size, 'byte')}"
        self.scroll_home(animate=False)
        try:
            with program.path.open("rb") as file:
                source = file.read(MAX_PREVIEW_BYTES)
        except OSError as error:
            self._text.update(Content.styled(f"cannot read the file: {error.strerror}", "$error"))
            return
        self._text.update(
            Content("\n").join(_lines(source, is_complete=len(source) < MAX_PREVIEW_BYTES))
        )


def _lines(source: bytes, *, is_complete: bool) -> Iterator[Content]:
    """Yield lines without control characters, and a notice if ``source`` is not the whole file."""
    for line in source.decode("utf-8", "replace").expandtabs(4).split("\n"):
        yield Content(drop_controls(line))
    if not is_complete:
        yield Content.styled(f"… the first {MAX_PREVIEW_BYTES:,} bytes", "$quiet")
