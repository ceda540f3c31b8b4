"""The work of operations on large numbers, as docs/limits.md defines it."""

from __future__ import annotations


def words(number: int) -> int:
    return abs(number).bit_length() // 64


def squared(size: int) -> int:
    return size * size if size <= 32 else 3 * squared(size // 2 + size % 2)


def multiplied(size: int, other: int) -> int:
    if size > other:
        size, other = other, size
    if size > 32:
        return -(-other // size) * squared(size)
    return (size + 1) * other


def work_of(operation: str, a: int, b: int = 0) -> int:
    """Return the work of ``+ * / ^2 ^3 root factorial``; ``+`` includes ``-`` and comparison."""
    x, y = words(a), words(b)
    if operation == "*":
        return multiplied(x, y)
    if operation == "/":
        return max(x, y) + 2 * multiplied(y, max(0, x - y))
    if operation == "^2":
        return multiplied(x, x)
    if operation == "^3":
        return multiplied(x, x) + multiplied(x, 2 * x)
    if operation == "root":
        return x + 2 * squared(x // 2)
    if operation == "factorial":
        return squared(min(a * a.bit_length() // 64, 2**14)) if a > 20 else 0
    return max(x, y)


def work_of_printing(number: int) -> int:
    return 2 * squared(words(number))


def work_of_reading(size: int) -> int:
    return squared(min(size // 19, 2**14))
