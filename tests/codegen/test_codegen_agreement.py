"""The random sources of ``tests/agreement.py`` contain what compilers get wrong."""

from __future__ import annotations

from collections import Counter

import agreement
import pytest
from source_kinds import KINDS, kinds_in

EVERY_KIND = """\
def f0(a: ints) -> int:
    a[0] += a[1]
    a[0] -= a[1]
    a[0] *= a[1]
    a[0] //= a[1]
    a[0] %= a[1]
    return a[0]


def main():
    x = 9999999999 - 49999999 + 2**63 - 18446744073709551616
    x += x
    x -= x // 2
    x *= x
    x //= x
    x %= x + 1
    x = 1 + x
    x = append_digit(x, byte(x % 10))
    a = ints(6)
    a[0] = a[1]
    a[low(spent(a, 1))] += 1
    print_int(blend(a[0], spent(a, 0)))
    print_int(shared + stirred(x))
    n = -50000000
"""


@pytest.fixture(scope="module")
def counted() -> Counter[str]:
    return agreement.count_kinds(300, 1)


def test_classifier_recognizes_every_kind_of_source() -> None:
    assert kinds_in(EVERY_KIND) == set(KINDS)
    assert not kinds_in("x = 10**8\n\n\ndef main():\n    x = 1\n    y = f(x + 1)\n")


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_random_sources_contain_every_kind(kind: str, counted: Counter[str]) -> None:
    assert counted[kind] >= 3
