"""FING, IMAP, MODE and SUBR: what letters and instructions mean, and where the IP goes.

Sources: Cat's Eye Technologies' registry for MODE, the RC/Funge-98 documentation for the others.
"""

from __future__ import annotations

from esolangs.befunge_98.hands import BLOCK, Hands, Refused
from esolangs.befunge_98.opcodes import HOVER, INVERT, MAPPED, MEANING, QUEUE, SWITCH
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Hands], None]

# FING: the meanings of letters.

_NULL = int.from_bytes(b"NULL", "big")


def _letter(hands: Hands) -> int | None:
    """A letter, given as itself or by its number from 0; None if it is neither."""
    value = hands.pop()
    if 0 <= value < 26:
        value += ord("A")
    return value if ord("A") <= value <= ord("Z") else None


def _swap_meanings(hands: Hands) -> None:
    """A letter without a meaning counts as one that reflects."""
    letters = hands.ip.semantics
    b, a = _letter(hands), _letter(hands)
    if a is None or b is None:
        hands.reflect()
        return
    missing = [letter for letter in {a, b} if not letters.get(letter)]
    if not hands.core.charge(MEANING * len(missing)):
        raise Refused(MEMORY_FULL)
    for letter in missing:
        letters.setdefault(letter, []).append((_NULL, letter))
    upper, lower = letters[a], letters[b]
    upper[len(upper) - 1], lower[len(lower) - 1] = lower[len(lower) - 1], upper[len(upper) - 1]


def _drop_meaning(hands: Hands) -> None:
    letter = _letter(hands)
    meanings = None if letter is None else hands.ip.semantics.get(letter)
    if not meanings:
        hands.reflect()
        return
    meanings.pop()
    hands.core.used -= MEANING


def _push_meaning(hands: Hands) -> None:
    target, source = _letter(hands), _letter(hands)
    if target is None or source is None:
        hands.reflect()
        return
    if not hands.core.charge(MEANING):
        raise Refused(MEMORY_FULL)
    meanings = hands.ip.semantics.get(source)
    meaning = meanings[len(meanings) - 1] if meanings else (_NULL, target)
    hands.ip.semantics.setdefault(target, []).append(meaning)


FING: dict[str, Semantics] = {"X": _swap_meanings, "Y": _drop_meaning, "Z": _push_meaning}


# IMAP: other meanings for instructions. The core reads the table, see `_execute_in_modes`.


def _map(hands: Hands) -> None:
    old, new = hands.pop(), hands.pop()
    _set_mapping(hands, old, new)


def _set_mapping(hands: Hands, old: int, new: int) -> None:
    if not 0 <= old < 256:
        hands.reflect()
        return
    known: tuple[int | None, ...] = hands.saved("IMAP") or (None,) * 256
    table = list(known)
    table[old] = None if new == old else new
    if table.count(None) == len(table):
        _unmap_all(hands)
    else:
        hands.save("IMAP", tuple(table))
        hands.ip.modes |= MAPPED


def _unmap(hands: Hands) -> None:
    old = hands.pop()
    _set_mapping(hands, old, old)


def _unmap_all(hands: Hands) -> None:
    hands.save("IMAP", None)
    hands.ip.modes &= ~MAPPED


IMAP: dict[str, Semantics] = {"C": _unmap_all, "M": _map, "O": _unmap}


# MODE: how an IP turns, pushes and pops. The core and `Hands` do what the modes say.


def _toggle(mode: int) -> Semantics:
    def run(hands: Hands) -> None:
        hands.ip.modes ^= mode

    return run


MODE: dict[str, Semantics] = {
    "H": _toggle(HOVER),
    "I": _toggle(INVERT),
    "Q": _toggle(QUEUE),
    "S": _toggle(SWITCH),
}


# SUBR: subroutines. What it remembers: whether places are relative to the storage offset.


def _target(hands: Hands) -> tuple[int, int]:
    return hands.place() if hands.saved("SUBR") else hands.vector()


def _go(hands: Hands, target: tuple[int, int]) -> None:
    """The cell there is the next one executed."""
    ip = hands.ip
    ip.x, ip.y = _inside(hands, target)
    ip.dx, ip.dy = 1, 0
    hands.core.stay = True


def _inside(hands: Hands, place: tuple[int, int]) -> tuple[int, int]:
    """The place itself; on a torus the cell that it stands for."""
    core, (x, y) = hands.core, place
    return (x % core.width, y % core.height) if core.torus else place


def _arguments(hands: Hands, count: int) -> list[int]:
    """Values from the stack, the uppermost first."""
    if count > BLOCK:
        raise Refused(MEMORY_FULL)
    hands.take(count)
    hands.move(count)  # they are pushed again
    return [hands.pop() for _ in range(count)]


def _call(hands: Hands) -> None:
    count = hands.pop()
    if count < 0:
        hands.reflect()
        return
    target, ip = _target(hands), hands.ip
    arguments = _arguments(hands, count)
    hands.push_vector(ip.x, ip.y)
    hands.push_vector(ip.dx, ip.dy)
    for value in reversed(arguments):
        hands.push(value)
    _go(hands, target)


def _return(hands: Hands) -> None:
    count = hands.pop()
    if count < 0:
        hands.reflect()
        return
    arguments = _arguments(hands, count)
    delta, place = hands.vector(), hands.vector()
    for value in reversed(arguments):
        hands.push(value)
    hands.ip.dx, hands.ip.dy = delta
    hands.ip.x, hands.ip.y = _inside(hands, place)


SUBR: dict[str, Semantics] = {
    "A": lambda hands: hands.save("SUBR", None),
    "C": _call,
    "J": lambda hands: _go(hands, _target(hands)),
    "O": lambda hands: hands.save("SUBR", True),
    "R": _return,
}
