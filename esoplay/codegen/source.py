"""What a source imports, so that CPython runs it as any other file.

``python sum.py < input`` does what the compiled program does, if the file ends by calling
``main()``.  Plain Python checks less that way than :mod:`esoplay.codegen.cpython` does.
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
