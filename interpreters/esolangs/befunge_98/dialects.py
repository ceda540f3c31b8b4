"""The differences between the dialects of Befunge-98."""

from __future__ import annotations

from esolangs.dialects import DialectDifference

DIFFERENCES = (
    DialectDifference(
        "space",
        "a position outside the program",
        "is a blank cell of unbounded space",
        "wraps around to a cell of the program",
        b"90g.@",
    ),
    DialectDifference(
        "instructions",
        "`{ } u t y i o = ( ) w z` and fingerprints",
        "are instructions",
        "are unknown instructions, and `A` to `F` push 10 to 15",
        b"1z.@",
    ),
    DialectDifference(
        "unknown",
        "an unknown instruction",
        "reverses the IP",
        "is a fault",
        b"#vZ.@\n >1.@",
    ),
    DialectDifference(
        "underflow",
        "popping from an empty stack",
        "gives 0",
        "is a fault",
        b"5+.@",
    ),
    DialectDifference(
        "by-zero",
        "`/` and `%` by zero",
        "give 0",
        "are faults",
        b"10/.@",
    ),
    DialectDifference(
        "modulo",
        "`%` of numbers with different signs",
        "has the sign of the dividend",
        "has the sign of the divisor",
        b"07-2%.@",
    ),
    DialectDifference(
        "eof",
        "`~` at the end of input",
        "reverses the IP",
        "pushes -1",
        b"~.@",
    ),
    DialectDifference(
        "number-eof",
        "`&` at the end of input",
        "reverses the IP",
        "is a fault",
        b"&.@",
    ),
    DialectDifference(
        "put",
        "a value that `p` or `s` stores",
        "is stored unchanged",
        "is stored modulo 256",
        b"'~4*00p00g.@",
    ),
)
