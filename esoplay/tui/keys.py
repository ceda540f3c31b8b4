"""What the keyboard does, as one table: each action has an id by which a user remaps it.

``keys.toml`` in the state folder overrides the defaults: ``tests.submit = "f9"``, or several
keys with commas.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import NamedTuple, cast

from textual.binding import Binding, Keymap

FILE_NAME = "keys.toml"


class Action(NamedTuple):
    """id: for remapping.  keys: defaults.  shown: in the footer.  first: before any pane."""

    id: str
    keys: str
    action: str
    words: str
    shown: bool = False
    first: bool = False


SCREEN_ACTIONS = (
    Action("help", "f1,question_mark", "help", "Help", shown=True),
    Action("view.toggle", "f2", "toggle_work", "Edit/debug", shown=True),
    Action("theme.next", "f3", "app.next_theme", "Theme"),
    Action("file.external", "f4", "external_editor", "$EDITOR"),
    Action("tests.examples", "f5,ctrl+r", "run_examples", "Examples", shown=True),
    Action("tests.submit", "ctrl+t", "submit", "Submit", shown=True),
    Action("file.save", "ctrl+s", "save", "Save"),
    Action("language", "f8,L", "language", "Language", shown=True),
    Action("lesson", "ctrl+l", "lesson", "Learn", shown=True),
    Action("view.previous", "left_square_bracket", "view(-1)", "Previous view"),
    Action("view.next", "right_square_bracket", "view(1)", "Next view"),
    Action("view.edit", "e", "show_view('edit')", "Edit"),
    Action("lesson.go", "enter", "go_on", "Edit, or the next lesson"),
    Action("view.debug", "d", "show_view('debug')", "Debug"),
    Action("view.browse", "p", "show_view('browse')", "Problems"),
    Action("hint.next", "H", "hint", "Hint"),
    Action("problem.next", "n", "next_unsolved", "Next unsolved problem"),
    Action("matrix", "m", "matrix", "All problems in all languages"),
    Action("solutions", "S", "solutions", "Your solutions, ranked"),
    Action("redraw", "ctrl+backslash", "redraw", "Redraw the screen"),
    Action("jump", "ctrl+o", "jump", "Jump to a pane"),
    Action("maximise", "f12,z", "maximise", "This pane alone, or all again"),
    Action("stop", "escape", "stop", "Stop the program"),
    Action("tests.stop", "escape", "stop_tests", "Stop the tests", first=True),
)
"""What works everywhere on the main screen; panes add their own."""


def screen_bindings() -> list[Binding]:
    """The table as Textual wants it."""
    return [
        Binding(
            each.keys,
            each.action,
            each.words,
            show=each.shown,
            id=each.id,
            priority=each.first,
        )
        for each in SCREEN_ACTIONS
    ]


class ReadKeys(NamedTuple):
    """The user's keys, and a notice if their file could not be used."""

    keymap: Keymap
    notice: str | None = None


def read_keys(folder: Path) -> ReadKeys:
    """The user's keys; a broken file is reported and ignored."""
    try:
        table = tomllib.loads((folder / FILE_NAME).read_text("utf-8"))
    except FileNotFoundError:
        return ReadKeys({})
    except (OSError, ValueError) as error:
        return ReadKeys({}, f"{FILE_NAME} was left out: {error}")
    return ReadKeys({id: keys for id, keys in _flatten(table).items() if isinstance(keys, str)})


def _flatten(table: dict[str, object], prefix: str = "") -> dict[str, object]:
    """``[tests] submit = …`` and ``"tests.submit" = …`` mean the same."""
    flat: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            flat |= _flatten(cast("dict[str, object]", value), f"{prefix}{name}.")
        else:
            flat[prefix + name] = value
    return flat
