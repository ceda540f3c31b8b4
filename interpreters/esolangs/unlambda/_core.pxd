# Names for the C compiler: with an enum, a chain of comparisons becomes a switch.
from esolangs.filters cimport MAX_FILTER_DEPTH, FILTER_PASSES, run_filter
from esolangs.reasons cimport BUDGET, CHUNK, ENDED, FLUSH, MEMORY_FULL, NEEDS_INPUT, OUTPUT_FULL, OWN, STOP

cdef extern from *:
    """
    #if defined(__GNUC__) || defined(__clang__)
    #define UL_LOWEST_BIT(bits) __builtin_ctz(bits)
    #else
    static int UL_LOWEST_BIT(unsigned int bits) {
        int at = 0;
        while (!(bits & 255)) { bits >>= 8; at += 8; }
        while (!(bits & 1)) { bits >>= 1; at++; }
        return at;
    }
    #endif
    #define UL_ONE 1u
    #define UL_HASH 0x1E3779B97F4A7C15ULL
    #define UL_SIZES 53656443420672LL
    """
    int lowest_bit "UL_LOWEST_BIT" (unsigned int bits) nogil
    const unsigned int ONE "UL_ONE"
    const unsigned long long HASH_FACTOR "UL_HASH"
    const long long WORD_SIZES "UL_SIZES"

cdef enum:
    TAG = 31
    PLACE = 5
    PLACE_MASK = 268435455
    PAYLOAD = 33

cdef enum:
    K = 0
    S = 1
    I = 2
    V = 3
    C = 4
    D = 5
    PRINT = 6
    EXIT = 7
    READ = 8
    TEST = 9
    REPRINT = 10
    K1 = 11
    S1 = 12
    S2 = 13
    PROMISE_VALUE = 14
    PROMISE_PAIR = 15
    PROMISE_TERM = 16
    CONTINUATION = 17
    LAST_VALUE = 17
    OPERAND = 18
    SHARE = 19
    FORCE = 20
    HEAP_FRAMES = 21
    LINK = 22
    MOVED = 23

cdef enum:
    SPARE_WORDS = 16
    MIN_LAZY_BYTES = 65536
    MIN_PART = 512
    MAX_PART = 65536
    PACKED_WORD = 9
    TABLE_ENTRIES = 192
    MAX_WORDS = 268435456
    BIT_MASK = 0xFFFFFFFF
    ODD_BIT_MASK = 0x55555555
    TRACED_STEPS = 1048576

cdef enum:
    MEASURE = OWN
