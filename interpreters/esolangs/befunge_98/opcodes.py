"""Numbers shared by the parser and the core (see ``_core.pxd``).

Besides its value, every cell of the window has a code of one byte, by which the core selects the
instruction: the value of a digit, the character of any other instruction, UNKNOWN or EDGE.
"""

from __future__ import annotations

from esolangs.reasons import OWN

UNKNOWN = 16  # a cell that is not an instruction under the current options
EDGE = 17  # the ring of cells around the window

SPACE = 32
BLANK = 32  # the value of a cell that was never written

# Requests and faults of the core, in addition to the shared reasons.
LOST, UNDERFLOW, ZERO_DIVISION, NO_INSTRUCTION, NO_NUMBER = range(OWN, OWN + 5)

REFLECT, IGNORE, FAULT = range(3)  # effect of an unknown instruction

TRAIL_LENGTH = 32  # number of points saved that were executed last; a power of two

# Cost model of memory, bytes.
CELL_COST = 8  # a cell of the window, or of a stack's room
FAR_COST = 256  # a cell outside the window that is not blank
IP_COST = 768
STACK_COST = 160  # a stack without its room
REPEAT_COST = 128  # a `k` that has repetitions left
MEANING_COST = 160  # a meaning of a letter, from a fingerprint
MAX_CELLS_PER_FAR_CELL = 128  # maximum growth of the window, in cells, for each far cell inside
MAX_GROWN_CELLS = 4_000_000  # most cells of a window that grows in advance of writes
REACHED_GROUPS = 2048  # groups of cells, marked when one of them is executed; a power of two
MIN_ROOM = 16  # initial room of a stack, in cells

# Units of work (docs/limits.md) for what an instruction does with many cells: each is about
# 3 ns of the compiled engine.
FREE_WORK = 1 << 18  # free units of each instruction
FREE_ROOM = 1 << 20  # cells of a stack's room whose memory is freed without a charge
SHIFT_WORK = 1  # a value of a stack whose values all move by one place
COPY_WORK = 2  # a value that is copied from one stack to another, or a cell with its window
PASS_WORK = 2  # a cell of the window that a flying IP passes
STRING_WORK = 16  # a value of a string that is popped
SKIP_WORK = 16  # a far cell between two semicolons, in one of the four directions
SIZE_WORK = 32  # a value whose size is computed, or for which Python creates an object
MOVE_WORK = 64  # a value that is popped, pushed or read singly, or a stack that is copied
OUTSIDE_WORK = (
    128  # a far cell where the window may grow, or a cell outside it that a flying IP passes
)
WRITE_WORK = 256  # a cell that is written

# The changes of an IP by MODE and IMAP, as bits.
HOVER, INVERT, QUEUE, SWITCH, MAPPED = 1, 2, 4, 8, 16

MAX_SHIFTED = 1 << 20
"""Maximum stack size in invert and queue mode, where a step may move all values of the stack.
A larger stack counts as exceeding the memory limit.
"""

MAX_COORDINATE = 1 << 4096
"""Maximum of coordinates, deltas and counts if cells are unbounded.  Larger numbers would make a
single step slow, so they count as exceeding the memory limit.
"""

STACK_KEY_FACTOR = 1_000_000_000
"""Factor in the key of a stack, more than the number of stacks that an IP can have.  The key
is the IP's id times this factor plus the stack's index in the stack of stacks, where the lowest
stack has index 0.  Key 0 is the lowest stack of IP 0, key 1 the stack that ``{`` puts on it, and
key 3,000,000,001 the second stack of IP 3.
"""

_MAX_FREE_RING_CELLS = 1 << 16


def size_of_window(width: int, height: int) -> int:
    """Return the bytes of memory that are charged for a window of cells.

    The ring of cells around the window is charged only if the window is large.
    """
    cells = width * height
    return CELL_COST * (cells if cells <= _MAX_FREE_RING_CELLS else (width + 2) * (height + 2))


_COMMON = b'!"#$%&*+,-./:<>?@\\^_`gpv|~'
_ALL = _COMMON + b"'();=[]ijknoqrstuwxyz{}" + bytes(range(65, 91))
_REDUCED = _COMMON + b"';[]jknqrsx"


def codes(instructions: str) -> bytes:
    """Return a table with the instruction code of each cell value from 0 to 255.

    The code of a digit is its value, that of another instruction is its character, and that of any
    other character is UNKNOWN.  instructions: the name of a set of instructions, ``"all"``
    (Funge-98), ``"93"`` (Befunge-93) or ``"reduced"`` (the benchmark's interpreter).
    """
    table = bytearray([UNKNOWN]) * 256
    for value in {"all": _ALL, "93": _COMMON, "reduced": _REDUCED}[instructions]:
        table[value] = value
    table[SPACE] = SPACE
    for digit in range(10 if instructions == "93" else 16):
        table[b"0123456789abcdef"[digit]] = digit
    if instructions == "reduced":
        for digit in range(10, 16):
            table[b"ABCDEF"[digit - 10]] = digit
    return bytes(table)
