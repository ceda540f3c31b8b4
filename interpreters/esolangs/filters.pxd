# The numbers of filters.py for the C compiler: with an enum, comparisons become a switch.
cdef enum:
    FILTER_CONSTANT = 0
    FILTER_REGISTER = 1
    FILTER_CELL = 2
    FILTER_NEGATE = 3
    FILTER_NOT = 4
    FILTER_ADD = 5
    FILTER_SUBTRACT = 6
    FILTER_MULTIPLY = 7
    FILTER_DIVIDE = 8
    FILTER_REMAINDER = 9
    FILTER_EQUAL = 10
    FILTER_UNEQUAL = 11
    FILTER_LESS = 12
    FILTER_AT_MOST = 13
    FILTER_MORE = 14
    FILTER_AT_LEAST = 15
    FILTER_AND = 16
    FILTER_OR = 17

cdef enum:
    FILTER_DEPTH = 64
