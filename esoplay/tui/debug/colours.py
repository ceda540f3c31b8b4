"""The theme variables that the debug pane draws with.

A theme may set them; for one that does not, ``esoplay.tui.themes`` derives them from the
general colours, so the pane works in every Textual theme.
"""

from __future__ import annotations

VARIABLES = {
    "next": "background of the next instruction; $next-text is written on it",
    "pointer": "the pointer's cell and the mark of the current row",
    "changed": "cells that the last move changed",
    "breakpoint": "breakpoints, in the program and on the timeline",
    "future": "output that known history prints after now",
    "consumed": "input that has been read",
    "diff-expected": "expected output",
    "diff-got": "the first wrong byte",
    "code-loop": "brackets",
    "code-move": "pointer movements; reads on the timeline",
    "code-arithmetic": "changes of cells",
    "code-io": "reading and printing; output on the timeline",
    "code-comment": "comments, line numbers, secondary text",
}
"""What each variable colours."""
