"""Plan the trials of an evaluation from the user's options, and run them in threads."""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from pathlib import Path
from queue import Empty, Queue, SimpleQueue
from threading import Event, Thread
from typing import Any, NamedTuple, TypeVar

from esolangs.errors import EngineError
from esolangs.registry import find_language, language_ids
from esoplay.errors import PackError, UsageError, WorkerDied
from esoplay.evaluation import prompts
from esoplay.evaluation.model import (
    FIRST_PAUSE_SECONDS,
    EvaluationStopped,
    Model,
    RetryingModel,
    Unavailable,
)
from esoplay.evaluation.prompts import (
    PromptSettings,
    PromptTemplates,
    read_templates,
    solved_examples,
)
from esoplay.evaluation.regimes import REGIMES
from esoplay.evaluation.transcript import EvaluationTranscript, TranscriptContents
from esoplay.evaluation.trial_context import (
    GradingSettings,
    TrialConversation,
    run_prediction,
    solve,
)
from esoplay.evaluation.trials import NO_LIMITS, Feedback, TaskName, Trial, TrialLimits, TrialTerms
from esoplay.grading.datasets import TIERS
from esoplay.grading.output_comparison import Compare
from esoplay.grading.predictions import Prediction, PredictionSet
from esoplay.grading.problem import PackName, Problem
from esoplay.grading.seeds import commitment, report_salt
from esoplay.packs.catalogue import get_pack, resolve_pack, select, select_solvable
from esoplay.packs.predictions import get_predictions, reference_predictions
from esoplay.programs.host_lanes import check_language_id
from esoplay.running.worker import Worker
from esoplay.sessions.target import Target, find_target

# Running the trials in several threads; each step is saved immediately.

_WAKE_SECONDS = 0.5  # seconds between wake-ups of the main thread, so that it handles Ctrl-C


@dataclass(frozen=True, slots=True)
class EvaluationPlan:
    """Trials of an evaluation, with everything that is needed to run them.

    prompt_settings: by language. items: problems or output predictions, by language and
    id. tiers: all tiers of the pack in order. sampling_seed: seed of the first run; each further
    run adds 1.
    """

    trials: Sequence[Trial]
    prompt_settings: Mapping[str, PromptSettings]
    items: Mapping[tuple[str, str], Problem | Prediction]
    tiers: Sequence[str]
    attempts: int
    sampling_seed: int | None
    seed: bytes
    compare: Compare
    time_limit: float | None
    pack: str | None
    feedback: Feedback
    examples: int | None
    limits: TrialLimits

    def play(
        self,
        trial: Trial,
        conversation: TrialConversation,
        transcript: TranscriptContents,
        workers: WorkerPool,
    ) -> None:
        """Run a trial until the transcript records its end."""
        prompt_settings, item = (
            self.prompt_settings[trial.language],
            self.items[trial.language, trial.item],
        )
        if not isinstance(item, Problem):
            run_prediction(trial, prompt_settings, item, conversation, transcript, self.compare)
            return
        grading = GradingSettings(
            self.seed,
            self.compare,
            self.time_limit,
            self.pack,
            self.feedback,
            self.examples,
            workers.borrow_worker,
        )
        solve(trial, prompt_settings, item, self.attempts, conversation, transcript, grading)


class TrialEvent(NamedTuple):
    """A trial that was finished or postponed, or that is waiting for a retry.

    reason: reason of the pause or postponement, None for a finished trial. pause_seconds: time
    until the retry.
    """

    trial: Trial
    reason: str | None
    pause_seconds: float | None = None


_EventQueue = SimpleQueue[TrialEvent | BaseException | None]
"""Queue from the trial threads to the main thread; None means that a thread has ended."""


