# cython: boundscheck=False, wraparound=False, initializedcheck=False
# filters.py for the C compiler: with an enum, comparisons become a switch.
cdef enum:
    FILTER_REGISTER = 0
    FILTER_CELL = 1
    FILTER_POINT = 2
    FILTER_LEVEL = 3
    FILTER_CONSTANT = 4
    FILTER_NEGATE = 5
    FILTER_NOT = 6
    FILTER_ADD = 7
    FILTER_SUBTRACT = 8
    FILTER_MULTIPLY = 9
    FILTER_DIVIDE = 10
    FILTER_REMAINDER = 11
    FILTER_EQUAL = 12
    FILTER_UNEQUAL = 13
    FILTER_LESS = 14
    FILTER_AT_MOST = 15
    FILTER_MORE = 16
    FILTER_AT_LEAST = 17
    FILTER_AND = 18
    FILTER_OR = 19
    FILTER_END = 20

cdef enum:
    FILTER_PASSES = -1
    FILTER_REJECTS = -2

cdef enum:
    MAX_FILTER_DEPTH = 64
    MAX_FILTER_LEVELS = 100000

# Arithmetic that returns 1 if the result does not fit in 64 bits.
cdef extern from *:
    """
    #define ESOLANGS_LEAST (-9223372036854775807LL - 1)
    static inline int esolangs_add(long long a, long long b, long long *result) {
        *result = (long long)((unsigned long long)a + (unsigned long long)b);
        return ((a ^ *result) & (b ^ *result)) < 0;
    }
    static inline int esolangs_subtract(long long a, long long b, long long *result) {
        *result = (long long)((unsigned long long)a - (unsigned long long)b);
        return ((a ^ b) & (a ^ *result)) < 0;
    }
    static inline int esolangs_multiply(long long a, long long b, long long *result) {
        *result = (long long)((unsigned long long)a * (unsigned long long)b);
        if ((a == -1 && b == ESOLANGS_LEAST) || (b == -1 && a == ESOLANGS_LEAST)) return 1;
        return a != 0 && a != -1 && *result / a != b;
    }
    static inline int esolangs_divide(long long a, long long b, long long *result) {
        if (b == 0) { *result = 0; return 0; }
        if (b == -1) return esolangs_subtract(0, a, result);
        *result = a / b - (a % b != 0 && (a < 0) != (b < 0));
        return 0;
    }
    static inline long long esolangs_remainder(long long a, long long b) {
        if (b == 0 || b == -1) return 0;
        return a % b + (a % b != 0 && (a < 0) != (b < 0) ? b : 0);
    }
    """
    bint add_to "esolangs_add" (long long a, long long b, long long *result) nogil
    bint subtract_to "esolangs_subtract" (long long a, long long b, long long *result) nogil
    bint multiply_to "esolangs_multiply" (long long a, long long b, long long *result) nogil
    bint divide_to "esolangs_divide" (long long a, long long b, long long *result) nogil
    long long remainder_of "esolangs_remainder" (long long a, long long b) nogil


cdef inline Py_ssize_t run_filter(
    long long[::1] code, long long[::1] numbers, Py_ssize_t at
) noexcept nogil:
    cdef long long operation
    cdef long long a
    cdef long long b
    cdef Py_ssize_t to
    cdef bint lost = False
    while True:
        operation = code[at]
        if operation < FILTER_CONSTANT:
            return at
        to = code[at + 2]
        a = numbers[to]
        if operation == FILTER_END:
            return FILTER_PASSES if a != 0 else FILTER_REJECTS
        if operation == FILTER_CONSTANT:
            a = code[at + 1]
        elif operation == FILTER_NEGATE:
            lost = subtract_to(0, a, &a)
        elif operation == FILTER_NOT:
            a = a == 0
        else:
            b = numbers[to + 1]
            if operation == FILTER_ADD:
                lost = add_to(a, b, &a)
            elif operation == FILTER_SUBTRACT:
                lost = subtract_to(a, b, &a)
            elif operation == FILTER_MULTIPLY:
                lost = multiply_to(a, b, &a)
            elif operation == FILTER_DIVIDE:
                lost = divide_to(a, b, &a)
            elif operation == FILTER_REMAINDER:
                a = remainder_of(a, b)
            elif operation == FILTER_EQUAL:
                a = a == b
            elif operation == FILTER_UNEQUAL:
                a = a != b
            elif operation == FILTER_LESS:
                a = a < b
            elif operation == FILTER_AT_MOST:
                a = a <= b
            elif operation == FILTER_MORE:
                a = a > b
            elif operation == FILTER_AT_LEAST:
                a = a >= b
            elif operation == FILTER_AND:
                a = a != 0 and b != 0
            else:
                a = a != 0 or b != 0
        if lost:
            return FILTER_PASSES
        numbers[to] = a
        at += 3
