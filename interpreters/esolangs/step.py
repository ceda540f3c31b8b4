"""What one step did.  Built only for those who step singly; running at speed builds none."""

from __future__ import annotations

from typing import NamedTuple

from esolangs.source import Span
from esolangs.stops import Address, Slot


class Write(NamedTuple):
    """A cell got a value (perhaps the one it had)."""

    address: Address
    old: int
    new: int


class Step(NamedTuple):
    """One executed step.

    number: 1 for the first; the machine's ``steps`` after it.
    span: source bytes of the instruction.  location: what a location stop would name.
    writes: cells written.  pushes: places on stacks that got a value.  printed: bytes
    printed.  read: bytes of input consumed; None when it did not read, empty when it met the
    end of input.
    """

    number: int
    span: Span
    location: Address
    writes: tuple[Write, ...] = ()
    printed: bytes = b""
    read: bytes | None = None
    pushes: tuple[Slot, ...] = ()