def run_trials(
    plan: EvaluationPlan,
    transcript: EvaluationTranscript,
    model: Model,
    *,
    jobs: int = 4,
    retries: int = 6,
    first_pause: float = FIRST_PAUSE_SECONDS,
    progress: Callable[[TrialEvent], None] | None = None,
) -> list[TrialEvent]:
    """Run the unfinished trials of the plan; return the postponed ones with reasons.

    After an interruption, such as Ctrl-C, the run can be resumed from its transcript. Raises
    UsageError if no request can succeed, and PackError if a problem is invalid.
    """
    waiting = SimpleQueue[Trial]()
    count = 0
    for trial in plan.trials:
        if trial.id not in transcript.finished:
            waiting.put(trial)
            count += 1
    stop = Event()
    events: _EventQueue = SimpleQueue()
    asked = RetryingModel(model, retries, stop, first_pause=first_pause)
    with WorkerPool(min(jobs, os.cpu_count() or 1)) as workers:

        def work() -> None:
            try:
                while not stop.is_set():
                    trial = waiting.get_nowait()
                    events.put(_run_trial(trial, plan, transcript, asked, workers, events))
            except (Empty, EvaluationStopped):
                pass
            except BaseException as error:  # raised in the main thread
                events.put(error)
            events.put(None)

        # Daemon threads: the process can exit while a thread waits for a silent endpoint.
        threads = [Thread(target=work, daemon=True) for _ in range(min(jobs, count))]
        try:
            for thread in threads:
                thread.start()
            return _collect_events(events, len(threads), progress)
        finally:
            stop.set()
            model.close()
            transcript.close()


def _run_trial(
    trial: Trial,
    plan: EvaluationPlan,
    transcript: EvaluationTranscript,
    model: RetryingModel,
    workers: WorkerPool,
    events: _EventQueue,
) -> TrialEvent:
    def report_wait(reason: str, pause: float) -> None:
        events.put(TrialEvent(trial, reason, pause))

    seed = None if plan.sampling_seed is None else plan.sampling_seed + trial.run - 1
    talk = TrialConversation(trial, transcript, model, seed, report_wait, plan.limits)
    try:
        plan.play(trial, talk, transcript, workers)
    except (Unavailable, WorkerDied) as error:
        return TrialEvent(trial, str(error))
    return TrialEvent(trial, None)


def _collect_events(
    events: _EventQueue, threads: int, progress: Callable[[TrialEvent], None] | None
) -> list[TrialEvent]:
    """Process events until all threads have ended; return the postponed trials.

    Passes every event to ``progress``. Raises the first exception of a thread.
    """
    left: list[TrialEvent] = []
    while threads:
        try:
            event = events.get(timeout=_WAKE_SECONDS)
        except Empty:
            continue
        if event is None:
            threads -= 1
            continue
        if isinstance(event, BaseException):
            raise event
        if event.reason is not None and event.pause_seconds is None:
            left.append(event)
        if progress is not None:
            progress(event)
    return left


class WorkerPool:
    """Pool of worker processes, which threads borrow to run programs."""

    def __init__(self, count: int):
        self._workers = [Worker() for _ in range(count)]
        self._free = Queue[Worker]()
        for worker in self._workers:
            self._free.put(worker)

    def __enter__(self) -> WorkerPool:
        return self

    def __exit__(self, *_: object) -> None:
        """Close the idle workers; workers in use exit with this process."""
        with suppress(Empty):
            while True:
                self._free.get_nowait().close()

    @contextmanager
    def borrow_worker(self) -> Generator[Worker]:
        worker = self._free.get()
        try:
            yield worker
        finally:
            self._free.put(worker)


_Result = TypeVar("_Result")


def for_each_trial(
    trials: Sequence[Trial],
    work: Callable[[Trial, WorkerPool], _Result],
    *,
    jobs: int,
    progress: Callable[[int, int], None] | None = None,
) -> dict[str, _Result]:
    """Return the result of ``work`` for each trial by its id, in the order of the trials.

    jobs: number of threads and of processes. progress: called with the number of finished trials
    and of all trials.
    """
    with WorkerPool(jobs) as workers, ThreadPoolExecutor(jobs) as threads:
        futures = {threads.submit(work, trial, workers): trial for trial in trials}
        found: dict[str, _Result] = {}
        try:
            for future in as_completed(futures):
                found[futures[future].id] = future.result()
                if progress is not None:
                    progress(len(found), len(trials))
        except BaseException:
            threads.shutdown(cancel_futures=True)
            raise
    return {trial.id: found[trial.id] for trial in trials}


