# Names for the C compiler: with an enum, a chain of comparisons becomes a switch.
from esolangs.reasons cimport BUDGET, CHUNK, ENDED, FLUSH, MEMORY_FULL, NEEDS_INPUT, OUTPUT_FULL, OWN, STOP

cdef extern from *:
    """
    #define WS_MOST 9223372036854775807LL
    #define WS_BIG (-WS_MOST - 1)
    """
    const long long MOST "WS_MOST"
    const long long BIG "WS_BIG"

cdef enum:
    PUSH = 0
    DUP = 1
    COPY = 2
    SWAP = 3
    DISCARD = 4
    SLIDE = 5
    ADD = 6
    SUB = 7
    MUL = 8
    DIV = 9
    MOD = 10
    STORE = 11
    RETRIEVE = 12
    LABEL = 13
    CALL = 14
    JUMP = 15
    JZ = 16
    JN = 17
    RETURN = 18
    END = 19
    PRINTC = 20
    PRINTN = 21
    READC = 22
    READN = 23
    HALT = 24

cdef enum:
    SLOT_COST = 16
    FRAME_COST = 8
    CELL_COST = 16
    FAR_COST = 128
    BIG_COST = 32

cdef enum:
    UNDERFLOW = OWN
    BY_ZERO = OWN + 1
    NO_LABEL = OWN + 2
    NO_CALL = OWN + 3
    NO_CHARACTER = OWN + 4
    NO_NUMBER = OWN + 5
    NO_INPUT = OWN + 6
    COMPILE = OWN + 7

cdef enum:
    EOF_ERROR = -2
    EOF_UNCHANGED = -3

cdef enum:
    MOST_BITS = 1048576
    LEAST_CELLS = 64
    HEAD_START = 1024
    HOT = 40
    LONGEST_PAUSE = 256
    TURN = 65536
