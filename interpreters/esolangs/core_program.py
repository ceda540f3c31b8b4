"""A program whose machines need its text, their input and limits, and nothing of the world."""

from __future__ import annotations

from abc import abstractmethod

from esolangs.language import Program
from esolangs.limits import Limits

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.core_machine import CoreMachine
    from esolangs.machine import Snapshot
    from esolangs.world import World


class CoreProgram(Program):
    """Starts and resumes machines; a language that draws lots or asks the world does it itself."""

    @abstractmethod
    def new_machine(self, stdin: bytes, closed: bool, limits: Limits) -> CoreMachine:
        """A machine at step 0."""

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
