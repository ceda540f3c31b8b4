"""What the keyboard does in the debug pane, as one table; every action can be remapped by id.

Case flips time: a lower-case letter goes forwards, its capital backwards.  Digits before a
key are its count (``200l``), or a step (``123G``).
"""

from __future__ import annotations

from typing import NamedTuple

from textual.binding import Binding


class Key(NamedTuple):
    """id: for remapping, behind ``debug.``.  keys: defaults.  action: of the pane."""

    id: str
    keys: str
    action: str
    words: str


KEYS = (
    Key("step", "l,right,f11", "step(1)", "Step"),
    Key("step-back", "h,left", "step(-1)", "Step back"),
    Key("step-s", "s", "unit(1)", "Step"),
    Key("step-back-s", "S", "unit(-1)", "Step back"),
    Key("over", "n,f10", "leap('loop', 1)", "Over a loop or a call"),
    Key("over-back", "N", "leap('loop', -1)", "Back over a loop or a call"),
    Key("finish", "f", "leap('finish', 1)", "Out of the loop or call"),
    Key("finish-back", "F", "leap('finish', -1)", "Back to where it began"),
    Key("continue", "c", "resume(1)", "Continue to a breakpoint"),
    Key("continue-back", "C", "resume(-1)", "Continue backwards"),
    Key("to-cursor", "t", "to_cursor(1)", "Run to the cursor"),
    Key("to-cursor-back", "T", "to_cursor(-1)", "Back to the cursor"),
    Key("play", "space", "play", "Play / pause"),
    Key("faster", "plus,equals_sign", "speed(1)", "Faster"),
    Key("slower", "minus", "speed(-1)", "Slower"),
    Key("start", "g,home", "start", "To the start"),
    Key("end", "G,end", "end", "To the end, or to a step (123G)"),
    Key("cursor-down", "j,down,shift+down", "cursor(1, 0)", "Cursor down"),
    Key("cursor-up", "k,up,shift+up", "cursor(-1, 0)", "Cursor up"),
    Key("cursor-right", "shift+right", "cursor(0, 1)", "Cursor right"),
    Key("cursor-left", "shift+left", "cursor(0, -1)", "Cursor left"),
    Key("partner", "percent_sign", "partner", "Matching bracket"),
    Key("search", "slash", "ask('search')", "Search"),
    Key("search-next", "comma", "search_again(1)", "Next match"),
    Key("search-previous", "full_stop", "search_again(-1)", "Previous match"),
    Key("break", "b,f9", "toggle_break", "Breakpoint here / away"),
    Key("break-edit", "B", "edit_break", "Edit the breakpoint"),
    Key("write-before", "w", "write(-1)", "Previous write or push"),
    Key("write-after", "W", "write(1)", "Next write or push"),
    Key("writes", "v", "list_writes", "List its writes or pushes"),
    Key("origin", "p", "origin", "Where its value comes from"),
    Key("printed", "o", "jump_output", "To the step that printed it"),
    Key("read", "i", "jump_input", "To the step that read it"),
    Key("diagnose", "d", "diagnose", "Why it ended, or if it ever will"),
    Key("compare", "D", "compare", "Compare with another run"),
    Key("mark", "m", "await_mark('set')", "Set a mark (ma)"),
    Key("to-mark", "apostrophe", "await_mark('go')", "Go to a mark ('a)"),
    Key("note", "a", "note", "Add a note of this moment"),
    Key("notes", "A", "notes", "The notebook"),
    Key("watch", "u", "watch", "Watch an expression"),
    Key("watches", "U", "watches", "The watches"),
    Key("granularity", "y", "granularity", "By source line / by instruction"),
    Key("source", "Y", "turn_text", "Source / program"),
    Key("heat", "e", "heat", "Heat: how often executed"),
    Key("base", "x", "base", "Number base"),
    Key("output-mode", "r", "output_mode", "Output raw / hex / terminal"),
    Key("page-next", "right_curly_bracket", "turn_page(1)", "Next tab"),
    Key("page-previous", "left_curly_bracket", "turn_page(-1)", "Previous tab"),
    Key("pane-next", "tab", "zoom_next(1)", "Next pane"),
    Key("pane-previous", "shift+tab", "zoom_next(-1)", "Previous pane"),
    Key("zoom", "z", "zoom", "Maximise the pane"),
    Key("command", "colon", "ask('command')", "Command line"),
    Key("choose", "enter", "choose", "Go there, or type input"),
    Key("cancel", "escape", "cancel", "Stop / let go"),
)


def bindings() -> list[Binding]:
    """The table as Textual wants it; the pane shows its own hints, the help lists these."""
    return [
        Binding(key.keys, key.action, key.words, show=False, id=f"debug.{key.id}") for key in KEYS
    ]


HINTS = (
    ("l/h", "step"),
    ("n/N", "over"),
    ("c/C", "cont"),
    ("space", "play"),
    ("w", "write"),
    ("b", "break"),
    (":", "command"),
    ("?", "help"),
)
HINTS_SOURCED = (
    ("l/h", "step"),
    ("n/N", "over"),
    ("c/C", "cont"),
    ("y", "by line"),
    ("Y", "source"),
    ("w", "write"),
    ("b", "break"),
    ("?", "help"),
)
HINTS_BY_LINE = (
    ("s/S", "line"),
    ("n/N", "other"),
    ("l/h", "step"),
    ("c/C", "cont"),
    ("y", "by step"),
    ("Y", "program"),
    ("b", "break"),
    ("?", "help"),
)
"""With a source map, by what ``s`` steps."""
HINTS_BUSY = (("Esc", "stop"),)
HINTS_PLAYING = (("space", "pause"), ("+/-", "speed"), ("Esc", "stop"))
HINTS_WAITING = (("Enter", "type input"), ("h", "step back"), (":feed", "without a newline"))
"""What the bottom row says, by what goes on."""
