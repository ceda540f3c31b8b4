"""Run one trial: first with answers from the transcript, then with new requests."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from typing import Any, NamedTuple

from esoplay.errors import UsageError
from esoplay.evaluation.extraction import output_in, program_in
from esoplay.evaluation.model import Message, RequestDeclined, RetryingModel, to_bytes
from esoplay.evaluation.prompts import PromptSettings, prediction_question
from esoplay.evaluation.regimes import REGIMES, ExampleOutcome, outcome_from_json, outcome_of_report
from esoplay.evaluation.transcript import SavedAnswer, TranscriptContents
from esoplay.evaluation.trials import NO_LIMITS, Feedback, Trial, TrialLimits
from esoplay.grading.output_comparison import Compare, same_output
from esoplay.grading.predictions import Prediction
from esoplay.grading.problem import Problem
from esoplay.grading.report import GradeReport
from esoplay.packs.grading import grade_examples, grade_source
from esoplay.programs.host_lanes import toolchain_version
from esoplay.running.run import bytes_as_json
from esoplay.running.worker import Worker

_MAX_COPIED_PROGRAM_BYTES = 1 << 20  # programs up to this size are copied into records


class GradingSettings(NamedTuple):
    """Settings for grading programs.

    time_limit: maximum seconds of one run, None for the limit of the problem. feedback: tests for
    feedback to the model. examples: number of public examples that the model sees, None for all.
    workers: function that lends a process to run programs.
    """

    seed: bytes
    compare: Compare
    time_limit: float | None
    pack: str | None
    feedback: Feedback
    examples: int | None
    workers: Callable[[], AbstractContextManager[Worker]]


class DifferentQuestion(UsageError):
    """Raised if a saved answer does not belong to the question that the regime asks."""


class TrialLimitReached(Exception):
    """Raised when a trial reaches a limit; the message is the limit's name in ``TrialLimits``."""


class TrialConversation:
    """Questions of one trial; each is sent only once, even if the trial is resumed.

    turn: number of questions so far. questions: role and messages of each question, by turn.
    """

    def __init__(
        self,
        trial: Trial,
        transcript: TranscriptContents,
        model: RetryingModel,
        seed: int | None,
        on_retry: Callable[[str, float], None],
        limits: TrialLimits = NO_LIMITS,
    ):
        self._trial = trial
        self._transcript = transcript
        self._model = model
        self._seed = seed
        self._on_retry = on_retry
        self._limits = limits
        self.turn = 0
        self.questions: dict[int, tuple[str, list[Message]]] = {}
        self._shown: dict[str, list[Message]] = {}

    def ask(self, role: str, messages: list[Message]) -> str:
        """Return the saved answer to a question, or request and save one.

        Raises RequestDeclined if the model declines, TrialLimitReached if the limits allow no
        further question, and DifferentQuestion if the saved answer belongs to another question.
        """
        self._check_limits()
        self.turn += 1
        self.questions[self.turn] = role, messages
        request = question_digest(role, messages)
        kept = self._transcript.answers.get(self._trial.id, {}).get(self.turn)
        if kept is None:
            kept = self._ask(role, messages, request)
        elif kept.request != request:
            raise DifferentQuestion(
                f"{self._transcript.path}: the answer in turn {self.turn} of {self._trial.id} "
                "belongs to a different question than this run asks; choose another folder"
            )
        self._shown[role] = messages
        if kept.declined is not None:
            raise RequestDeclined(kept.declined)
        return kept.answer.text

    def _check_limits(self) -> None:
        """Raise TrialLimitReached if the limits do not allow another question."""
        answers = self._transcript.answers.get(self._trial.id, {})
        past = [answers[turn] for turn in range(1, self.turn + 1)]
        used_amounts = (
            len(past),
            sum(each.answer.output_tokens or 0 for each in past),
            sum(each.seconds for each in past),
        )
        for name, used, limit in zip(TrialLimits._fields, used_amounts, self._limits, strict=True):
            if limit is not None and used >= limit:
                raise TrialLimitReached(name)

    def _ask(self, role: str, messages: list[Message], request: str) -> SavedAnswer:
        trial, turn, transcript = self._trial.id, self.turn, self._transcript
        before = self._shown.get(role, [])
        known = 0  # number of messages that are the same as in this role's last request
        while known < min(len(before), len(messages)) and before[known] == messages[known]:
            known += 1
        transcript.add(
            "asked",
            trial,
            turn=turn,
            role=role,
            request=request,
            repeated=known,
            messages=[message.as_json() for message in messages[known:]],
        )

        def record_retry(reason: str, pause: float) -> None:
            transcript.add("failed", trial, turn=turn, reason=reason, pause=round(pause, 3))
            self._on_retry(reason, pause)

        start_time = time.monotonic()
        try:
            answer = self._model.ask(messages, self._seed, record_retry)
        except RequestDeclined as error:
            outcome: dict[str, Any] = {"reason": str(error)}
            kind = "declined"
        else:
            outcome, kind = answer._asdict(), "answered"
        seconds = round(time.monotonic() - start_time, 3)
        transcript.add(kind, trial, turn=turn, request=request, seconds=seconds, **outcome)
        return transcript.answers[trial][turn]


