"""What the statements of generated Unlambda cost, measured; prints the tables of unlambda.md.

python docs/codegen/unlambda_costs.py
"""

from __future__ import annotations

from esolangs.limits import Limits
from esoplay.codegen.back_ends import find_back_end
from esoplay.codegen.lowering import compile_source
from esoplay.codegen.unlambda import standard_library
from esoplay.running.run import run_source

SIZES = ((9, 4), (97, 12), (9_999, 73))
LIMITS = Limits(steps=100_000_000, output=100_000, memory=1 << 28)

STATEMENTS = {
    "`x = a`": "x = a",
    "`x = a + 1`": "x = a + 1",
    "`x = a + b`": "x = a + b",
    "`x = a - b`": "x = a - b",
    "`x = a * b`": "x = a * b",
    "`x = a // b`": "x = a // b",
    "`x = a % b`": "x = a % b",
    "`x = a // 10`": "x = a // 10",
    "`x = a % 26`": "x = a % 26",
    "`if a < b`": "if a < b: pass",
    "`if b < a`": "if b < a: pass",
    "`if a == b`": "if a == b: pass",
    "`if a < 10`": "if a < 10: pass",
    "`if a == 10`": "if a == 10: pass",
    "`list[5] = a`": "list[5] = a",
    "`x = list[99]`": "x = list[99]",
    "`append_digit(a, 7)`": "x = append_digit(x, 7)",
    "`print_int(a)`": "print_int(a)",
    '`putc(ord("w"))`': "putc(ord('w'))",
    "`putc(c)`, c is `w`": "putc(c)",
    "`c = getc()`, `9` is read": "c = getc()",
    "`x = read_int()`": "x = read_int()",
}
"""What is shown, and the line that is measured."""

OPERATIONS = (
    "inc", "dec", "neg", "add", "sub", "mul", "div", "mod", "div10", "mod10", "lt", "eq", "update",
    "append", "print", "putc", "getc",
)  # fmt: skip


def steps(lines: list[str], stdin: bytes) -> tuple[int, int]:
    """The steps of a source with these lines, and the size of its program."""
    source = "def main():\n" + "".join(f"    {line}\n" for line in lines)
    text = find_back_end("unlambda").generate(compile_source(source)).text.encode("latin-1")
    outcome = run_source("unlambda", text, stdin=stdin, limits=LIMITS)
    assert outcome.status == "ok", outcome.stderr
    return outcome.steps, len(text)


def cost(statement: str, a: int, b: int) -> int:
    """Steps that the statement takes a time: a loop runs it as often as the input says."""
    lines = [
        "t = getc()",
        f"a = {a}",
        f"b = {b}",
        "x = a",
        "c = ord('w')",
        "list = ints(100)",
        "while t > 0:",
        "    t -= 1",
        f"    {statement}",
        "if t == 1:",
        "    print_int(a + b + x + c + list[0])",
    ]
    number = f"{a} ".encode()
    once, twice = (steps(lines, bytes([times]) + number * times)[0] for times in (1, 2))
    empty = [line for line in lines if line != f"    {statement}"]
    without = [steps(empty, bytes([times]))[0] for times in (1, 2)]
    return twice - once - (without[1] - without[0])


def table() -> str:
    """The table, in Markdown."""
    head = " | ".join(f"a = {a:,}, b = {b:,}" for a, b in SIZES)
    rows = [f"| statement | {head} |", "|-" + "|-" * len(SIZES) + "|"]
    for shown, statement in STATEMENTS.items():
        figures = " | ".join(f"{cost(statement, a, b):,}" for a, b in SIZES)
        rows.append(f"| {shown} | {figures} |")
    return "\n".join(rows)


def operations() -> str:
    """What operations take of a program's text and of its start, in Markdown."""
    library = standard_library()
    rows = ["| operation | characters | steps when the program starts |", "|-|-|-|"]
    for name in OPERATIONS:
        text = library[name]
        outcome = run_source("unlambda", f"`k{text}".encode("latin-1"), limits=LIMITS)
        rows.append(f"| `{name}` | {len(text):,} | {outcome.steps:,} |")
    return "\n".join(rows)


if __name__ == "__main__":
    print(f"{table()}\n\n{operations()}")
