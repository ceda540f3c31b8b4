"""The keys of each action, by scope (the widget that owns the action) and action id.

A widget owns actions; an action has an id, a Textual action, and a label for help and footer.
Widgets do not name keys, so a change of keys changes only :data:`KEYS`. The file ``keys.toml`` in
the state folder overrides the table: ``tests.submit = "f9"``, or several keys with commas.
"""

from __future__ import annotations

import tomllib
import unicodedata
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import NamedTuple, cast

from textual.binding import Binding, BindingType, Keymap
from textual.keys import KEY_NAME_REPLACEMENTS, Keys, format_key, key_to_character

FILE_NAME = "keys.toml"

KEYS: Mapping[str, Mapping[str, str]] = {
    "app": {
        "quit": "ctrl+q",
    },
    "screen": {
        "help": "f1,question_mark",
        "view.toggle": "f2",
        "go": "g,alt+g",
        "theme.next": "f3",
        "file.external": "f4",
        "tests.examples": "f5,ctrl+r",
        "tests.submit": "ctrl+t",
        "file.save": "ctrl+s",
        "language": "f8,L",
        "lesson": "ctrl+l",
        "view.previous": "ctrl+pageup",
        "view.next": "ctrl+pagedown",
        "lesson.go": "enter",
        "hint.next": "H,alt+h",
        "problem.open-next": "alt+n",
        "redraw": "ctrl+backslash",
        "jump": "ctrl+o",
        "maximise": "f12,z",
        "sidebar": "backslash,alt+s",
        "split.left": "alt+shift+left",
        "split.right": "alt+shift+right",
        "split.up": "alt+shift+up",
        "split.down": "alt+shift+down",
        "split.reset": "alt+r",
        "stop": "escape",
    },
    "go": {
        "view.learn": "l",
        "view.browse": "p",
        "view.edit": "e",
        "view.debug": "d",
        "view.score": "c",
        "problem.next": "n",
        "matrix": "m",
        "solutions": "s",
        "solution": "r",
        "start": "h",
        "go.start": "g",
        "go.cancel": "escape",
    },
    "tests": {
        "tests.stop": "escape",
    },
    "problems": {
        "problems.down": "j",
        "problems.up": "k",
        "problems.open": "enter",
        "problems.filter": "slash",
        "problems.all": "escape",
    },
    "folder": {
        "folder.down": "j",
        "folder.up": "k",
        "folder.open": "enter",
    },
    "preview": {
        "preview.down": "j",
        "preview.up": "k",
    },
    "file-dialog": {
        "file.cancel": "escape",
        "file.complete": "tab",
        "file.down": "down",
        "file.up": "up",
    },
    "statement": {
        "statement.down": "j",
        "statement.up": "k",
    },
    "solution": {
        "solution.close": "escape,q",
        "solution.turn": "tab,shift+tab",
        "solution.debug": "enter",
        "solution.language": "L",
        "solution.previous": "alt+l",
        "solution.generated": "Y",
    },
    "editor": {
        "editor.leave": "escape",
        "editor.tab": "tab",
        "editor.undo": "ctrl+z",
        "editor.redo": "ctrl+y",
        "editor.cut": "ctrl+x",
        "editor.copy": "ctrl+c",
        "editor.paste": "ctrl+v",
        "editor.line": "f6",
        "editor.all": "f7",
        "editor.first": "ctrl+home",
        "editor.last": "ctrl+end",
        "editor.find": "ctrl+f",
        "editor.find_next": "ctrl+n",
        "editor.find_previous": "ctrl+b",
        "editor.go_to": "ctrl+g",
        "editor.partner": "ctrl+right_square_bracket",
        "editor.complete": "ctrl+@,ctrl+space",
        "editor.mode": "insert",
        "editor.path": "f9",
    },
    "find": {
        "find.close": "escape",
        "find.next": "down,ctrl+n",
        "find.previous": "up,ctrl+b",
        "find.replace": "ctrl+f",
        "find.replace_all": "f7,alt+a",
        "find.case": "alt+c",
        "find.escapes": "alt+e",
    },
    "generated": {
        "generated.down": "j,down",
        "generated.up": "k,up",
        "generated.page-down": "pagedown",
        "generated.page-up": "pageup",
        "generated.start": "home",
        "generated.end": "G,end",
    },
    "debug": {
        "debug.step": "l,right,f11",
        "debug.step-back": "h,left",
        "debug.step-s": "s",
        "debug.step-back-s": "S",
        "debug.over": "n,f10",
        "debug.over-back": "N",
        "debug.finish": "f",
        "debug.finish-back": "F",
        "debug.continue": "c",
        "debug.continue-back": "C",
        "debug.to-cursor": "t",
        "debug.to-cursor-back": "T",
        "debug.play": "space",
        "debug.faster": "plus,equals_sign",
        "debug.slower": "minus",
        "debug.start": "home",
        "debug.end": "G,end",
        "debug.cursor-down": "j,down,shift+down",
        "debug.cursor-up": "k,up,shift+up",
        "debug.cursor-right": "shift+right",
        "debug.cursor-left": "shift+left",
        "debug.scroll-down": "pagedown",
        "debug.scroll-up": "pageup",
        "debug.scroll-right": "ctrl+right",
        "debug.scroll-left": "ctrl+left",
        "debug.go-to-cell": "ctrl+g",
        "debug.set-cell": "E",
        "debug.undo": "ctrl+z",
        "debug.partner": "percent_sign",
        "debug.search": "slash",
        "debug.search-next": "comma",
        "debug.search-previous": "full_stop",
        "debug.break": "b,f9",
        "debug.break-edit": "B",
        "debug.write-before": "w",
        "debug.write-after": "W",
        "debug.writes": "v",
        "debug.origin": "p",
        "debug.printed": "o",
        "debug.read": "i",
        "debug.diagnose": "d",
        "debug.compare": "D",
        "debug.mark": "m",
        "debug.to-mark": "apostrophe",
        "debug.note": "a",
        "debug.notes": "A",
        "debug.watch": "u",
        "debug.watches": "U",
        "debug.granularity": "y",
        "debug.source": "Y",
        "debug.heat": "e",
        "debug.base": "x",
        "debug.output": "P",
        "debug.output-mode": "r",
        "debug.page-next": "right_curly_bracket",
        "debug.page-previous": "left_curly_bracket",
        "debug.pane-next": "tab",
        "debug.pane-previous": "shift+tab",
        "debug.zoom": "z",
        "debug.command": "colon",
        "debug.choose": "enter",
        "debug.cancel": "escape",
    },
    "bytes": {
        "bytes.left": "left",
        "bytes.right": "right",
        "bytes.up": "up",
        "bytes.down": "down",
        "bytes.page-up": "pageup",
        "bytes.page-down": "pagedown",
        "bytes.first": "home",
        "bytes.last": "end",
    },
    "prompt": {
        "prompt.leave": "escape",
        "prompt.end-input": "ctrl+d",
        "prompt.complete": "tab",
        "prompt.older": "up",
        "prompt.newer": "down",
    },
    "breaks": {
        "breaks.switch": "O",
        "breaks.delete": "delete",
    },
    "watch": {
        "watch.edit": "E",
        "watch.delete": "delete",
    },
    "notes": {
        "notes.edit": "E",
        "notes.delete": "delete",
    },
    "lessons": {
        "lessons.down": "j",
        "lessons.up": "k",
        "lessons.open": "enter",
        "lessons.read": "right",
        "lessons.read-back": "left",
    },
    "lesson": {
        "lesson.down": "j",
        "lesson.up": "k",
        "lesson.go": "enter",
        "lesson.list": "left",
        "lesson.leave": "escape",
    },
    "results": {
        "results.down": "j",
        "results.up": "k",
        "results.debug": "enter",
        "results.wrong": "o",
    },
    "solutions": {
        "solutions.close": "escape,q",
        "solutions.order": "R",
        "solutions.pick": "space",
        "solutions.compare": "D",
        "solutions.down": "j",
        "solutions.up": "k",
    },
    "matrix": {
        "matrix.down": "j",
        "matrix.up": "k",
        "matrix.left": "left",
        "matrix.right": "right",
        "matrix.next": "tab",
    },
    "matrix-screen": {
        "matrix.close": "escape,q",
    },
    "replay": {
        "help": "f1,question_mark",
        "replay.toggle": "f2",
        "replay.alone": "z,f12",
        "replay.pane": "tab",
        "theme.next": "f3",
        "session.input": "M",
        "replay.back": "escape",
    },
    "session": {
        "replay.changes": "D",
    },
    "watched-session": {
        "session.statement": "I",
    },
    "attempts": {
        "replay.open": "enter",
        "replay.down": "j,down",
        "replay.up": "k,up",
        "replay.page-down": "pagedown",
        "replay.page-up": "pageup",
        "replay.first": "home",
        "replay.last": "G,end",
        "replay.next": "right_square_bracket",
        "replay.previous": "left_square_bracket",
        "replay.filter": "slash",
    },
    "reader": {
        "replay.read-down": "j,down",
        "replay.read-up": "k,up",
        "replay.read-on": "pagedown",
        "replay.read-back": "pageup",
        "replay.read-first": "home",
        "replay.read-last": "G,end",
    },
    "changes": {
        "replay.sides": "V",
    },
    "dialog": {
        "dialog.cancel": "escape",
    },
    "versions": {
        "versions.close": "escape,enter,q",
    },
    "help": {
        "help.close": "escape,q,f1,question_mark",
        "help.card": "tab",
    },
    "jump": {
        "jump.cancel": "escape",
    },
}
"""Keys by scope and action id; several keys are separated by commas and named as in Textual.

The scope of an action is the widget, or kind of widget, that owns it. A letter means the same in
every scope. The letters in the scope ``go`` are typed after ``g``. In the debugger a lower-case
letter moves forwards, and its capital backwards. Digits before a key are a count (``200l``) or a
step (``123G``).
"""

