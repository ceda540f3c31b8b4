"""The instructions ``(`` and ``)``, which load and unload fingerprints.

A module is imported when one of its fingerprints is first loaded.  For each fingerprint, it has a
dictionary of that name, from letters to functions.
"""

from __future__ import annotations

from importlib import import_module

from esolangs.befunge_98.opcodes import MEANING_COST
from esolangs.befunge_98.transaction import StepRefused, Transaction
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False


if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    Semantics = Callable[[Transaction], None]

MODULES = {
    "3DSP": "vectors",
    "BASE": "integers",
    "BOOL": "basics",
    "CPLI": "numbers",
    "DATE": "time",
    "DIRF": "files",
    "EVAR": "environment",
    "FILE": "files",
    "FING": "control",
    "FIXP": "numbers",
    "FPDP": "floats",
    "FPRT": "formats",
    "FPSP": "floats",
    "FRTH": "cells",
    "HRTI": "time",
    "IMAP": "control",
    "INDV": "cells",
    "JSTR": "cells",
    "LONG": "integers",
    "MODE": "control",
    "MODU": "basics",
    "NULL": "basics",
    "ORTH": "basics",
    "REFC": "basics",
    "REXP": "regex",
    "ROMA": "basics",
    "STRN": "strings",
    "SUBR": "control",
    "TIME": "time",
    "TOYS": "toys",
    "TURT": "turtle",
}
"""The module of each fingerprint, without the prefix ``fingerprint_``."""

FOLDER_FINGERPRINTS = frozenset([int.from_bytes(name, "big") for name in (b"DIRF", b"FILE")])
"""Fingerprints that are available only to programs that may use files."""

_letters: dict[int, Mapping[str, Semantics]] = {}
_meanings: dict[int, Mapping[int, tuple[int, int]]] = {}


def fingerprint_name(name: int) -> str:
    """Return the characters of a fingerprint's number; '' for a number below 1."""
    name = max(0, name)
    return name.to_bytes((name.bit_length() + 7) // 8, "big").decode("latin-1")


def letters_of(name: int) -> Mapping[str, Semantics] | None:
    """Return the function of each letter of the fingerprint ``name`` (a number), or None."""
    if name not in _letters:
        spelled = fingerprint_name(name)
        if spelled not in MODULES:
            return None
        module = import_module(f"esolangs.befunge_98.fingerprint_{MODULES[spelled]}")
        _letters[name] = getattr(module, "DSP3" if spelled == "3DSP" else spelled)
    return _letters[name]


def _meanings_of(name: int, letters: Iterable[str]) -> Mapping[int, tuple[int, int]]:
    """Return the meaning that a fingerprint gives to each of its letters, by the letter's code.

    name: the fingerprint's number.  Later calls return the same objects.
    """
    if name not in _meanings:
        _meanings[name] = {ord(letter): (name, ord(letter)) for letter in letters}
    return _meanings[name]


def execute_letter(transaction: Transaction, op: int) -> None:
    """Execute the latest meaning of a letter, which must have a meaning."""
    meanings = transaction.ip.semantics[op]
    name, letter = meanings[len(meanings) - 1]
    letters = letters_of(name)
    assert letters is not None, "a meaning of a letter must come from a known fingerprint"
    letters[chr(letter)](transaction)


def load(transaction: Transaction) -> None:
    """Load a fingerprint (``(``); reflect if it is unknown."""
    name = _pop_name(transaction)
    if name is None:
        transaction.reflect()
        return
    letters = letters_of(name) or {}
    transaction.push(name)
    transaction.push(1)
    if not transaction.core.charge(MEANING_COST * len(letters)):
        raise StepRefused(MEMORY_FULL)
    for code, meaning in _meanings_of(name, letters).items():
        transaction.ip.semantics.setdefault(code, []).append(meaning)


def unload(transaction: Transaction) -> None:
    """Unload a fingerprint (``)``): remove the latest meaning of each of its letters."""
    name = _pop_name(transaction)
    if name is None:
        transaction.reflect()
        return
    for letter in letters_of(name) or {}:
        meanings = transaction.ip.semantics.get(ord(letter))
        if meanings:
            meanings.pop()
            transaction.core.used -= MEANING_COST


def _pop_name(transaction: Transaction) -> int | None:
    """Pop the name of a fingerprint, encoded as a number; return None if it is not available.

    The stack has the count of the name's letters on top, then the letters.
    """
    count, name = transaction.pop(), 0
    if count < 1:
        return None
    # Values below the bottom of the stack are zeros.  Only the last eight values fit 64 bits.
    taken = min(count, transaction.depth + 8)
    transaction.drop(max(0, taken - 8))
    for _ in range(min(taken, 8)):
        name = (name * 256 + transaction.pop() + (1 << 63)) % (1 << 64) - (1 << 63)
    if transaction.core.unbounded and count > 8:
        return None
    if name in FOLDER_FINGERPRINTS and (
        transaction.world is None or transaction.world.folder is None
    ):
        return None
    return name if letters_of(name) is not None else None
