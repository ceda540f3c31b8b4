# Names for the C compiler: with an enum, a chain of comparisons becomes a switch.
from esolangs._slot_table_c cimport SlotTable
from esolangs.filters cimport FILTER_CELL, MAX_FILTER_DEPTH, MAX_FILTER_LEVELS, FILTER_PASSES, FILTER_REGISTER, run_filter
from esolangs.reasons cimport BUDGET, CHUNK, ENDED, FLUSH, MEMORY_FULL, NEEDS_INPUT, OUTPUT_FULL, OWN, PAUSE, STOP, WORK_FULL

cdef extern from *:
    """
    #define WS_MOST 9223372036854775807LL
    #define WS_BIG (-WS_MOST - 1)
    #ifdef __SIZEOF_INT128__
    #define WS_WIDE 1
    typedef __int128 ws_wide;
    #define WS_WORD ((ws_wide)1 << 64)
    #define WS_WIDEST ((ws_wide)1 << 126)
    #define WS_HIGH(number) ((long long)((number) >> 64))
    #define WS_WORDS(high, low) ((ws_wide)(((unsigned __int128)(high) << 64) | (low)))
    #else
    #define WS_WIDE 0
    typedef long long ws_wide;
    #define WS_WORD 0
    #define WS_WIDEST 0
    #define WS_HIGH(number) 0
    #define WS_WORDS(high, low) 0
    #endif
    """
    ctypedef long long wide "ws_wide"
    const int WIDE "WS_WIDE"
    const wide WORD "WS_WORD"
    const wide WIDE_LIMIT "WS_WIDEST"
    long long high_word "WS_HIGH" (wide number) nogil
    wide from_words "WS_WORDS" (long long high, unsigned long long low) nogil
    const long long MAX_SLOT "WS_MOST"
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
    FAR_WORK = 64
    FREE_WORK = 1 << 18
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
    MAX_BITS = 1048576
    WIDE_BITS = 126
    MIN_CELLS = 64
    MIN_FAR_ADDRESS = 1024
    HOT_COUNT = 40
    MAX_PAUSE = 256
    TURN_INSTRUCTIONS = 65536
    WORK_SLICE = 1048576
    MIN_VISIT_INSTRUCTIONS = 64

cdef enum:
    HEAD = 5
    BAIL = 0
    GO = 1
    BACK = 2

cdef enum:
    T_ADD = 0
    T_ADDC = 1
    T_SUB = 2
    T_RSUBC = 3
    T_MUL = 4
    T_MULC = 5
    T_DIV = 6
    T_MOD = 7
    T_SHR = 8
    T_AND = 9
    T_SET = 10
    T_LOAD = 11
    T_LOADC = 12
    T_STORE = 13
    T_STOREC = 14
    T_STOREK = 15
    T_STORECK = 16
    T_JZ = 17
    T_JN = 18
    T_JEQ = 19
    T_JEQC = 20
    T_JLT = 21
    T_JLTC = 22
    T_JGTC = 23
    T_CALL = 24
    T_POP = 25
    T_RETURN = 26
    T_END = 27
