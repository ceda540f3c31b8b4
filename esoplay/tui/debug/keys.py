"""The actions of the debug pane with their labels, and the hints in its last line.

The keys themselves are in :mod:`esoplay.tui.keys`.
"""

from __future__ import annotations

from esoplay.tui.keys import Action, FooterKey, FooterKeys, escape_key, footer_key

_LABELS = (
    ("step", "Step"),
    ("step-back", "Step back"),
    ("step-s", "Step"),
    ("step-back-s", "Step back"),
    ("over", "Step over a loop or call"),
    ("over-back", "Step back over a loop or call"),
    ("finish", "Step out of the loop or call"),
    ("finish-back", "Step back to the start of the loop or call"),
    ("continue", "Continue to a breakpoint"),
    ("continue-back", "Continue backwards"),
    ("to-cursor", "Run to the cursor"),
    ("to-cursor-back", "Run back to the cursor"),
    ("play", "Play / pause"),
    ("faster", "Faster"),
    ("slower", "Slower"),
    ("start", "Go to the start"),
    ("end", "Go to the end, or to a step (123G)"),
    ("cursor-down", "Cursor down"),
    ("cursor-up", "Cursor up"),
    ("cursor-right", "Cursor right"),
    ("cursor-left", "Cursor left"),
    ("scroll-down", "Scroll down"),
    ("scroll-up", "Scroll up"),
    ("scroll-right", "Scroll right"),
    ("scroll-left", "Scroll left"),
    ("go-to-cell", "Go to a cell"),
    ("set-cell", "Set the selected cell"),
    ("undo", "Undo setting a cell"),
    ("partner", "Go to the matching bracket"),
    ("search", "Search"),
    ("search-next", "Next match"),
    ("search-previous", "Previous match"),
    ("break", "Toggle breakpoint"),
    ("break-edit", "Edit the breakpoint"),
    ("write-before", "Go to the previous write or push"),
    ("write-after", "Go to the next write or push"),
    ("writes", "List the writes or pushes"),
    ("origin", "Show the origin of the value"),
    ("printed", "Go to the step that printed the byte"),
    ("read", "Go to the step that read the byte"),
    ("diagnose", "Explain why the run ended or loops"),
    ("compare", "Compare with another run"),
    ("mark", "Set a mark (ma)"),
    ("to-mark", "Go to a mark ('a)"),
    ("note", "Add a note on this step"),
    ("notes", "Show the notebook"),
    ("watch", "Watch an expression"),
    ("watches", "Show the watches"),
    ("granularity", "Step by source line / instruction"),
    ("source", "Switch source / program"),
    ("heat", "Heat: how often executed"),
    ("base", "Number base"),
    ("output", "Focus the output or go back"),
    ("output-mode", "Output raw / hex / terminal"),
    ("page-next", "Next tab"),
    ("page-previous", "Previous tab"),
    ("pane-next", "Next pane"),
    ("pane-previous", "Previous pane"),
    ("zoom", "Maximise the pane"),
    ("command", "Command line"),
    ("choose", "Open the selection, or type input"),
    ("cancel", "Stop / clear the selection"),
)
"""Labels of the actions, by action id."""

ACTIONS = tuple(Action(f"debug.{id}", f"do('{id}')", label) for id, label in _LABELS)
"""The actions of the pane, which are available in all its boxes."""

Hints = tuple[FooterKey, ...]
"""Keys in the last line; the last two keys are always shown."""


def _hint(label: str, *names: str) -> FooterKey:
    return footer_key("debug", label, *(f"debug.{name}" for name in names))


_STEP = _hint("step", "step", "step-back")
_CONTINUE = _hint("cont", "continue", "continue-back")
_BREAK = _hint("break", "break")
_STOP = _hint("stop", "cancel")
_HELP = footer_key("screen", "help", "help")
_LAST = (footer_key("screen", "leave", "view.toggle"), _HELP)
"""The keys that leave the debugger and open help."""

HINTS: Hints = (
    _STEP,
    _hint("over", "over", "over-back"),
    _CONTINUE,
    _hint("play", "play"),
    _hint("write", "write-before"),
    _BREAK,
    _hint("command", "command"),
    *_LAST,
)
HINTS_WITH_MAP: Hints = (
    _STEP,
    _hint("over", "over", "over-back"),
    _CONTINUE,
    _hint("by line", "granularity"),
    _hint("source", "source"),
    _hint("write", "write-before"),
    _BREAK,
    *_LAST,
)
HINTS_BY_LINE: Hints = (
    _hint("line", "step-s", "step-back-s"),
    _hint("other", "over", "over-back"),
    _STEP,
    _CONTINUE,
    _hint("by step", "granularity"),
    _hint("program", "source"),
    _BREAK,
    *_LAST,
)
"""Hints for a program with a source map, while ``step-s`` steps by line."""
HINTS_OUTPUT: Hints = (
    footer_key("bytes", "move", "bytes.left", "bytes.right"),
    _hint("step that printed it", "choose"),
    _hint("origin", "origin"),
    _hint("hex", "output-mode"),
    _hint("step", "step", "step-back"),
    _hint("leave", "cancel"),
    _HELP,
)
"""Hints while the output has the focus."""
HINTS_CHAIN: Hints = (
    _hint("link", "cursor-down", "cursor-up"),
    _hint("go there", "choose"),
    _hint("back to the output", "cancel"),
    _HELP,
)
"""Hints while the log has the focus and shows the origin of an output byte."""
HINTS_INPUT: Hints = (
    footer_key("bytes", "move", "bytes.left", "bytes.right"),
    _hint("step that read it", "choose"),
    _hint("leave", "cancel"),
    _HELP,
)
HINTS_BUSY: Hints = (_STOP,)
HINTS_PLAYING: Hints = (_hint("pause", "play"), _hint("speed", "faster", "slower"), _STOP)
HINTS_WAITING: Hints = (
    _hint("type input", "choose"),
    _hint("step back", "step-back"),
    FooterKey(":feed", "without a newline"),
    *_LAST,
)
"""Hints while the program waits for input."""


def hints_after_count(count: str) -> Hints:
    """Return the keys that can follow a count; the count is shown first."""
    return (
        FooterKey(f"{count}…", "then:"),
        _hint("steps", "step", "step-back"),
        _hint("step over", "over", "over-back"),
        _hint(f"to step {count}", "end"),
        _hint("down/up", "cursor-down", "cursor-up"),
        _hint("clear", "cancel"),
        _HELP,
    )


HINTS_MARK: Hints = (
    FooterKey("", "press a letter to name the mark"),
    escape_key("cancel"),
)
HINTS_TO_MARK: Hints = (
    FooterKey("", "press the letter of a mark"),
    escape_key("cancel"),
)
"""Hints while the letter of a mark is awaited."""


def to_footer_keys(hints: Hints) -> FooterKeys:
    """Return ``hints`` as keys for the footer; the last two are always shown.

    If the last two are ``_LAST``, the footer shows other bindings before them where they fit.
    """
    return FooterKeys(hints[:-2], hints[-2:], with_other_keys=hints[-2:] == _LAST)
