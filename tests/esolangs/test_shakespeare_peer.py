"""Against ``shakespearelang`` from PyPI, where its command ``shakespeare`` is installed.

Each run of it takes a third of a second, so this is opt-in: ``pip install shakespearelang``.
Its exit code is 0 whatever happens; a play went wrong when something stands in stderr.
"""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from strategies.shakespeare import sources

from esolangs.errors import ParseError
from esolangs.registry import find_language

PEER = shutil.which("shakespeare")
FOLDER = Path(__file__).resolve().parents[1] / "programs" / "shakespeare"
CASES = [case for case in sorted(FOLDER.glob("*.src")) if "-limit" not in case.stem]
pytestmark = pytest.mark.skipif(PEER is None, reason="shakespearelang is not installed")

# What it does otherwise, by the part of a case's name that says what the case is about.
DIVERGENCES = {
    "upper-and-lower-case": "Roman numerals keep their case",
    "non-utf8": "a play must be UTF-8",
    "headings-may-end-in-a-question-mark": "a question mark ends no text",
    "the-king-is-a-noun": "a list of characters needs an 'and'",
    "enter-lists": "a list of characters needs an 'and', and takes no comma before it",
    "greater-comparatives": "there is no 'less'",
    "lesser-comparatives": "there is no 'less'",
    "not-before-a-comparison": "there is no 'not'",
    "goto-an-act": "there are no gotos to acts",
    "scenes-belong-to-their-act": "there are no gotos to acts",
    "numerals-need-no-order": "there are no gotos to acts",
    "back-from-beyond-64-bits": "quotients go through floating point",
    "exact-quotient": "quotients go through floating point",
    "exact-square-root": "square roots go through floating point",
    "print-bytes": "there is no io=bytes",
    "cat-bytes": "there is no io=bytes, and input must be UTF-8",
    "read-bytes": "there is no io=bytes",
    "printing-256-as-a-byte": "there is no io=bytes",
}


def theirs(file: Path, stdin: bytes) -> tuple[bytes, bool, bool]:
    """What it printed, whether something went wrong, and whether it was a parse error."""
    assert PEER is not None
    done = subprocess.run(
        [PEER, "run", str(file)], input=stdin, capture_output=True, check=False, timeout=300
    )
    return done.stdout, bool(done.stderr), b"expecting" in done.stderr


def ours(source: bytes, stdin: bytes, steps: int = 10**6) -> tuple[bytes, bool] | None:
    """The same of this engine in the dialect that follows it; None if there is no end."""
    language = find_language("shakespeare")
    try:
        machine = language.parse(source, language.configure("benchmark")).start(stdin)
    except ParseError:
        return b"", True
    if machine.run(steps) == "running":
        return None
    return machine.take_output(), machine.status != "halted"


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_a_case_runs_the_same_in_the_peer(case: Path) -> None:
    stdin = case.with_suffix(".in")
    data = stdin.read_bytes() if stdin.exists() else b""
    printed, wrong, _ = theirs(case, data)
    alike = (printed, wrong) == ours(case.read_bytes(), data)
    reason = next((why for part, why in DIVERGENCES.items() if part in case.stem), None)
    if reason is None:
        assert alike
    elif not alike:
        pytest.skip(reason)


@settings(max_examples=40, deadline=None)
@given(source=sources(), stdin=st.sampled_from([b"", b"12\n7\nxyz", b"x", b"5"]))
def test_a_random_play_runs_the_same_in_the_peer(
    tmp_path_factory: pytest.TempPathFactory, source: bytes, stdin: bytes
) -> None:
    source = source.replace(b"Something?", b"Something!")  # see DIVERGENCES
    mine = ours(source, stdin, 5000)
    if mine is None or b"quotient" in source or b"root" in source:
        return
    file = tmp_path_factory.mktemp("plays") / "play.spl"
    file.write_bytes(source)
    printed, wrong, refused = theirs(file, stdin)
    if not refused:
        assert mine == (printed, wrong)
