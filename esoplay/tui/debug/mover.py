"""Moves in time without ever freezing the screen.

A move is tried at once; if it is not done within a moment it is called off and made again
in a thread, with progress at most thirty times a second, until it ends or is cancelled.
While a thread works, nobody else may touch the debugger: :attr:`Mover.busy` says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial

from textual.message import Message
from textual.widget import Widget

from esoplay.debugging.debugger import Stop
from esoplay.tui.debug.target import Move

PATIENCE = 0.012
"""Seconds that a move may take on the screen's own thread."""
FRAME = 1 / 30
"""Seconds between two reports of progress."""


class Mover:
    """Makes one move at a time for ``host``, which gets the messages below."""

    class Progress(Message):
        """``done`` steps of the present move have been made."""

        def __init__(self, turn: int, done: int) -> None:
            super().__init__()
            self.turn = turn
            self.done = done

        def can_replace(self, message: Message) -> bool:
            return isinstance(message, Mover.Progress)

    class Finished(Message):
        """The thread is done; ``end`` is the stop it came to, or why an engine failed."""

        def __init__(self, turn: int, end: Stop | Exception) -> None:
            super().__init__()
            self.turn = turn
            self.end = end

    def __init__(
        self,
        host: Widget,
        arrived: Callable[[Move, Stop], None],
        broke: Callable[[Exception], None],
    ) -> None:
        self._host = host
        self._arrived = arrived
        self._broke = broke
        self._turn = 0
        self._move: Move | None = None
        self._waiting: Move | None = None
        self._cancelled = False
        self.done = 0

    @property
    def busy(self) -> bool:
        """A thread is at work on the debugger."""
        return self._move is not None

    @property
    def name(self) -> str:
        """What is being done, for the status line."""
        return "" if self._move is None else self._move.name

    def make(self, move: Move) -> None:
        """Make a move; one under way is cancelled first, and this one follows it."""
        if self.busy:
            self._waiting = move
            self.cancel()
            return
        if move.slow:
            self.begin(move)
            return
        patience = _Patience()
        try:
            stop = move.run(patience)
        except Exception as error:
            self._broke(error)
            return
        if patience.lost:
            self.begin(move)
        else:
            self._arrived(move, stop)

    def begin(self, move: Move) -> None:
        """Make a move in a thread from the start; nothing may be under way."""
        self._turn += 1
        self._move = move
        self._cancelled = False
        self.done = 0
        work = partial(self._work, move, self._turn)
        self._host.run_worker(work, name=move.name, group="debugger", thread=True)

    def cancel(self) -> bool:
        """Ask the move under way to stop where it began; False when there is none."""
        if not self.busy:
            return False
        self._cancelled = True
        return True

    def stop(self) -> bool:
        """Cancel the move under way and the one that was to follow it; False without any."""
        self._waiting = None
        return self.cancel()

    def abandon(self) -> None:
        """Let the move under way end unheard: its debugger is not shown any more."""
        self._cancelled = True
        self._move = self._waiting = None
        self._turn += 1

    def take_progress(self, message: Progress) -> bool:
        """Note progress; False when it is about a move that is over."""
        if message.turn != self._turn or not self.busy:
            return False
        self.done = message.done
        return True

    def take_finish(self, message: Finished) -> None:
        """Hand over the end of the present move, and make the one that waits."""
        if message.turn != self._turn or self._move is None:
            return
        move, self._move = self._move, None
        waiting, self._waiting = self._waiting, None
        if isinstance(message.end, Exception):
            self._broke(message.end)
            return
        self._arrived(move, message.end)
        if waiting is not None:
            self.make(waiting)

    def _work(self, move: Move, turn: int) -> None:
        """In the thread."""
        end: Stop | Exception
        try:
            end = move.run(partial(self._tick, turn, _Metronome()))
        except Exception as error:
            end = error
        self._host.post_message(self.Finished(turn, end))

    def _tick(self, turn: int, metronome: _Metronome, done: int, _total: int) -> bool:
        if metronome.beats():
            self._host.post_message(self.Progress(turn, done))
        return not self._cancelled and turn == self._turn


class _Patience:
    """A ticker that says no once a move takes too long."""

    def __init__(self) -> None:
        self._deadline = time.monotonic() + PATIENCE
        self.lost = False

    def __call__(self, _done: int, _total: int) -> bool:
        self.lost = time.monotonic() > self._deadline
        return not self.lost


class _Metronome:
    """Beats at most once a frame."""

    def __init__(self) -> None:
        self._next = time.monotonic() + FRAME

    def beats(self) -> bool:
        now = time.monotonic()
        if now < self._next:
            return False
        self._next = now + FRAME
        return True
