"""Wrong elements of a product of matrices, by the edge class that catches each."""

from __future__ import annotations


def _sum(text: str, length: str = "n", width: str = "p", start: int = 0) -> int:
    """Return the element, with ``length`` and ``width`` used as the lengths of the rows."""
    m, n, p, *rest, i, j = map(int, text.split())
    first, second = [*rest[: m * n], *[0] * 16], [*rest[m * n :], *[0] * 16]
    sizes = {"m": m, "n": n, "p": p}
    return sum(first[i * sizes[length] + k] * second[k * sizes[width] + j] for k in range(start, n))


def single__added(text: str) -> str:
    _, _, _, a, b, _, _ = map(int, text.split())
    return str(a + b)


def outer__first_term_left_out(text: str) -> str:
    return str(_sum(text, start=1))


def square__i_and_j_swapped(text: str) -> str:
    *rest, i, j = text.split()
    return str(_sum(" ".join([*rest, j, i])))


def square__matrices_swapped(text: str) -> str:
    sizes, rest = text.split()[:3], text.split()[3:]
    count = int(sizes[0]) ** 2
    return str(_sum(" ".join([*sizes, *rest[count:-2], *rest[:count], *rest[-2:]])))


def square__element_by_element(text: str) -> str:
    size, _, _, *rest, i, j = map(int, text.split())
    at = i * size + j
    return str(rest[at] * rest[at + size * size])


def non_square__rows_of_length_m(text: str) -> str:
    return str(_sum(text, length="m"))


def non_square__second_matrix_in_rows_of_length_n(text: str) -> str:
    return str(_sum(text, width="n"))


def negative__signs_dropped(text: str) -> str:
    return str(_sum(text.replace("-", "")))


def largest__kept_in_a_byte(text: str) -> str:
    return str(_sum(text) % 256)


def largest__sixteen_bits_with_sign(text: str) -> str:
    return str((_sum(text) + 32768) % 65536 - 32768)
