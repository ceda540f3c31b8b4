"""Memory layout and local variables of a translated program, and instructions to access them."""

from __future__ import annotations

from esolangs.reasons import CHUNK
from esolangs.wasm import (
    I32,
    I32_ADD,
    I32_LOAD,
    I32_LOAD8_U,
    I32_LOAD16_U,
    I32_MUL,
    I32_SHL,
    I32_STORE,
    I32_STORE8,
    I32_STORE16,
    I32_SUB,
    I64,
    I64_LOAD,
    I64_STORE,
    I64_SUB,
    get,
    i32,
    i64,
    load_i32,
    load_i64,
    uleb128,
)

# Reasons why compiled code returns to the core.
LEAVE, HALTED, NEST = range(3)


class Exit:
    """A point at which compiled code returns to the core.

    command: number of the command where the core continues, or -1 for the end of the program.
    offset: number to add to the pointer.  refund: number to add to the remaining steps.  nest:
    number of the nest of a ``NEST`` exit.  single_round_depths: see :class:`TierBlock`.
    """

    __slots__ = ("command", "kind", "nest", "offset", "refund", "single_round_depths")

    def __init__(
        self,
        kind: int,
        command: int,
        offset: int,
        refund: int,
        nest: int,
        single_round_depths: tuple[int, ...],
    ):
        self.kind = kind
        self.command = command
        self.offset = offset
        self.refund = refund
        self.nest = nest
        self.single_round_depths = single_round_depths


# Addresses in the memory of the module.
CONTROL = 64
ROUNDS = 1 << 12
OUT_BYTES = 1 << 14
OUT_STEPS = OUT_BYTES + CHUNK
IN_BYTES = OUT_STEPS + 8 * CHUNK
IN_STEPS = IN_BYTES + CHUNK
NEST_FLAGS = IN_STEPS + 8 * CHUNK
FIXED = NEST_FLAGS + (1 << 12)

# Numbers of the control words, of 8 bytes each.
(POINTER, LEFT, HIGH, LOW, PRINTED, ROOM, LIMIT, READ, INPUT, EXIT) = range(10)

PATH = 256
"""Address of a table by which compiled code finds the block with which it has to begin.

The table has two words for each nesting level; a level is the program or the body of a loop.  The
first word is the number of remaining steps, or ``ENTERING`` if the block is on a deeper level.  The
second word selects the block, or the loop that contains it.
"""

ENTERING = -(1 << 62)

# Local variables: the address of the current cell minus the bias, the remaining steps, the same
# after a merged loop, the value that a loop tests, the number of a loop's round, and the remaining
# steps before a scan.
PLACE, STEPS, NEXT, VALUE, ROUND, BEFORE = range(6)
LOCAL_TYPES = [I32, I64, I64, I32, I64, I64]

ZERO_VALUE = i32(0)
LOADS = {1: I32_LOAD8_U, 2: I32_LOAD16_U, 4: I32_LOAD}
STORES = {1: I32_STORE8, 2: I32_STORE16, 4: I32_STORE}


def load_control(number: int) -> bytes:
    return load_i32(CONTROL + 8 * number)


def load_wide_control(number: int) -> bytes:
    return load_i64(CONTROL + 8 * number)


def load_rounds(depth: int) -> bytes:
    return i32(0) + I64_LOAD + uleb128(ROUNDS + 8 * depth)


def store_rounds(depth: int) -> bytes:
    return I64_STORE + uleb128(ROUNDS + 8 * depth)


def increment(number: int, index: bytes) -> bytes:
    """Return code that sets control word ``number`` to an index plus 1.

    index: code that pushes the index.
    """
    return i32(0) + index + i32(1) + I32_ADD + I32_STORE + uleb128(CONTROL + 8 * number)


def store_step(index: bytes, refund: int) -> bytes:
    """Return code that stores in a buffer the number of the step that prints or reads.

    The code lacks its last operand, the address of the buffer, which the caller appends.  index:
    code for the index in the buffer.  refund: number of the block's steps from the print or read
    on, which are counted already.
    """
    step = load_wide_control(LIMIT) + get(STEPS) + I64_SUB + i64(refund - 1) + I64_SUB
    return index + i32(3) + I32_SHL + step + I64_STORE


def add_multiple(count: bytes, factor: int) -> bytes:
    """Return code that adds a multiple of a count to the value on the stack.

    count: code that pushes the count.
    """
    if factor == 1:
        return count + I32_ADD
    if factor == -1:
        return count + I32_SUB
    return count + i32(factor) + I32_MUL + I32_ADD


def add_code(value: bytes, addition: bytes) -> bytes:
    """Return code that pushes a value and adds to it; omit an addition to the constant 0.

    value: code that pushes the value.  addition: code that pushes a number and adds or subtracts
    the number.
    """
    if value == ZERO_VALUE and addition.endswith(I32_ADD):
        return addition[: -len(I32_ADD)]
    return value + addition
