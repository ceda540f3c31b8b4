"""What a whole batch is graded by, and the short name of it that every result carries."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass

from esoplay.grading.grader import Compare
from esoplay.grading.seeds import commitment, report_salt
from esoplay.running.run import GRADING_LIMITS
from esoplay.service.problems import get_pack
from esoplay.version import VERSION

DIGITS = 16
"""Hexadecimal digits of the digests in a result: 64 bits, as nobody gains by a collision."""


@dataclass(frozen=True, slots=True)
class Terms:
    """What holds for every submission that does not say otherwise.

    seed: of the hidden tests; only the processes that grade are told.
    folder: where the paths of submissions begin.
    """

    seed: bytes
    dialect: str
    compare: Compare
    pack: str | None
    folder: str

    def digest(self) -> str:
        """A name for these terms that tells nothing of the seed; raises like ``get_pack``.

        It binds all that decides a verdict besides the submission: seed, pack and its version,
        generator, dialect, comparison, limits and esoplay's version.  The folder is left out,
        so that files can be moved before a batch goes on.
        """
        pack = get_pack(self.pack)
        promise = commitment(self.seed, report_salt(self.seed), pack.name)
        bound = [VERSION, promise, self.dialect, self.compare, *_limits()]
        return hashlib.sha256(json.dumps(bound).encode()).hexdigest()[:DIGITS]


def line_digest(line: bytes) -> str:
    """The name of a submission: of its line without the end of it."""
    return hashlib.sha256(line.rstrip(b"\r\n")).hexdigest()[:DIGITS]


def _limits() -> list[int]:
    return [GRADING_LIMITS.steps, GRADING_LIMITS.output, GRADING_LIMITS.memory]
