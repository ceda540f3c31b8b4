"""The reference card of write-once sources."""

from __future__ import annotations

CARD = """\
# Write once

A subset of Python; it runs in CPython as it stands, and what it does there is what it means.
Programs in every language are made of it.

| values | |
|-|-|
| `n = 0` | an int, any whole number |
| `c = getc()`, `ord("a")`, `b: byte = 0` | a byte, 0 to 255 |
| `a = ints(20)`, `a = chars(80)` | arrays, all 0, of 256 elements at most; an index is a byte |
| `int(c)`, `byte(n)` | one from the other |

| statements | |
|-|-|
| `=` `+=` `-=` `*=` `//=` `%=` | assign; dividends are not negative |
| `if` `elif` `else`, `while` | conditions compare, with `and` `or` `not` |
| `for i in range(end)` | also `range(start, end)` |
| `def f(c: byte, a: ints) -> int:` | one `return`, at the end; no recursion |
| `N = 3` outside of functions | a constant, or a variable that a function declares `global` |

| calls | |
|-|-|
| `getc()` | the next character, 0 at the end of the input |
| `read_int()`, `ended_by()` | the next number; the character behind it |
| `read_line(a)` | a line into an array; its length |
| `putc(c)`, `puts("text")`, `print_int(n)` | print |
| `divide(a, b)`, `append_digit(n, d)`, `len(a)` | a / b towards zero; 10n + d; length |
"""
