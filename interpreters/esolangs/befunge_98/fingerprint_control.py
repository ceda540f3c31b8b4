"""FING, IMAP, MODE and SUBR: the meanings of letters and instructions, and subroutines.

Sources: Cat's Eye Technologies' registry for MODE, the RC/Funge-98 documentation for the others.
"""

from __future__ import annotations

from esolangs.befunge_98.opcodes import HOVER, INVERT, MAPPED, MEANING_COST, QUEUE, SWITCH
from esolangs.befunge_98.transaction import MAX_BLOCK_CELLS, StepRefused, Transaction
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]

# FING: the meanings of letters.

_NULL = int.from_bytes(b"NULL", "big")


def _pop_letter(transaction: Transaction) -> int | None:
    """Pop a letter, given as a character or a zero-based index; return None for other values."""
    value = transaction.pop()
    if 0 <= value < 26:
        value += ord("A")
    return value if ord("A") <= value <= ord("Z") else None


def _swap_meanings(transaction: Transaction) -> None:
    """Swap the meanings of two letters; if one has none, the other letter then reflects."""
    letters = transaction.ip.semantics
    b, a = _pop_letter(transaction), _pop_letter(transaction)
    if a is None or b is None:
        transaction.reflect()
        return
    missing = [letter for letter in {a, b} if not letters.get(letter)]
    if not transaction.core.charge(MEANING_COST * len(missing)):
        raise StepRefused(MEMORY_FULL)
    for letter in missing:
        letters.setdefault(letter, []).append((_NULL, letter))
    upper, lower = letters[a], letters[b]
    upper[len(upper) - 1], lower[len(lower) - 1] = lower[len(lower) - 1], upper[len(upper) - 1]


def _drop_meaning(transaction: Transaction) -> None:
    letter = _pop_letter(transaction)
    meanings = None if letter is None else transaction.ip.semantics.get(letter)
    if not meanings:
        transaction.reflect()
        return
    meanings.pop()
    transaction.core.used -= MEANING_COST


def _push_meaning(transaction: Transaction) -> None:
    target, source = _pop_letter(transaction), _pop_letter(transaction)
    if target is None or source is None:
        transaction.reflect()
        return
    if not transaction.core.charge(MEANING_COST):
        raise StepRefused(MEMORY_FULL)
    meanings = transaction.ip.semantics.get(source)
    meaning = meanings[len(meanings) - 1] if meanings else (_NULL, target)
    transaction.ip.semantics.setdefault(target, []).append(meaning)


FING: dict[str, Semantics] = {"X": _swap_meanings, "Y": _drop_meaning, "Z": _push_meaning}


# IMAP: a table that replaces instructions. The core reads it, see `_execute_in_modes`.


def _map(transaction: Transaction) -> None:
    old, new = transaction.pop(), transaction.pop()
    _set_mapping(transaction, old, new)


def _set_mapping(transaction: Transaction, old: int, new: int) -> None:
    if not 0 <= old < 256:
        transaction.reflect()
        return
    known: tuple[int | None, ...] = transaction.load("IMAP") or (None,) * 256
    table = list(known)
    table[old] = None if new == old else new
    if table.count(None) == len(table):
        _unmap_all(transaction)
    else:
        transaction.save("IMAP", tuple(table))
        transaction.ip.modes |= MAPPED


def _unmap(transaction: Transaction) -> None:
    old = transaction.pop()
    _set_mapping(transaction, old, old)


def _unmap_all(transaction: Transaction) -> None:
    transaction.save("IMAP", None)
    transaction.ip.modes &= ~MAPPED


IMAP: dict[str, Semantics] = {"C": _unmap_all, "M": _map, "O": _unmap}


# MODE: how an IP turns, pushes and pops. The core and `Transaction` apply the modes.


def _toggle(mode: int) -> Semantics:
    def run(transaction: Transaction) -> None:
        transaction.ip.modes ^= mode

    return run


MODE: dict[str, Semantics] = {
    "H": _toggle(HOVER),
    "I": _toggle(INVERT),
    "Q": _toggle(QUEUE),
    "S": _toggle(SWITCH),
}


# SUBR: subroutines.  Its state: whether places are relative to the storage offset.


def _target(transaction: Transaction) -> tuple[int, int]:
    return transaction.pop_place() if transaction.load("SUBR") else transaction.pop_vector()


def _jump_to(transaction: Transaction, target: tuple[int, int]) -> None:
    """Make the cell at ``target`` the next to be executed, and set the delta to east."""
    ip = transaction.ip
    ip.x, ip.y = _wrap_place(transaction, target)
    ip.dx, ip.dy = 1, 0
    transaction.core.ip_stays = True


def _wrap_place(transaction: Transaction, place: tuple[int, int]) -> tuple[int, int]:
    """Return the coordinates ``place``, wrapped around if fungespace is a torus."""
    core, (x, y) = transaction.core, place
    return (x % core.width, y % core.height) if core.torus else place


def _pop_arguments(transaction: Transaction, count: int) -> list[int]:
    """Pop ``count`` values, and return them, the topmost first."""
    if count > MAX_BLOCK_CELLS:
        raise StepRefused(MEMORY_FULL)
    transaction.charge_values(count)
    transaction.charge_moves(count)  # to push them again
    return [transaction.pop() for _ in range(count)]


def _call(transaction: Transaction) -> None:
    count = transaction.pop()
    if count < 0:
        transaction.reflect()
        return
    target, ip = _target(transaction), transaction.ip
    arguments = _pop_arguments(transaction, count)
    transaction.push_vector(ip.x, ip.y)
    transaction.push_vector(ip.dx, ip.dy)
    for value in reversed(arguments):
        transaction.push(value)
    _jump_to(transaction, target)


def _return(transaction: Transaction) -> None:
    count = transaction.pop()
    if count < 0:
        transaction.reflect()
        return
    arguments = _pop_arguments(transaction, count)
    delta, place = transaction.pop_vector(), transaction.pop_vector()
    for value in reversed(arguments):
        transaction.push(value)
    transaction.ip.dx, transaction.ip.dy = delta
    transaction.ip.x, transaction.ip.y = _wrap_place(transaction, place)


SUBR: dict[str, Semantics] = {
    "A": lambda transaction: transaction.save("SUBR", None),
    "C": _call,
    "J": lambda transaction: _jump_to(transaction, _target(transaction)),
    "O": lambda transaction: transaction.save("SUBR", True),
    "R": _return,
}
