"""Large integers, written and read without the host's limits."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esolangs.numbers import MAX_BITS, decimal, from_decimal


@settings(max_examples=30)
@given(
    st.sampled_from([1, 63, 8192, 8193, 20_000, (1 << 17) - 1, 1 << 17, (1 << 17) + 1, 300_001]),
    st.integers(-3, 3),
    st.booleans(),
    st.integers(0, 1 << 64),
)
def test_digits_convert_back_to_the_number(
    bits: int, near: int, negative: bool, factor: int
) -> None:
    for value in ((1 << bits) + near, factor << bits, 10 ** (bits // 4) + near):
        number = -value if negative else value
        digits = decimal(number)
        assert from_decimal(digits) == number
        assert digits.lstrip(b"-")[:1] != b"0" or number == 0


def test_powers_of_ten_are_converted_exactly() -> None:
    for exponent in (40_000, MAX_BITS * 3 // 10):
        assert decimal(10**exponent) == b"1" + b"0" * exponent
        assert decimal(1 - 10**exponent) == b"-" + b"9" * exponent


@pytest.mark.parametrize("digits", [b"", b"-", b"+-1", b"1_0", b" 1", "\u0661".encode(), b"1x"])
def test_invalid_numbers_are_refused(digits: bytes) -> None:
    with pytest.raises(ValueError, match="not an integer"):
        from_decimal(digits)
