"""Codes of the operations of traces and of the kinds of exits; the core has the same codes.

The core declares them in ``_core.pxd``.  A trace is a flat array: a head, operations, exits.
Places and depths count from the top of the stack where the trace begins: place 0 is the first
above the top, and the entries of the stack have negative places.

Head: cost in steps; entries that the stack must have; places from 0 that must exist; greatest
depth; number of places whose numbers must fit slots; those places.  An operation: its code; its
operands; the indices of the exits that it may take.

An exit: steps of the trace that were not executed; change of depth; greatest depth until the
exit; kind; instruction at which execution continues (unused for ``BACK``); number of moves; those
moves.  A move: the place to write; whether its source is a constant; that constant, or the place
to read.
"""

from __future__ import annotations

HEAD = 5
MAX_TEMPORARIES = 32

# Kinds of exits: to single steps; to the trace at the instruction; to that at the return point.
BAIL, GO, BACK = range(3)

T_ADD = 0  #      to, a, b, exit
T_ADDC = 1  #     to, a, constant, exit
T_SUB = 2  #      to, a, b, exit
T_RSUBC = 3  #    to, a, constant, exit: constant - a
T_MUL = 4  #      to, a, b, exit
T_MULC = 5  #     to, a, constant, exit
T_DIV = 6  #      to, a, b, exit
T_MOD = 7  #      to, a, b, exit
T_SHR = 8  #      to, a, bits, exit: division by a power of two, rounded down
T_AND = 9  #      to, a, mask, exit: remainder by a power of two
T_SET = 10  #     to, constant
T_LOAD = 11  #    to, address, exit
T_LOADC = 12  #   to, constant address, exit
T_STORE = 13  #   address, value, exit
T_STOREC = 14  #  constant address, value, exit
T_STOREK = 15  #  address, constant value, exit
T_STORECK = 16  # constant address, constant value, exit
T_JZ = 17  #      a, exit
T_JN = 18  #      a, exit
T_JEQ = 19  #     a, b, exit where the difference fits no slot, exit where it is zero
T_JEQC = 20  #    a, constant, …
T_JLT = 21  #     a, b, …, exit where a - b is negative
T_JLTC = 22  #    a, constant, …, where a - constant is negative
T_JGTC = 23  #    a, constant, …, where constant - a is negative
T_CALL = 24  #    return point, exit
T_POP = 25  #     a return at which the trace continues
T_RETURN = 26  #  exit where there is no call, exit
T_END = 27  #     exit

OPERATIONS = range(28)