class TrialContext:
    """A trial as its regime sees it: problem, conversation and feedback.

    Implements ``regimes.RegimeContext``.
    """

    def __init__(
        self,
        prompt_settings: PromptSettings,
        problem: Problem,
        attempts: int,
        conversation: TrialConversation,
        judge: TrialJudge,
    ):
        self.prompt_settings = prompt_settings
        self.problem = problem
        self.attempts = attempts
        self.ask = conversation.ask
        self._judge = judge

    def program(self, answer: str) -> bytes | None:
        return (
            to_bytes(answer)
            if self.prompt_settings.bare
            else program_in(answer, self.prompt_settings.language)
        )

    @property
    def tests_name(self) -> str:
        return self._judge.tests_name

    def try_out(self, program: bytes) -> ExampleOutcome:
        return self._judge.try_out(program)


class TrialJudge:
    """Runner of the programs of one trial; a resumed trial reuses saved results."""

    def __init__(
        self,
        trial: Trial,
        transcript: TranscriptContents,
        prompt_settings: PromptSettings,
        grading: GradingSettings,
    ):
        self._trial = trial
        self._transcript = transcript
        self._prompt_settings = prompt_settings
        self._grading = grading
        self.attempts = 0
        self.last_program: bytes | None = None  # the last program that was tried

    @property
    def tests_name(self) -> str:
        """Name, in messages to the model, of the tests that give it feedback on its programs."""
        return "hidden tests" if self._grading.feedback == "scoring" else "examples"

    def try_out(self, program: bytes) -> ExampleOutcome:
        """Run a program on the tests for feedback, or return the saved result."""
        self.attempts += 1
        self.last_program = program
        kept = self._transcript.tried.get(self._trial.id, {}).get(self.attempts)
        if kept is not None:
            return outcome_from_json(kept)
        if self._grading.feedback == "scoring":
            report = self._grade_hidden(program, with_details=True)
        else:
            report = self._grade_examples(program)
        tried = outcome_of_report(report)
        self._transcript.add(
            "tried",
            self._trial.id,
            attempt=self.attempts,
            **_program_members(program),
            **tried.as_json(),
        )
        return tried

    def judge(self, program: bytes) -> dict[str, Any]:
        """Grade a program with the hidden tests; return the verdict as members of a record."""
        return verdict_members(self._grade_hidden(program))

    def _grade_examples(self, program: bytes) -> GradeReport:
        with self._grading.workers() as worker:
            return grade_examples(
                self._trial.item,
                self._prompt_settings.language.id,
                program,
                dialect=self._prompt_settings.dialect,
                options=self._prompt_settings.options,
                compare=self._grading.compare,
                time_limit=self._grading.time_limit,
                pack=self._grading.pack,
                worker=worker,
                max_examples=self._grading.examples,
            )

    def _grade_hidden(self, program: bytes, *, with_details: bool = False) -> GradeReport:
        with self._grading.workers() as worker:
            return grade_source(
                self._trial.item,
                self._prompt_settings.language.id,
                program,
                seed=self._grading.seed,
                dialect=self._prompt_settings.dialect,
                options=self._prompt_settings.options,
                compare=self._grading.compare,
                time_limit=self._grading.time_limit,
                pack=self._grading.pack,
                worker=worker,
                with_details=with_details,
            )


