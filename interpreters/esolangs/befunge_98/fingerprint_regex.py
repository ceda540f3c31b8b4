"""REXP: POSIX regular expressions.

Source: the RC/Funge-98 documentation. The state is the text of the expression, so that a snapshot
can contain it.
"""

from __future__ import annotations

from esolangs.befunge_98.posix_match import MatchLimitExceeded, match
from esolangs.befunge_98.posix_regex import NO_GROUPS, Pattern, PatternError, compile_pattern
from esolangs.befunge_98.transaction import StepRefused, Transaction
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]

_ALL_FLAGS = 15
_MAX_COMPILED_PATTERNS = 16
_COMPILE_WORK, _MATCH_WORK = 1024, 128  # units of work for a character, and for one of `match`

_compiled_patterns: dict[tuple[tuple[int, ...], int], Pattern] = {}


def _pattern(characters: tuple[int, ...], flags: int) -> Pattern:
    """Return the compiled pattern; cache it, because programs often use a pattern again."""
    key = characters, flags
    pattern = _compiled_patterns.get(key)
    if pattern is None:
        pattern = compile_pattern(characters, flags)
        if len(_compiled_patterns) >= _MAX_COMPILED_PATTERNS:
            _compiled_patterns.clear()
        _compiled_patterns[key] = pattern
    return pattern


def _compile(transaction: Transaction) -> None:
    """Compile an expression (C); it replaces the previous one even if it is invalid."""
    flags, characters = transaction.pop() & _ALL_FLAGS, tuple(transaction.pop_string())
    transaction.core.effort += len(characters)
    transaction.charge_moves(len(characters), _COMPILE_WORK)
    try:
        _pattern(characters, flags)
    except PatternError as error:
        transaction.push(error.number)
        transaction.save("REXP", None)
        transaction.reflect()
    else:
        transaction.save("REXP", (characters, flags))


def _execute(transaction: Transaction) -> None:
    """Match the compiled expression (E); without one, reflect and pop nothing."""
    saved = transaction.load("REXP")
    if saved is None:
        transaction.reflect()
        return
    flags, text = transaction.pop(), transaction.pop_string()
    transaction.charge_moves(len(saved[0]), _COMPILE_WORK)  # even if it is still in the cache
    pattern = _pattern(*saved)
    try:
        spans, work = match(pattern, text, flags)
    except MatchLimitExceeded:
        raise StepRefused(MEMORY_FULL) from None
    transaction.core.effort += work // 4
    transaction.charge_moves(work, _MATCH_WORK)
    if spans is None:
        transaction.reflect()
        return
    if pattern.flags & NO_GROUPS:
        transaction.push(0)
        return
    found = [span for span in spans if span is not None]
    for first, last in reversed(found):
        transaction.push_string(text[first:last])
    transaction.push(len(found))


REXP: dict[str, Semantics] = {
    "C": _compile,
    "E": _execute,
    "F": lambda transaction: transaction.save("REXP", None),
}
