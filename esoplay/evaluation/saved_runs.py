"""Read the files of finished evaluations: settings, transcripts, seeds and programs."""

from __future__ import annotations

import hashlib
import json
from base64 import b64decode
from binascii import Error as Base64Error
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from esoplay.decoding import DecodingError, decode
from esoplay.errors import UsageError
from esoplay.evaluation.extraction import program_in
from esoplay.evaluation.model import Message, to_bytes
from esoplay.evaluation.reports import TERMS_FILE, read_saved_seed
from esoplay.evaluation.runs import EvaluationOptions, EvaluationPlan, make_plan
from esoplay.evaluation.transcript import TRANSCRIPT_FILE, TranscriptContents, read_records
from esoplay.evaluation.trials import (
    FORMAT_NAME,
    FORMAT_VERSION,
    Feedback,
    TaskName,
    Trial,
    TrialLimits,
    TrialTerms,
    parse_trial_id,
)
from esoplay.grading.output_comparison import COMPARE_MODES, Compare
from esoplay.grading.problem import PackName
from esoplay.grading.seeds import commitment_holds
from esoplay.packs.catalogue import get_pack
from esoplay.reporting.saved_evaluations import SavedTerms
from esoplay.sessions.target import Target, find_target


@dataclass(frozen=True, slots=True)
class SavedRun:
    """Evaluation in a folder.

    terms: contents of ``evaluation.json``. saved_terms: decoded members of ``terms``. records:
    all records of the transcript in order.
    """

    folder: Path
    terms: dict[str, Any]
    saved_terms: SavedTerms
    records: tuple[dict[str, Any], ...]
    contents: TranscriptContents

    @property
    def is_derived(self) -> bool:
        """Whether the verdicts come from rescoring another run."""
        return self.saved_terms.derived is not None

    @property
    def trials(self) -> list[Trial]:
        """Return the finished trials in the order in which they finished."""
        return [parse_trial_id(id) for id in self.contents.finished]

    @property
    def digest(self) -> str:
        """Return the SHA-256 of the transcript."""
        return hashlib.sha256((self.folder / TRANSCRIPT_FILE).read_bytes()).hexdigest()


def read_run(folder: Path) -> SavedRun:
    """Read the folder of an evaluation; raise UsageError if it is invalid."""
    path = folder / TERMS_FILE
    try:
        found: object = json.loads(path.read_bytes())
    except OSError as error:
        raise UsageError(
            f"cannot read {path}: {error.strerror}; expected a folder of `esoplay eval`"
        ) from None
    except (ValueError, RecursionError):
        found = None
    terms = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    if (terms.get("format"), terms.get("format_version")) != (FORMAT_NAME, FORMAT_VERSION):
        raise UsageError(
            f"{path}: expected a file in the format {FORMAT_NAME} {FORMAT_VERSION}, as "
            "`esoplay eval` writes it"
        )
    try:
        about = decode(terms, SavedTerms)
    except DecodingError as error:
        raise UsageError(f"{path}: {error}") from None
    if about.compare not in COMPARE_MODES:
        raise UsageError(f"{path}: compare: expected {', '.join(COMPARE_MODES)}")
    contents = TranscriptContents(folder / TRANSCRIPT_FILE)
    records = tuple(read_records(contents.path))
    for record in records:
        contents.apply(record)
    return SavedRun(folder, terms, about, records, contents)


def find_run_seed(run: SavedRun, requested_seed: bytes | None, pack: str | None = None) -> bytes:
    """Return the seed of the hidden tests of a run; raise UsageError if it is missing or wrong.

    requested_seed: seed from the user, None for the folder's seed. pack: pack of the run, if it is
    not installed.
    """
    seed = read_saved_seed(run.folder) if requested_seed is None else requested_seed
    if seed is None:
        raise UsageError(
            f"{run.folder} does not contain the seed of its tests\n"
            "try: --seed-file with the seed that the evaluation was started with"
        )
    if not seed_matches_run(run, seed, pack):
        raise UsageError(
            f"the seed does not match the commitment in {run.folder / TERMS_FILE} for pack "
            f"{run.saved_terms.pack} {run.saved_terms.pack_version}"
        )
    return seed


def seed_matches_run(run: SavedRun, seed: bytes, pack: str | None = None) -> bool:
    """Return whether a seed is the one to which a run's saved commitment refers."""
    if run.terms.get("items"):  # a set of output predictions
        name = PackName(run.saved_terms.pack, run.saved_terms.pack_version)
    else:
        name = get_pack(find_run_pack(run, pack)).name
    return commitment_holds(run.saved_terms.seed_commitment, seed, name)


def find_run_pack(run: SavedRun, requested_pack: str | None = None) -> str | Path | None:
    """Return the pack of a run as an argument of :func:`get_pack`: an id or a path.

    requested_pack: the id or path that the user gave; None for the id in the run's terms. Raises
    UsageError if the id or version of the found pack differs from the terms.
    """
    name = run.saved_terms.pack if requested_pack is None else requested_pack
    found = get_pack(name)
    terms = run.saved_terms
    if (found.id, found.version) != (terms.pack, terms.pack_version):
        raise UsageError(
            f"{run.folder} was graded with pack {terms.pack} {terms.pack_version}; expected this "
            f"pack and version, found {found.id} {found.version}"
        )
    return name


