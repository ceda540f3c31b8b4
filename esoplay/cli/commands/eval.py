"""``esoplay eval``: ask a model to solve the problems, and grade its answers."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from typing import Any

    from esoplay.evaluation.model import Model
    from esoplay.evaluation.results import Price, ResultTable
    from esoplay.evaluation.runs import EvaluationOptions


SUMMARY = "ask a model to solve problems, and grade its programs"
DESCRIPTION = """\
Ask a model for programs, in up to seven ways (--regime), and grade them with hidden tests. The
model is an endpoint with OpenAI's chat completions API, or a command that reads the prompt from
stdin and answers on stdout. Each question and answer is saved at once: after Ctrl-C or a kill, run
the same command again to continue without repeating a question. See docs/evaluation.md.
Endpoints need the extra llm: pip install 'esoplay[llm]'.
A key is read from the environment and never saved. Hidden tests come from a random seed per
folder, unless you set a seed.
Exit status: 0 all trials have a verdict, 1 some do not, 2 usage, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay eval --language brainfuck --regime zero-shot --model some-model \\
      --base-url https://api.example.com/v1 --problems easy -o runs/some-model
  esoplay eval --language all --regime few-shot,agent-loop --model local --runs 3 \\
      --base-url http://localhost:8000/v1 --temperature 0.7 --jobs 8 -o runs/local
  esoplay eval --language whitespace --regime react --command ./ask.sh --problems E01-E05 -o runs/sh
  esoplay eval --roster roster.toml --jobs 8 -o runs/roster
  esoplay eval --task predict --language brainfuck --regime zero-shot --command ./ask.sh -o runs/sh