def verdict_members(report: GradeReport) -> dict[str, Any]:
    """Return the members that describe a verdict in the record of a finished trial.

    They include the verdict and steps of each test and, for a host lane, the toolchain's version.
    """
    version = toolchain_version(report.language)
    failed = next((test.verdict for test in report.tests if not test.passed), "pass")
    return {
        "verdict": failed,
        "solved": report.solved,
        "passed": report.passed,
        "total": report.total,
        "tests": [{"verdict": test.verdict, "steps": test.steps} for test in report.tests],
        **({} if version is None else {"toolchain": version}),
    }


def solve(
    trial: Trial,
    prompt_settings: PromptSettings,
    problem: Problem,
    attempts: int,
    conversation: TrialConversation,
    transcript: TranscriptContents,
    grading: GradingSettings,
) -> None:
    """Run a trial in which the model has to solve a problem, and save its result."""
    prompt_settings = prompt_settings._replace(time_limit=grading.time_limit or problem.time_limit)
    judge = TrialJudge(trial, transcript, prompt_settings, grading)
    context = TrialContext(prompt_settings, problem, attempts, conversation, judge)
    members: dict[str, Any] = {}
    try:
        program = REGIMES[trial.regime].play(context)
    except TrialLimitReached as reached:
        program = judge.last_program
        members["limit"] = str(reached)
    except RequestDeclined as error:
        _finish(trial, transcript, problem.tier, judge.attempts, "no_answer", reason=str(error))
        return
    if program is None:
        _finish(trial, transcript, problem.tier, judge.attempts, "no_program", **members)
        return
    found = judge.judge(program)
    tries = max(1, judge.attempts)
    members |= {**found, "time_limit": prompt_settings.time_limit}
    _finish(trial, transcript, problem.tier, tries, **members, **_program_members(program))


def run_prediction(
    trial: Trial,
    prompt_settings: PromptSettings,
    item: Prediction,
    conversation: TrialConversation,
    transcript: TranscriptContents,
    compare: Compare,
) -> None:
    """Run a trial in which the model predicts an output, and save whether it is correct."""
    try:
        output = output_in(
            conversation.ask("reader", prediction_question(item, prompt_settings, trial.regime))
        )
    except RequestDeclined as error:
        _finish(trial, transcript, item.tier, 0, "no_answer", reason=str(error))
        return
    if output is None:
        _finish(trial, transcript, item.tier, 0, "no_answer", reason="no fenced block")
        return
    right = same_output(output, item.output, compare)
    _finish(trial, transcript, item.tier, 1, "pass" if right else "wrong_answer", solved=right)


def _finish(
    trial: Trial,
    transcript: TranscriptContents,
    tier: str,
    attempts: int,
    verdict: str,
    *,
    solved: bool = False,
    **members: Any,
) -> None:
    transcript.add(
        "finished",
        trial.id,
        tier=tier,
        solved=solved,
        verdict=verdict,
        attempts=attempts,
        **members,
    )


def _program_members(program: bytes) -> dict[str, Any]:
    """Return the members of a record for a program: digest, size, and bytes if not too long."""
    members: dict[str, Any] = {
        "program_sha256": hashlib.sha256(program).hexdigest(),
        "program_size": len(program),
    }
    if len(program) > _MAX_COPIED_PROGRAM_BYTES:
        return members
    return members | bytes_as_json("program", program)


def question_digest(role: str, messages: Sequence[Message]) -> str:
    """Return the digest that identifies a question in its saved answer."""
    data = json.dumps([role, *messages]).encode("ascii")
    return hashlib.sha256(data).hexdigest()[:32]
