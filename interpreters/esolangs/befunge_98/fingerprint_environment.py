"""EVAR: environment variables of the run, of which there are none at first.

Source: the RC/Funge-98 documentation.
"""

from __future__ import annotations

from esolangs.befunge_98.hands import Hands, Refused
from esolangs.befunge_98.opcodes import REPEAT
from esolangs.befunge_98.states import cost
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Hands], None]
    Text = tuple[int, ...]

MOST_VARIABLES = 4096
"""More variables count as too much memory: each instruction looks through all of them."""

_EQUALS = ord("=")


def _variables(hands: Hands) -> tuple[tuple[Text, Text], ...]:
    """Names and values in the order in which the names were set first."""
    return (hands.saved("EVAR", shared=True) or ((), 0))[0]


def _size(hands: Hands) -> int:
    """What they take of memory."""
    return (hands.saved("EVAR", shared=True) or ((), REPEAT))[1]


def _get(hands: Hands) -> None:
    name = tuple(hands.string())
    value = next((value for known, value in _variables(hands) if known == name), ())
    hands.push_string(list(value))


def _put(hands: Hands) -> None:
    text = tuple(hands.string())
    at = text.index(_EQUALS) if _EQUALS in text else 0
    if at == 0:
        hands.reflect()
        return
    name, value = text[:at], text[at + 1 :]
    variables, size = _variables(hands), _size(hands)
    place = next((i for i, (known, _) in enumerate(variables) if known == name), len(variables))
    if place == MOST_VARIABLES:
        raise Refused(MEMORY_FULL)
    size += cost((name, value)) - sum([cost(pair) for pair in variables[place : place + 1]])
    variables = (*variables[:place], (name, value), *variables[place + 1 :])
    hands.save("EVAR", (variables, size), size, shared=True)


def _listed(hands: Hands) -> None:
    number, variables = hands.pop(), _variables(hands)
    if 0 <= number < len(variables):
        name, value = variables[number]
        hands.push_string([*name, _EQUALS, *value])
    else:
        hands.reflect()


EVAR: dict[str, Semantics] = {
    "G": _get,
    "N": lambda hands: hands.push(len(_variables(hands))),
    "P": _put,
    "V": _listed,
}