FIXED_SCOPES = frozenset({"prompt", "dialog", "file-dialog", "versions", "help", "jump"})
"""Scopes whose keys users cannot change; the help page does not list these keys."""

_KEY_LABELS = {"escape": "Esc", "enter": "Enter"}
"""Display names of keys that :func:`textual.keys.format_key` spells differently."""


def key_label(key: str) -> str:
    """Return a key as displayed in hints, help and footer, such as ``Esc`` or ``f2``."""
    label = _KEY_LABELS.get(key) or format_key(key)
    return (key_to_character(key) or label) if "_" in label else label


class Action(NamedTuple):
    """An action of a widget that can have keys.

    id: the name in the table and in ``keys.toml``.
    action: the Textual action.
    label: the label in help, footer and palette.
    in_footer: whether it is in the footer.
    tip: the tooltip.
    priority: whether it is handled before the keys of the focused widget.
    """

    id: str
    action: str
    label: str
    in_footer: bool = False
    tip: str | None = None
    priority: bool = False


def bindings(scope: str, *actions: Action) -> list[BindingType]:
    """Return the bindings of a scope's actions, in the order of the actions."""
    keys = KEYS[scope]
    fixed = scope in FIXED_SCOPES
    return [
        Binding(
            keys[each.id],
            each.action,
            each.label,
            show=each.in_footer,
            tooltip=each.tip or "",
            id=None if fixed else each.id,
            priority=each.priority,
        )
        for each in actions
    ]


