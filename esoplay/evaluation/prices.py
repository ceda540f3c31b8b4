"""What tokens cost, from a file that the user keeps.

TOML with a table for each model, prices in the user's currency for a million tokens::

    currency = "USD"

    [models."some-model"]
    input = 3.00
    cached_input = 0.30
    output = 15.00
"""

from __future__ import annotations

from decimal import Decimal
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from esoplay.decoding import Mistake, Table, Wording, decode, decode_toml
from esoplay.errors import UsageError

_MILLION = 1_000_000
_CONTENTS = "currency and a table of models only"


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


class PricesTable(Table):
    """The file of prices; the tables of other models than the one in question may be anything."""

    models: Annotated[dict[str, Any], Meta(extra={"expected": _CONTENTS})]
    currency: Annotated[str, Meta(extra={"expected": "a short text such as USD"})] = "USD"

    def __post_init__(self) -> None:
        if not self.currency.isprintable() or not 0 < len(self.currency) < 9:
            raise Mistake("currency", "expected a short text such as USD")


Amount = Annotated[int | Decimal, Meta(extra={"expected": "a price from 0 for a million tokens"})]


class PriceTable(Table, kw_only=True):
    """The table of a model: prices for a million tokens."""

    input: Amount
    cached_input: Amount | None = None
    output: Amount

    def __post_init__(self) -> None:
        for name in self.__struct_fields__:
            value = getattr(self, name)
            finite = value is None or Decimal(value).is_finite()
            if not finite or not 0 <= (value or 0) < _MILLION:
                raise Mistake(name, "expected a price from 0 for a million tokens")


_WORDING = Wording(
    missing="expected the price of a million tokens",
    unknown="expected {known}",
    expected="expected {expected}",
)
_FILE_WORDING = Wording(
    missing=f"expected {_CONTENTS}", unknown=f"expected {_CONTENTS}", expected="expected {expected}"
)


def read_price(data: bytes, name: str, model: str) -> Price:
    """The price of ``model`` in the file ``name``; raises UsageError naming file and key."""
    try:
        table = decode_toml(data, PricesTable, _FILE_WORDING, parse_float=Decimal)
        path = f'models."{model}"'
        if not isinstance(table.models.get(model), dict):
            raise Mistake(path, "expected a table with the prices of this model")
        price = decode(table.models[model], PriceTable, _WORDING, path)
    except Mistake as mistake:
        said = f"this is no TOML: {mistake}" if mistake.__cause__ else str(mistake)
        raise UsageError(f"{name}: {said}") from None
    cached = price.input if price.cached_input is None else price.cached_input
    return Price(table.currency, Decimal(price.input), Decimal(cached), Decimal(price.output))
