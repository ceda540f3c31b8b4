"""The options of ``esoplay eval``, and what they come to."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from esoplay.evaluation.planning import Wishes

_MOST_JOBS = 256


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


def check(args: argparse.Namespace) -> None:
    """Raises UsageError for what makes no sense by itself."""
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


def wishes_of(args: argparse.Namespace) -> Wishes:
    """What the evaluation is to be."""
    from esoplay.cli.evaluating.asked import further_members, name_of
    from esoplay.cli.output import parse_settings
    from esoplay.evaluation.planning import Wishes

    return Wishes(
        model=name_of(args),
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
        extra=further_members(args.extra),
        dialect=args.dialect,
        options=parse_settings(args.settings),
        compare=args.compare,
        pack=args.pack,
        items=args.items,
        card=not args.no_card,
        bare=args.bare,
    )