_user_keys: dict[str, str] = {}


def use_keymap(keymap: Mapping[str, str]) -> None:
    """Use the user's keys in hints and in the footer."""
    _user_keys.clear()
    _user_keys.update(keymap)


def _assigned_keys(scope: str, id: str) -> list[str]:
    keys = KEYS[scope][id]
    return (keys if scope in FIXED_SCOPES else _user_keys.get(id, keys)).split(",")


def key_names(scope: str, *ids: str) -> str:
    """Return the shortest key of each action as displayed in a hint, such as ``l/h``."""
    return "/".join(
        min((key_label(key) for key in _assigned_keys(scope, id)), key=len) for id in ids
    )


# Keys that a widget shows in the footer, see :mod:`esoplay.tui.footer`


class FooterKey(NamedTuple):
    """A key in the footer, with a label.

    display: the key as displayed. keys: the keys; a click presses the first one. second_key:
    the key for a click on the second key of ``l/h``. scope, ids: the actions whose keys the user
    can change.
    """

    display: str
    label: str
    keys: tuple[str, ...] = ()
    second_key: str = ""
    scope: str = ""
    ids: tuple[str, ...] = ()

    @property
    def current(self) -> FooterKey:
        """This entry with the keys that the user has configured."""
        return footer_key(self.scope, self.label, *self.ids) if self.ids else self