"""

_MAX_JOBS = 256


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from esoplay.cli.output import add_seed_arguments
    from esoplay.grading.output_comparison import COMPARE_HELP, COMPARE_MODES

    what = parser.add_argument_group("task")
    what.add_argument("--language", metavar="L,…", help="languages, or all")
    what.add_argument(
        "--regime",
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
    what.add_argument(
        "--runs", type=int, default=1, metavar="N", help="repetitions of each trial; default: 1"
    )
    what.add_argument(
        "--attempts",
        type=int,
        default=5,
        metavar="N",
        help="maximum number of programs per trial, or of repairs with agent-loop; default: 5",
    )
    what.add_argument("--pack", metavar="P", help="an installed pack's id, or a folder")
    what.add_argument(
        "--items", metavar="S", help="with --task predict: an installed set of items, or a file"
    )
    what.add_argument("--dialect", default="benchmark", metavar="D", help="default: benchmark")
    what.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="K=V",
        help="set one option of the dialect, such as notation=visible",
    )
    what.add_argument("--compare", choices=COMPARE_MODES, help=COMPARE_HELP + "the pack's")
    what.add_argument(
        "--time-limit",
        type=float,
        metavar="S",
        help="time limit in seconds for each run of a program, at most 60; "
        "default: the limit of the problem, usually 60",
    )
    what.add_argument(
        "--no-card",
        action="store_true",
        help="leave the reference card of the language out of the prompt",
    )
    what.add_argument(
        "--examples",
        metavar="N",
        help="number of public examples that the model may see, or none; default: all",
    )
    what.add_argument(
        "--feedback",
        choices=("examples", "scoring"),
        default="examples",
        help="what the model learns about its programs: their results on the public examples "
        "(default), or on the tests that score them, as in EsoLang-Bench",
    )
    what.add_argument("--prompts", metavar="DIR", help="folder with your own prompts")
    what.add_argument(
        "--bare",
        action="store_true",
        help="use the whole answer as the program, without looking for a code block",
    )
    add_seed_arguments(what)
    _add_limits(parser.add_argument_group("limits of a trial"))
    _add_model(parser.add_argument_group("model"))
    parser.add_argument(
        "--roster",
        metavar="FILE",
        help="TOML file with models, languages and regimes, instead of the options for them",
    )
    parser.add_argument(
        "-o", dest="output", required=True, metavar="DIR", help="folder for all results"
    )
    parser.add_argument("--prices", metavar="FILE", help="TOML file with prices per million tokens")
    parser.add_argument("--json", action="store_true", help="print all results as one JSON object")


def _add_limits(group: Any) -> None:
    group.add_argument("--max-turns", type=int, metavar="N", help="maximum number of answers")
    group.add_argument(
        "--max-trial-tokens",
        type=int,
        metavar="N",
        help="maximum output tokens of all answers together",
    )
    group.add_argument(
        "--max-seconds",
        type=float,
        metavar="S",
        help="maximum time to wait for all answers of a trial, in seconds",
    )


def _add_model(group: Any) -> None:
    group.add_argument(
        "--model", metavar="M", help="name of the model; default: the command's name"
    )
    place = group.add_mutually_exclusive_group()
    place.add_argument("--base-url", metavar="U", help="endpoint, such as http://localhost:8000/v1")
    place.add_argument("--command", dest="program", metavar="C", help="a program, with arguments")
    group.add_argument(
        "--key-env",
        metavar="NAME",
        help="the environment variable with the key; default: OPENAI_API_KEY",
    )
    group.add_argument("--temperature", type=float, metavar="T", help="default: the endpoint's")
    group.add_argument(
        "--max-tokens", type=int, metavar="N", help="maximum number of tokens per answer"
    )
    group.add_argument(
        "--sampling-seed",
        type=int,
        metavar="N",
        help="sampling seed; incremented for each further run",
    )
    group.add_argument(
        "--extra", metavar="FILE", help="file with a JSON object of additional request fields"
    )
    group.add_argument(
        "--jobs", type=int, default=4, metavar="N", help="parallel requests; default: 4"
    )
    group.add_argument(
        "--retries",
        type=int,
        default=6,
        metavar="N",
        help="retries of a failed request; default: 6",
    )
    group.add_argument(
        "--timeout",
        type=float,
        default=600,
        metavar="S",
        help="time limit in seconds for an answer; default: 600",
    )


def check_options(args: argparse.Namespace) -> None:
    """Raise UsageError for invalid options and combinations."""
    from math import isfinite

    from esoplay.errors import UsageError
    from esoplay.running.run import TIME_LIMIT

    for value, option in (
        (args.language, "--language"),
        (args.regime, "--regime"),
        (args.base_url or args.program, "--base-url or --command"),
    ):
        if value is None:
            raise UsageError(f"{option} is missing\ntry: esoplay eval --help")
    for value, least, most, option in (
        (args.runs, 1, 1000, "--runs"),
        (args.attempts, 1, 100, "--attempts"),
        (args.jobs, 1, _MAX_JOBS, "--jobs"),
        (args.retries, 0, 100, "--retries"),
        (args.max_tokens or 1, 1, 10**9, "--max-tokens"),
        (1 if args.max_turns is None else args.max_turns, 1, 10**9, "--max-turns"),
        (
            1 if args.max_trial_tokens is None else args.max_trial_tokens,
            *(1, 10**9, "--max-trial-tokens"),
        ),
    ):
        if not least <= value <= most:
            raise UsageError(f"{option} must be an integer from {least} to {most}")
    if args.max_seconds is not None and not 0 < args.max_seconds < 10**9:
        raise UsageError("--max-seconds must be a number of seconds above 0")
    if args.temperature is not None and not 0 <= args.temperature <= 10:
        raise UsageError("--temperature must be a number from 0 to 10")
    if not isfinite(args.timeout) or not 0 < args.timeout <= 86_400:
        raise UsageError("--timeout must be a number of seconds above 0 and at most 86400")
    if args.time_limit is not None and not 0 < args.time_limit <= TIME_LIMIT:
        raise UsageError(
            f"--time-limit must be a number of seconds above 0 and at most {TIME_LIMIT:g}"
        )
    if args.task == "predict" and args.time_limit is not None:
        raise UsageError("--time-limit cannot be combined with --task predict")
    if args.task == "predict" and args.bare:
        raise UsageError("--bare cannot be combined with --task predict")
    if args.task == "solve" and args.items is not None:
        raise UsageError("--items requires --task predict")
    if args.program is not None:
        for value, option in ((args.key_env, "--key-env"), (args.extra, "--extra")):
            if value is not None:
                raise UsageError(f"{option} requires --base-url")
    elif args.model is None:
        raise UsageError("--base-url requires --model")


def evaluation_options(args: argparse.Namespace) -> EvaluationOptions:
    """Return the options of the evaluation."""
    from pathlib import Path

    from esoplay.cli.output import parse_settings
    from esoplay.evaluation.runs import EvaluationOptions
    from esoplay.evaluation.trials import TrialLimits

    return EvaluationOptions(
        model=model_name(args),
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
        extra=load_extra_members(args.extra),
        dialect=args.dialect,
        options=parse_settings(args.settings),
        compare=args.compare,
        time_limit=args.time_limit,
        pack=args.pack,
        items=args.items,
        card=not args.no_card,
        bare=args.bare,
        examples=_number_of_examples(args.examples),
        feedback=args.feedback,
        prompts=None if args.prompts is None else Path(args.prompts),
        limits=TrialLimits(args.max_turns, args.max_trial_tokens, args.max_seconds),
    )


def _number_of_examples(word: str | None) -> int | None:
    from esoplay.errors import UsageError

    if word is None:
        return None
    if word == "none":
        return 0
    if not word.isascii() or not word.isdecimal() or len(word) > 3:
        raise UsageError(f"--examples: expected an integer or none, not {word!r}")
    return int(word)


def run(args: argparse.Namespace) -> int:
    """Run all trials that have no answer yet; validate all options first."""
    from pathlib import Path

    from esoplay.cli.output import seed_argument
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED

    if args.roster is not None:
        from esoplay.cli.roster import run_roster

        return run_roster(args)
    from esoplay.cli.evaluations import interrupt_on_sigterm, print_postponed, run_evaluation

    check_options(args)
    options, model, price = evaluation_options(args), make_model(args), find_price(args)
    with interrupt_on_sigterm():
        results, left = run_evaluation(
            Path(args.output), options, model, price, seed=seed_argument(args), request_options=args
        )
    print_results(results, as_json=args.json)
    print_postponed(left)
    return EXIT_FAILED if left else EXIT_PASSED


# The model and its prices

_MAX_FILE_BYTES = 1 << 20  # maximum size in bytes of a file of prices or further members


def make_model(args: argparse.Namespace) -> Model:
    """Return the model to query; raise UsageError for invalid options or a missing package."""
    if args.program is not None:
        from esoplay.evaluation.model import CommandModel

        environment = {"ESOPLAY_MODEL": model_name(args)}
        for name in ("temperature", "max_tokens"):
            value = getattr(args, name)
            if value is not None:
                environment[f"ESOPLAY_{name.upper()}"] = str(value)
        return CommandModel(args.program, environment=environment, timeout=args.timeout)
    from esoplay.cli.evaluations import endpoint_class, read_api_key

    return endpoint_class()(
        args.base_url,
        args.model,
        key=read_api_key(args.key_env, args.base_url),
        temperature=args.temperature,
        max_tokens=args.max_tokens,
        extra=load_extra_members(args.extra),
        timeout=args.timeout,
    )


def model_name(args: argparse.Namespace) -> str:
    """Return the name of the model in the results."""
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
        raise UsageError("--model must be one line of printable characters")
    return args.model


def load_extra_members(path: str | None) -> dict[str, Any] | None:
    """Read the JSON object whose members are added to each request to the model.

    Raises UsageError if the file is invalid.
    """
    if path is None:
        return None
    import json
    from typing import cast

    from esoplay.cli.output import read_file
    from esoplay.errors import UsageError

    try:
        text = read_file(path, _MAX_FILE_BYTES).decode("utf-8")
        found: object = json.loads(text, parse_constant=_reject_constant)
        json.dumps(found, ensure_ascii=False).encode("utf-8")  # refuses lone surrogates
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path}: not valid JSON: {error}") from None
    if not isinstance(found, dict):
        raise UsageError(f"{path}: expected one JSON object")
    members = cast("dict[str, Any]", found)
    for name in ("model", "messages", "stream", "n"):
        if name in members:
            raise UsageError(
                f"{path}: {name}: this member cannot be set with --extra\n"
                "try: remove it from the file"
            )
    return members


def find_price(args: argparse.Namespace) -> Price | None:
    """Return the price of the model's tokens, or None if it is unknown."""
    if args.prices is None:
        return None
    from esoplay.cli.output import read_file
    from esoplay.evaluation.results import read_price

    return read_price(read_file(args.prices, _MAX_FILE_BYTES), args.prices, model_name(args))


def _reject_constant(constant: str) -> None:
    """Reject NaN and Infinity, which Python's parser accepts but JSON does not allow."""
    raise ValueError(f"{constant} is not a JSON number")


def print_results(results: ResultTable, *, as_json: bool) -> None:
    """Print the results as tables or as one JSON object."""
    from esoplay.cli.evaluations import print_document
    from esoplay.cli.output import print_json
    from esoplay.evaluation.reports import results_json, summarize_results

    if as_json:
        print_json(results_json(results))
    else:
        print_document(summarize_results(results))
