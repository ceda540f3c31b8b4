"""Adds two numbers, keeps them in a list, and prints their characters."""

from esoplay.codegen.source import chars, putc, getc, print_int


def add(a: int, b: int) -> int:
    return a + b


def main() -> None:
    seen = chars(4)
    total = 0
    for i in range(3):
        c = getc()
        seen[i] = c
        total = add(total, int(c) - 48)
    print_int(total)
    i = 3
    while i > 0:
        i -= 1
        putc(seen[i])
