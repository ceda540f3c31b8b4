"""Debian's ``unlambda`` prints what our cases expect, where it is installed.

It reads the program and, after it, the input from stdin.  It differs from the description
of the language or from this engine in what ``DIFFERENCES`` names, and nowhere else here.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from strategies.unlambda import sources, stdins

from esolangs.limits import Limits
from esolangs.unlambda import LANGUAGE

PEER = shutil.which("unlambda")
FOLDER = Path(__file__).resolve().parents[1] / "programs" / "unlambda"
DIFFERENCES = {
    "upper-case": "knows lower-case letters only",
    "carriage-return": "takes a carriage return between tokens for an unknown operator",
    "bytes": "reads and prints characters of the locale, and stops at bytes that are none",
    "long-output": "prints the first 2048 characters and drops the rest",
}
DIFFERENT = {
    "dot-high-byte": "bytes",
    "two-bytes-of-one-character": "bytes",
    "upper-case-is-lower-case": "upper-case",
    "upper-case-s": "upper-case",
    "upper-case-d": "upper-case",
    "upper-case-c-and-e": "upper-case",
    "white-space-between-tokens": "carriage-return",
    "question-high-byte": "bytes",
    "cat-of-every-byte": "bytes",
    "bottles-of-beer": "long-output",
}
pytestmark = pytest.mark.skipif(PEER is None, reason="Debian's unlambda is not installed")


def peer(source: bytes, stdin: bytes) -> bytes | None:
    """What the peer prints; None if it fails or takes too long."""
    assert PEER is not None
    try:
        done = subprocess.run([PEER], input=source + stdin, capture_output=True, timeout=300)
    except subprocess.TimeoutExpired:
        return None
    return done.stdout if done.returncode == 0 else None


@pytest.mark.parametrize("case", sorted(FOLDER.glob("*.src")), ids=lambda case: case.stem)
def test_the_peer_prints_what_a_case_expects(case: Path) -> None:
    given_in = case.with_suffix(".in")
    stdin = given_in.read_bytes() if given_in.exists() else b""
    same = peer(case.read_bytes(), stdin) == case.with_suffix(".out").read_bytes()
    difference = DIFFERENT.get(case.stem.split("-", 1)[1])
    assert same == (difference is None), difference and DIFFERENCES[difference]


@settings(max_examples=60, deadline=None)
@given(sources(), stdins())
def test_random_programs_print_the_same(source: bytes, stdin: bytes) -> None:
    end = LANGUAGE.parse(source).length
    source = source[:end].lower()  # what follows the expression would be input for the peer
    machine = LANGUAGE.parse(source).start(stdin, limits=Limits(steps=20_000, output=1000))
    if machine.run(30_000) == "halted":
        assert peer(source, stdin) == machine.take_output()
