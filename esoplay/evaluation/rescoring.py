"""Rescore an evaluation: grade its saved answers again, without requests to a model."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, cast

from esolangs.wording import plural
from esoplay.errors import UsageError
from esoplay.evaluation.extraction import output_in
from esoplay.evaluation.reports import (
    SEED_FILE,
    TERMS_FILE,
    read_saved_seed,
    replace_file,
    write_results,
)
from esoplay.evaluation.results import Price, ResultTable, compute_results
from esoplay.evaluation.runs import WorkerPool, for_each_trial
from esoplay.evaluation.saved_runs import (
    SavedRun,
    find_run_pack,
    find_run_seed,
    last_program,
    plan_replay,
    seed_matches_run,
)
from esoplay.evaluation.transcript import TRANSCRIPT_FILE, TranscriptContents, record_line
from esoplay.evaluation.trial_context import verdict_members
from esoplay.evaluation.trials import Trial
from esoplay.grading.datasets import TIERS
from esoplay.grading.output_comparison import Compare, same_output
from esoplay.grading.predictions import Prediction
from esoplay.grading.problem import Pack
from esoplay.grading.seeds import commitment, report_salt, write_seed_file
from esoplay.packs.catalogue import get_pack, resolve_pack
from esoplay.packs.grading import grade_source
from esoplay.version import VERSION

_GRADED_MEMBERS = ("verdict", "solved", "passed", "total", "tests")
"""Members of a record that grading determines."""


class RescoreOptions(NamedTuple):
    """Options for grading again; None for the original value of the run.

    seed: seed of the hidden tests, None for the seed in the run's folder.  compare: None for the
    mode of the run, or of ``pack`` if it is another pack.
    """

    seed: bytes | None = None
    pack: str | None = None
    compare: Compare | None = None


class VerdictChange(NamedTuple):
    """Changed verdict of one trial."""

    trial: Trial
    before: str
    after: str

    def as_json(self) -> dict[str, str]:
        return {"trial": self.trial.id, "before": self.before, "after": self.after}


@dataclass(frozen=True, slots=True)
class RescoredRun:
    """Run with new verdicts.

    terms: new settings of the run; ``derived`` contains the original values of the settings that
    rescoring can change, the digest of the original transcript, and the trials left out.
    seed: seed of the hidden tests. finished: new records by trial. left_out: trials on problems
    that are not in the pack.
    """

    run: SavedRun
    terms: dict[str, Any]
    seed: bytes
    pack: Pack
    finished: dict[str, dict[str, Any]]
    left_out: tuple[str, ...]

    @property
    def verdict_changes(self) -> list[VerdictChange]:
        """Return the changed verdicts, in the order of the transcript."""
        return self._changes_in(("verdict", "solved"))

    @property
    def test_changes(self) -> list[VerdictChange]:
        """Return the trials in which the result of any test changed."""
        return self._changes_in(_GRADED_MEMBERS)

    def _changes_in(self, members: Sequence[str]) -> list[VerdictChange]:
        """Return the trials whose record ``finished`` changed in any of these members."""
        pairs = [
            (trial, self.run.contents.finished[trial.id], self.finished[trial.id])
            for trial in self.run.trials
            if trial.id in self.finished
        ]
        return [
            VerdictChange(trial, before["verdict"], after["verdict"])
            for trial, before, after in pairs
            if any(before.get(name) != after.get(name) for name in members)
        ]

    def records(self) -> Iterator[dict[str, Any]]:
        """Yield the records of the transcript with the new verdicts."""
        for record in self.run.records:
            if record["trial"] in self.left_out:
                continue
            if record["kind"] == "finished":
                yield self.finished[record["trial"]]
            else:
                yield record

    def results(self, price: Price | None = None) -> ResultTable:
        """Return the results of the run with the new verdicts and settings."""
        contents = TranscriptContents(self.run.contents.path)
        for record in self.records():
            contents.apply(record)
        return compute_results(self.terms, contents, price, self.pack.tiers)


def rescore(
    run: SavedRun,
    options: RescoreOptions,
    *,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> RescoredRun:
    """Grade the last program of each finished trial again.

    progress: called with the number of graded trials and of all trials. Raises UsageError if the
    run cannot be graded with these options, PackError if the pack is invalid, and WorkerDied if a
    worker dies.
    """
    if not run.trials:
        raise UsageError(f"no finished trials in {run.folder}")
    pack = _pack(run, options)
    own_pack = (pack.id, pack.version) == (run.saved_terms.pack, run.saved_terms.pack_version)
    seed = _seed(run, options, uses_own_pack=own_pack)
    _check_predictions(run, options, seed)
    compare = options.compare or (
        cast("Compare", run.saved_terms.compare) if own_pack else pack.compare
    )
    known = {problem.id.casefold(): problem for problem in pack.problems}
    items = _predictions(run, seed)
    trials = [
        trial for trial in run.trials if (trial.task == "predict" or trial.item.casefold() in known)
    ]
    graded = set(trials)
    left_out = tuple(trial.id for trial in run.trials if trial not in graded)
    if left_out and len(left_out) == len(run.trials):
        raise UsageError(f"pack {pack.id} has none of the problems of {run.folder}")
    folder = resolve_pack(options.pack or run.saved_terms.pack) if known else None

    def grade(trial: Trial, workers: WorkerPool) -> dict[str, Any]:
        record = run.contents.finished[trial.id]
        if trial.task == "predict":
            return _rescore_prediction(run, trial, items[trial.language, trial.item], compare)
        problem = known[trial.item.casefold()]
        again = record | {"tier": problem.tier}
        program = last_program(run, trial)
        if program is None:
            return again
        again["time_limit"] = run.saved_terms.time_limit or problem.time_limit
        with workers.borrow_worker() as worker:
            report = grade_source(
                trial.item,
                trial.language,
                program,
                seed=seed,
                dialect=run.saved_terms.dialect,
                options=run.saved_terms.options,
                compare=compare,
                time_limit=run.saved_terms.time_limit,
                pack=folder,
                worker=worker,
            )
        return again | verdict_members(report)

    finished = for_each_trial(trials, grade, jobs=jobs, progress=progress)
    terms = _new_terms(run, seed, pack, compare, left_out)
    return RescoredRun(run, terms, seed, pack, finished, left_out)


def write_rescored(
    rescored: RescoredRun, folder: Path, price: Price | None = None, *, with_seed: bool
) -> ResultTable:
    """Write a new folder with settings, transcript, results and, with ``with_seed``, the seed."""
    if any((folder / name).exists() for name in (TERMS_FILE, TRANSCRIPT_FILE)):
        raise UsageError(f"{folder} contains an evaluation already; choose another folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UsageError(f"cannot write {folder}: {error.strerror}") from None
    if with_seed:
        write_seed_file(folder / SEED_FILE, rescored.seed)
    replace_file(folder / TERMS_FILE, json.dumps(rescored.terms, indent=1) + "\n")
    lines = b"".join(map(record_line, rescored.records()))
    replace_file(folder / TRANSCRIPT_FILE, lines.decode("ascii"))
    results = rescored.results(price)
    write_results(folder, results)
    return results


def _pack(run: SavedRun, options: RescoreOptions) -> Pack:
    """Return the pack to grade with.

    For a run with a set of output predictions, the pack has the name and version of the set but no
    problems, unless ``options`` names a pack.
    """
    if run.terms.get("items") and options.pack is None:
        about = run.saved_terms
        return Pack(about.pack, about.pack_version, "", TIERS, (), ())
    return get_pack(find_run_pack(run) if options.pack is None else options.pack)


def _seed(run: SavedRun, options: RescoreOptions, *, uses_own_pack: bool) -> bytes:
    if options.seed is not None:
        return options.seed
    if uses_own_pack:
        return find_run_seed(run, None, options.pack)
    seed = read_saved_seed(run.folder)
    if seed is None:
        raise UsageError(
            f"{run.folder} does not contain a seed\n"
            "try: --seed-file with the seed of the tests, or --fresh-seed"
        )
    return seed


def _check_predictions(run: SavedRun, options: RescoreOptions, seed: bytes) -> None:
    """Raise UsageError if a run that predicts outputs would get another seed or pack."""
    for trial in run.trials:
        if trial.task == "predict":
            if options.pack is None and seed_matches_run(run, seed):
                return
            raise UsageError(
                f"trial {trial.id} predicts the output of a program that is fixed by the run's set "
                "of predictions, or by its pack and seed; rescore it only with another --compare, "
                "not with another pack or seed"
            )


def _predictions(run: SavedRun, seed: bytes) -> dict[tuple[str, str], Prediction]:
    """Return the run's output predictions, by language and id; {} without any."""
    if not any(trial.task == "predict" for trial in run.trials):
        return {}
    plan, _ = plan_replay(run, seed)["predict"]
    return {key: item for key, item in plan.items.items() if isinstance(item, Prediction)}


