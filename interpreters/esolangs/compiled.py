"""Shared parts of native tiers: compiling in a thread, and rests after short visits.

Nothing here is imported unless ``ESOPLAY_TIER`` asks for a tier.
"""

from __future__ import annotations

import threading
from abc import ABC, abstractmethod

from esolangs.reasons import BUDGET, PAUSE

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Any

SOON = 0.05
"""Minimum seconds in the core before ``auto`` compiles a program."""

TURN = 1 << 26
"""Maximum steps until the tier returns to its caller, where a user can interrupt the run."""

SHORT = 1 << 18
"""Minimum number of remaining steps for a visit to the tier."""

_LONGEST_REST = 1 << 32


def run_core(core: Any, limit: int, until: int) -> int:
    """Run a core up to a step; return its reason, or PAUSE if that step is below the limit."""
    reason: int = core.run(min(limit, until))
    return PAUSE if reason == BUDGET and until < limit else reason


class Rests:
    """Decides when a tier is not worth its visits.

    short: steps below which a visit is short.  many: number of consecutive short visits after
    which the tier rests.  first: length of the first rest in steps; each further rest is twice as
    long, until a visit is not short.  until: the step up to which the tier rests.
    """

    def __init__(self, short: int, many: int, first: int) -> None:
        self.until = 0
        self._least = short
        self._many = many
        self._first = first
        self._short = 0
        self._rests = 0

    def judge(self, taken: int, steps: int) -> None:
        """Start a rest after ``many`` short visits.  taken: steps of the last visit."""
        if taken >= self._least:
            self._short = self._rests = 0
            return
        self._short += 1
        if self._short == self._many:
            self._short = 0
            self.until = steps + min(self._first << self._rests, _LONGEST_REST)
            self._rests += 1

    def stop(self) -> None:
        """Rest until the end of the run."""
        self.until = 1 << 62


class Compiler(ABC):
    """Compiles a program now or in a thread.

    refused: whether the program cannot be compiled, or must not be compiled again.
    """

    def __init__(self) -> None:
        self.refused = False
        self._thread: threading.Thread | None = None

    @abstractmethod
    def compile(self) -> None:
        """Compile the program now, or refuse it."""

    @property
    def is_busy(self) -> bool:
        """Whether a thread is compiling the program."""
        return self._thread is not None and self._thread.is_alive()

    def begin(self) -> None:
        """Compile the program in a thread, unless it is refused or a thread already does."""
        if not self.refused and not self.is_busy:
            self._thread = threading.Thread(target=self.compile, name="compile", daemon=True)
            self._thread.start()
