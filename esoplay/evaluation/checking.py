"""Check a finished evaluation by replaying it with the saved answers.

A run passes if its seed matches the commitment, each regime asks exactly the saved questions in
order, every answer is used, each verdict is the same, and the results follow from the transcript.
Requests to a model outside of the evaluation cannot be detected.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import zip_longest
from pathlib import Path
from threading import Event
from typing import Any, NamedTuple, cast

from esolangs.wording import plural
from esoplay.errors import UsageError
from esoplay.evaluation.model import Message, ModelAnswer, RetryingModel, Unavailable
from esoplay.evaluation.reports import RESULTS_FILE, results_json
from esoplay.evaluation.rescoring import RescoreOptions, rescore
from esoplay.evaluation.results import compute_results
from esoplay.evaluation.runs import EvaluationPlan, WorkerPool, for_each_trial
from esoplay.evaluation.saved_runs import (
    Question,
    SavedRun,
    find_run_pack,
    find_run_seed,
    plan_replay,
    saved_questions,
)
from esoplay.evaluation.transcript import TRANSCRIPT_FILE, TranscriptContents
from esoplay.evaluation.trial_context import (
    DifferentQuestion,
    TrialConversation,
    question_digest,
)
from esoplay.evaluation.trials import Trial
from esoplay.grading.datasets import TIERS
from esoplay.packs.catalogue import get_pack
from esoplay.version import VERSION

_VERSION_TERMS = ("esoplay", "format_version")
"""Settings that depend on the version of esoplay; the check of a run does not compare them."""
_TERM_NAMES = {"prompts": "prompts, the digest of all templates"}
_UNIQUE_RECORDS = {
    "answered": "turn {} is answered",
    "declined": "turn {} is answered",
    "tried": "the result of program {} is saved",
    "finished": "the end of the trial is saved",
}
"""Kinds of records that occur once per question, program or trial, with the finding for duplicates.

The number of the question or program replaces ``{}``.
"""
_MAX_SHOWN = 120
"""Maximum number of characters of a line that a finding quotes."""
_COSTS = ("cost", "currency")
"""Members of the results that depend on a price file."""


class CheckFinding(NamedTuple):
    """Difference that a check found.  where: id of a trial or name of a file."""

    where: str
    reason: str

    @property
    def file(self) -> str:
        """The file of the run that contains the difference."""
        return self.where if self.where.endswith(".json") else TRANSCRIPT_FILE

    @property
    def text(self) -> str:
        """The text of the finding, with the trial but without the file."""
        return self.reason if self.where == self.file else f"{self.where}: {self.reason}"

    def as_json(self) -> dict[str, str]:
        return {"where": self.where, "reason": self.reason}


def check_run(
    run: SavedRun,
    seed: bytes | None,
    *,
    pack: str | None = None,
    prompts: Path | None = None,
    jobs: int = 1,
    progress: Callable[[int, int], None] | None = None,
) -> list[CheckFinding]:
    """Replay a run, or regrade a rescored run; return the differences from its files.

    seed: seed of the hidden tests, None for the seed in the run's folder.  pack: pack of the run,
    if it is not installed.  prompts: folder of the user's templates, if the run used any.  Raises
    UsageError if the run cannot be checked, for example without the seed or the pack.
    """
    if not run.trials:
        raise UsageError(f"no finished trials in {run.folder}")
    seed = find_run_seed(run, seed, pack)
    if run.is_derived:
        found = _regrade(run, seed, pack, jobs, progress)
    else:
        found = _replay_all(run, seed, pack, prompts, jobs, progress)
    return [*found, *_duplicate_records(run), *_changed_results(run, pack)]


def _regrade(
    run: SavedRun,
    seed: bytes,
    pack: str | None,
    jobs: int,
    progress: Callable[[int, int], None] | None,
) -> list[CheckFinding]:
    """Grade the programs of a rescored run again; return a finding for each changed verdict.

    The questions are not checked, because another run, the original one, asked them.
    """
    again = rescore(run, RescoreOptions(seed, pack), jobs=jobs, progress=progress)
    return [
        _verdict_finding(change.trial, change.before, change.after) for change in again.test_changes
    ]


def _replay_all(
    run: SavedRun,
    seed: bytes,
    pack: str | None,
    prompts: Path | None,
    jobs: int,
    progress: Callable[[int, int], None] | None,
) -> list[CheckFinding]:
    if run.saved_terms.own_prompts and prompts is None:
        names = ", ".join(run.saved_terms.own_prompts)
        raise UsageError(
            f"the run {run.folder} used its own prompts: {names}; the check needs them\n"
            "try: --prompts DIR, with the folder of prompts that the run was started with"
        )
    plans = plan_replay(run, seed, pack=pack, prompts=prompts)
    found = [
        finding for _, terms in plans.values() for finding in _changed_terms(run, terms.as_json())
    ]
    if found:
        return list(dict.fromkeys(found))

    asked: dict[str, list[dict[str, Any]]] = {}
    for record in run.records:
        if record["kind"] == "asked":
            asked.setdefault(record["trial"], []).append(record)

    def replay(trial: Trial, workers: WorkerPool) -> list[CheckFinding]:
        plan, _ = plans[trial.task]
        questions = saved_questions(asked.get(trial.id, ()))
        return _replay(run, trial, plan, questions, workers)

    by_trial = for_each_trial(run.trials, replay, jobs=jobs, progress=progress)
    return [finding for findings in by_trial.values() for finding in findings]


def _changed_terms(run: SavedRun, terms: dict[str, Any]) -> list[CheckFinding]:
    """Return the run's settings, such as the prompts, that differ in this version of esoplay."""
    made = run.terms.get("esoplay")
    return [
        CheckFinding(
            "evaluation.json",
            f"{_TERM_NAMES.get(name, name)}: {json.dumps(run.terms[name])} in the run (esoplay "
            f"{made}), {json.dumps(value)} here (esoplay {VERSION})",
        )
        for name, value in terms.items()
        if name in run.terms and name not in _VERSION_TERMS and run.terms[name] != value
    ]


