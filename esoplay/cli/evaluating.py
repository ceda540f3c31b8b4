"""``esoplay eval``: its options, its progress and what it prints."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from esoplay.evaluation.models.asking import Model
    from esoplay.evaluation.planning import Wishes
    from esoplay.evaluation.prices import Price
    from esoplay.evaluation.results import Results
    from esoplay.evaluation.running import Step

_BAR = 24  # characters
_MOST_JOBS = 256
_MOST_FILE = 1 << 20  # bytes of a file of prices or of further members


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from esoplay.cli.seeds import add_seed_arguments

    what = parser.add_argument_group("what is asked")
    what.add_argument("--language", required=True, metavar="L,…", help="languages, or all")
    what.add_argument(
        "--regime",
        required=True,
        metavar="R,…",
        help="zero-shot, few-shot, self-scaffolding, textual-self-scaffolding, react, one-shot, "
        "agent-loop, or all",
    )
    what.add_argument(
        "--task",
        choices=("solve", "predict"),
        default="solve",
        help="solve problems (default), or predict what programs print",
    )
    what.add_argument(
        "--problems", metavar="ID,…", help="ids, ranges such as E01-E05, tiers; default: all"
    )
    what.add_argument("--runs", type=int, default=1, metavar="N", help="times each; default: 1")
    what.add_argument(
        "--attempts",
        type=int,
        default=5,
        metavar="N",
        help="programs that a regime may try, of agent-loop repairs; default: 5",
    )
    what.add_argument("--pack", metavar="P", help="an installed pack's id, or a folder")
    what.add_argument("--items", metavar="S", help="a set of output predictions, or a file")
    what.add_argument("--dialect", default="benchmark", metavar="D", help="default: benchmark")
    what.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="K=V",
        help="set one option of the dialect, such as notation=visible",
    )
    what.add_argument("--compare", choices=("exact", "strip"), default="exact", help="as of grade")
    what.add_argument("--no-card", action="store_true", help="leave out the reference card")
    what.add_argument(
        "--bare",
        action="store_true",
        help="the whole answer is the program; no fence is looked for",
    )
    add_seed_arguments(what)
    _add_model(parser.add_argument_group("who is asked"))
    parser.add_argument(
        "-o", dest="output", required=True, metavar="DIR", help="where everything is kept"
    )
    parser.add_argument("--prices", metavar="FILE", help="TOML with prices of a million tokens")
    parser.add_argument("--json", action="store_true", help="print all results as one JSON object")


def _add_model(who: Any) -> None:
    who.add_argument("--model", metavar="M", help="its name; default: that of the command")
    place = who.add_mutually_exclusive_group(required=True)
    place.add_argument("--base-url", metavar="U", help="such as http://localhost:8000/v1")
    place.add_argument("--command", dest="program", metavar="C", help="a program, with arguments")
    who.add_argument(
        "--key-env",
        metavar="NAME",
        help="the environment variable with the key; default: OPENAI_API_KEY",
    )
    who.add_argument("--temperature", type=float, metavar="T", help="default: the endpoint's")
    who.add_argument("--max-tokens", type=int, metavar="N", help="of an answer")
    who.add_argument(
        "--sampling-seed", type=int, metavar="N", help="sent along; each further run adds one"
    )
    who.add_argument("--extra", metavar="FILE", help="JSON object of further members of requests")
    who.add_argument("--jobs", type=int, default=4, metavar="N", help="at a time; default: 4")
    who.add_argument(
        "--retries", type=int, default=6, metavar="N", help="of a request that fails; default: 6"
    )
    who.add_argument(
        "--timeout",
        type=float,
        default=600,
        metavar="S",
        help="seconds for an answer; default: 600",
    )


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from esoplay.cli.output import narrate
    from esoplay.cli.seeds import seed_of as given_seed
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED
    from esoplay.evaluation.keeping import keep_results
    from esoplay.evaluation.planning import plan_of, seed_of
    from esoplay.evaluation.running import run_trials
    from esoplay.evaluation.transcript import Transcript
    from esoplay.evaluation.trials import keep_terms

    _check(args)
    wishes, model, price = _wishes(args), _model(args), _price(args)
    folder = Path(args.output)
    given = given_seed(args)
    folder.mkdir(parents=True, exist_ok=True)
    with Transcript(folder) as transcript:
        plan, terms = plan_of(wishes, seed_of(folder, given))
        keep_terms(folder, terms)
        progress = _progress(plan.trials, set(transcript.finished))
        try:
            left = run_trials(
                plan,
                transcript,
                model,
                jobs=args.jobs,
                retries=args.retries,
                progress=progress.show,
            )
        except KeyboardInterrupt:
            progress.clear()
            narrate(f"interrupted; the same command goes on with what {folder} holds")
            raise
        finally:
            progress.clear()
            results = keep_results(folder, terms, transcript, price)
    _print(results, args)
    for step in left:
        narrate(f"left: {step.trial.id}: {_harmless(step.reason or '')}")
    return EXIT_FAILED if left else EXIT_PASSED


def _check(args: argparse.Namespace) -> None:
    from math import isfinite

    from esoplay.errors import UsageError

    for value, least, most, option in (
        (args.runs, 1, 1000, "--runs"),
        (args.attempts, 1, 100, "--attempts"),
        (args.jobs, 1, _MOST_JOBS, "--jobs"),
        (args.retries, 0, 100, "--retries"),
        (args.max_tokens or 1, 1, 10**9, "--max-tokens"),
    ):
        if not least <= value <= most:
            raise UsageError(f"{option} takes a number from {least} to {most}")
    if args.temperature is not None and not 0 <= args.temperature <= 10:
        raise UsageError("--temperature takes a number from 0 to 10")
    if not isfinite(args.timeout) or not 0 < args.timeout <= 86_400:
        raise UsageError("--timeout takes seconds from above 0 to 86400")
    if args.task == "predict" and args.bare:
        raise UsageError("--bare is about programs; outputs are always looked for in a fence")
    if args.task == "solve" and args.items is not None:
        raise UsageError("--items is about --task predict")
    if args.program is not None:
        for value, option in ((args.key_env, "--key-env"), (args.extra, "--extra")):
            if value is not None:
                raise UsageError(f"{option} is about a --base-url")
    elif args.model is None:
        raise UsageError("--base-url needs a --model to ask for")


def _wishes(args: argparse.Namespace) -> Wishes:
    from esoplay.cli.output import parse_settings
    from esoplay.evaluation.planning import Wishes

    return Wishes(
        model=_name(args),
        asked=args.base_url or args.program,
        languages=args.language.split(","),
        regimes=args.regime.split(","),
        task=args.task,
        problems=None if args.problems is None else args.problems.split(","),
        runs=args.runs,
        attempts=args.attempts,
        temperature=args.temperature,
        max_tokens=args.max_tokens,
        sampling_seed=args.sampling_seed,
        extra=_extra(args.extra),
        dialect=args.dialect,
        options=parse_settings(args.settings),
        compare=args.compare,
        pack=args.pack,
        items=args.items,
        card=not args.no_card,
        bare=args.bare,
    )


def _name(args: argparse.Namespace) -> str:
    import shlex
    from pathlib import Path

    from esoplay.errors import UsageError

    if args.model is None:
        try:
            words = shlex.split(args.program)
        except ValueError as error:
            raise UsageError(f"--command: {error}") from None
        return Path(words[0]).name if words else ""
    if not args.model or not args.model.isprintable():
        raise UsageError("--model takes one line of printable characters")
    return args.model


def _model(args: argparse.Namespace) -> Model:
    if args.program is not None:
        from esoplay.evaluation.models.command import Command

        told = {"ESOPLAY_MODEL": _name(args)}
        for name in ("temperature", "max_tokens"):
            value = getattr(args, name)
            if value is not None:
                told[f"ESOPLAY_{name.upper()}"] = f"{value:g}"
        return Command(args.program, told=told, timeout=args.timeout)
    from esoplay.evaluation.models.endpoint import Endpoint

    return Endpoint(
        args.base_url,
        args.model,
        key=_key(args),
        temperature=args.temperature,
        max_tokens=args.max_tokens,
        extra=_extra(args.extra),
        timeout=args.timeout,
    )


def _key(args: argparse.Namespace) -> str | None:
    """The key, which goes over an encrypted connection or stays on this machine."""
    import os

    from esoplay.errors import UsageError
    from esoplay.evaluation.models.endpoint import checked_address, is_loopback

    key = os.environ.get(args.key_env or "OPENAI_API_KEY")
    if args.key_env is not None and not key:
        raise UsageError(f"--key-env: the environment has no {args.key_env}")
    if not key:
        return None
    if not key.isascii() or not key.isprintable() or " " in key:
        raise UsageError(f"the key in {args.key_env or 'OPENAI_API_KEY'} holds more than a key")
    address = checked_address(args.base_url)
    if address.startswith("https:") or is_loopback(address):
        return key
    if args.key_env is not None:
        raise UsageError("a key is not sent to another machine over http; use https")
    return None


def _extra(path: str | None) -> dict[str, Any] | None:
    if path is None:
        return None
    import json
    from typing import cast

    from esoplay.cli.output import read_file
    from esoplay.errors import UsageError

    try:
        found: object = json.loads(read_file(path, _MOST_FILE))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: this is no JSON: {error}") from None
    if not isinstance(found, dict):
        raise UsageError(f"{path}: expected one JSON object")
    members = cast("dict[str, Any]", found)
    for name in ("model", "messages", "stream", "n"):
        if name in members:
            raise UsageError(f"{path}: {name}: this is not for you to say")
    return members


def _price(args: argparse.Namespace) -> Price | None:
    if args.prices is None:
        return None
    from esoplay.cli.output import read_file
    from esoplay.evaluation.prices import read_price

    return read_price(read_file(args.prices, _MOST_FILE), args.prices, _name(args))


def _print(results: Results, args: argparse.Namespace) -> None:
    import shutil
    import sys
    from functools import partial

    from esoplay.cli.output import print_json
    from esoplay.cli.style import speaks_unicode, styled
    from esoplay.evaluation.keeping import results_json
    from esoplay.evaluation.summary import summary_of
    from esoplay.reporting.forms.text import as_text

    if args.json:
        print_json(results_json(results))
        return
    width = shutil.get_terminal_size((100, 24)).columns
    text = as_text(
        summary_of(results),
        max(40, width),
        bold=partial(styled, style="bold"),
        bars=speaks_unicode(sys.stdout),
    )
    print(text, end="")


def _harmless(text: str) -> str:
    from esoplay.cli.style import harmless

    return harmless(text)


def _progress(trials: Any, finished: set[str]) -> _Progress:
    import sys

    before = sum(trial.id in finished for trial in trials)
    return _Progress(len(trials), before, sys.stderr.isatty())


class _Progress:
    """A bar on a terminal, that is rewritten and gone at the end; elsewhere a line a trial."""

    def __init__(self, total: int, before: int, drawn: bool):
        self._total = total
        self._done = before
        self._left = 0
        self._drawn = drawn
        self._painted = False
        if before and not drawn:
            self._say(f"{before} of {total} were done already")

    def show(self, step: Step) -> None:
        what = "done"
        if step.reason is None:
            self._done += 1
        elif step.pause is None:
            self._left += 1
            what = f"left: {step.reason}"
        else:
            what = f"again in {step.pause:.0f} s: {step.reason}"
        if not self._drawn:
            self._say(f"{self._done} of {self._total}  {step.trial.id}  {what}")
            return
        import shutil

        from esoplay.cli.output import repaint

        filled = _BAR * self._done // self._total
        left = f"  {self._left} left" if self._left else ""
        bar = f"[{'#' * filled}{'-' * (_BAR - filled)}] {self._done} of {self._total}{left}"
        line = _harmless(f"{bar}  {step.trial.id}  {what}").replace("\n", " ")
        repaint(line[: shutil.get_terminal_size().columns - 1])
        self._painted = True

    def clear(self) -> None:
        if self._painted:
            from esoplay.cli.output import repaint

            repaint("")
            self._painted = False

    def _say(self, text: str) -> None:
        from esoplay.cli.output import narrate

        narrate(_harmless(text))
