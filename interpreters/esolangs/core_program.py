"""A program whose machines need its text, their input and limits, and nothing of the world."""

from __future__ import annotations

from esolangs.language import Program
from esolangs.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from esolangs.core_machine import CoreMachine
    from esolangs.machine import Snapshot
    from esolangs.world import World


class CoreProgram(Program):
    """Starts and resumes machines; a language that draws lots or asks the world does it itself.

    machine_class: called with this program, a core, the input, whether it is closed, and limits.
    """

    machine_class: type[CoreMachine]

    def new_core(self, limits: Limits) -> Any:
        """A core at step 0 under this program's options."""
        raise NotImplementedError("a language defines new_core or new_machine")

    def new_machine(self, stdin: bytes, closed: bool, limits: Limits) -> CoreMachine:
        """A machine at step 0."""
        machine = self.machine_class(self, self.new_core(limits), stdin, closed, limits)
        machine.begin()
        return machine

    def start(
        self,
        stdin: bytes = b"",
        *,
        closed: bool = True,
        seed: int = 0,
        limits: Limits | None = None,
        world: World | None = None,
    ) -> CoreMachine:
        return self.new_machine(stdin, closed, limits or Limits())

    def resume(
        self,
        snapshot: Snapshot,
        stdin: bytes = b"",
        *,
        closed: bool = True,
        limits: Limits | None = None,
        world: World | None = None,
    ) -> CoreMachine:
        machine = self.new_machine(stdin, closed, limits or Limits())
        machine.restore(snapshot)
        return machine
