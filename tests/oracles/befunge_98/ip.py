"""An instruction pointer, and the exception for a step that cannot be executed."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import Any

from oracles.befunge_98.space import Point

EAST, WEST, SOUTH, NORTH = (1, 0), (-1, 0), (0, 1), (0, -1)


class Refused(Exception):
    """A step cannot be executed.  status: to report.  fault: its kind, if it is a fault."""

    def __init__(self, status: str, fault: str = "") -> None:
        self.status = status
        self.fault = fault


@dataclass
class IP:
    id: int = 0
    at: Point = (0, 0)
    delta: Point = EAST
    offset: Point = (0, 0)
    stacks: list[list[int]] = field(default_factory=lambda: [[]])
    in_string: bool = False
    after_space: bool = False  # the last character pushed by a string was a space
    bindings: dict[str, list[tuple[int, str]]] = field(default_factory=dict)  # name and letter
    states: dict[str, Any] = field(default_factory=dict)  # the states of fingerprints
    hover: bool = False  # the modes of MODE
    invert: bool = False
    queue: bool = False
    switch: bool = False
    mapping: dict[int, int] = field(default_factory=dict)  # of IMAP, never changed in place
    repeats: list[list[int]] = field(default_factory=list)  # of "k": [times left, instruction]
    stays: bool = False  # the pointer does not move after this step
    moved: int = 0  # units of work on cells in the current step
    dead: bool = False
    strict: bool = False  # popping an empty stack is a fault

    def copied(self) -> IP:
        twin = copy.copy(self)
        twin.stacks = [stack[:] for stack in self.stacks]
        twin.bindings = {letter: names[:] for letter, names in self.bindings.items()}
        twin.states = dict(self.states)
        twin.repeats = [repeat[:] for repeat in self.repeats]
        return twin

    @property
    def toss(self) -> list[int]:
        return self.stacks[-1]

    def push(self, value: int) -> None:
        if self.invert:
            self.toss.insert(0, value)
        else:
            self.toss.append(value)

    def pop(self) -> int:
        if not self.toss:
            return 0
        return self.toss.pop(0) if self.queue else self.toss.pop()

    def turn(self, delta: Point) -> None:
        """Set the delta, or in hover mode add to it, as an arrow does."""
        if self.hover:
            delta = self.delta[0] + delta[0], self.delta[1] + delta[1]
        self.delta = delta

    def vector(self) -> Point:
        y, x = self.pop(), self.pop()
        return x, y

    def string(self) -> list[int]:
        chars: list[int] = []
        while (char := self.pop()) != 0:
            chars.append(char)
        self.moved += 16 * len(chars)
        return chars

    def push_string(self, chars: list[int]) -> None:
        self.moved += 64 * len(chars)
        self.push(0)
        for char in reversed(chars):
            self.push(char)

    def reflect(self) -> None:
        self.delta = -self.delta[0], -self.delta[1]
