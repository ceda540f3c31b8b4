"""What keys do in the debug pane, and the hints of its bottom row.

The keys themselves are in :mod:`esoplay.tui.keys`.
"""

from __future__ import annotations

from esoplay.tui.keys import Action, key_names

ACTIONS = (
    Action("debug.step", "step(1)", "Step"),
    Action("debug.step-back", "step(-1)", "Step back"),
    Action("debug.step-s", "unit(1)", "Step"),
    Action("debug.step-back-s", "unit(-1)", "Step back"),
    Action("debug.over", "leap('loop', 1)", "Over a loop or a call"),
    Action("debug.over-back", "leap('loop', -1)", "Back over a loop or a call"),
    Action("debug.finish", "leap('finish', 1)", "Out of the loop or call"),
    Action("debug.finish-back", "leap('finish', -1)", "Back to where it began"),
    Action("debug.continue", "resume(1)", "Continue to a breakpoint"),
    Action("debug.continue-back", "resume(-1)", "Continue backwards"),
    Action("debug.to-cursor", "to_cursor(1)", "Run to the cursor"),
    Action("debug.to-cursor-back", "to_cursor(-1)", "Back to the cursor"),
    Action("debug.play", "play", "Play / pause"),
    Action("debug.faster", "speed(1)", "Faster"),
    Action("debug.slower", "speed(-1)", "Slower"),
    Action("debug.start", "start", "To the start"),
    Action("debug.end", "end", "To the end, or to a step (123G)"),
    Action("debug.cursor-down", "cursor(1, 0)", "Cursor down"),
    Action("debug.cursor-up", "cursor(-1, 0)", "Cursor up"),
    Action("debug.cursor-right", "cursor(0, 1)", "Cursor right"),
    Action("debug.cursor-left", "cursor(0, -1)", "Cursor left"),
    Action("debug.partner", "partner", "Matching bracket"),
    Action("debug.search", "ask('search')", "Search"),
    Action("debug.search-next", "search_again(1)", "Next match"),
    Action("debug.search-previous", "search_again(-1)", "Previous match"),
    Action("debug.break", "toggle_break", "Breakpoint here / away"),
    Action("debug.break-edit", "edit_break", "Edit the breakpoint"),
    Action("debug.write-before", "write(-1)", "Previous write or push"),
    Action("debug.write-after", "write(1)", "Next write or push"),
    Action("debug.writes", "list_writes", "List its writes or pushes"),
    Action("debug.origin", "origin", "Where its value comes from"),
    Action("debug.printed", "jump_output", "To the step that printed it"),
    Action("debug.read", "jump_input", "To the step that read it"),
    Action("debug.diagnose", "diagnose", "Why it ended, or if it ever will"),
    Action("debug.compare", "compare", "Compare with another run"),
    Action("debug.mark", "await_mark('set')", "Set a mark (ma)"),
    Action("debug.to-mark", "await_mark('go')", "Go to a mark ('a)"),
    Action("debug.note", "note", "Add a note of this moment"),
    Action("debug.notes", "notes", "The notebook"),
    Action("debug.watch", "watch", "Watch an expression"),
    Action("debug.watches", "watches", "The watches"),
    Action("debug.granularity", "granularity", "By source line / by instruction"),
    Action("debug.source", "turn_text", "Source / program"),
    Action("debug.heat", "heat", "Heat: how often executed"),
    Action("debug.base", "base", "Number base"),
    Action("debug.output-mode", "output_mode", "Output raw / hex / terminal"),
    Action("debug.page-next", "turn_page(1)", "Next tab"),
    Action("debug.page-previous", "turn_page(-1)", "Previous tab"),
    Action("debug.pane-next", "zoom_next(1)", "Next pane"),
    Action("debug.pane-previous", "zoom_next(-1)", "Previous pane"),
    Action("debug.zoom", "zoom", "Maximise the pane"),
    Action("debug.command", "ask('command')", "Command line"),
    Action("debug.choose", "choose", "Go there, or type input"),
    Action("debug.cancel", "cancel", "Stop / let go"),
)
"""The actions of the pane, for every box in it."""

Hints = tuple[tuple[str, str], ...]
"""Keys and words."""


def _hint(words: str, *names: str) -> tuple[str, str]:
    return key_names("debug", *(f"debug.{name}" for name in names)), words


_STEP = _hint("step", "step", "step-back")
_CONTINUE = _hint("cont", "continue", "continue-back")
_BREAK = _hint("break", "break")
_STOP = _hint("stop", "cancel")
_HELP = (key_names("screen", "help"), "help")

HINTS: Hints = (
    _STEP,
    _hint("over", "over", "over-back"),
    _CONTINUE,
    _hint("play", "play"),
    _hint("write", "write-before"),
    _BREAK,
    _hint("command", "command"),
    _HELP,
)
HINTS_SOURCED: Hints = (
    _STEP,
    _hint("over", "over", "over-back"),
    _CONTINUE,
    _hint("by line", "granularity"),
    _hint("source", "source"),
    _hint("write", "write-before"),
    _BREAK,
    _HELP,
)
HINTS_BY_LINE: Hints = (
    _hint("line", "step-s", "step-back-s"),
    _hint("other", "over", "over-back"),
    _STEP,
    _CONTINUE,
    _hint("by step", "granularity"),
    _hint("program", "source"),
    _BREAK,
    _HELP,
)
"""With a source map, by what ``step-s`` steps."""
HINTS_BUSY: Hints = (_STOP,)
HINTS_PLAYING: Hints = (_hint("pause", "play"), _hint("speed", "faster", "slower"), _STOP)
HINTS_WAITING: Hints = (
    _hint("type input", "choose"),
    _hint("step back", "step-back"),
    (":feed", "without a newline"),
)
"""What the bottom row says, by what is going on."""
