"""Diagnostics for Unlambda: keys that identify states, and advice for parse errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from esolangs.diagnosis import PARSE_ERROR, Diagnostics
from esolangs.unlambda.opcodes import PLACE, PLACE_MASK, TAG

if TYPE_CHECKING:
    from collections.abc import Hashable, Mapping

    from esolangs.language import Options
    from esolangs.machine import Machine
    from esolangs.unlambda._core import Core
    from esolangs.unlambda.program import UnlambdaMachine


class UnlambdaDiagnostics(Diagnostics):
    """The diagnostics of Unlambda; see :class:`esolangs.diagnosis.Diagnostics`.

    Keys consist of canonical words, which are equal for equal graphs of values and frames.
    """

    advice: Mapping[str, str] = {
        PARSE_ERROR: (
            "count the atoms: an expression with n '`' has n + 1 atoms; '.' and '?' include the "
            "next byte, whatever it is"
        ),
    }

    def key(self, machine: Machine) -> Hashable:
        core = _core(machine)
        return core.canonical(), core.pairs, core.character

    def partial_key(self, machine: Machine) -> Hashable:
        core = _core(machine)
        places = TAG | PLACE_MASK << PLACE
        return core.fun & places, core.arg & places, core.sp, core.pairs, core.character

    def describe_end_of_input(self, options: Options) -> str:
        return "@ clears the current character and applies its operand to v"

    def parse_error_advice(self, message: str) -> str:
        if "has no" in message:
            return "complete the program at the end, or remove one '`'"
        return self.advice[PARSE_ERROR]


DIAGNOSTICS = UnlambdaDiagnostics()


def _core(machine: Machine) -> Core:
    return cast("UnlambdaMachine", machine).core
