"""Generated programs print the same in Debian's ``unlambda``, where it is installed.

It reads the input after the program, and takes no byte from 128 on in either.  A generated program
uses such bytes only for input and output of them, which do not occur here.
"""

from __future__ import annotations

import shutil
import subprocess

import pytest

from esoplay.codegen.cpython import run_source
from esoplay.codegen.lowering import compile_source
from esoplay.codegen.unlambda import BACK_END

PEER = shutil.which("unlambda")
pytestmark = pytest.mark.skipif(PEER is None, reason="Debian's unlambda is not installed")

SOURCES = {
    "arithmetic": (
        """\
def main():
    a = read_int()
    b = read_int()
    print_int(a + b)
    putc(ord(" "))
    print_int(a * b - 1)
    putc(ord(" "))
    print_int(a * a // (b + 1))
    if a < b and not a == -b:
        puts(" less\\n")
""",
        b"-97 12",
    ),
    "primes": (
        """\
def main():
    n = read_int()
    for i in range(2, n + 1):
        d = 2
        while d * d <= i and i % d != 0:
            d += 1
        if d * d > i:
            print_int(i)
            putc(ord("\\n"))
""",
        b"30",
    ),
    "backwards": (
        """\
def main():
    line = chars(99)
    n = read_line(line)
    while n > 0:
        n -= 1
        putc(line[n])
""",
        b"Madam, I'm Adam.",
    ),
}


@pytest.mark.parametrize("name", SOURCES)
def test_the_peer_prints_what_the_source_does(name: str) -> None:
    source, stdin = SOURCES[name]
    text = BACK_END.generate(compile_source(source)).text.rstrip("\n")
    program = "".join(one if one < "\x80" else "!" for one in text).encode("ascii")
    assert PEER is not None
    done = subprocess.run(
        [PEER], input=program + stdin, capture_output=True, timeout=300, check=True
    )
    assert done.stdout == run_source(source, stdin)