def footer_key(scope: str, label: str, *ids: str) -> FooterKey:
    """Return a footer entry with the keys of one or more actions and a common label."""
    keys = [_assigned_keys(scope, id) for id in ids]
    other = keys[1][0] if len(keys) > 1 else ""
    own = tuple(key for each in keys for key in each)
    return FooterKey(key_names(scope, *ids), label, own, other, scope, ids)


def enter_key(label: str) -> FooterKey:
    """Return a footer entry for the Enter key of lists and input lines, which Textual binds."""
    return FooterKey("Enter", label, ("enter",))


def escape_key(label: str) -> FooterKey:
    """Return a footer entry for the Esc key, which closes or leaves something."""
    return FooterKey("Esc", label, ("escape",))


class FooterKeys(NamedTuple):
    """The keys that a widget shows in the footer.

    keys: the keys, most important first. last: keys at the end that are always shown, such as the
    key that leaves. with_other_keys: whether other bindings are shown in between if they fit.
    """

    keys: tuple[FooterKey, ...]
    last: tuple[FooterKey, ...] = ()
    with_other_keys: bool = False

    @property
    def current(self) -> FooterKeys:
        """A copy in which each entry shows the keys that the user has configured."""
        keys, last = ([each.current for each in row] for row in (self.keys, self.last))
        return FooterKeys(tuple(keys), tuple(last), self.with_other_keys)


class KeyProvider:
    """A widget or screen that declares which keys the footer shows while it has the focus.

    It must call ``screen.refresh_bindings`` when the keys change.
    """

    def footer_keys(self) -> FooterKeys | None:
        """Return the keys of the footer; None shows all bindings that have a footer text."""
        return None


def action_key(id: str, keymap: Mapping[str, str]) -> str:
    """Return the shortest key of an action as displayed, such as ``^t`` or ``g p``.

    keymap: keys configured by the user. Returns "" for an action without a key.
    """
    if id in KEYS["go"]:
        return f"{key_names('screen', 'go')} {key_names('go', id)}"
    scope = next((scope for scope, actions in KEYS.items() if id in actions), None)
    if scope is None:
        return ""
    keys = keymap.get(id, KEYS[scope][id]).split(",")
    return min((_short_label(key) for key in keys), key=len)


def _short_label(key: str) -> str:
    """Return the shortest name of a key, with ``^`` for Ctrl."""
    return key_label(key.strip()).replace("ctrl+", "^")


class KeySettings(NamedTuple):
    """The keys of ``keys.toml``, and a message about its invalid lines (None if all are valid)."""

    keymap: Keymap
    notice: str | None = None


_RENAMED = {"statement.solution": "solution", "score.solutions": "solutions"}
"""Action ids of earlier versions, and their current ids."""


def read_keys(folder: Path) -> KeySettings:
    """Read ``keys.toml`` in ``folder``; report and skip invalid lines."""
    text = ""
    try:
        text = (folder / FILE_NAME).read_text("utf-8")
        table = tomllib.loads(text)
    except FileNotFoundError:
        return KeySettings({})
    except (OSError, ValueError) as error:
        last = f"line {len(text.splitlines())}, the last"
        reason = str(error).replace("end of document", last)
        return KeySettings({}, f"{FILE_NAME} was ignored: {reason}")
    keymap: dict[str, str] = {}
    wrong: list[str] = []
    for id, keys in _flatten(table).items():
        problem = _find_key_error(id, keys, keymap)
        if problem is None:
            keymap[_RENAMED.get(id, id)] = _textual_names(str(keys))
        else:
            line = _find_line(id, text)
            wrong.append(f"{FILE_NAME}, line {line}: {problem}")
    return KeySettings(keymap, "\n".join(wrong) or None)