DEFAULT_ATTEMPTS = 5
"""Default maximum number of programs per trial or, in an agent loop, of repairs."""


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    """Options of an evaluation; see ``esoplay eval --help``.

    asked: URL or command of the model. languages, regimes: ids, or ``all``. options: options of the
    dialect. compare: None for the pack's mode. time_limit: maximum seconds of one program run, None
    for the limits of the problems. items: installed set or file of output predictions, None to
    generate them. examples: number of public examples that the model sees, None for all. prompts:
    folder of templates.
    """

    model: str
    asked: str
    languages: Sequence[str]
    regimes: Sequence[str]
    task: TaskName = "solve"
    problems: Sequence[str] | None = None
    runs: int = 1
    attempts: int = DEFAULT_ATTEMPTS
    temperature: float | None = None
    max_tokens: int | None = None
    sampling_seed: int | None = None
    extra: Mapping[str, Any] | None = None
    dialect: str = "benchmark"
    options: Mapping[str, str] | None = None
    compare: Compare | None = None
    time_limit: float | None = None
    pack: str | None = None
    items: str | None = None
    card: bool = True
    bare: bool = False
    examples: int | None = None
    feedback: Feedback = "examples"
    prompts: Path | None = None
    limits: TrialLimits = NO_LIMITS
    requested_model: str | None = None


def make_plan(options: EvaluationOptions, seed: bytes) -> tuple[EvaluationPlan, TrialTerms]:
    """Return the plan of an evaluation and its settings.

    Each run contains all languages and regimes in the order of the options. Raises UsageError if an
    option is invalid, and PackError if the pack is.
    """
    languages = _languages(options)
    regimes = _regimes(options)
    scoring = options.feedback == "scoring"
    templates = (
        PromptTemplates(scoring=scoring)
        if options.prompts is None
        else read_templates(options.prompts, scoring=scoring)
    )
    prompt_settings = {
        language.id: PromptSettings(
            language, options.dialect, options.options or {}, options.card, options.bare, templates
        )
        for language in languages
    }
    if "few-shot" in regimes:
        for language in languages:
            if not solved_examples(language):
                raise UsageError(f"few-shot needs solved examples; {language.name} has none")
    pack = None if options.pack is None else str(resolve_pack(options.pack) or options.pack)
    name, tiers, chosen = _items(options, languages, seed, pack)
    if not scoring:
        _check_feedback(regimes, chosen)
    compare = options.compare or _common_comparison(chosen)
    plan = EvaluationPlan(
        trials=[
            Trial(options.task, language.id, regime, item.id, run)
            for run in range(1, options.runs + 1)
            for language in languages
            for regime in regimes
            for item in chosen[language.id]
        ],
        prompt_settings=prompt_settings,
        items={(id, item.id): item for id, items in chosen.items() for item in items},
        tiers=tiers,
        attempts=options.attempts,
        sampling_seed=options.sampling_seed,
        seed=seed,
        compare=compare,
        time_limit=options.time_limit,
        pack=pack,
        feedback=options.feedback,
        examples=options.examples,
        limits=options.limits,
    )
    terms = TrialTerms(
        model=options.model,
        asked=options.asked,
        temperature=options.temperature,
        max_tokens=options.max_tokens,
        sampling_seed=options.sampling_seed,
        extra=options.extra or {},
        dialect=options.dialect,
        options=options.options or {},
        compare=compare,
        time_limit=options.time_limit,
        pack=name.id,
        pack_version=name.version,
        items=options.items,
        seed_commitment=commitment(seed, report_salt(seed), name),
        card=options.card,
        bare=options.bare,
        attempts=options.attempts,
        examples=options.examples,
        feedback=options.feedback,
        prompts=templates.digest,
        own_prompts=sorted(templates.custom),
        limits=options.limits,
        requested_model=options.requested_model,
    )
    return plan, terms


