"""Numbers shared by the parser, the block compiler and the core (see ``_core.pxd``).

Commands are the eight of the language and the end of the program.  The block compiler translates
them to operations.  A block is a head and its operations; an operation is its number and its
operands.  All are in one flat array, so a jump needs a single load.  ``offset`` is a cell relative
to the pointer at the entry of the block.
"""

from __future__ import annotations

from esolangs.reasons import OWN

RIGHT, LEFT, PLUS, MINUS, PRINT, READ, OPEN, CLOSE, HALT = range(9)

# The operations; OPERANDS has their operands.
ADD = 0  # cell += n
CLEAR = 1  # [-] or [+]
MOVE = 2  # [->+<]: one target
MUL_HEAD = 3  # several targets: MULs follow
MUL = 4  # cell to += n × cell offset
ZERO = 5  # ends a run of MULs
OUT = 6
IN = 7
SCAN = 8  # [>>>] or [], a block of its own
JUMP_ZERO = 9  # [
JUMP_BACK = 10  # ], and [ again
GO = 11  # the next block follows
END = 12
COUNT_HEAD = 13  # [--]: MULs follow
JUMP_NEST = 14  # ] of a nest, and [ again
FAR_MOVE = 15  # like MOVE and MUL_HEAD, but with cells outside the range of the block
FAR_MUL_HEAD = 16
ENTER_NEST = 17  # [ of a nest

OPERANDS = (
    "offset n",  # ADD
    "offset cmd refund sign",  # CLEAR
    "offset cmd refund sign k to n low high",  # MOVE
    "offset cmd refund sign k skip low high",  # MUL_HEAD
    "offset to n",  # MUL
    "offset",  # ZERO
    "offset cmd refund",  # OUT
    "offset cmd refund",  # IN
    "cmd stride k depth next",  # SCAN
    "offset body exit depth",  # JUMP_ZERO
    "offset body exit depth",  # JUMP_BACK
    "offset next",  # GO
    "offset",  # END
    "offset cmd refund factor k skip shift low high",  # COUNT_HEAD
    "offset body exit depth nest",  # JUMP_NEST
    "offset cmd refund sign k to n low high",  # FAR_MOVE
    "offset cmd refund sign k skip low high",  # FAR_MUL_HEAD
    "offset body exit nest",  # ENTER_NEST
)
"""The names of the operands of each operation, by its number."""

LENGTH = tuple(1 + len(operands.split()) for operands in OPERANDS)
"""The number of entries in ``ops`` for an operation and its operands, by operation number."""

LOOP_BEGINS = (JUMP_ZERO, ENTER_NEST)
LOOP_ENDS = (JUMP_BACK, JUMP_NEST)
BLOCK_ENDS = frozenset({*LOOP_BEGINS, *LOOP_ENDS, SCAN, GO, END})
MOVES = (MOVE, FAR_MOVE)
MUL_HEADS = (MUL_HEAD, FAR_MUL_HEAD)
MERGED_LOOPS = (CLEAR, *MOVES, *MUL_HEADS, COUNT_HEAD)
"""The operations that execute all rounds of a loop at once, apart from scans."""

# cmd: the command at which single steps continue if the operation cannot be executed as a whole.
# refund: static cost from there to the end of the block, which is refunded in that case.
# low, high: the lowest and highest cell that a round visits.
# sign: what a round adds to the counting cell, 1 or -1.  k: steps per round.
# factor, shift: a loop ends after (cell >> shift) × factor rounds, modulo 2 ** (bits - shift);
# it never ends if one of the lowest ``shift`` bits of the cell is 1.

HEAD = 4  # numbers before a block's operations: cost, lowest and highest cell, command

MERGED = -2
"""``Blocks.entry`` of a merged loop's first command is this number minus an index in ``loops``.

A merged loop is a loop whose rounds can be executed at once, and the index is that of its record.

A record in ``loops`` is k, factor, shift, lowest and highest cell, the number of sums, and the
sums: pairs of a cell, relative to the counting cell, and the number that a round adds to it.  The
first sum belongs to the counting cell.

A nest is a loop that contains loops, all of which leave the pointer unchanged, and no input, output
or scan.  Its ``]`` has such an entry too, and the operand ``nest`` is the index of its record:
depth, lowest and highest cell, number of the nest, number of the cells that the inner loops test,
and these cells, relative to the cell of the nest.
"""

MAX_NEST_CELLS = 128
"""Maximum number of cells from the lowest to the highest of a nest (see ``MERGED``).

Nested loops with more cells are executed round by round.
"""

MAX_NEST_DEPTH = 32
"""Loops at this nesting depth or deeper are not treated as nests."""

PAUSE_STEPS = 1 << 24
"""Number of steps, without the rounds that are executed at once, after which a run pauses."""

MAX_MISSES = 32
"""Number of failed comparisons after which the first 16 rounds of a nest are not compared.

For nests, see ``MERGED``.  A comparison succeeds if a round does not change the cells that the
inner loops test.  A success resets the count.
"""

# Reasons why a run of the core returns, in addition to those in `reasons`.
UNDERFLOW, OVERFLOW, GROW_UP, GROW_DOWN = range(OWN, OWN + 4)
