"""Reading and printing of bytes, which Whitespace knows as characters of UTF-8.

A byte that is no UTF-8 is to Whitespace the character 0xDC00 above it.  So a byte of 128 or more
is printed as that one, and then stands alone in the output.
"""

from __future__ import annotations

from esoplay.codegen.whitespace.assembler import Assembler

FOREIGN = 0xDC00
"""From the value of a byte that is no UTF-8, and is 128 or more, to its character."""

READ = "read a byte"
PRINT = "print a byte"


class Routines:
    """What programs call; each stands in the program once, and only if it is called."""

    def __init__(self, code: Assembler):
        self._code = code
        self._called: set[str] = set()

    def read(self) -> None:
        """Take an address, read a byte to there; 0 at the end of the input."""
        self._called.add(READ)
        self._code.call(READ)

    def print_byte(self) -> None:
        """Take a byte and print it."""
        self._called.add(PRINT)
        self._code.call(PRINT)

    def write(self, *, comments: bool) -> None:
        """Append those that were called, behind the end of the program."""
        for name, body in ((READ, self._read), (PRINT, self._print)):
            if name in self._called:
                if comments:
                    self._code.comment(name)
                self._code.label(name)
                body()

    def _read(self) -> None:
        """Reading at the end of the input stores -1 in both dialects."""
        code = self._code
        end, foreign = code.fresh("end of input"), code.fresh("no UTF-8")
        code.dup()
        code.readc()
        code.dup()
        code.retrieve()
        code.jn(end)
        code.dup()
        code.retrieve()
        code.push(FOREIGN)
        code.swap()
        code.sub()
        code.jn(foreign)
        code.discard()
        code.ret()
        code.label(foreign)
        code.dup()
        code.retrieve()
        code.push(FOREIGN)
        code.sub()
        code.store()
        code.ret()
        code.label(end)
        code.push(0)
        code.store()
        code.ret()

    def _print(self) -> None:
        code = self._code
        plain = code.fresh("a character of ASCII")
        code.dup()
        code.push(128)
        code.sub()
        code.jn(plain)
        code.push(FOREIGN)
        code.add()
        code.label(plain)
        code.printc()
        code.ret()
