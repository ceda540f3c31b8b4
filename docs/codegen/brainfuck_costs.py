"""What the statements of generated Brainfuck cost, measured; prints the table of brainfuck.md.

python docs/codegen/brainfuck_costs.py
"""

from __future__ import annotations

from esolangs.limits import Limits
from esoplay.codegen.back_ends import find_back_end
from esoplay.codegen.lowering import compile_source
from esoplay.running.run import run_source

SIZES = ((9, 4), (97, 12), (9_999, 73))
LIMITS = Limits(steps=100_000_000, output=100_000, memory=1 << 28)

STATEMENTS = {
    "`x = a`": "x = a",
    "`x += 1`": "x += 1",
    "`x = a + b`": "x = a + b",
    "`x = a - b`": "x = a - b",
    "`x = a * b`": "x = a * b",
    "`x = a * 10`": "x = a * 10",
    "`x = a // b`": "x = a // b",
    "`x = a % b`": "x = a % b",
    "`x = a // 10`": "x = a // 10",
    "`x = a // 2`": "x = a // 2",
    "`x = a % 2`": "x = a % 2",
    "`x = a % 3`": "x = a % 3",
    "`x = a % 26`": "x = a % 26",
    "`if a < b`": "if a < b: c = 1",
    "`if a < 0`": "if a < 0: c = 1",
    "`if a < 10`": "if a < 10: c = 1",
    "`if a == b`": "if a == b: c = 1",
    "`if a == 0`": "if a == 0: c = 1",
    "`append_digit(x, 7)`": "x = append_digit(x, 7)",
    "`print_int(a)`": "print_int(a)",
    "`many[5] = a`": "many[5] = a",
    "`x = many[5]`": "x = many[5]",
    "`many[k] = a`, k is 12": "many[k] = a",
    "`x = many[k]`, k is 12": "x = many[k]",
    "`many[k] = many[5]`, k is 12": "many[k] = many[5]",
}
"""What is shown, and the line that is measured: ints."""

BYTES = {
    "`d = c`": "d = c",
    "`d += 1`": "d += 1",
    "`d = c // 10`": "d = c // 10",
    "`if c == ord('w')`": "if c == ord('w'): d = 1",
    "`if c < ord('0')`": "if c < ord('0'): d = 1",
    "`if c == e`": "if c == e: d = 1",
    "`if c < e`": "if c < e: d = 1",
    "`line[k] = c`, k is 12": "line[k] = c",
    "`d = line[k]`, k is 12": "d = line[k]",
    "`x = int(c)`": "x = int(c)",
    "`putc(c)`": "putc(c)",
}
"""The same of bytes: c is 119, e is 120."""


def steps(lines: list[str]) -> int:
    """The steps of a source with these lines."""
    source = "def main():\n" + "".join(f"    {line}\n" for line in lines)
    text = find_back_end("brainfuck").generate(compile_source(source)).text.encode("latin-1")
    outcome = run_source("brainfuck", text, limits=LIMITS)
    assert outcome.status == "ok", outcome.stderr
    return outcome.steps


def cost(statement: str, a: int, b: int) -> int:
    """Steps that the statement takes: what a second one after the first one adds."""
    before = [
        *(f"a = {a}", f"b = {b}", "x = 0", "many = ints(40)", "many[5] = a", "many[12] = a"),
        *("c: byte = 119", "d: byte = 0", "e: byte = 120", "k: byte = 12"),
        *("line = chars(40)", "line[k] = c"),
    ]
    after = ["print_int(a + b + x + int(c) + d + e + k + many[0] + line[0])"]
    once, twice = (steps([*before, *[statement] * times, *after]) for times in (1, 2))
    return twice - once


def table() -> str:
    """The tables, in Markdown."""
    head = " | ".join(f"a = {a:,}, b = {b:,}" for a, b in SIZES)
    rows = [f"| statement | {head} |", "|-" + "|-" * len(SIZES) + "|"]
    for shown, statement in STATEMENTS.items():
        figures = " | ".join(f"{cost(statement, a, b):,}" for a, b in SIZES)
        rows.append(f"| {shown} | {figures} |")
    rows += ["", "| statement | steps |", "|-|-|"]
    rows += [f"| {shown} | {cost(statement, 9, 4):,} |" for shown, statement in BYTES.items()]
    return "\n".join(rows)


if __name__ == "__main__":
    print(table())
