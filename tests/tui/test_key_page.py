"""docs/keys.md shows the current key table.

``ESOPLAY_WRITE_CASES=1`` writes the page; review the difference then.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import os
import pkgutil
from collections.abc import Iterator
from pathlib import Path

from textual.binding import Binding
from textual.dom import DOMNode

import esoplay.tui
from esoplay.tui.app import EsoplayApp
from esoplay.tui.keys import FIXED_SCOPES, KEYS, enter_key, escape_key, key_label

PAGE = Path(__file__).resolve().parents[2] / "docs" / "keys.md"
BEGIN, END = "<!-- the table: written by tests/tui/test_key_page.py -->\n", "<!-- end -->\n"

SCOPES = {
    "app": "Everywhere",
    "screen": "On the main screen",
    "go": "After g",
    "tests": "While tests run",
    "problems": "List of problems",
    "statement": "Statement",
    "folder": "Programs of a folder",
    "preview": "Program of a folder, before it is opened",
    "solution": "The pack's solution",
    "editor": "Editor",
    "find": "Find and replace",
    "generated": "Generated program",
    "debug": "Debugger",
    "bytes": "Output and input",
    "breaks": "Debugger: list of breakpoints",
    "watch": "Debugger: list of watches",
    "notes": "Debugger: notebook",
    "lessons": "List of lessons",
    "lesson": "Text of a lesson",
    "results": "Results of tests",
    "solutions": "Your solutions",
    "matrix": "All problems in all languages",
    "matrix-screen": "All problems in all languages: leaving",
    "replay": "Viewer of evaluations and sessions",
    "session": "Viewer: a session",
    "watched-session": "Viewer: a session that is watched",
    "attempts": "Viewer: the list",
    "reader": "Viewer: a program or text",
    "changes": "Viewer: changes",
}
"""The title of each scope on the page, in its order."""


def all_bindings() -> Iterator[Binding]:
    """The bindings of every class of the application."""
    for module in pkgutil.walk_packages(esoplay.tui.__path__, "esoplay.tui."):
        for _, each in inspect.getmembers(importlib.import_module(module.name), inspect.isclass):
            if issubclass(each, DOMNode) and each.__module__ == module.name:
                bindings = each.__dict__.get("BINDINGS", [])
                yield from (one for one in bindings if isinstance(one, Binding))


def explained(binding: Binding) -> str:
    """The label, and the tooltip where the footer has no space for a longer label."""
    tip = binding.tooltip
    if tip.startswith(binding.description):
        return tip
    return f"{binding.description}: {tip[0].lower()}{tip[1:]}" if tip else binding.description


def table() -> str:
    """Every scope as a table."""
    words = {one.id: explained(one) for one in all_bindings() if one.id is not None}
    parts: list[str] = []
    for scope, title in SCOPES.items():
        parts += [f"\n### {title}\n", "| action | keys | does |", "|-|-|-|"]
        for id, keys in KEYS[scope].items():
            names = " ".join(f"`{name(key)}`" for key in keys.split(","))
            parts.append(f"| `{id}` | {names} | {words[id]} |")
    return "\n".join(parts) + "\n\n"


def name(key: str) -> str:
    """A key as the page spells it: ``^t`` is Ctrl and t."""
    return key_label(key).replace("|", "\\|").replace("`", "backtick")


def test_the_page_of_keys_is_current() -> None:
    text = PAGE.read_text()
    head, _, rest = text.partition(BEGIN)
    now, _, tail = rest.partition(END)
    if os.environ.get("ESOPLAY_WRITE_CASES"):
        PAGE.write_text(f"{head}{BEGIN}{table()}{END}{tail}")
    assert now == table()


def test_esc_and_enter_are_spelled_alike_in_the_last_line_the_help_and_hints(home: Path) -> None:
    app = EsoplayApp(home)
    for binding in all_bindings():
        for key in binding.key.split(","):
            shown = app.get_key_display(dataclasses.replace(binding, key=key))
            assert shown not in ("esc", "escape", "enter", "⏎")
            if key in ("escape", "enter"):
                assert shown == key_label(key) == {"escape": "Esc", "enter": "Enter"}[key]
    assert (escape_key("").display, enter_key("").display) == (
        key_label("escape"),
        key_label("enter"),
    )


def test_the_page_has_every_scope_that_can_be_changed() -> None:
    assert SCOPES.keys() == KEYS.keys() - FIXED_SCOPES
