"""What is known about Countfish's states; it has no faults."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from esolangs.diagnosis import PARSE_ERROR, Diagnostics

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from esolangs.countfish.machine import CountfishMachine

    from esolangs.language import Options
    from esolangs.machine import Machine


class CountfishDiagnostics(Diagnostics):
    advice: Mapping[str, str] = {PARSE_ERROR: "write the comment without an x"}

    def key(self, machine: Machine) -> Hashable:
        core = cast("CountfishMachine", machine).core
        return core.ip, core.value

    def partial_key(self, machine: Machine) -> Hashable:
        return self.key(machine)

    def describe_end_of_input(self, options: Options) -> str:
        return f"it adds {options['eof']}"
