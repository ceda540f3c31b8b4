"""3DSP: vectors of three numbers as in FPSP, and matrices of 4 × 4 numbers in fungespace.

Source: the RC/Funge-98 documentation. Results are computed in double precision and
rounded to singles.
"""

from __future__ import annotations

import math

from esolangs.befunge_98.fingerprint_floats import (
    decode_single,
    encode_single,
    pop_single,
    push_single,
    quotient,
    with_c_errors,
)
from esolangs.befunge_98.transaction import Transaction

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]
    Vector = tuple[float, float, float]

_PLACES = [(x, y) for y in range(4) for x in range(4)]


def _pop(transaction: Transaction) -> Vector:
    z, y, x = pop_single(transaction), pop_single(transaction), pop_single(transaction)
    return x, y, z


def _push(transaction: Transaction, vector: Vector) -> None:
    for part in vector:
        push_single(transaction, part)


def _dot(a: Vector, b: Vector) -> float:
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def _cross(a: Vector, b: Vector) -> Vector:
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


def _map_components(compute: Callable[[float, float], float]) -> Callable[[Vector, Vector], Vector]:
    return lambda a, b: (compute(a[0], b[0]), compute(a[1], b[1]), compute(a[2], b[2]))


def _binary(compute: Callable[[Vector, Vector], Vector]) -> Semantics:
    def run(transaction: Transaction) -> None:
        b, a = _pop(transaction), _pop(transaction)
        _push(transaction, compute(a, b))

    return run


def _dot_product(transaction: Transaction) -> None:
    b, a = _pop(transaction), _pop(transaction)
    push_single(transaction, _dot(a, b))


def _length(transaction: Transaction) -> None:
    vector = _pop(transaction)
    push_single(transaction, math.sqrt(_dot(vector, vector)))


def _normalize(transaction: Transaction) -> None:
    """Normalize a vector; a vector of length 0 becomes three NaNs."""
    vector = _pop(transaction)
    length = math.sqrt(_dot(vector, vector))
    _push(transaction, _map_components(quotient)(vector, (length, length, length)))


def _duplicate(transaction: Transaction) -> None:
    z, y, x = transaction.pop(), transaction.pop(), transaction.pop()
    for cell in (x, y, z, x, y, z):
        transaction.push(cell)


def _scale(transaction: Transaction) -> None:
    vector, factor = _pop(transaction), pop_single(transaction)
    _push(transaction, (vector[0] * factor, vector[1] * factor, vector[2] * factor))


def _map(transaction: Transaction) -> None:
    x, y, z = _pop(transaction)
    push_single(transaction, x / z if z else x)
    push_single(transaction, y / z if z else y)


def _read(transaction: Transaction, at: tuple[int, int]) -> list[int]:
    return [transaction.get(at[0] + x, at[1] + y) for x, y in _PLACES]


def _write(transaction: Transaction, at: tuple[int, int], cells: list[int]) -> None:
    transaction.reserve_memory(transaction.count_outside(*at, 4, 4), cells)
    for (x, y), cell in zip(_PLACES, cells, strict=True):
        transaction.put(at[0] + x, at[1] + y, cell)


def _copy(transaction: Transaction) -> None:
    """Copy a matrix; read all 16 cells before the first write."""
    source, target = transaction.pop_place(), transaction.pop_place()
    _write(transaction, target, _read(transaction, source))


def _cells(rows: tuple[tuple[float, ...], ...]) -> list[int]:
    return [encode_single(number) for row in rows for number in row]


def _rotate(transaction: Transaction) -> None:
    angle, axis, target = (
        math.radians(pop_single(transaction)),
        transaction.pop(),
        transaction.pop_place(),
    )
    s, c = with_c_errors(math.sin)(angle), with_c_errors(math.cos)(angle)
    if axis == 1:
        rows = (1, 0, 0, 0), (0, c, -s, 0), (0, s, c, 0), (0, 0, 0, 1)
    elif axis == 2:
        rows = (c, 0, s, 0), (0, 1, 0, 0), (-s, 0, c, 0), (0, 0, 0, 1)
    elif axis == 3:
        rows = (c, -s, 0, 0), (s, c, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1)
    else:
        transaction.reflect()
        return
    _write(transaction, target, _cells(rows))


def _scaling(transaction: Transaction) -> None:
    (x, y, z), target = _pop(transaction), transaction.pop_place()
    _write(transaction, target, _cells(((x, 0, 0, 0), (0, y, 0, 0), (0, 0, z, 0), (0, 0, 0, 1))))


def _translation(transaction: Transaction) -> None:
    (x, y, z), target = _pop(transaction), transaction.pop_place()
    _write(transaction, target, _cells(((1, 0, 0, x), (0, 1, 0, y), (0, 0, 1, z), (0, 0, 0, 1))))


def _product(row: list[float], column: list[float]) -> float:
    """Return the dot product, added from the left; since Python 3.12 ``sum`` rounds differently."""
    total = 0.0
    for a, b in zip(row, column, strict=True):
        total += a * b
    return total


def _transform(transaction: Transaction) -> None:
    at, vector = transaction.pop_place(), _pop(transaction)
    matrix = [decode_single(cell) for cell in _read(transaction, at)]
    for row in range(3):
        push_single(transaction, _product(matrix[4 * row : 4 * row + 4], [*vector, 1.0]))


def _multiply(transaction: Transaction) -> None:
    second, first, target = (
        transaction.pop_place(),
        transaction.pop_place(),
        transaction.pop_place(),
    )
    b = [decode_single(cell) for cell in _read(transaction, second)]
    a = [decode_single(cell) for cell in _read(transaction, first)]
    product = [
        encode_single(_product(b[4 * row : 4 * row + 4], a[column::4])) for column, row in _PLACES
    ]
    _write(transaction, target, product)


DSP3: dict[str, Semantics] = {
    "A": _binary(_map_components(lambda a, b: a + b)),
    "B": _binary(_map_components(lambda a, b: a - b)),
    "C": _binary(_cross),
    "D": _dot_product,
    "L": _length,
    "M": _binary(_map_components(lambda a, b: a * b)),
    "N": _normalize,
    "P": _copy,
    "R": _rotate,
    "S": _scaling,
    "T": _translation,
    "U": _duplicate,
    "V": _map,
    "X": _transform,
    "Y": _multiply,
    "Z": _scale,
}
"""The letters of 3DSP, which is not a valid name in Python."""
