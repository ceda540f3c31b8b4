"""What all engines share: numbers without bound, and why a core comes back."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import esolangs
from esolangs import numbers, reasons

HUGE = st.integers(0, 40_000).flatmap(lambda bits: st.integers(-(1 << bits), 1 << bits))


@pytest.fixture
def without_guard() -> object:
    """The host's own conversion of long numbers is what ours is compared with."""
    before = sys.get_int_max_str_digits()
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(before)


@pytest.mark.usefixtures("without_guard")
@given(HUGE)
def test_decimals_match_python(value: int) -> None:
    assert numbers.decimal(value) == str(value).encode()
    assert numbers.from_decimal(str(value).encode()) == value


def test_the_digit_limit_of_python_has_no_effect() -> None:
    value = 3**20_000
    assert len(numbers.decimal(value)) == 9543
    assert numbers.from_decimal(numbers.decimal(-value)) == -value


@pytest.mark.parametrize("text", [b"", b"-", b"+", b"1 2", b"--1", b"1_0", "١".encode()])
def test_only_digits_spell_a_number(text: bytes) -> None:
    with pytest.raises(ValueError, match="not an integer"):
        numbers.from_decimal(text)


@given(HUGE)
def test_abbreviated_numbers_are_short_and_close(value: int) -> None:
    shown = numbers.abbreviate(value)
    if isinstance(shown, int):
        assert shown == value
        assert abs(shown) < 1 << 256
        return
    assert len(shown) < 40
    sign, mantissa, exponent, bits = re.fullmatch(
        r"(-?)([\d.]+)e(\d+) \((\d+) bits\)", shown
    ).groups()  # pyright: ignore[reportOptionalMemberAccess]
    assert (sign == "-") == (value < 0)
    assert int(bits) == value.bit_length()
    near = int(float(mantissa) * 10**4) * 10 ** (int(exponent) - 4)
    assert abs(abs(value) - near) * 1000 < abs(value)


def test_the_pxd_file_declares_the_same_reasons() -> None:
    text = Path(esolangs.__file__).with_name("reasons.pxd").read_text(encoding="utf-8")
    declared = {name: int(value) for name, value in re.findall(r"^    (\w+) = (\d+)", text, re.M)}
    names = [name for name in vars(reasons) if name.isupper()]
    assert declared == {name: getattr(reasons, name) for name in names}