def _common_comparison(items_by_language: Mapping[str, Sequence[Problem | Prediction]]) -> Compare:
    """Return the comparison mode that the pack sets for its problems; ``exact`` for predictions."""
    for items in items_by_language.values():
        for item in items:
            return item.compare if isinstance(item, Problem) else "exact"
    return "exact"


def _check_feedback(
    regimes: Sequence[str], items_by_language: Mapping[str, Sequence[Problem | Prediction]]
) -> None:
    """Raise UsageError if a regime requires public examples and a problem has none."""
    repeating = [regime for regime in regimes if REGIMES[regime].tries_several]
    for items in items_by_language.values():
        for item in items:
            if repeating and isinstance(item, Problem) and not item.examples:
                once = ", ".join(
                    name for name, regime in REGIMES.items() if not regime.tries_several
                )
                raise UsageError(
                    f"{repeating[0]} gives feedback from public examples, and {item.id} has none\n"
                    f"try: --feedback scoring, or --regime with one of {once}"
                )


def _languages(options: EvaluationOptions) -> list[Target]:
    named = language_ids() if list(options.languages) == ["all"] else options.languages
    found: dict[str, Target] = {}
    try:
        for id in (check_language_id(word.strip().lower()) for word in named):
            found[id] = find_target(id, options.dialect)
            if not found[id].is_lane:
                find_language(id).configure(options.dialect, options.options)
            elif options.options:
                raise UsageError(
                    f"--set changes options of a dialect; {found[id].name} has no dialects"
                )
    except EngineError as error:
        raise UsageError(str(error)) from None
    return list(found.values())


def _regimes(options: EvaluationOptions) -> list[str]:
    there = list(REGIMES) if options.task == "solve" else list(prompts.PREDICTION_REGIMES)
    named = (
        there if list(options.regimes) == ["all"] else [each.strip() for each in options.regimes]
    )
    for regime in named:
        if regime not in there:
            raise UsageError(
                f"--regime: expected {', '.join(there)} or 'all' for this task, not {regime!r}"
            )
    return list(dict.fromkeys(named))


def _items(
    options: EvaluationOptions, languages: Sequence[Target], seed: bytes, pack: str | None
) -> tuple[PackName, Sequence[str], dict[str, Sequence[Problem | Prediction]]]:
    """Return the name and tiers of a pack or prediction set, and its items to evaluate.

    The items are problems or predictions, selected by the options and listed by language id.
    """
    if options.task == "solve":
        whole = get_pack(pack)
        problems: dict[str, Sequence[Problem | Prediction]] = {
            language.id: [
                replace(problem, examples=problem.examples[: options.examples])
                for problem in select_solvable(whole.problems, options.problems, language.id)
            ]
            for language in languages
        }
        return whole.name, whole.tiers, problems
    whole = get_pack(pack) if options.items is None else None
    sets = {
        language.id: get_predictions(options.items)
        if whole is None
        else _reference_predictions(language, whole.name, seed, pack)
        for language in languages
    }
    first = next(iter(sets.values()))
    name = PackName(first.id, first.version) if whole is None else whole.name
    return (
        name,
        TIERS if whole is None else whole.tiers,
        {
            language.id: select(_find_items(language, sets[language.id]), options.problems)
            for language in languages
        },
    )


def _reference_predictions(
    language: Target, pack: PackName, seed: bytes, path: str | None
) -> PredictionSet:
    """Generate predictions from the handwritten programs of the pack in a language."""
    try:
        if not language.is_lane:
            return reference_predictions(language.id, pack=path, seed=seed)
    except PackError:
        pass  # the pack was loaded before, so only its programs are missing
    raise UsageError(
        f"--task predict: pack {pack.id} does not contain programs in {language.name}; "
        "choose other languages, or a set of items with --items"
    )


def _find_items(language: Target, items: PredictionSet) -> list[Prediction]:
    found = [item for item in items.items if item.language == language.id]
    if not found:
        raise UsageError(
            f"the set of items {items.id} does not contain items in {language.name}; name other "
            "languages with --language, or another set with --items"
        )
    return found
