"""A viewer for sessions: runs and submissions, their programs, and the changes between them."""

from __future__ import annotations

from esoplay.benchmark.replay import Replay
from esoplay.benchmark.session_watch import SessionWatch


def launch(replay: Replay) -> int:
    """Show a session in this terminal and return the exit code."""
    from esoplay.tui.replay.screen import replay_app

    return replay_app(replay).run_until_exit()


def launch_watch(watch: SessionWatch) -> int:
    """Show a session in this terminal while it is running, and return the exit code."""
    from esoplay.tui.replay.watch import watch_app

    return watch_app(watch).run_until_exit()
