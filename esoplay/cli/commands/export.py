"""``esoplay export``: write tasks for other evaluation frameworks, graded by esoplay."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse


SUMMARY = "write tasks for Harbor, Inspect AI or verifiers"
DESCRIPTION = """\
Write problems as tasks for another framework, one for each problem in each language: statement,
reference card, limits, and esoplay's own grader. Hidden tests are derived from a seed, stored where
solvers cannot read it; default: a random seed. For public tests only, use --seed practice.
The same command with the same seed writes the same bytes.
Exit status: 0 done, 1 the pack is broken, 2 usage, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay export inspect -o tasks                 80 problems in all languages
  esoplay export inspect --lang brainfuck,whitespace --problem E02,E08 --seed-file ~/seed -o tasks
  esoplay export harbor --lang befunge-98 --problem easy -o tasks
  esoplay export harbor --install dist/esoplay-1.0-py3-none-any.whl --solutions -o tasks
                                       images install this wheel; for Harbor's oracle
  esoplay export verifiers --pack mine --force -o tasks
                                       in the place of an earlier export, under its seed
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
        "--problem", default="", metavar="ID,…", help="problems or tiers; default: all"
    )
    parser.add_argument(
        "--pack", metavar="P", help="an installed pack's id, or a folder; default: the own pack"
    )
    parser.add_argument("--dialect", default="benchmark", metavar="D", help="default: benchmark")
    add_seed_arguments(parser)
    parser.add_argument("--force", action="store_true", help="replace an earlier export")
    parser.add_argument(
        "--install",
        metavar="WHEEL",
        help="esoplay's wheel, copied into the export; for harbor also a requirement of pip",
    )
    harbor = parser.add_argument_group("harbor")
    harbor.add_argument(
        "--image",
        metavar="I",
        help="base image; default: python:3.12-slim, without a digest",
    )
    harbor.add_argument(
        "--solutions", action="store_true", help="add the pack's references, for Harbor's oracle"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from esoplay.cli.output import print_json, print_stderr, seed_of
    from esoplay.errors import EXIT_PASSED, UsageError
    from esoplay.task_exports.frameworks import export_tasks
    from esoplay.task_exports.plan import ExportOptions

    framework = args.framework
    own = {
        name: value for name in ("install", "image") if (value := getattr(args, name)) is not None
    }
    if framework != "harbor" and (args.image or args.solutions):
        raise UsageError("--image and --solutions are for harbor")
    wishes = ExportOptions(
        languages=_split_list(args.lang),
        problems=_split_list(args.problem),
        pack=args.pack,
        dialect=args.dialect,
        solutions=args.solutions,
        **own,
    )
    head = export_tasks(framework, Path(args.output), wishes, seed=seed_of(args), force=args.force)
    if args.json:
        print_json({"folder": args.output, **head})
    else:
        count = head["tasks"]
        print_stderr(f"{args.output}: {count} {'task' if count == 1 else 'tasks'} for {framework}")
        print_stderr(f"seed commitment: {head['seed_commitment']}")
        if args.install is None:
            print_stderr(
                "the export does not contain esoplay, which no package index has\n"
                "try: ESOPLAY_EXT=off make wheel, in a checkout; then export again with "
                "--install dist/esoplay-….whl"
            )
    return EXIT_PASSED


def _split_list(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]
