"""Counts and their nouns agree, which one helper sees to."""

from __future__ import annotations

import re
from pathlib import Path

import esolangs
import esoplay
from esolangs.wording import format_count, noun, plural

ROOTS = [Path(esoplay.__file__).parent, Path(esolangs.__file__).parent]
FIXED = re.compile(
    r"most|than|limit|within the first|LONGEST|LARGEST|MAX|budget|BUDGET", re.IGNORECASE
)
"""Counts that are limits, and never 1."""
COUNTED = re.compile(
    r"\{(?P<count>len\([^{}]*\)|[\w.]*(?:size|steps))(?::,)?\} "
    r"(?:bytes|steps|lines|instructions|events|problems|lessons|hints|values)\b"
)


def test_a_count_has_the_noun_that_it_needs() -> None:
    assert [plural(count, "byte") for count in (0, 1, 2, 1204)] == [
        "0 bytes",
        "1 byte",
        "2 bytes",
        "1,204 bytes",
    ]
    assert format_count(1204, "entry", "entries") == "1204 entries"
    assert noun(1, "entry", "entries") == "entry"


def test_no_message_counts_in_the_plural_alone() -> None:
    alone = [
        f"{path.name}:{number}: {line.strip()}"
        for root in ROOTS
        for path in root.rglob("*.py")
        for number, line in enumerate(path.read_text("utf-8").splitlines(), 1)
        if (found := COUNTED.search(line)) is not None
        and not FIXED.search(line)
        and "if " not in line.partition(found[0])[2]
        and " of " not in line
    ]
    assert not alone, "\n".join(alone)
