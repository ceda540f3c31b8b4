"""Numbers and names shared by the parser, the trace compiler and the core (see ``_core.pxd``).

Source of the commands and their spelling: the Whitespace tutorial of Edwin Brady and
Chris Morris, with ``copy`` and ``slide`` of wspace 0.3.
"""

from __future__ import annotations

from esolangs.reasons import OWN

(
    PUSH, DUP, COPY, SWAP, DISCARD, SLIDE,
    ADD, SUB, MUL, DIV, MOD,
    STORE, RETRIEVE,
    LABEL, CALL, JUMP, JZ, JN, RETURN, END,
    PRINTC, PRINTN, READC, READN,
    HALT,
) = range(25)  # fmt: skip
"""The 24 instructions, and the end of the program."""

NO_OPERAND, NUMBER, NAME = range(3)

INSTRUCTIONS: tuple[tuple[str, str, int], ...] = (
    ("push", "SS", NUMBER),
    ("dup", "SLS", NO_OPERAND),
    ("copy", "STS", NUMBER),
    ("swap", "SLT", NO_OPERAND),
    ("discard", "SLL", NO_OPERAND),
    ("slide", "STL", NUMBER),
    ("add", "TSSS", NO_OPERAND),
    ("sub", "TSST", NO_OPERAND),
    ("mul", "TSSL", NO_OPERAND),
    ("div", "TSTS", NO_OPERAND),
    ("mod", "TSTT", NO_OPERAND),
    ("store", "TTS", NO_OPERAND),
    ("retrieve", "TTT", NO_OPERAND),
    ("label", "LSS", NAME),
    ("call", "LST", NAME),
    ("jump", "LSL", NAME),
    ("jz", "LTS", NAME),
    ("jn", "LTT", NAME),
    ("return", "LTL", NO_OPERAND),
    ("end", "LLL", NO_OPERAND),
    ("printc", "TLSS", NO_OPERAND),
    ("printn", "TLST", NO_OPERAND),
    ("readc", "TLTS", NO_OPERAND),
    ("readn", "TLTT", NO_OPERAND),
)
"""Mnemonic, spelling and kind of operand; the index is the instruction's number."""

BIG = -(1 << 63)
"""Marks a slot whose number has more than 63 bits and is stored separately."""

SLOT_COST = 16  # bytes of the cost model: a place of the stack
FRAME_COST = 8  # a return point
CELL_COST = 16  # a cell of the window of the heap
FAR_COST = 128  # a cell outside of it
FAR_WORK = 64  # units of work for each far cell when the window grows
FREE_WORK = 1 << 18  # free units of a step in which the window grows
BIG_COST = 32  # a number of more than 63 bits, and 8 for every 64 bits of it

# Why a run of the core returned, in addition to the reasons that all cores share.
(
    UNDERFLOW, BY_ZERO, NO_LABEL, NO_CALL, NO_CHARACTER, NO_NUMBER, NO_INPUT, COMPILE,
) = range(OWN, OWN + 8)  # fmt: skip

MIN_CELLS = 64  # minimum size of the heap's window, unless empty
MIN_FAR_ADDRESS = 1024  # addresses below it enlarge even an empty window
HOT_COUNT = 40  # times that control reaches an instruction before a trace starts there
MAX_PAUSE = 256  # most transfers of control without traces after short visits to them
MIN_VISIT_INSTRUCTIONS = 64  # instructions that a visit to the traces must at least execute
TURN_INSTRUCTIONS = 1 << 16  # instructions after which a run pauses, so that other threads run
WORK_SLICE = 1 << 20  # work between two pauses

# Values of the core's `eof` other than 0 and -1.
EOF_ERROR, EOF_UNCHANGED = -2, -3