class _ModelWithoutAnswers:
    """Model for a replay: it raises an error for questions that the transcript does not answer."""

    def ask(self, messages: Sequence[Message], seed: int | None) -> ModelAnswer:
        raise Unavailable("the transcript has no answer to this question")

    def close(self) -> None: ...


def _ignore_retry(reason: str, pause: float) -> None:
    """Ignore a retry: saved answers need no retries."""


def _replay(
    run: SavedRun,
    trial: Trial,
    plan: EvaluationPlan,
    questions: Mapping[int, Question],
    workers: WorkerPool,
) -> list[CheckFinding]:
    """Play one trial again from its saved answers.  questions: saved questions by turn."""
    again = TranscriptContents(run.contents.path)
    saved = run.contents.answers.get(trial.id, {})
    again.answers = {trial.id: dict(saved)}
    model = RetryingModel(_ModelWithoutAnswers(), 0, Event())
    talk = TrialConversation(trial, again, model, None, _ignore_retry, plan.limits)
    try:
        plan.play(trial, talk, again, workers)
    except DifferentQuestion:
        return [_question_finding(trial, talk, questions, saved[talk.turn].request)]
    except Unavailable:
        return [CheckFinding(trial.id, f"turn {talk.turn} has no answer")]
    found = [*_edited_questions(trial, talk, questions), *_changed_feedback(run, trial, again)]
    if talk.turn < len(saved):
        spare = plural(len(saved) - talk.turn, "answer")
        found.append(CheckFinding(trial.id, f"{spare} after the last question; expected none"))
    before, after = run.contents.finished[trial.id], again.finished[trial.id]
    differing = [
        name
        for name in {**before, **after}
        if name != "time_ms" and before.get(name, after.get(name)) != after.get(name)
    ]
    if "verdict" in differing:
        found.append(_verdict_finding(trial, before["verdict"], after["verdict"]))
    elif differing:
        found.append(
            CheckFinding(
                trial.id, f"{', '.join(differing)}: not the same when the trial is repeated"
            )
        )
    return found


# Questions, compared word by word, and the feedback on programs


def _question_finding(
    trial: Trial, conversation: TrialConversation, questions: Mapping[int, Question], request: str
) -> CheckFinding:
    """Describe how the last question asked in a replay differs from the saved question.

    request: the digest of the question to which the saved answer belongs.
    """
    turn = conversation.turn
    kept = questions.get(turn)
    if kept is None:
        return CheckFinding(trial.id, f"turn {turn}: the question is missing")
    if question_digest(*kept) != request:
        return CheckFinding(trial.id, f"turn {turn}: the answer belongs to another question")
    where = _first_difference(kept, conversation.questions[turn])
    return CheckFinding(trial.id, f"turn {turn}: the replay asks a different question: {where}")


def _edited_questions(
    trial: Trial, conversation: TrialConversation, questions: Mapping[int, Question]
) -> list[CheckFinding]:
    """Return a finding for each saved question that differs from the question in the replay."""
    found: list[CheckFinding] = []
    for turn, question in conversation.questions.items():
        if turn not in questions:
            found.append(CheckFinding(trial.id, f"turn {turn}: the question is missing"))
        elif questions[turn] != question:
            where = _first_difference(questions[turn], question)
            found.append(CheckFinding(trial.id, f"turn {turn}: the question was edited: {where}"))
    return found