Question = tuple[str, list[Message]]
"""The role in which a model was asked, and the messages of the request."""


def saved_questions(records: Iterable[Mapping[str, Any]]) -> dict[int, Question]:
    """Return the complete questions of a trial by their numbers (turns), from the trial's records.

    A record has only the messages that differ from the previous question of the same role. If a
    question was asked again after an interruption, the last record counts.
    """
    found: dict[int, Question] = {}
    for record in records:
        if record["kind"] != "asked":
            continue
        turn, role = record["turn"], record.get("role", "")
        before: Sequence[Message] = ()
        for earlier in range(turn - 1, 0, -1):
            if earlier in found and found[earlier][0] == role:
                before = found[earlier][1]
                break
        own = [Message(each["role"], each["content"]) for each in record.get("messages", ())]
        found[turn] = role, [*before[: record.get("repeated", 0)], *own]
    return found


def find_run_target(run: SavedRun, language: str) -> Target:
    """Return the language or lane with the id ``language``, in the dialect of a saved run.

    Raises EngineError or LaneError if it is not installed.
    """
    return find_target(language, run.saved_terms.dialect)


def last_program(run: SavedRun, trial: Trial) -> bytes | None:
    """Return the program that was graded in a trial, or None.

    Raises UsageError if no answer in the transcript contains the program with the saved digest.
    """
    record = run.contents.finished[trial.id]
    digest = record.get("program_sha256")
    if digest is None:
        return None
    for program in _candidate_programs(run, trial, record):
        if hashlib.sha256(program).hexdigest() == digest:
            return program
    raise UsageError(
        f"{run.contents.path}: no answer of {trial.id} contains the program with the SHA-256 "
        f"{digest}"
    )


def program_in_record(record: Mapping[str, Any]) -> bytes | None:
    """Return the copy of a program in a record; None if the copy is invalid or missing.

    Long programs are not copied.
    """
    text, encoded = record.get("program"), record.get("program_base64")
    if isinstance(text, str):
        return to_bytes(text)
    if not isinstance(encoded, str):
        return None
    try:
        return b64decode(encoded, validate=True)
    except (Base64Error, ValueError):
        return None


def program_of_answer(run: SavedRun, language: str, answer: str) -> bytes | None:
    """Return the program in an answer, extracted with the settings of the run."""
    return (
        to_bytes(answer)
        if run.saved_terms.bare
        else program_in(answer, find_run_target(run, language))
    )


def _candidate_programs(run: SavedRun, trial: Trial, record: Mapping[str, Any]) -> Iterable[bytes]:
    """Yield candidates for the last program: the record's copy, or the programs in answers."""
    if (copied := program_in_record(record)) is not None:
        yield copied
    for saved in reversed(list(run.contents.answers.get(trial.id, {}).values())):
        if (found := program_of_answer(run, trial.language, saved.answer.text)) is not None:
            yield found


def plan_replay(
    run: SavedRun, seed: bytes, *, pack: str | None = None, prompts: Path | None = None
) -> dict[TaskName, tuple[EvaluationPlan, TrialTerms]]:
    """Return a plan to replay the finished trials of a run, and its terms, for each task.

    prompts: folder of the user's templates. Raises UsageError if the pack or a setting of the run
    is not available, and PackError if the pack is invalid.
    """
    found: dict[TaskName, tuple[EvaluationPlan, TrialTerms]] = {}
    about, terms = run.saved_terms, run.terms
    for task in ("solve", "predict"):
        trials = [trial for trial in run.trials if trial.task == task]
        if trials:
            options = EvaluationOptions(
                model=about.model,
                asked=str(terms.get("asked", "")),
                languages=list(dict.fromkeys(trial.language for trial in trials)),
                regimes=list(dict.fromkeys(trial.regime for trial in trials)),
                task=task,
                problems=list(dict.fromkeys(trial.item for trial in trials)),
                attempts=about.attempts,
                temperature=about.temperature,
                max_tokens=about.max_tokens,
                sampling_seed=terms.get("sampling_seed"),
                extra=about.extra,
                dialect=about.dialect,
                options=about.options,
                compare=cast("Compare", about.compare),
                time_limit=about.time_limit,
                pack=None if task == "predict" and terms.get("items") else _pack_name(run, pack),
                items=terms.get("items"),
                card=about.card,
                bare=about.bare,
                examples=about.examples,
                feedback=cast("Feedback", about.feedback),
                prompts=prompts,
                limits=TrialLimits(**(terms.get("limits") or {})),
                requested_model=terms.get("requested_model"),
            )
            found[task] = make_plan(options, seed)
    return found


def _pack_name(run: SavedRun, pack: str | None) -> str:
    return str(find_run_pack(run, pack))
