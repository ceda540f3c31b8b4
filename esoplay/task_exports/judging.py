"""Grading of exported tasks, for the modules in an export."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

from esoplay.errors import UsageError
from esoplay.evaluation.extraction import program_in
from esoplay.grading.seeds import parse_seed, read_seed_file
from esoplay.packs.grading import grade_source
from esoplay.sessions.target import find_target
from esoplay.task_exports.folders import HEAD_FILE, SEED_FILE
from esoplay.task_exports.plan import FORMAT_VERSION, PROBLEMS

SEED_VARIABLE = "ESOPLAY_SEED_FILE"
"""An environment variable with the path of a seed file, for exports without a seed."""
SAMPLES_FILE = "samples.json"
PACK_FOLDER = "pack"
_MAX_CACHED = 256  # answers: a rollout requests each verdict three times


@dataclass(frozen=True, slots=True)
class AnswerVerdict:
    """The verdict on an answer.

    program: the program in the answer, or None. verdicts: the number of tests by verdict.
    """

    solved: bool
    passed: int
    total: int
    verdicts: Mapping[str, int]
    program: bytes | None
    dialect: str

    @property
    def program_text(self) -> str:
        return "" if self.program is None else self.program.decode("utf-8", "backslashreplace")

    def in_words(self) -> str:
        """Return the verdict as one sentence that does not reveal any test."""
        if self.program is None:
            return "The answer has no program in a fenced block."
        counted = ", ".join(f"{count} {word}" for word, count in self.verdicts.items())
        return (
            f"{self.passed} of {self.total} hidden tests passed ({counted}), "
            f"dialect {self.dialect}."
        )


class ExportFolder:
    """A folder written by ``esoplay export``: its ``export.json``, its tasks and its seed."""

    kind = PROBLEMS

    def __init__(self, folder: Path):
        """Open the folder; raise UsageError if it is not an export of this kind and version."""
        self.folder = folder
        self.head = cast("dict[str, Any]", _read(folder / HEAD_FILE))
        if self.head.get("format") != FORMAT_VERSION:
            raise UsageError(f"{folder / HEAD_FILE}: expected format {FORMAT_VERSION}")
        kind = self.head.get("kind", PROBLEMS)
        if kind != self.kind:
            raise UsageError(
                f"{folder / HEAD_FILE}: expected an export of {self.kind}, not of {kind}"
            )
        self.samples = cast("list[dict[str, Any]]", _read(folder / SAMPLES_FILE))
        self._by_id = {str(sample["id"]): sample for sample in self.samples}
        self._seed: bytes | None = None

    def sample(self, id: str) -> dict[str, Any]:
        """Return a task; raise UsageError if its id is unknown."""
        sample = self._by_id.get(id)
        if sample is None:
            raise UsageError(f"{self.folder}: no task {id!r}")
        return sample

    def read_seed(self) -> bytes:
        """Return the seed; raise UsageError if it is missing."""
        if self._seed is None:
            named = os.environ.get(SEED_VARIABLE)
            if named:
                self._seed = read_seed_file(Path(named))
            else:
                self._seed = parse_seed(_text(self.folder / SEED_FILE).strip())
        return self._seed

    def seed_mismatch_error(self) -> UsageError:
        """Return the error for a seed, pack or generator that differs from the export's."""
        return UsageError(
            f"{self.folder}: the seed, the pack or the version of esoplay is not the one that "
            f"these tasks were exported with (esoplay {self.head['esoplay']})"
        )


class Exported(ExportFolder):
    """A folder written by ``esoplay export inspect`` or ``verifiers``."""

    def __init__(self, folder: Path):
        """Open the folder; raise UsageError if it is not an export or has another version."""
        super().__init__(folder)
        self._cached_verdict = lru_cache(_MAX_CACHED)(self._judge)

    def judge(self, id: str, answer: str) -> AnswerVerdict:
        """Return the verdict on an answer to the task ``id``.  Thread-safe.

        Raises UsageError for an unknown task, and for a seed that is missing or differs from the
        export's seed; WorkerDied when a worker process dies.
        """
        return self._cached_verdict(id, answer)

    def _judge(self, id: str, answer: str) -> AnswerVerdict:
        sample = self.sample(id)
        seed = self.read_seed()
        dialect = str(self.head["dialect"])
        language = find_target(str(sample["language"]), dialect)
        program = program_in(answer, language)
        report = grade_source(
            str(sample["problem"]),
            language.id,
            program or b"",
            seed=seed,
            dialect=dialect,
            pack=self.folder / PACK_FOLDER if self.head["pack_included"] else None,
        )
        if report.seed_commitment != self.head["seed_commitment"]:
            raise self.seed_mismatch_error()
        if program is None:
            return AnswerVerdict(False, 0, report.total, {}, None, dialect)
        counted = Counter(test.verdict for test in report.tests)
        verdicts = dict(counted)
        return AnswerVerdict(report.solved, report.passed, report.total, verdicts, program, dialect)


def _read(file: Path) -> object:
    try:
        return json.loads(_text(file))
    except ValueError as error:
        raise UsageError(f"{file}: {error}") from None


def _text(file: Path) -> str:
    try:
        return file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"cannot read {file}: {error}") from None
