"""A running Unlambda program: the contract's face of the core.

Cost model of memory: eight bytes for every word that is alive, on the heap and in the
continuation.  `kx takes 1 word, `sx 1, ``sxy 2, `dX of a value 1, of two values that an
s brought together 2, of an expression none; a frame that waits for an operand takes 1
word, one that keeps a value besides 2.  `c` moves frames to the heap, where each takes
one more.  Atoms and captured continuations take nothing beyond the frames they hold.

What is alive is measured before an application of k, s, d, a promise or c (and of what
k and s gave, but `kx) when as many words were taken since the last time as were alive
then, halved, but at least ``NURSERY``; the first such application measures at once.
Only a measurement finds that the limit is exceeded.
"""

from __future__ import annotations

from esolangs.core_machine import CoreMachine
from esolangs.limits import Limits
from esolangs.machine import Snapshot
from esolangs.unlambda.opcodes import LAST_VALUE, PLACE, PLACES, REMEMBERED, TAG

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.errors import Fault
    from esolangs.machine import LeapKind
    from esolangs.step import Step
    from esolangs.stops import Address, Leap, StopSet
    from esolangs.unlambda._core import Core
    from esolangs.unlambda.program import UnlambdaProgram
    from esolangs.value import Value
    from esolangs.view import Made, View, Window

    _Arms = tuple[bytearray, int, bytearray, int, bool, bool]

ANYWHERE = -1
"""With a depth of frames it makes a location: any application for which no more wait."""


class UnlambdaMachine(CoreMachine):
    """See :class:`esolangs.machine.Machine`; there are no cells, and nothing can fault."""

    core: Core
    program: UnlambdaProgram
    _armed: tuple[StopSet, _Arms] | None = None

    @property
    def memory(self) -> int:
        return 8 * self.core.highest

    @property
    def location(self) -> int:
        return self._place_of(self.core.fun)

    def snapshot(self) -> Snapshot:
        heap, stack, registers = self.core.save()
        payload = (heap, stack, registers), self.input_position
        size = len(heap) + len(stack) + 300
        return Snapshot(self.core.steps, self.core.printed, size, payload)

    def restore(self, snapshot: Snapshot) -> None:
        """Become what ``snapshot`` recorded; nothing it printed is printed again."""
        saved, input_position = snapshot.payload
        self.core.load(saved)
        self._restored(snapshot, input_position)

    def peek(self, address: Address) -> int:
        raise ValueError(f"Unlambda has no cells: {address!r} names nothing")

    def poke(self, address: Address, value: int) -> None:
        raise ValueError(f"Unlambda has no cells that could be changed, such as {address!r}")

    def registers(self) -> dict[str, int]:
        core = self.core
        return {"char": core.current, "depth": self.depth, "cells": core.cells}

    @property
    def depth(self) -> int:
        """Frames of the continuation."""
        core = self.core
        return core.sp - 1 - core.pairs + (core.under >> PLACE & PLACES)

    def depth_after(self) -> int:
        """Frames of the continuation after the next step; this machine takes none."""
        stdin = bytes(self._dropped) + self._stdin  # what was dropped is not read again
        after = UnlambdaMachine(
            self.program, self.program.new_core(Limits()), stdin, self.core.closed, Limits()
        )
        after.restore(self.snapshot())
        after.run(1)
        return after.depth

    @property
    def ended(self) -> bool:
        """Whether nothing is left to apply."""
        return self.core.fun & TAG > LAST_VALUE

    def leap(self, kind: LeapKind) -> Leap | None:
        from esolangs.unlambda.leaps import leap

        return leap(self, kind)

    def operand(self) -> Value | None:
        from esolangs.unlambda.values import operand

        return operand(self)

    def view(self, window: Window | None = None) -> View:
        from esolangs.unlambda.panels import view_of

        return view_of(self, window)

    def trace(self) -> bool:
        if self.steps:
            raise ValueError("only at step 0 can tracing begin")
        self.core.trace()
        self._settle(0)
        return True

    def parts_made(self, window: Window | None = None) -> tuple[Made, ...]:
        from esolangs.unlambda.panels import births

        if not self.core.tracing:
            return super().parts_made(window)
        return tuple([self._made(birth) for birth in births(self, window)])

    def application_made(self, step: int) -> Made | None:
        core = self.core
        if not core.tracing or not core.steps - REMEMBERED < step <= core.steps or step < 1:
            return None
        return self._made(core.maker_of(step))

    def _made(self, birth: int) -> Made:
        from esolangs.view import Made

        return Made(birth) if birth > 0 else Made(0, self.program.span_of_term(~birth))

    def _fault_of(self, reason: int) -> Fault:
        raise AssertionError(f"a core that cannot fault gave {reason}")

    def _step_told(self) -> Step | None:
        core = self.core
        if core.last_fun < 0:
            return None
        from esolangs.step import Step

        place = self._place_of(core.last_fun)
        printed = bytes([core.last_printed]) if core.last_printed >= 0 else b""
        read = None
        if core.last_read >= -1:
            read = bytes([core.last_read]) if core.last_read >= 0 else b""
        return Step(self.steps, self.program.span_of(place), place, (), printed, read)

    def _place_of(self, fun: int) -> int:
        if fun & TAG > LAST_VALUE:
            return len(self.program.source)
        return fun >> PLACE & PLACES

    def _watch_core(self, stops: StopSet, scanning: bool) -> None:
        if self._armed is None or self._armed[0] != stops:
            self._armed = stops, self._arm(stops)
        self.core.watch(*self._armed[1], scanning)

    def _marks_at(self, locations: frozenset[Address]) -> tuple[bytearray, int]:
        marks = bytearray(len(self.program.source) + 1)
        most_frames = -1
        for offset in locations:
            if isinstance(offset, tuple):
                if len(offset) == 2 and offset[0] == ANYWHERE:
                    most_frames = max(most_frames, min(offset[1], 1 << 62))
            elif 0 <= offset < len(marks):
                marks[offset] = 1
        return marks, most_frames

    def _arm(self, stops: StopSet) -> _Arms:
        """Locations are offsets, or ``ANYWHERE`` and a depth of frames (see ``leaps``)."""
        marks, most_frames = self._marks(stops.locations, self._marks_at)
        printable = bytearray(256)
        for value in stops.output_values:
            printable[value] = 1
        index = stops.output_index
        if index is None or index >= 1 << 63:
            index = -1
        return marks, most_frames, printable, index, stops.inputs, stops.every
