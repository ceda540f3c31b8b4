"""The first fingerprints of Cat's Eye Technologies' registry, and BOOL of RC/Funge-98.

NULL reflects. BOOL, MODU, and ROMA compute. ORTH has the instructions of Orthogonal. REFC
assigns numbers to points.
"""

from __future__ import annotations

from esolangs.befunge_98.fingerprint_strings import print_string
from esolangs.befunge_98.opcodes import MEANING_COST
from esolangs.befunge_98.states import PersistentList
from esolangs.befunge_98.transaction import Transaction
from esolangs.division import divide

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]


def constant(value: int) -> Semantics:
    return lambda transaction: transaction.push(value)


def unary(compute: Callable[[int], int]) -> Semantics:
    return lambda transaction: transaction.push(compute(transaction.pop()))


def binary(compute: Callable[[int, int], int]) -> Semantics:
    def run(transaction: Transaction) -> None:
        b, a = transaction.pop(), transaction.pop()
        transaction.push(compute(a, b))

    return run


def quotient(a: int, b: int) -> int:
    """Return the quotient, rounded toward zero; 0 if ``b`` is 0."""
    if b == 0:
        return 0
    size, _ = divide(abs(a), abs(b))
    return size if (a < 0) == (b < 0) else -size


def _remainder(a: int, b: int) -> int:
    return a - b * quotient(a, b) if b else 0


def _floored_remainder(a: int, b: int) -> int:
    """Return the remainder, with the sign of ``b``; 0 if ``b`` is 0."""
    rest = _remainder(a, b)
    return rest + b if rest and (a < 0) != (b < 0) else rest


NULL: dict[str, Semantics] = {chr(letter): Transaction.reflect for letter in range(65, 91)}
BOOL: dict[str, Semantics] = {
    "A": binary(lambda a, b: a & b),
    "N": unary(lambda a: ~a),
    "O": binary(lambda a, b: a | b),
    "X": binary(lambda a, b: a ^ b),
}
MODU: dict[str, Semantics] = {
    "M": binary(_floored_remainder),
    "R": binary(_remainder),
    "U": binary(lambda a, b: abs(_remainder(a, b))),
}
ROMA: dict[str, Semantics] = {
    "I": constant(1),
    "V": constant(5),
    "X": constant(10),
    "L": constant(50),
    "C": constant(100),
    "D": constant(500),
    "M": constant(1000),
}


# ORTH: the instructions of Orthogonal.


def _orth_x(transaction: Transaction) -> None:
    transaction.ip.x = transaction.pop()


def _orth_y(transaction: Transaction) -> None:
    transaction.ip.y = transaction.pop()


def _orth_v(transaction: Transaction) -> None:
    transaction.ip.dx = transaction.pop()


def _orth_w(transaction: Transaction) -> None:
    transaction.ip.dy = transaction.pop()


def _orth_get(transaction: Transaction) -> None:
    y, x = transaction.pop_vector()
    transaction.push(transaction.get(x, y))


def _orth_put(transaction: Transaction) -> None:
    (y, x), value = transaction.pop_vector(), transaction.pop()
    transaction.reserve_memory(transaction.count_outside(x, y), (value,))
    transaction.put(x, y, value)


def _orth_ramp(transaction: Transaction) -> None:
    if transaction.pop() == 0:
        transaction.core.move_ip()


ORTH: dict[str, Semantics] = {
    "A": BOOL["A"],
    "O": BOOL["O"],
    "E": BOOL["X"],
    "X": _orth_x,
    "Y": _orth_y,
    "V": _orth_v,
    "W": _orth_w,
    "G": _orth_get,
    "P": _orth_put,
    "Z": _orth_ramp,
    "S": print_string,
}


# REFC: points by number, for all IPs.


def _refc_reference(transaction: Transaction) -> None:
    point = transaction.pop_vector()
    points: PersistentList = transaction.load("REFC", shared=True) or PersistentList()
    points = points.with_item(point)
    transaction.push(points.length)
    transaction.save("REFC", points, MEANING_COST * points.length, shared=True)


def _refc_dereference(transaction: Transaction) -> None:
    number = transaction.pop()
    points: PersistentList = transaction.load("REFC", shared=True) or PersistentList()
    if 1 <= number <= points.length:
        transaction.push_vector(*points.item(number - 1))
    else:
        transaction.reflect()


REFC: dict[str, Semantics] = {"R": _refc_reference, "D": _refc_dereference}
