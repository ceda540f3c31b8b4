"""The interface through which a language shows a running program to a debugger.

Running a program does not need this module; a language's inspector is loaded on first use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

from esolangs.view import View, Window

if TYPE_CHECKING:
    from esolangs.machine import LeapKind, Machine
    from esolangs.stops import Address, Leap, Slot
    from esolangs.view import Location, Panel, PartOrigin, Value

M = TypeVar("M", bound="Machine")


class Inspector(Generic[M]):
    """Base class of inspectors, which describe the machines of one language and have no state.

    Most methods implement the method of :class:`esolangs.machine.Machine` with the same name.
    Languages without an inspector use this class.
    """

    def location(self, machine: M) -> Location:
        """Return the next instruction with a description."""
        raise NotImplementedError

    def panels(self, machine: M, window: Window) -> tuple[Panel, ...]:
        """Return the panels of the state; ``window`` limits their size, however large the state."""
        raise NotImplementedError

    def view(self, machine: M, window: Window | None = None) -> View:
        return View(
            step=machine.steps,
            status=machine.status,
            location=self.location(machine),
            panels=self.panels(machine, window or Window()),
            output_length=machine.output_length,
            input_position=machine.input_position,
            memory=machine.memory,
            fault=machine.fault,
            limit=machine.limit,
        )

    def leap(self, machine: M, kind: LeapKind) -> Leap | None:
        return None

    def copied_from(self, machine: M, place: Address | Slot) -> Address | Slot | None:
        return None

    def printed_from(self, machine: M) -> Address | Slot | None:
        return None

    def operand(self, machine: M) -> Value | None:
        return None

    def part_origins(self, machine: M, window: Window | None = None) -> tuple[PartOrigin, ...]:
        raise ValueError(
            "this machine is not tracing: call trace() at step 0, in a language with terms"
        )
