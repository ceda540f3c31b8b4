"""What the statements of generated Befunge-98 cost, measured; prints the table of befunge-98.md.

python docs/codegen/befunge_98_costs.py
"""

from __future__ import annotations

from esolangs.limits import Limits
from esoplay.codegen.back_ends import find_back_end
from esoplay.codegen.lowering import compile_source
from esoplay.running.run import run_source

LIMITS = Limits(steps=1_000_000, output=10_000, memory=1 << 24)

START = (
    "a = 9999",
    "b = 73",
    "x = 5",
    "c = ord('w')",
    "d = ord('0')",
    "k: byte = 12",
    "many = ints(40)",
    "line = chars(40)",
)

STATEMENTS = {
    "`d = c`": "d = c",
    "`d += 1`": "d += 1",
    "`d = c // d`": "d = c // d",
    "`line[k] = c`": "line[k] = c",
    "`d = line[k]`": "d = line[k]",
    "`if c == d`": "if c == d: pass",
    "`if c < d`": "if c < d: pass",
    "`c = getc()`, a byte is read": "c = getc()",
    "`putc(c)`": "putc(c)",
    '`puts("hello")`': "puts('hello')",
    "`x = 0`": "x = 0",
    "`x = int(c)`": "x = c",
    "`x = a`": "x = a",
    "`x += 1`": "x += 1",
    "`x = a + b`": "x = a + b",
    "`x = a * b`": "x = a * b",
    "`x = a // b`": "x = a // b",
    "`append_digit(x, 7)`": "x = append_digit(x, 7)",
    "`if a < b`": "if a < b: pass",
    "`if a == 0`": "if a == 0: pass",
    "`many[5] = a`": "many[5] = a",
    "`many[k] = a`": "many[k] = a",
    "`many[k] = a + b`": "many[k] = a + b",
    "`x = many[k]`": "x = many[k]",
    "`x = many[k] + 1`": "x = many[k] + 1",
    "`print_int(a)`, a is 9999": "print_int(a)",
    "`print_int(c)`, c is 119": "print_int(c)",
}
"""What is shown, and the line that is measured; all of it works on the same values."""

KEPT = "print_int(a + b + x + c + d + k + many[0] + line[0])"
"""Makes sure that everything is needed."""


def size(lines: list[str]) -> tuple[int, int]:
    """The steps of a source with these lines, and the code of its program without spaces."""
    source = "def main():\n" + "".join(f"    {line}\n" for line in [*START, *lines, KEPT])
    text = find_back_end("befunge-98").generate(compile_source(source)).text
    outcome = run_source("befunge-98", text.encode("latin-1"), stdin=b"www", limits=LIMITS)
    assert outcome.status == "ok", outcome.stderr
    return outcome.steps, sum(one not in " \n" for one in text)


def cost(statement: str) -> tuple[int, int]:
    """Steps and characters of a second such statement after a first one."""
    once, twice = size([statement]), size([statement, statement])
    return twice[0] - once[0], twice[1] - once[1]


def table() -> str:
    """The table, in Markdown."""
    rows = ["| statement | steps | characters |", "|-|-|-|"]
    for shown, statement in STATEMENTS.items():
        steps, characters = cost(statement)
        rows.append(f"| {shown} | {steps} | {characters} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
