"""FING, IMAP, MODE and SUBR: the meanings of letters and instructions, and subroutines.

Sources: Cat's Eye Technologies' registry for MODE, the RC/Funge-98 documentation for the others.
"""

from __future__ import annotations

from esolangs.befunge_98.opcodes import HOVER, INVERT, MAPPED, MEANING, QUEUE, SWITCH
from esolangs.befunge_98.transaction import BLOCK, StepRefused, Transaction
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]

# FING: the meanings of letters.

_NULL = int.from_bytes(b"NULL", "big")


def _pop_letter(step: Transaction) -> int | None:
    """Pop a letter, as a character or as its zero-based index; return None if it is neither."""
    value = step.pop()
    if 0 <= value < 26:
        value += ord("A")
    return value if ord("A") <= value <= ord("Z") else None


def _swap_meanings(step: Transaction) -> None:
    """Swap the meanings of two letters; a letter without a meaning then reflects."""
    letters = step.ip.semantics
    b, a = _pop_letter(step), _pop_letter(step)
    if a is None or b is None:
        step.reflect()
        return
    missing = [letter for letter in {a, b} if not letters.get(letter)]
    if not step.core.charge(MEANING * len(missing)):
        raise StepRefused(MEMORY_FULL)
    for letter in missing:
        letters.setdefault(letter, []).append((_NULL, letter))
    upper, lower = letters[a], letters[b]
    upper[len(upper) - 1], lower[len(lower) - 1] = lower[len(lower) - 1], upper[len(upper) - 1]


def _drop_meaning(step: Transaction) -> None:
    letter = _pop_letter(step)
    meanings = None if letter is None else step.ip.semantics.get(letter)
    if not meanings:
        step.reflect()
        return
    meanings.pop()
    step.core.used -= MEANING


def _push_meaning(step: Transaction) -> None:
    target, source = _pop_letter(step), _pop_letter(step)
    if target is None or source is None:
        step.reflect()
        return
    if not step.core.charge(MEANING):
        raise StepRefused(MEMORY_FULL)
    meanings = step.ip.semantics.get(source)
    meaning = meanings[len(meanings) - 1] if meanings else (_NULL, target)
    step.ip.semantics.setdefault(target, []).append(meaning)


FING: dict[str, Semantics] = {"X": _swap_meanings, "Y": _drop_meaning, "Z": _push_meaning}


# IMAP: other meanings for instructions. The core reads the table, see `_execute_in_modes`.


def _map(step: Transaction) -> None:
    old, new = step.pop(), step.pop()
    _set_mapping(step, old, new)


def _set_mapping(step: Transaction, old: int, new: int) -> None:
    if not 0 <= old < 256:
        step.reflect()
        return
    known: tuple[int | None, ...] = step.load("IMAP") or (None,) * 256
    table = list(known)
    table[old] = None if new == old else new
    if table.count(None) == len(table):
        _unmap_all(step)
    else:
        step.save("IMAP", tuple(table))
        step.ip.modes |= MAPPED


def _unmap(step: Transaction) -> None:
    old = step.pop()
    _set_mapping(step, old, old)


def _unmap_all(step: Transaction) -> None:
    step.save("IMAP", None)
    step.ip.modes &= ~MAPPED


IMAP: dict[str, Semantics] = {"C": _unmap_all, "M": _map, "O": _unmap}


# MODE: how an IP turns, pushes and pops. The core and `Transaction` apply the modes.


def _toggle(mode: int) -> Semantics:
    def run(step: Transaction) -> None:
        step.ip.modes ^= mode

    return run


MODE: dict[str, Semantics] = {
    "H": _toggle(HOVER),
    "I": _toggle(INVERT),
    "Q": _toggle(QUEUE),
    "S": _toggle(SWITCH),
}


# SUBR: subroutines.  Its state: whether places are relative to the storage offset.


def _target(step: Transaction) -> tuple[int, int]:
    return step.place() if step.load("SUBR") else step.vector()


def _jump_to(step: Transaction, target: tuple[int, int]) -> None:
    """Make the cell at ``target`` the next to be executed."""
    ip = step.ip
    ip.x, ip.y = _wrap_place(step, target)
    ip.dx, ip.dy = 1, 0
    step.core.stay = True


def _wrap_place(step: Transaction, place: tuple[int, int]) -> tuple[int, int]:
    """Return the place, wrapped around on a torus."""
    core, (x, y) = step.core, place
    return (x % core.width, y % core.height) if core.torus else place


def _pop_arguments(step: Transaction, count: int) -> list[int]:
    """Pop values, the topmost first."""
    if count > BLOCK:
        raise StepRefused(MEMORY_FULL)
    step.charge_values(count)
    step.charge_moves(count)  # they are pushed again
    return [step.pop() for _ in range(count)]


def _call(step: Transaction) -> None:
    count = step.pop()
    if count < 0:
        step.reflect()
        return
    target, ip = _target(step), step.ip
    arguments = _pop_arguments(step, count)
    step.push_vector(ip.x, ip.y)
    step.push_vector(ip.dx, ip.dy)
    for value in reversed(arguments):
        step.push(value)
    _jump_to(step, target)


def _return(step: Transaction) -> None:
    count = step.pop()
    if count < 0:
        step.reflect()
        return
    arguments = _pop_arguments(step, count)
    delta, place = step.vector(), step.vector()
    for value in reversed(arguments):
        step.push(value)
    step.ip.dx, step.ip.dy = delta
    step.ip.x, step.ip.y = _wrap_place(step, place)


SUBR: dict[str, Semantics] = {
    "A": lambda step: step.save("SUBR", None),
    "C": _call,
    "J": lambda step: _jump_to(step, _target(step)),
    "O": lambda step: step.save("SUBR", True),
    "R": _return,
}
