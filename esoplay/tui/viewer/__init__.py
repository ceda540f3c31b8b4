"""A viewer for evaluations: questions, answers, programs and verdicts, with the debugger."""

from __future__ import annotations

from esoplay.tui.viewer.source import ViewerSource


def launch_viewer(source: ViewerSource) -> int:
    """Show an evaluation in this terminal until the user quits, and return the exit code."""
    from esoplay.tui.viewer.screen import viewer_app

    return viewer_app(source).run_until_exit()
