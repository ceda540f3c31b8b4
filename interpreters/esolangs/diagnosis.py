"""The interface through which a language explains states and faults of its programs.

Nothing here is needed to run a program; a language loads it when it is first asked.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from esolangs.machine import Machine
    from esolangs.stops import Step

PARSE_ERROR = "parse_error"
"""The kind of fault under which advice for parse errors is stored."""


class Store(NamedTuple):
    """Something that a fault found empty, or too low.

    number: for ``level``.  name: such as ``the stack``.
    """

    number: int
    name: str


class Oddity(NamedTuple):
    """Something that a step did and that often surprises.

    kind: a stable word.  text: a sentence without its full stop.
    """

    kind: str
    text: str


class Diagnostics(ABC):
    """One language's knowledge; without state.

    advice: for every kind of fault what to try, and for ``PARSE_ERROR``.
    odd: what kinds of oddities there are, with what each is called and what to try.
    """

    advice: Mapping[str, str]
    odd: Mapping[str, tuple[str, str]] = {}

    @abstractmethod
    def key(self, machine: Machine) -> Hashable:
        """All of the state that decides what comes next, but the rest of the input.

        Two states of one program with equal keys continue alike on the same remaining input.  The
        key does not include steps, output, or how much memory was used before.
        """

    @abstractmethod
    def brief(self, machine: Machine) -> Hashable:
        """A part of ``key`` that costs little, whatever the size of the state."""

    @abstractmethod
    def at_end_of_input(self, options: Mapping[str, str | int]) -> str:
        """What reading at the end of input does, such as ``it stores 0``."""

    def parse_advice(self, message: str) -> str:
        """Return what to try after a ParseError with this message; may be empty."""
        return self.advice[PARSE_ERROR]

    def store(self, machine: Machine) -> Store | None:
        """What the machine's fault found too low, when it is of such a kind."""
        return None

    def level(self, machine: Machine, store: Store) -> int:
        """How much ``store`` has in a state."""
        raise NotImplementedError

    def oddity(self, machine: Machine, step: Step) -> Oddity | None:
        """What is odd about the step that the machine executed last."""
        return None
