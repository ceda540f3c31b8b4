"""A dialog that asks for a file, with path completion and a list of matches."""

from __future__ import annotations

import os
from itertools import islice
from pathlib import Path
from typing import ClassVar, NamedTuple

from textual import on
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList, Static
from textual.widgets.option_list import Option

from esoplay.terminal_text import drop_controls
from esoplay.tui.browser.folder import languages_by_extension
from esoplay.tui.footer import ModalPage
from esoplay.tui.keys import Action, FooterKeys, bindings, enter_key, escape_key, footer_key

MAX_ENTRIES, MAX_LISTED = 20_000, 500
"""Maximum numbers of folder entries to examine and of entries to list."""


class PathCandidate(NamedTuple):
    """A folder or program that completes the typed path.

    path: the completed path. kind: "folder" or the language.
    """

    path: str
    kind: str
    is_folder: bool


def find_candidates(typed_path: str) -> list[PathCandidate]:
    """Return the programs and folders that complete the typed path, programs first.

    Hidden entries are included only if the typed name starts with a dot.
    """
    folder, name = os.path.split(typed_path)
    known = languages_by_extension()
    found: list[PathCandidate] = []
    try:
        with os.scandir(Path(folder).expanduser()) as entries:
            for entry in islice(entries, MAX_ENTRIES):
                if not entry.name.casefold().startswith(name.casefold()):
                    continue
                if entry.name.startswith(".") and not name.startswith("."):
                    continue
                path = os.path.join(folder, entry.name)
                language = known.get(os.path.splitext(entry.name)[1].lower())
                if _is_folder(entry):
                    found.append(PathCandidate(path + os.sep, "folder", True))
                elif language is not None:
                    found.append(PathCandidate(path, language, False))
    except (OSError, ValueError, RuntimeError):  # the folder or the user does not exist
        return []
    return sorted(found, key=lambda each: (each.is_folder, each.path.casefold()))[:MAX_LISTED]


def complete(typed_path: str, candidates: list[PathCandidate]) -> str:
    """Return the typed path, extended by the common prefix of the candidates."""
    paths = [each.path for each in candidates]
    first, last = min(paths, default=""), max(paths, default="")
    same = (mine == other for mine, other in zip(first, last, strict=False))
    length = next((at for at, equal in enumerate(same) if not equal), min(len(first), len(last)))
    return first[:length] if length > len(typed_path) else typed_path


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir()
    except OSError:
        return False


class FileDialog(ModalPage[Path | None]):
    """Asks for a program's file. Escape cancels."""

    DEFAULT_CSS = """
    FileDialog {
        align: center middle;
        background: $background 60%;
        & > Vertical {
            width: 76; max-width: 96%; height: 22; max-height: 90%; padding: 0 1;
            border: round $border; border-title-style: bold; background: $surface;
        }
        Input { margin-bottom: 0; }
        OptionList {
            height: 1fr; border: none; background: transparent; padding: 0 1;
            scrollbar-size-vertical: 1;
            &:focus { border: none; background-tint: $foreground 0%; }
        }
        Static { height: 1; padding: 0 1; color: $quiet; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = bindings(
        "file-dialog",
        Action("file.cancel", "dismiss(None)", "Cancel", in_footer=True, priority=True),
        Action("file.complete", "complete", "Complete", in_footer=True, priority=True),
        Action("file.down", "highlight(1)", "Down", priority=True),
        Action("file.up", "highlight(-1)", "Up", priority=True),
    )
    app: App[None]

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title = title
        self._input = Input(placeholder="a path; Tab completes it")
        self._list = OptionList()
        self._list.can_focus = False
        self._status_line = Static(markup=False)
        self._found: list[PathCandidate] = []

    def footer_keys(self) -> FooterKeys:
        keys = (
            enter_key("Open"),
            footer_key("file-dialog", "Choose", "file.up", "file.down"),
            footer_key("file-dialog", "Complete", "file.complete"),
        )
        return FooterKeys(keys, (escape_key("Cancel"),))

    def compose(self) -> ComposeResult:
        box = Vertical()
        box.border_title = Content(self._title)
        box.border_subtitle = "↑ ↓ choose, Tab completes, Enter opens, Esc cancels"
        with box:
            yield self._input
            yield self._status_line
            yield self._list

    def on_mount(self) -> None:
        self._input.focus()
        self._list_candidates()

    @on(Input.Changed)
    def _list_candidates(self) -> None:
        """List the completions of the typed path."""
        self._found = find_candidates(self._input.value)
        self._list.clear_options()
        width = max((len(each.path) for each in self._found), default=0)
        self._list.add_options(
            Option(
                Content.assemble(f"{drop_controls(each.path):<{width}}  ", (each.kind, "$quiet")),
                id=each.path,
            )
            for each in self._found
        )
        self._list.highlighted = 0 if self._found else None
        typed = Path(self._input.value)
        here = (typed if self._input.value.endswith(os.sep) else typed.parent).absolute()
        words = "programs and folders in" if self._found else "no matching program or folder in"
        self._status_line.update(f"{words} {drop_controls(str(here))}")

    @property
    def _selected_candidate(self) -> PathCandidate | None:
        at = self._list.highlighted
        return None if at is None else self._found[at]

    def action_highlight(self, offset: int) -> None:
        if offset > 0:
            self._list.action_cursor_down()
        else:
            self._list.action_cursor_up()

    def action_complete(self) -> None:
        """Extend the path to the common prefix, or else to the selected candidate."""
        typed = self._input.value
        longer = complete(typed, self._found)
        if longer == typed and self._selected_candidate is not None:
            longer = self._selected_candidate.path
        self._type(longer)

    @on(Input.Submitted)
    def _open_typed_path(self) -> None:
        typed = self._input.value
        if typed and os.path.isfile(path := os.path.expanduser(typed)):  # noqa: PTH111, PTH113
            self.dismiss(Path(path))
        elif self._selected_candidate is not None:
            self._open(self._selected_candidate)
        else:
            self.notify(
                f"There is no file {drop_controls(self._input.value)!r}.", severity="warning"
            )

    @on(OptionList.OptionSelected)
    def _open_selected(self, event: OptionList.OptionSelected) -> None:
        event.stop()
        # Open by path, because the list may have changed since the click.
        chosen = next((each for each in self._found if each.path == event.option.id), None)
        if chosen is not None:
            self._open(chosen)

    def _open(self, candidate: PathCandidate) -> None:
        if candidate.is_folder:
            self._type(candidate.path)
        else:
            self.dismiss(Path(candidate.path).expanduser())

    def _type(self, text: str) -> None:
        self._input.value = text
        self._input.cursor_position = len(text)
