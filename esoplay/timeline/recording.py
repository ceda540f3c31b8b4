"""What replay needs: inputs, never states."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import takewhile

from esolangs.language import OptionValue
from esolangs.limits import MEBIBYTE, UNLIMITED, Limits, World
from esolangs.stops import Address

DEBUG_LIMITS = Limits(steps=UNLIMITED, output=2 * MEBIBYTE, memory=256 * MEBIBYTE)
"""A debugger may run on as long as its user likes; what it must remember is bounded."""


@dataclass(frozen=True, slots=True)
class Edit:
    """A cell that the user changed after ``step`` steps; replay changes it again."""

    step: int
    address: Address
    value: int


@dataclass(frozen=True, slots=True)
class Recording:
    """One run, fully determined.

    stdin: all input so far.  closed: whether it ends there.  edits: in order of step.
    started: when the run began, in seconds since 1970, for programs that ask for the time.
    """

    language: str
    dialect: str
    options: Mapping[str, OptionValue]
    source: bytes
    stdin: bytes = b""
    closed: bool = True
    seed: int = 0
    limits: Limits = DEBUG_LIMITS
    edits: tuple[Edit, ...] = field(default=())
    started: int = 0

    @property
    def world(self) -> World:
        """What the program sees of the outside: a time that stands still, and no files."""
        return World(self.started)


def first_change(old: Recording, new: Recording) -> int | None:
    """The step after which two versions of a recording differ by an edit; None if none does."""
    pairs = zip(old.edits, new.edits, strict=False)
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
    return min((edit.step for edit in (*old.edits[same:], *new.edits[same:])), default=None)
