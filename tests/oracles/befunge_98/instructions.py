"""All instructions except digits, letters and ``;``, as functions of interpreter and pointer."""

from __future__ import annotations

from oracles.befunge_98.arithmetic import ARITHMETIC
from oracles.befunge_98.cells import CELLS
from oracles.befunge_98.io import PRINTING_AND_READING
from oracles.befunge_98.moving import MOVING
from oracles.befunge_98.semantics import Semantics
from oracles.befunge_98.stacks import STACKS
from oracles.befunge_98.system import SYSTEM

DIGITS = "0123456789abcdef"
COMMON = '!"#$%&*+,-./:<>?@\\^_`gpv|~'
# Number of values that an instruction pops; under some options fewer values are a fault.
NEEDS = {
    **dict.fromkeys("+-*/%`\\wxg", 2), **dict.fromkeys("!_|$.,jksq{}uy()", 1), "p": 3,
}  # fmt: skip
INSTRUCTIONS: dict[str, Semantics] = {
    **ARITHMETIC, **MOVING, **STACKS, **CELLS, **PRINTING_AND_READING, **SYSTEM,
}  # fmt: skip
