"""Output predictions: select, check and prove them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from esolangs.errors import EngineError
from esolangs.registry import find_language, language_ids
from esoplay.errors import EXIT_FAILED, EXIT_PASSED, UsageError
from esoplay.grading.datasets import read_dataset
from esoplay.grading.output_comparison import Compare
from esoplay.grading.pack_export import make_predictions
from esoplay.grading.packs import PREDICTIONS_FILE, find_installed
from esoplay.grading.predictions import (
    Prediction,
    PredictionSet,
    Verdict,
    convert_predictions,
    judge,
    load_predictions,
    read_answers,
)
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.packs.catalogue import get_pack
from esoplay.running.run import SHOWN_IN_TEST, Outcome, cut_output

__all__ = [
    "Prediction",
    "PredictionReport",
    "PredictionSet",
    "check_answers",
    "get_predictions",
    "read_answers",
    "reference_predictions",
    "wrong_items",
]


@dataclass(frozen=True, slots=True)
class PredictionReport:
    """Verdicts by item, without any expected output."""

    set: str
    compare: Compare
    verdicts: tuple[tuple[Prediction, Verdict], ...]

    @property
    def passed(self) -> int:
        return sum(verdict == "pass" for _, verdict in self.verdicts)

    @property
    def exit_code(self) -> int:
        return EXIT_PASSED if self.passed == len(self.verdicts) else EXIT_FAILED

    def as_json(self) -> dict[str, Any]:
        """Return the object that ``esoplay predict check --json`` prints."""
        return {
            "set": self.set,
            "compare": self.compare,
            "passed": self.passed,
            "total": len(self.verdicts),
            "items": [
                {"id": item.id, "language": item.language, "tier": item.tier, "verdict": verdict}
                for item, verdict in self.verdicts
            ],
        }


def reference_predictions(
    language_id: str | None = None,
    *,
    pack: str | Path | None = None,
    seed: bytes = PRACTICE_SEED,
    prove: bool = False,
) -> PredictionSet:
    """Make output predictions from a pack's references; with ``prove``, check each reference first.

    Raises UsageError for an unknown language or pack, and PackError for an invalid pack.
    """
    whole = get_pack(pack)
    try:
        languages = language_ids() if language_id is None else [find_language(language_id).id]
    except EngineError as error:
        raise UsageError(str(error)) from None
    return make_predictions(whole, languages, seed, prove=prove)


def get_predictions(name: str | Path | None = None) -> PredictionSet:
    """Return the set of output predictions called ``name``.

    ``name`` is the id of an installed set, or the path of a file. If it is None, the set is made
    from the built-in pack for practice.

    Raises UsageError if the set does not exist, and PackError if it is invalid.
    """
    if name is None:
        return reference_predictions()
    folder = find_installed(str(name))
    if folder is not None and (folder / PREDICTIONS_FILE).is_file():
        return load_predictions(folder, str(name))
    if not Path(name).is_file():
        raise UsageError(f"{name} is neither an installed set of output predictions nor a file")
    return convert_predictions(read_dataset(Path(name)), id=Path(name).stem)


def check_answers(
    items: PredictionSet, answers: dict[str, bytes], compare: Compare = "exact"
) -> PredictionReport:
    """Return a verdict on each item; raise PackError for an answer to an unknown item."""
    return PredictionReport(items.id, compare, tuple(judge(items, answers, compare)))


def wrong_items(items: PredictionSet) -> list[tuple[Prediction, Outcome]]:
    """Return items whose program does not print the expected output, with the program's outcome."""
    found = ((item, item.run()) for item in items.items)
    return [
        (item, cut_output(outcome, SHOWN_IN_TEST))
        for item, outcome in found
        if outcome.status != "ok" or outcome.stdout != item.output
    ]