def _rescore_prediction(
    run: SavedRun, trial: Trial, item: Prediction, compare: Compare
) -> dict[str, Any]:
    record = run.contents.finished[trial.id]
    answers = run.contents.answers.get(trial.id, {})
    output = output_in(answers[max(answers)].answer.text) if answers else None
    if output is None:
        return record
    right = same_output(output, item.output, compare)
    return record | {"solved": right, "verdict": "pass" if right else "wrong_answer"}


def _new_terms(
    run: SavedRun, seed: bytes, pack: Pack, compare: Compare, excluded_items: Sequence[str]
) -> dict[str, Any]:
    before = run.terms
    kept = ("compare", "pack", "pack_version", "seed_commitment", "esoplay", "derived")
    changed = (
        {}
        if before.get("items")
        else {
            "pack": pack.id,
            "pack_version": pack.version,
            "seed_commitment": commitment(seed, report_salt(seed), pack.name),
        }
    )
    derived = {name: before[name] for name in kept if name in before}
    return {
        **before,
        **changed,
        "compare": compare,
        "esoplay": VERSION,
        "derived": {**derived, "transcript_sha256": run.digest, "left_out": list(excluded_items)},
    }


def describe_left_out_trials(rescored: RescoredRun) -> str:
    """Return a sentence about the number of trials that were left out."""
    count = plural(len(rescored.left_out), "trial")
    return f"{count} left out: no problem with the same id in pack {rescored.pack.id}"
