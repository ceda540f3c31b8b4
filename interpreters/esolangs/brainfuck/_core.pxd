# Names for the C compiler: with an enum, a chain of comparisons becomes a switch.
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

cdef enum:
    HEAD = 4

cdef enum:
    BUDGET = 0
    STOP = 1
    ENDED = 2
    NEEDS_INPUT = 3
    UNDERFLOW = 4
    OVERFLOW = 5
    MEMORY_FULL = 6
    OUTPUT_FULL = 7
    FLUSH = 8
    GROW_UP = 9
    GROW_DOWN = 10

cdef enum:
    CHUNK = 4096
