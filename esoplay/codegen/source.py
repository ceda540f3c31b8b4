"""The module that sources import, so that CPython can run them directly.

``python sum.py < input`` prints the same as the compiled program if the file ends with a call of
``main()``.  Plain Python checks less than :mod:`esoplay.codegen.cpython` does.
"""

from __future__ import annotations

from esoplay.codegen.prelude import divide, ended_by, read_int, read_line
from esoplay.codegen.primitives import (
    append_digit,
    byte,
    chars,
    getc,
    ints,
    print_int,
    putc,
    puts,
)

__all__ = [
    "append_digit",
    "byte",
    "chars",
    "divide",
    "ended_by",
    "getc",
    "ints",
    "print_int",
    "putc",
    "puts",
    "read_int",
    "read_line",
]
