# The numbers of reasons.py for the C compiler: with an enum, comparisons become a switch.
cdef enum:
    BUDGET = 0
    STOP = 1
    ENDED = 2
    NEEDS_INPUT = 3
    MEMORY_FULL = 4
    OUTPUT_FULL = 5
    FLUSH = 6
    PAUSE = 7
    WORK_FULL = 8
    OWN = 16

cdef enum:
    CHUNK = 4096
