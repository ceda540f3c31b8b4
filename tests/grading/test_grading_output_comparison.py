"""How output is compared with the expected output."""

from __future__ import annotations

import json
import subprocess
import sys
from decimal import Decimal
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from esoplay.grading.output_comparison import COMPARE_MODES, Compare, same_output

SAME: list[tuple[Compare, bytes, bytes]] = [
    ("newline", b"7\n", b"7"),
    ("newline", b"7", b"7\r\n"),
    ("newline", b"\n", b""),
    ("strip", b" 7 \n\n", b"7"),
    ("strip", "\u00a07".encode(), b"7"),
    ("strip", b"\xff ", b"\xff"),
    ("numeric", b"1  2\n3", b"1 2 3"),
    ("numeric", b"+7 -0 007 7. .50", b"7 0 7 7.0 0.5"),
    ("numeric", b"x=1 done", b"x=1\ndone\n"),
]
DIFFERENT: list[tuple[Compare, bytes, bytes]] = [
    ("exact", b"7\n", b"7"),
    ("newline", b"7\n\n", b"7"),
    ("newline", b"7 ", b"7"),
    ("newline", b"7\r", b"7"),
    ("strip", b"1  2", b"1 2"),
    ("numeric", b"1 2", b"12"),
    ("numeric", b"7.01", b"7"),
    ("numeric", b"-7", b"7"),
    ("numeric", b"x=1.0", b"x=1"),
    ("numeric", b". + -", b"0 0 0"),
    ("numeric", b"1e3", b"1000"),
    ("numeric", "\u0663".encode(), b"3"),
]
numbers = st.decimals(-(10**6), 10**6, places=3)


@pytest.mark.parametrize(("mode", "got", "expected"), SAME)
def test_each_mode_accepts_outputs_that_differ_as_it_allows(
    mode: Compare, got: bytes, expected: bytes
) -> None:
    assert same_output(got, expected, mode)
    assert same_output(expected, got, mode)
    assert not same_output(got, expected, "exact")


@pytest.mark.parametrize(("mode", "got", "expected"), DIFFERENT)
def test_each_mode_rejects_other_differences(mode: Compare, got: bytes, expected: bytes) -> None:
    assert not same_output(got, expected, mode)
    assert not same_output(expected, got, mode)


@given(st.lists(numbers), st.lists(numbers))
def test_numbers_are_compared_by_their_values(left: list[Decimal], right: list[Decimal]) -> None:
    as_text = " ".join(map(str, left)).encode(), "\n".join(f"{n:+.5f}" for n in right).encode()
    assert same_output(*as_text, "numeric") == (left == right)


@given(st.binary(), st.binary())
def test_each_mode_accepts_what_a_stricter_one_does(got: bytes, expected: bytes) -> None:
    for mode in COMPARE_MODES:
        assert same_output(got, got, mode)
    if same_output(got, expected, "newline"):
        assert same_output(got, expected, "strip")
    if same_output(got, expected, "strip"):
        assert same_output(got, expected, "numeric")


def test_grade_uses_the_requested_comparison(tmp_path: Path) -> None:
    program = tmp_path / "sum.b98"
    program.write_bytes(b"&&+.@")  # prints a space after the number
    solved: dict[str, bool] = {}
    for mode in COMPARE_MODES:
        command = ["grade", str(program), "--problem", "E04", "--compare", mode, "--json"]
        done = subprocess.run(
            [sys.executable, "-m", "esoplay", *command], capture_output=True, text=True, check=False
        )
        solved[mode] = json.loads(done.stdout)["solved"]
        assert done.returncode == (0 if solved[mode] else 1)
    assert solved == {"exact": False, "newline": False, "strip": True, "numeric": True}
