# Names for the C compiler: with an enum, a chain of comparisons becomes a switch.
from esolangs.filters cimport FILTER_CELL, MAX_FILTER_DEPTH, MAX_FILTER_LEVELS, FILTER_PASSES, FILTER_REGISTER, run_filter
from esolangs.reasons cimport BUDGET, CHUNK, ENDED, FLUSH, MEMORY_FULL, NEEDS_INPUT, OUTPUT_FULL, OWN, PAUSE, STOP, WORK_FULL

cdef enum:
    WIDTH = 6
    LARGE_COST = 48

cdef enum:
    SKIPPED = 0
    SET = 1
    SET_ADD = 2
    SET_SUB = 3
    SET_MUL = 4
    SET_DIV = 5
    SET_MOD = 6
    SET_EXPR = 7
    PUSH = 8
    PUSH_EXPR = 9
    ASK = 10
    ASK_EXPR = 11
    POP = 12
    GOTO = 13
    OUT_CHAR = 14
    OUT_NUMBER = 15
    IN_CHAR = 16
    IN_NUMBER = 17
    ENTER = 18
    EXIT = 19
    EXEUNT = 20
    PAUSE_HERE = 21
    NOBODY = 22

cdef enum:
    YOU = -1
    UNKNOWN = -2
    ADD = -3
    SUB = -4
    MUL = -5
    DIV = -6
    MOD = -7
    TWICE = -8
    SQUARE = -9
    CUBE = -10
    ROOT = -11
    FACTORIAL = -12

cdef enum:
    GREATER = 0
    SMALLER = 1
    EQUAL = 2
    NEGATED = 3

cdef enum:
    IF_SO = 1
    IF_NOT = 2

cdef enum:
    SLOW = OWN
    OFF_STAGE = OWN + 1
    ALONE = OWN + 2
    CROWD = OWN + 3
    ON_STAGE_ALREADY = OWN + 4
    NOT_ON_STAGE = OWN + 5
    EMPTY_STACK = OWN + 6
    BY_ZERO = OWN + 7
    NEGATIVE_ROOT = OWN + 8
    NEGATIVE_FACTORIAL = OWN + 9
    NO_CHARACTER = OWN + 10
    NO_DIGITS = OWN + 11
    NO_INPUT = OWN + 12
    NO_SCENE = OWN + 13
    NO_PERSON = OWN + 14

cdef extern from *:
    """
    #define SHAKESPEARE_TAG 4611686018427387904LL
    """
    const long long TAG "SHAKESPEARE_TAG"
