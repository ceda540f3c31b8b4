"""Functions that ``esoplay eval`` uses for one evaluation and for each evaluation of a roster."""

from __future__ import annotations

import signal
from collections.abc import Generator
from contextlib import contextmanager

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from collections.abc import Container, Sequence
    from pathlib import Path
    from types import FrameType

    from esoplay.evaluation.endpoint import Endpoint
    from esoplay.evaluation.model import Model
    from esoplay.evaluation.results import Price, ResultTable
    from esoplay.evaluation.runs import EvaluationOptions, TrialEvent
    from esoplay.evaluation.trials import Trial
    from esoplay.reporting.document import Document


def run_evaluation(
    folder: Path,
    options: EvaluationOptions,
    model: Model,
    price: Price | None,
    *,
    seed: bytes | None,
    request_options: argparse.Namespace,
    save_seed: bool = False,
) -> tuple[ResultTable, list[TrialEvent]]:
    """Run or resume one evaluation in its folder; return all results and the postponed trials.

    seed: seed of the hidden tests; None for the folder's seed, which the first run draws and saves.
    save_seed: whether to save ``seed`` in the folder.  request_options: the options ``jobs`` and
    ``retries``.
    """
    from esoplay.cli.output import print_stderr
    from esoplay.evaluation.reports import read_saved_seed, save_results, start_or_resume
    from esoplay.evaluation.runs import make_plan, run_trials
    from esoplay.evaluation.transcript import EvaluationTranscript
    from esoplay.grading.seeds import random_seed

    used = seed or read_saved_seed(folder) or random_seed()
    plan, terms = make_plan(options, used)
    folder.mkdir(parents=True, exist_ok=True)
    with EvaluationTranscript(folder) as transcript:
        start_or_resume(folder, terms, transcript, None if seed and not save_seed else used)
        progress = EvaluationProgress(plan.trials, transcript.finished)
        try:
            left = run_trials(
                plan,
                transcript,
                model,
                jobs=request_options.jobs,
                retries=request_options.retries,
                progress=progress.show,
            )
        except KeyboardInterrupt:
            progress.clear()
            print_stderr(f"interrupted; run the same command again to continue from {folder}")
            raise
        finally:
            progress.clear()
            results = save_results(folder, terms, transcript, plan.tiers, price)
    return results, left


def print_postponed(postponed: Sequence[TrialEvent]) -> None:
    """Print the postponed trials on stderr."""
    from esoplay.cli.output import print_stderr

    for event in postponed:
        print_stderr(f"not finished: {event.trial.id}: {event.reason or ''}")


_MIN_CLIENT_VERSION = 3  # oldest major version of OpenAI's client that uses httpx2


def endpoint_class() -> type[Endpoint]:
    """Return the class of models queried by HTTP; raise UsageError if a package is missing."""
    from importlib.metadata import PackageNotFoundError, version

    from esoplay.errors import UsageError

    try:
        if int(version("openai").partition(".")[0]) < _MIN_CLIENT_VERSION:
            raise PackageNotFoundError("openai")
        from esoplay.evaluation.endpoint import Endpoint
    except ModuleNotFoundError as error:  # also the base class of PackageNotFoundError
        if (error.name or "").partition(".")[0] not in ("openai", "httpx2"):
            raise
        raise UsageError(
            "--base-url needs the extra llm: pip install 'esoplay[llm]' (--command does not)"
        ) from None
    return Endpoint


def read_api_key(key_env: str | None, base_url: str) -> str | None:
    """Return the API key; raise UsageError if it would be sent unencrypted to another machine."""
    import os

    from esoplay.errors import UsageError
    from esoplay.evaluation.model import is_loopback, normalize_base_url

    key = os.environ.get(key_env or "OPENAI_API_KEY")
    if key_env is not None and not key:
        raise UsageError(f"--key-env: the environment variable {key_env} is not set")
    if not key:
        return None
    if not key.isascii() or not key.isprintable() or " " in key:
        raise UsageError(f"the key in {key_env or 'OPENAI_API_KEY'} has invalid characters")
    address = normalize_base_url(base_url)
    if address.startswith("https:") or is_loopback(address):
        return key
    if key_env is not None:
        raise UsageError(
            "expected an https base URL: the API key is not sent to another machine over http"
        )
    return None


# Progress on stderr, tables on stdout

_BAR_WIDTH = 24  # characters


def print_document(document: Document) -> None:
    """Print a document as text, with its tables, on stdout."""
    import shutil
    import sys
    from functools import partial

    from esoplay.cli.output import paint, supports_unicode
    from esoplay.reporting.document import as_text

    width = shutil.get_terminal_size((100, 24)).columns
    text = as_text(
        document,
        max(40, width),
        bold=partial(paint, style="bold"),
        show_bars=supports_unicode(sys.stdout),
    )
    print(text, end="")


class EvaluationProgress:
    """Progress on stderr: a bar on a terminal, erased at the end; elsewhere one line per event."""

    def __init__(self, trials: Sequence[Trial], finished_ids: Container[str]):
        import sys

        self._total = len(trials)
        self._done = before = sum(trial.id in finished_ids for trial in trials)
        self._unfinished = 0
        self._on_terminal = on_terminal = sys.stderr.isatty()
        self._painted = False
        if on_terminal:
            self._paint("")  # show the bar before the first answer, which may take minutes
        elif before:
            self._print(f"{before} of {self._total} trials were done already")

    def show(self, event: TrialEvent) -> None:
        """Show an event of a trial."""
        what = "done"
        if event.reason is None:
            self._done += 1
        elif event.pause_seconds is None:
            self._unfinished += 1
            what = f"not finished: {event.reason}"
        else:
            what = f"retry in {event.pause_seconds:.0f} s: {event.reason}"
        if self._on_terminal:
            self._paint(f"{event.trial.id}  {what}")
        else:
            self._print(f"{self._done} of {self._total}  {event.trial.id}  {what}")

    def clear(self) -> None:
        """Erase the bar."""
        if self._painted:
            from esoplay.cli.output import replace_line

            replace_line("")
            self._painted = False

    def _paint(self, text: str) -> None:
        import shutil

        from esoplay.cli.output import replace_line
        from esoplay.terminal_text import escape_line

        filled = _BAR_WIDTH * self._done // self._total
        left = f", {self._unfinished} not finished" if self._unfinished else ""
        bar = f"[{'#' * filled}{'-' * (_BAR_WIDTH - filled)}] {self._done} of {self._total}{left}"
        line = escape_line(f"{bar}  {text}").rstrip()
        replace_line(line[: shutil.get_terminal_size().columns - 1])
        self._painted = True

    def _print(self, text: str) -> None:
        from esoplay.cli.output import print_stderr

        print_stderr(text)


@contextmanager
def interrupt_on_sigterm() -> Generator[None]:
    """Treat SIGTERM like Ctrl-C within the context."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
