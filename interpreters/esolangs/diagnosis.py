"""The interface through which a language explains states and faults of its programs.

Running a program does not need this module; a language loads it on first use.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from esolangs.machine import Machine
    from esolangs.stops import Step

PARSE_ERROR = "parse_error"
"""Key of the advice for parse errors in ``Diagnostics.advice``."""


class Store(NamedTuple):
    """A stack or other store that had too few values for the step that faulted.

    number: identifier of the store for ``value_count``.  name: text such as ``the stack``.
    """

    number: int
    name: str


class UnexpectedEffect(NamedTuple):
    """An effect of a step that is legal but often a mistake, such as a cell that wraps around.

    kind: a stable identifier.  text: a sentence without its full stop.
    """

    kind: str
    text: str


class Diagnostics(ABC):
    """Base class that explains faults and endless runs of programs in one language.

    Instances do not have a state.

    advice: advice by kind of fault, and for ``PARSE_ERROR``.  unexpected_effects: title and advice
    by kind of unexpected effect.
    """

    advice: Mapping[str, str]
    unexpected_effects: Mapping[str, tuple[str, str]] = {}

    @abstractmethod
    def key(self, machine: Machine) -> Hashable:
        """Return the part of the state that decides how the program continues.

        Two states of one program with equal keys continue identically on the same remaining input.
        The key does not include steps, output, or how much memory was used before.
        """

    @abstractmethod
    def partial_key(self, machine: Machine) -> Hashable:
        """Return a part of ``key`` that is cheap to compute; if it differs, the keys differ."""

    @abstractmethod
    def describe_end_of_input(self, options: Mapping[str, str | int]) -> str:
        """Return the effect of a read at the end of input, such as ``',' stores 0``."""

    def parse_error_advice(self, message: str) -> str:
        """Return advice for a ParseError with this message, or ''."""
        return self.advice[PARSE_ERROR]

    def underflowed_store(self, machine: Machine) -> Store | None:
        """Return the store that had too few values for the faulting step, or None."""
        return None

    def value_count(self, machine: Machine, store: Store) -> int:
        """Return the number of values in ``store``."""
        raise NotImplementedError

    def unexpected_effect(self, machine: Machine, step: Step) -> UnexpectedEffect | None:
        """Return the unexpected effect of the last step, or None."""
        return None
