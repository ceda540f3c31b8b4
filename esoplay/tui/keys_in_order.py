"""Keys take effect one after the other, however fast they come.

Textual hands a key to the widget that has the keyboard at the moment the key is read.  When
several arrive at once – a fast typist, a script, a terminal that was busy – those behind a key
that moves the keyboard elsewhere (``:``, ``/``, ``e``, Enter) would reach the widget before it.
Here the next key is handed on when the last one has gone all its way.
"""

from __future__ import annotations

from collections import deque

from textual import events
from textual.app import App
from textual.dom import DOMNode
from textual.message import Message
from textual.timer import Timer

PATIENCE = 2.0
"""Seconds after which a key counts as done whatever has become of it."""
LOOK_AGAIN = 0.05
"""Seconds between two looks whether the widget of a key has gone away meanwhile."""


ROUNDS = 2
"""How often :class:`Done` goes the way of a key: behind the key itself, and behind what the key
made its widget send on the same way (Enter in a dialog, which closes it)."""


class Done(Message):
    """Follows a key on its way from the widget with the keyboard up to the application."""

    def __init__(self, number: int, target: DOMNode, rounds: int) -> None:
        super().__init__()
        self.number = number
        self.target = target
        self.rounds = rounds


class KeysInOrder(App[int]):
    """An application whose keys wait for each other."""

    def __init__(self) -> None:
        super().__init__()
        self._typed: deque[events.Key | events.Paste] = deque()
        self._number = 0
        self._under_way = False
        self._overdue: Timer | None = None
        self._target: DOMNode | None = None
        self._looks = 0

    @property
    def keys_begun(self) -> int:
        """How many keys have been sent on their way so far."""
        return self._number

    @property
    def is_typing(self) -> bool:
        """Keys are still on their way."""
        return self._under_way or bool(self._typed)

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._typed.append(event)
            await self._hand_on()
            self._mind_those_behind()
        else:
            await super().on_event(event)

    async def _hand_on(self) -> None:
        if self._under_way or not self._typed:
            return
        self._under_way = True
        self._number += 1
        self._target = target = self.focused or self.screen
        await super().on_event(self._typed.popleft())
        self._send_behind(Done(self._number, target, ROUNDS))

    def _send_behind(self, done: Done) -> None:
        if not done.target.post_message(done):
            self._follow(done.number)

    def on_done(self, message: Done) -> None:
        """A key has gone its way; what it asked for comes before the next."""
        if message.rounds > 1:
            self._send_behind(Done(message.number, message.target, message.rounds - 1))
        else:
            self._follow(message.number)

    def _mind_those_behind(self) -> None:
        """Keys that wait shall not wait for ever."""
        if self._under_way and self._typed and self._overdue is None:
            self._looks = 0
            self._overdue = self.set_interval(LOOK_AGAIN, self._look_after_it)

    def _look_after_it(self) -> None:
        """A widget that is gone will not say that its key has gone its way."""
        self._looks += 1
        gone = self._target is not None and not self._target.is_attached
        if gone or self._looks * LOOK_AGAIN >= PATIENCE:
            self._follow(self._number)

    def _follow(self, number: int) -> None:
        if number != self._number or not self._under_way:
            return
        if self._overdue is not None:
            self._overdue.stop()
            self._overdue = None
        self.call_later(self._release, number)

    async def _release(self, number: int) -> None:
        if number == self._number and self._under_way:
            self._under_way = False
            await self._hand_on()
            self._mind_those_behind()
