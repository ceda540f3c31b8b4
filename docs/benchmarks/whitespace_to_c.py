"""A direct translation of Whitespace to C, as a yardstick for compiled code.

    python docs/benchmarks/whitespace_to_c.py program.ws > program.c

Each instruction becomes a statement.  The stack, the heap and the call stack have fixed sizes, and
nothing is tested: neither depths nor addresses, overflow, steps or limits.  The program prints the
CPU time that it took to stderr.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from measure import use_checkout_unless_installed

if TYPE_CHECKING:
    from esolangs.whitespace.program import WhitespaceProgram

CELLS = 1 << 22  # of the heap

_BEGIN = """\
#include <stdio.h>
#include <time.h>
typedef long long number;
static number stack[1 << 20], heap[CELLS];
static void *frames[1 << 20];
static inline number quotient(number a, number b) {
    number q = a / b;
    return q - (q * b != a && (a ^ b) < 0);
}
static inline number rest(number a, number b) {
    number r = a % b;
    return r && (r ^ b) < 0 ? r + b : r;
}
int main(void) {
    number *sp = stack, top;
    void **fp = frames;
"""

_END = """\
end:
    fprintf(stderr, "%.9f\\n", (double)clock() / CLOCKS_PER_SEC);
    return 0;
}
"""

_STATEMENTS = {
    "push": "*sp++ = {arg};",
    "dup": "*sp = sp[-1]; sp++;",
    "copy": "*sp = sp[-1 - {arg}]; sp++;",
    "swap": "top = sp[-1]; sp[-1] = sp[-2]; sp[-2] = top;",
    "discard": "sp--;",
    "slide": "sp[-1 - {arg}] = sp[-1]; sp -= {arg};",
    "add": "sp[-2] += sp[-1]; sp--;",
    "sub": "sp[-2] -= sp[-1]; sp--;",
    "mul": "sp[-2] *= sp[-1]; sp--;",
    "div": "sp[-2] = quotient(sp[-2], sp[-1]); sp--;",
    "mod": "sp[-2] = rest(sp[-2], sp[-1]); sp--;",
    "store": "heap[sp[-2]] = sp[-1]; sp -= 2;",
    "retrieve": "sp[-1] = heap[sp[-1]];",
    "label": "L{at}:;",
    "call": "*fp++ = &&R{at}; goto L{arg}; R{at}:;",
    "jump": "goto L{arg};",
    "jz": "if (*--sp == 0) goto L{arg};",
    "jn": "if (*--sp < 0) goto L{arg};",
    "return": "goto **--fp;",
    "end": "goto end;",
    "printc": "putchar((int)*--sp);",
    "printn": 'printf("%lld", *--sp);',
}


def translate(program: WhitespaceProgram) -> str:
    """Return a program in C.  Raises ValueError for one that reads."""
    from esolangs.whitespace.opcodes import INSTRUCTIONS

    code = program.code
    lines = [_BEGIN.replace("CELLS", str(CELLS))]
    for at in range(len(code.ops) - 1):
        name = INSTRUCTIONS[code.ops[at]][0]
        if name not in _STATEMENTS:
            raise ValueError(f"{name} is not translated")
        lines.append("    " + _STATEMENTS[name].format(arg=code.args[at], at=at))
    return "\n".join([*lines, _END])


if __name__ == "__main__":
    use_checkout_unless_installed()
    from esolangs.whitespace import LANGUAGE

    print(translate(LANGUAGE.parse(Path(sys.argv[1]).read_bytes())), end="")
