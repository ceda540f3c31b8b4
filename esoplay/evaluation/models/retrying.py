"""Asking again, after a while, where that may help."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from threading import Event

from esoplay.evaluation.models.asking import Answer, Message, Model, Unavailable

FIRST_PAUSE = 1.0
"""Seconds; each further pause is twice as long as the one before."""
LONGEST_PAUSE = 60.0
"""Seconds, unless the endpoint asks for more."""
MOST_PATIENCE = 900.0
"""Seconds that an endpoint may ask for."""


class Stopped(Exception):
    """The evaluation was called off."""


class Retrying:
    """Asks a model up to ``retries`` times more than once; ``stop`` ends every pause."""

    def __init__(
        self, model: Model, retries: int, stop: Event, *, first_pause: float = FIRST_PAUSE
    ):
        self._model = model
        self._retries = retries
        self._stop = stop
        self._first = first_pause

    def ask(
        self, messages: Sequence[Message], seed: int | None, noted: Callable[[str, float], None]
    ) -> Answer:
        """The answer; ``noted`` is told of each failure, and for how many seconds it waits then.

        Raises Unavailable after the last try, Stopped, and what ``Model.ask`` raises besides.
        """
        for tries in range(self._retries + 1):
            if self._stop.is_set():
                raise Stopped
            try:
                return self._model.ask(messages, seed)
            except Unavailable as error:
                if self._stop.is_set():
                    raise Stopped from None
                if tries == self._retries:
                    raise
                pause = self._pause(tries, error.wait)
                noted(str(error), pause)
            if self._stop.wait(pause):
                raise Stopped
        raise AssertionError("the last try returns or raises")

    def _pause(self, tries: int, asked: float | None) -> float:
        """What was asked for; else twice as long each time, less up to a half by chance, so that
        those who were refused together do not come back together."""
        if asked is not None:
            return min(asked, MOST_PATIENCE)
        return min(LONGEST_PAUSE, self._first * 2**tries) * random.uniform(0.5, 1)