def _find_key_error(id: str, keys: object, keymap: Mapping[str, str]) -> str | None:
    """Return what is wrong with ``keys``, which ``keys.toml`` assigns to action ``id``, or None."""
    scopes = [scope for scope, actions in KEYS.items() if _RENAMED.get(id, id) in actions]
    if not scopes:
        from esoplay.decoding import suggest  # imported late, because only this error needs it

        known = [known for actions in KEYS.values() for known in actions]
        return f"unknown action {id!r}{suggest(id, known)}"
    if not set(scopes) - FIXED_SCOPES:
        return f"the keys of {id!r} cannot be changed"
    if not isinstance(keys, str):
        return f'expected keys as a string such as "f9,ctrl+e", found {keys!r}'
    for key in keys.split(","):
        if not is_key(key.strip()):
            return f"unknown key {key.strip()!r}; expected a key such as f9 or ctrl+e"
        for other, taken in keymap.items():
            if _textual_names(key) in taken.split(",") and any(
                other in KEYS[scope] for scope in scopes
            ):
                return f"{key!r} is already bound to {other!r}"
    return None


_MODIFIERS = {"ctrl", "shift", "alt", "super", "hyper", "meta"}


_ALIASES = {"return": "enter", "ins": "insert", "spacebar": "space"}


@cache
def _names_by_label() -> Mapping[str, str]:
    """Return Textual's names of the keys in the table, by displayed name such as ``Esc``."""
    listed = (keys.split(",") for actions in KEYS.values() for keys in actions.values())
    keys = (key.rpartition("+")[2] for each in listed for key in each)
    return {shown: key for key in keys for shown in (format_key(key), key_label(key))} | _ALIASES


def _textual_names(keys: str) -> str:
    """Replace displayed names, separated by commas, with Textual's names of the keys."""
    return ",".join(textual_name(key.strip()) for key in keys.split(","))


def textual_name(display: str) -> str:
    """Convert a key's displayed name, such as ``ctrl+pgdn``, to Textual's name of the key."""
    known = _names_by_label()
    if display in known:
        return known[display]
    modifiers, plus, key = display.rpartition("+")
    return f"{modifiers}{plus}{known.get(key) or known.get(key.lower() if key[1:] else key, key)}"


def is_key(name: str) -> bool:
    """Return whether ``name`` is a key, such as ``ctrl+e``, ``f9``, ``slash`` or ``pgdn``."""
    name = textual_name(name)
    *modifiers, key = name.split("+")
    if not set(modifiers) <= _MODIFIERS:
        return False
    if len(key) == 1 or key in _NAMED_KEYS or key in KEY_NAME_REPLACEMENTS.values():
        return key.strip() != ""
    return unicodedata.category(key_to_character(key) or "\0") != "Cc"


_NAMED_KEYS = {key.value for key in Keys}


def _find_line(id: str, text: str) -> int:
    """Return the number of the line in a TOML file that sets the keys of an action."""
    section = ""
    for number, line in enumerate(text.splitlines(), 1):
        stripped = line.strip()
        if stripped.startswith("["):
            section = stripped.strip("[] \t") + "."
        name = stripped.partition("=")[0].replace('"', "").replace("'", "").replace(" ", "")
        if section + name == id:
            return number
    return 1


def _flatten(table: dict[str, object], prefix: str = "") -> dict[str, object]:
    """Flatten a table: ``[tests] submit = …`` and ``"tests.submit" = …`` are equivalent."""
    flat: dict[str, object] = {}
    for name, value in table.items():
        if isinstance(value, dict):
            flat |= _flatten(cast("dict[str, object]", value), f"{prefix}{name}.")
        else:
            flat[prefix + name] = value
    return flat
