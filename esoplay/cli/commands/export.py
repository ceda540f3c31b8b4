"""``esoplay export``: write tasks for other evaluation frameworks, graded by esoplay."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from esoplay.task_exports.sessions import SessionOptions


SUMMARY = "write tasks for Harbor, Inspect AI or verifiers"
DESCRIPTION = """\
Write problems as tasks for another framework, one task for each problem in each language. A task
has the statement, a reference card, limits, and esoplay's own grader. Hidden tests are derived from
a seed (default: random), which is stored where solvers cannot read it. For public tests only, use
--seed practice.
The same command with the same seed writes the same bytes.
Exit status: 0 done, 1 the pack is broken, 2 usage, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay export inspect -o tasks                 80 problems in all languages
  esoplay export inspect --lang brainfuck,whitespace --problem E02,E08 --seed-file ~/seed -o tasks
  esoplay export harbor --lang befunge-98 --problem easy -o tasks
  esoplay export harbor --install dist/esoplay-1.0-py3-none-any.whl --solutions -o tasks
                                       images install this wheel; solutions for Harbor's oracle
  esoplay export inspect --sessions --problem E01-E05 --set submissions=5 -o tasks
                                       a session of five problems in each language
  esoplay export verifiers --pack mine --force -o tasks
                                       replaces an earlier export and reuses its seed
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from esoplay.cli.output import add_seed_arguments

    parser.add_argument(
        "framework",
        metavar="FORMAT",
        choices=("harbor", "inspect", "verifiers"),
        help="harbor, inspect or verifiers",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="DIR",
        required=True,
        help="output folder, which must be empty or not exist",
    )
    parser.add_argument(
        "--lang", default="", metavar="L,…", help="languages; default: all esoteric ones"
    )
    parser.add_argument(
        "--problem",
        default="",
        metavar="ID,…",
        help="problems, ranges such as E01-E05, tiers; default: all",
    )
    parser.add_argument(
        "--pack",
        metavar="P",
        help="an installed pack's id, or a folder; default: the built-in pack",
    )
    parser.add_argument("--dialect", metavar="D", help="default: benchmark")
    add_seed_arguments(parser)
    parser.add_argument("--force", action="store_true", help="replace an earlier export")
    parser.add_argument(
        "--install",
        metavar="WHEEL",
        help="esoplay's wheel, copied into the export; for harbor, a pip requirement "
        "is accepted too",
    )
    sessions = parser.add_argument_group("sessions")
    sessions.add_argument(
        "--sessions",
        action="store_true",
        help="multi-turn tasks: fetch problems in order, run and submit programs in one language",
    )
    sessions.add_argument(
        "--length", type=int, metavar="N", help="number of problems per session; default: all"
    )
    sessions.add_argument(
        "--protocol", metavar="P", help="protocol that sets the sessions' rules; default: primary"
    )
    sessions.add_argument(
        "--set",
        action="append",
        default=[],
        metavar="FIELD=VALUE",
        help="change a rule, such as debug=true; may be repeated",
    )
    harbor = parser.add_argument_group("harbor")
    harbor.add_argument(
        "--image",
        metavar="I",
        help="base image; default: python:3.12-slim, without a digest",
    )
    harbor.add_argument(
        "--solutions", action="store_true", help="add the pack's solutions, for Harbor's oracle"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from esolangs.wording import format_count
    from esoplay.cli.output import print_json, print_stderr, seed_argument
    from esoplay.errors import EXIT_PASSED, UsageError
    from esoplay.task_exports.frameworks import export_tasks
    from esoplay.task_exports.plan import ExportOptions

    framework = args.framework
    own = {
        name: value for name in ("install", "image") if (value := getattr(args, name)) is not None
    }
    if framework != "harbor" and (args.image or args.solutions):
        raise UsageError("--image and --solutions require the format harbor")
    if args.solutions and args.sessions:
        raise UsageError("--solutions cannot be combined with --sessions")
    options = ExportOptions(
        languages=_split_list(args.lang),
        problems=_split_list(args.problem),
        pack=args.pack,
        dialect=args.dialect or "benchmark",
        with_solutions=args.solutions,
        sessions=_session_options(args),
        **own,
    )
    head = export_tasks(
        framework, Path(args.output), options, seed=seed_argument(args), force=args.force
    )
    if args.json:
        print_json({"folder": args.output, **head})
    else:
        count = head["tasks"]
        noun = "session" if args.sessions else "task"
        print_stderr(f"{args.output}: {format_count(count, noun)} for {framework}")
        print_stderr(f"seed commitment: {head['seed_commitment']}")
        if args.install is None:
            print_stderr(
                "the export does not contain esoplay, and no package index has it\n"
                "try: ESOPLAY_EXT=off make wheel, in a checkout; then export again with "
                "--install dist/esoplay-….whl"
            )
    return EXIT_PASSED


def _session_options(args: argparse.Namespace) -> SessionOptions | None:
    from esoplay.benchmark.sessions import parse_changes
    from esoplay.errors import UsageError
    from esoplay.task_exports.sessions import SessionOptions

    if not args.sessions:
        if args.length is not None or args.protocol is not None or args.set:
            raise UsageError("--length, --protocol and --set require --sessions")
        return None
    changes = parse_changes(args.set)
    if args.dialect is not None:
        changes["dialect"] = args.dialect
    return SessionOptions(args.protocol or "primary", changes, args.length)


def _split_list(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
