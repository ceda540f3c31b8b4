# Names for the C compiler: with an enum, a chain of comparisons becomes a switch.
from esolangs._slot_table_c cimport SlotTable
from esolangs.filters cimport MAX_FILTER_DEPTH, MAX_FILTER_LEVELS, FILTER_PASSES, FILTER_POINT, FILTER_REGISTER, run_filter
from esolangs.reasons cimport BUDGET, CHUNK, ENDED, FLUSH, MEMORY_FULL, NEEDS_INPUT, OUTPUT_FULL, OWN, PAUSE, STOP, WORK_FULL

cdef enum:
    UNKNOWN = 16
    EDGE = 17
    SPACE = 32
    BLANK = 32

cdef enum:
    LOST = OWN
    UNDERFLOW = OWN + 1
    ZERO_DIVISION = OWN + 2
    NO_INSTRUCTION = OWN + 3
    NO_NUMBER = OWN + 4

cdef enum:
    REFLECT = 0
    IGNORE = 1
    FAULT = 2

cdef enum:
    TRAIL_LENGTH = 32

cdef enum:
    CELL_COST = 8
    FAR_COST = 256
    IP_COST = 768
    STACK_COST = 160
    REPEAT_COST = 128
    MEANING_COST = 160
    MAX_CELLS_PER_FAR_CELL = 128
    MAX_GROWN_CELLS = 4000000
    REACHED_GROUPS = 2048
    MIN_ROOM = 16

cdef enum:
    FREE_ROOM = 1048576
    FREE_WORK = 262144
    SHIFT_WORK = 1
    SKIP_WORK = 16
    COPY_WORK = 2
    PASS_WORK = 2
    OUTSIDE_WORK = 128
    SIZE_WORK = 32
    MOVE_WORK = 64

cdef enum:
    HOVER = 1
    INVERT = 2
    QUEUE = 4
    SWITCH = 8
    MAPPED = 16
    MAX_SHIFTED = 1048576

cdef enum:
    STACK_KEY_FACTOR = 1000000000