def _first_difference(saved: Question, replayed_question: Question) -> str:
    """Describe the first line in which two questions differ."""
    if saved[0] != replayed_question[0]:
        return f"saved: role {saved[0]!r}; in the replay: {replayed_question[0]!r}"
    for number, (ours, theirs) in enumerate(zip_longest(saved[1], replayed_question[1]), 1):
        if ours == theirs:
            continue
        if ours is None or theirs is None:
            count = len(replayed_question[1])
            return f"saved: {plural(len(saved[1]), 'message')}; in the replay: {count}"
        where = f"message {number} ({theirs.role})"
        if ours.role != theirs.role:
            return f"message {number}: saved: role {ours.role!r}; in the replay: {theirs.role!r}"
        lines = zip_longest(ours.text.split("\n"), theirs.text.split("\n"))
        pairs = ((at, *pair) for at, pair in enumerate(lines, 1) if pair[0] != pair[1])
        at, was, now = next(pairs)
        return f"{where}, line {at}: saved: {_quote_line(was)}; in the replay: {_quote_line(now)}"
    return "the digests of the questions differ"


def _quote_line(line: str | None) -> str:
    if line is None:
        return "no line"
    return json.dumps(
        line if len(line) <= _MAX_SHOWN else line[:_MAX_SHOWN] + "…", ensure_ascii=False
    )


def _changed_feedback(
    run: SavedRun, trial: Trial, replayed: TranscriptContents
) -> list[CheckFinding]:
    """Return a finding for each program whose saved result differs from that in the replay."""
    before, after = run.contents.tried.get(trial.id, {}), replayed.tried.get(trial.id, {})
    return [
        CheckFinding(trial.id, f"program {attempt}: the result differs when the trial is repeated")
        for attempt in sorted(before.keys() | after.keys())
        if _without_time(before.get(attempt)) != _without_time(after.get(attempt))
    ]


def _without_time(record: dict[str, Any] | None) -> dict[str, Any] | None:
    return None if record is None else {**record, "time_ms": 0}


def _duplicate_records(run: SavedRun) -> list[CheckFinding]:
    """Return a finding for each question, program or trial whose result is saved several times."""
    counts = Counter(
        (
            record["trial"],
            _UNIQUE_RECORDS[record["kind"]],
            record.get("turn", record.get("attempt", 0)),
        )
        for record in run.records
        if record["kind"] in _UNIQUE_RECORDS
    )
    return [
        CheckFinding(trial, f"{what.format(number)} {count} times; expected once")
        for (trial, what, number), count in counts.items()
        if count > 1
    ]


def _verdict_finding(trial: Trial, before: str, after: str) -> CheckFinding:
    if before == after:
        return CheckFinding(trial.id, "the results of some tests differ from the saved results")
    return CheckFinding(trial.id, f"saved verdict {before}; the tests give {after}")


def _changed_results(run: SavedRun, pack: str | None) -> list[CheckFinding]:
    """Compare ``results.json``, without costs, with results computed from the transcript."""
    tiers = _tiers(run, pack)
    expected = results_json(compute_results(run.terms, run.contents, None, tiers))
    path = run.folder / RESULTS_FILE
    try:
        found: object = json.loads(path.read_bytes())
    except (OSError, ValueError, RecursionError):
        return [CheckFinding(RESULTS_FILE, "cannot be read as JSON")]
    saved = cast("dict[str, Any]", found) if isinstance(found, dict) else {}
    wanted: dict[str, Any] = json.loads(json.dumps(expected))
    return [
        CheckFinding(RESULTS_FILE, f"{name}: does not follow from the transcript")
        for name in wanted
        if name not in _COSTS and not _matches_expected(saved.get(name), wanted[name])
    ]


def _tiers(run: SavedRun, pack: str | None) -> Sequence[str]:
    return TIERS if run.terms.get("items") else get_pack(find_run_pack(run, pack)).tiers


def _matches_expected(saved: object, expected: object) -> bool:
    """Return whether saved results equal the expected ones, apart from costs.

    Objects may lack members, because earlier versions wrote fewer.
    """
    if isinstance(saved, dict) and isinstance(expected, dict):
        members = cast("dict[str, object]", saved)
        known = cast("dict[str, object]", expected)
        return members.keys() <= known.keys() and all(
            name in _COSTS or _matches_expected(members[name], known[name]) for name in members
        )
    if isinstance(saved, list) and isinstance(expected, list):
        ones, others = cast("list[object]", saved), cast("list[object]", expected)
        return len(ones) == len(others) and all(map(_matches_expected, ones, others))
    return saved == expected
