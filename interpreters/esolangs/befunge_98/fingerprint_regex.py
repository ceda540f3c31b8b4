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
_MOST_COMPILED = 16
_COMPILED, _MATCHED = 1024, 128  # units of work for a character, and for one of `match`

_compiled: dict[tuple[tuple[int, ...], int], Pattern] = {}


def _pattern(characters: tuple[int, ...], flags: int) -> Pattern:
    """Return a compiled pattern; cached, because programs often reuse the same ones."""
    key = characters, flags
    pattern = _compiled.get(key)
    if pattern is None:
        pattern = compile_pattern(characters, flags)
        if len(_compiled) >= _MOST_COMPILED:
            _compiled.clear()
        _compiled[key] = pattern
    return pattern


def _compile(step: Transaction) -> None:
    """Compile an expression (C); it replaces the previous one even if it is invalid."""
    flags, characters = step.pop() & _ALL_FLAGS, tuple(step.string())
    step.core.effort += len(characters)
    step.charge_moves(len(characters), _COMPILED)
    try:
        _pattern(characters, flags)
    except PatternError as error:
        step.push(error.number)
        step.save("REXP", None)
        step.reflect()
    else:
        step.save("REXP", (characters, flags))


def _execute(step: Transaction) -> None:
    """Match the compiled expression (E); pop nothing if none was compiled."""
    saved = step.load("REXP")
    if saved is None:
        step.reflect()
        return
    flags, text = step.pop(), step.string()
    step.charge_moves(len(saved[0]), _COMPILED)  # whether or not it is still in the cache
    pattern = _pattern(*saved)
    try:
        spans, work = match(pattern, text, flags)
    except MatchLimitExceeded:
        raise StepRefused(MEMORY_FULL) from None
    step.core.effort += work // 4
    step.charge_moves(work, _MATCHED)
    if spans is None:
        step.reflect()
        return
    if pattern.flags & NO_GROUPS:
        step.push(0)
        return
    found = [span for span in spans if span is not None]
    for first, last in reversed(found):
        step.push_string(text[first:last])
    step.push(len(found))


REXP: dict[str, Semantics] = {
    "C": _compile,
    "E": _execute,
    "F": lambda step: step.save("REXP", None),
}
