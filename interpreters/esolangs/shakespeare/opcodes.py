"""Numbers shared by the parser and the core (see ``_core.pxd``).

A sentence or stage direction is one record of ``WIDTH`` numbers: its operation, the index of its
speaker, its condition, and up to three operands.  A value as an operand is the index of a
character, a higher index for a constant of the play, or ``YOU``.  An expression of several
operations is stored in postfix order in a separate table.
"""

from __future__ import annotations

from esolangs.reasons import OWN

WIDTH = 6
"""Numbers in a record: operation, speaker, condition, a, b, c."""

SKIPPED = 0  #    (a condition that did not hold; never in a record)
SET = 1  #        a                    you become a
SET_ADD = 2  #    a, b
SET_SUB = 3  #    a, b
SET_MUL = 4  #    a, b
SET_DIV = 5  #    a, b
SET_MOD = 6  #    a, b
SET_EXPR = 7  #   from, to             part of the postfix table
PUSH = 8  #       a                    remember
PUSH_EXPR = 9  #  from, to
ASK = 10  #       a, b, comparison
ASK_EXPR = 11  #  from, to, comparison  leaves two values
POP = 12  #                            recall
GOTO = 13  #      record, or -1 if the scene is missing
OUT_CHAR = 14
OUT_NUMBER = 15
IN_CHAR = 16
IN_NUMBER = 17
ENTER = 18  #     from, to             part of the table of lists
EXIT = 19  #      from, to
EXEUNT = 20  #                         everybody leaves
PAUSE_HERE = 21
NOBODY = 22  #                         the speaker is not in the dramatis personae

YOU = -1
UNKNOWN = -2  # a character who is not in the dramatis personae
ADD, SUB, MUL, DIV, MOD = -3, -4, -5, -6, -7  # in the order of words.BINARIES
TWICE, SQUARE, CUBE, ROOT, FACTORIAL = -8, -9, -10, -11, -12  # in the order of words.UNARIES

GREATER, SMALLER, EQUAL = 0, 1, 2  # a comparison; NEGATED is added when it is negated
NEGATED = 3

IF_SO, IF_NOT = 1, 2

TAG = 1 << 62
"""The smallest magnitude of a large number.

A large number is stored in ``large_numbers``, and its cell contains TAG + the index there.
"""

LARGE_COST = 48
"""Size of a large number in addition to its digits, in bytes of the cost model."""

# Why a run of the core returned, in addition to the reasons that all cores share.
(
    SLOW,
    OFF_STAGE,
    ALONE,
    CROWD,
    ON_STAGE_ALREADY,
    NOT_ON_STAGE,
    EMPTY_STACK,
    BY_ZERO,
    NEGATIVE_ROOT,
    NEGATIVE_FACTORIAL,
    NO_CHARACTER,
    NO_DIGITS,
    NO_INPUT,
    NO_SCENE,
    NO_PERSON,
) = range(OWN, OWN + 15)
