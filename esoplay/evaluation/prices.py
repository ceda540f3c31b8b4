"""What tokens cost, from a file that the user keeps.

TOML with a table for each model, prices in the user's currency for a million tokens::

    currency = "USD"

    [models."some-model"]
    input = 3.00
    cached_input = 0.30
    output = 15.00
"""

from __future__ import annotations

import tomllib
from decimal import Decimal
from typing import Any, NamedTuple, NoReturn, cast

from esoplay.errors import UsageError

_MILLION = 1_000_000
_FIELDS = ("input", "cached_input", "output")


class Price(NamedTuple):
    """For a million tokens; what was cached costs as much as the rest where nothing is said."""

    currency: str
    input: Decimal
    cached_input: Decimal
    output: Decimal

    def of(self, input_tokens: int, cached_tokens: int, output_tokens: int) -> Decimal:
        """The cost of answers; ``cached_tokens`` are among the input tokens."""
        fresh = max(0, input_tokens - cached_tokens)
        cached = input_tokens - fresh
        return (
            fresh * self.input + cached * self.cached_input + output_tokens * self.output
        ) / _MILLION


def read_price(data: bytes, name: str, model: str) -> Price:
    """The price of ``model`` in the file ``name``; raises UsageError naming file and key."""

    def fail(what: str) -> NoReturn:
        raise UsageError(f"{name}: {what}")

    try:
        found = tomllib.loads(data.decode("utf-8"), parse_float=Decimal)
    except (ValueError, RecursionError) as error:
        fail(f"this is no TOML: {error}")
    currency = found.pop("currency", "USD")
    if not isinstance(currency, str) or not currency.isprintable() or not 0 < len(currency) < 9:
        fail("currency: expected a short text such as USD")
    models: object = found.pop("models", None)
    if found or not isinstance(models, dict):
        fail(f"{next(iter(found), 'models')}: expected currency and a table of models only")
    table: object = cast("dict[str, Any]", models).get(model)
    if not isinstance(table, dict):
        fail(f'models."{model}": expected a table with the prices of this model')
    prices = cast("dict[str, object]", table)
    for key, value in prices.items():
        if key not in _FIELDS:
            fail(f'models."{model}".{key}: expected {", ".join(_FIELDS)}')
        if not _is_price(value):
            fail(f'models."{model}".{key}: expected a price from 0 for a million tokens')
    for key in ("input", "output"):
        if key not in prices:
            fail(f'models."{model}".{key}: expected the price of a million tokens')
    paid = {key: Decimal(cast("int", value)) for key, value in prices.items()}
    return Price(currency, paid["input"], paid.get("cached_input", paid["input"]), paid["output"])


def _is_price(value: object) -> bool:
    if isinstance(value, Decimal) and not value.is_finite():
        return False
    return type(value) in (int, Decimal) and 0 <= cast("int", value) < _MILLION
