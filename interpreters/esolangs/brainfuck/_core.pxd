# Names for the C compiler: with an enum, a chain of comparisons becomes a switch.
from esolangs.filters cimport MAX_FILTER_DEPTH, FILTER_PASSES, FILTER_REGISTER, run_filter
from esolangs.reasons cimport BUDGET, CHUNK, ENDED, FLUSH, MEMORY_FULL, NEEDS_INPUT, OUTPUT_FULL, OWN, PAUSE, STOP

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
    JUMP_NEST = 14
    FAR_MOVE = 15
    FAR_MUL_HEAD = 16
    ENTER_NEST = 17

cdef enum:
    HEAD = 4
    MERGED = -2
    MAX_NEST_CELLS = 128
    MAX_NEST_DEPTH = 32
    MAX_MISSES = 32
    PAUSE_STEPS = 1 << 24

cdef enum:
    UNDERFLOW = OWN
    OVERFLOW = OWN + 1
    GROW_UP = OWN + 2
    GROW_DOWN = OWN + 3
