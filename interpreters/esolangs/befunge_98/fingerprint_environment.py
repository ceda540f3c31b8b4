"""EVAR: environment variables of the run, initially none.

Source: the RC/Funge-98 documentation.
"""

from __future__ import annotations

from esolangs.befunge_98.opcodes import REPEAT_COST
from esolangs.befunge_98.states import cost
from esolangs.befunge_98.transaction import StepRefused, Transaction
from esolangs.reasons import MEMORY_FULL

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

    Semantics = Callable[[Transaction], None]
    Text = tuple[int, ...]

MAX_VARIABLES = 4096
"""Maximum number of variables, because each access searches all of them.

A program that sets more of them exceeds the memory limit.
"""

_EQUALS = ord("=")


def _variables(transaction: Transaction) -> tuple[tuple[Text, Text], ...]:
    """Return pairs of name and value in the order in which the names were first set."""
    return (transaction.load("EVAR", shared=True) or ((), 0))[0]


def _size(transaction: Transaction) -> int:
    """Return the memory of the environment variables, in bytes."""
    return (transaction.load("EVAR", shared=True) or ((), REPEAT_COST))[1]


def _get(transaction: Transaction) -> None:
    name = tuple(transaction.pop_string())
    value = next((value for known, value in _variables(transaction) if known == name), ())
    transaction.push_string(list(value))


def _put(transaction: Transaction) -> None:
    text = tuple(transaction.pop_string())
    at = text.index(_EQUALS) if _EQUALS in text else 0
    if at == 0:
        transaction.reflect()
        return
    name, value = text[:at], text[at + 1 :]
    variables, size = _variables(transaction), _size(transaction)
    place = next((i for i, (known, _) in enumerate(variables) if known == name), len(variables))
    if place == MAX_VARIABLES:
        raise StepRefused(MEMORY_FULL)
    size += cost((name, value)) - sum([cost(pair) for pair in variables[place : place + 1]])
    variables = (*variables[:place], (name, value), *variables[place + 1 :])
    transaction.save("EVAR", (variables, size), size, shared=True)


def _push_variable(transaction: Transaction) -> None:
    number, variables = transaction.pop(), _variables(transaction)
    if 0 <= number < len(variables):
        name, value = variables[number]
        transaction.push_string([*name, _EQUALS, *value])
    else:
        transaction.reflect()


EVAR: dict[str, Semantics] = {
    "G": _get,
    "N": lambda transaction: transaction.push(len(_variables(transaction))),
    "P": _put,
    "V": _push_variable,
}
