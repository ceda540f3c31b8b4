# Names for the C compiler: with an enum, a chain of comparisons becomes a switch.
from esolangs.reasons cimport BUDGET, CHUNK, ENDED, FLUSH, MEMORY_FULL, NEEDS_INPUT, OUTPUT_FULL, OWN, STOP

cdef enum:
    RIGHT = 0
    LEFT = 1
    PLUS = 2
    MINUS = 3
    PRINT = 4
    READ = 5
    OPEN = 6
    CLOSE = 7
    HALT = 8

cdef enum:
    ADD = 0
    CLEAR = 1
    MOVE = 2
    MUL_HEAD = 3
    MUL = 4
    ZERO = 5
    OUT = 6
    IN = 7
    SCAN = 8
    JUMP_ZERO = 9
    JUMP_BACK = 10
    GO = 11
    END = 12
    COUNT_HEAD = 13

cdef enum:
    HEAD = 4
    MERGED = -2

cdef enum:
    UNDERFLOW = OWN
    OVERFLOW = OWN + 1
    GROW_UP = OWN + 2
    GROW_DOWN = OWN + 3
