"""Batches of submissions of all sorts, for the tests of grading in bulk."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from esoplay.batch.grading import BatchSummary, grade_batch
from esoplay.batch.protocol import BatchTerms

SECRET = bytes(range(32))
TERMS = BatchTerms(SECRET, "standard", "exact", None, "/")
PROGRAMS = {
    "brainfuck": [b",[.,]", b"+[]", b"[", b"<", b",+.", b"\xff", b""],
    "whitespace": [b"", b" \t\n", b"   \t\n\n\n\n"],
    "unlambda": [b"`r`.ii", b"``ci`c``ci", b"`"],
    "befunge-98": [b"@", b"1.q", b"~#@,#@"],
    "shakespeare": [b"", b"No title"],
}
QUICK = [
    (problem, language, source)
    for language, sources in PROGRAMS.items()
    for source in sources
    for problem in ("E01", "E02")
]
SLOW = [("E02", "brainfuck", b"+[>+]"), ("E02", "brainfuck", b"+[.]")]
"""A program that takes all the tape it can, and one that floods its output."""


def spell(problem: str, language: str, source: bytes, **more: Any) -> bytes:
    program = {"program_base64": base64.b64encode(source).decode()}
    return json.dumps({"problem": problem, "language": language, **program, **more}).encode()


def batch(
    folder: Path, lines: Iterable[bytes], terms: BatchTerms = TERMS, jobs: int = 2
) -> tuple[Path, BatchSummary]:
    source, results = folder / "submissions.jsonl", folder / "results.jsonl"
    source.write_bytes(b"".join(line + b"\n" for line in lines))
    with source.open("rb") as file:
        return results, grade_batch(file.fileno(), results, terms, jobs=jobs)


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]
