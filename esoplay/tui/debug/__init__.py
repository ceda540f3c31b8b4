"""The debug pane: a program, its state, its input and output, at any step of its run."""

from esoplay.tui.debug.pane import DebugPane

__all__ = ["DebugPane"]
