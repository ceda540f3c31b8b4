"""``esoplay problems``: list the problems of a pack, or show one."""

from __future__ import annotations

from esolangs.wording import format_count, suggest

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from esoplay.grading.packs import Pack, Problem


SUMMARY = "list problems, show one, import, export and compare packs"
DESCRIPTION = """\
List the problems of a pack, or show the statement of one, with examples and hints. Import data sets
and folders of tasks of other benchmarks as packs with fixed tests, list the installed packs, export
a pack, compare the verdicts of two packs. `esoplay problems import --help`, `export --help` and
`compare --help` describe these actions."""
EXAMPLES = """\
examples:
  esoplay problems                     all problems, by tier
  esoplay problems show E08            statement and examples of a problem
  esoplay problems show E08 --hints 1  with the first of three hints
  esoplay problems show E08 --hints 6 --lang whitespace
                                       with the hints on the language as well
  esoplay problems show E08 --solution mine.bf
                                       the pack's solution, if mine.bf solves it
  esoplay problems show E08 --solution mine.bf --source
                                       the source of the solutions in all languages
  esoplay problems --json              the list as one JSON object
  esoplay problems import esolang_dataset.json --id esolang-bench
  esoplay problems import public.json private.json
  esoplay problems import agentlang-index/corpus --id agentlang
  esoplay problems packs               the installed packs
  esoplay problems export -o ours.json
  esoplay problems export --format pair --seed-file ~/seed -o bench
  esoplay problems compare esoplay-80 esolang-bench --programs runs/some-model
"""

HAS_OWN_HELP = True
"""``--help`` after an action prints the help of the action."""

ACTIONS = ("list", "show", "packs", "import", "export", "compare")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from esoplay.cli import pack_comparison, pack_exchange

    parser.add_argument("-h", "--help", action=_action_help(), help="show this help and exit")
    parser.add_argument(
        "action", nargs="?", metavar="ACTION", default="list", help=f"{', '.join(ACTIONS)}"
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="the problem to show, or what to import"
    )
    parser.add_argument(
        "--pack",
        metavar="P",
        help="an installed pack's id, or a folder; default: the built-in pack",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    showing = parser.add_argument_group("show")
    showing.add_argument(
        "--hints", type=int, default=0, metavar="N", help="show the first N hints as well"
    )
    showing.add_argument(
        "--solution",
        metavar="FILE",
        help="show the solution of the pack; FILE is your own solution, which must pass first",
    )
    showing.add_argument(
        "--source",
        action="store_true",
        help="with --solution: the write-once source that solves the problem in every language",
    )
    showing.add_argument(
        "--lang",
        metavar="L",
        help="language of FILE; default: by its extension; with --hints: hints on this language "
        "as well",
    )
    pack_exchange.add_arguments(parser)
    pack_comparison.add_arguments(parser.add_argument_group("compare"))


def _action_help() -> type[argparse.Action]:
    """Return the argparse action of ``--help``.

    If the name of an action that has its own help, such as ``export``, is before ``--help``, it
    prints that help; otherwise the help of ``esoplay problems``.
    """
    import argparse

    class ActionHelp(argparse.Action):
        def __init__(self, option_strings: list[str], dest: str, help: str) -> None:
            super().__init__(option_strings, argparse.SUPPRESS, 0, help=help)

        def __call__(
            self, parser: argparse.ArgumentParser, namespace: argparse.Namespace, *_: object
        ) -> None:
            from esoplay.cli.pack_exchange import help_parser

            (help_parser(getattr(namespace, "action", "")) or parser).print_help()
            parser.exit()

    return ActionHelp


def run(args: argparse.Namespace) -> int:
    from esoplay.cli import pack_exchange
    from esoplay.errors import UsageError

    if args.action not in ACTIONS:
        raise UsageError(
            f"expected one of {', '.join(ACTIONS)}, found {args.action!r}; "
            f"to see a problem: esoplay problems show E08{suggest(args.action, ACTIONS)}"
        )
    if args.action == "import":
        return pack_exchange.run_import(args)
    if args.action == "export":
        return pack_exchange.run_export(args)
    if args.action == "compare":
        from esoplay.cli import pack_comparison

        return pack_comparison.run_compare(args)
    if args.action == "packs":
        return pack_exchange.run_packs(args)
    if args.action == "show" and len(args.names) != 1:
        raise UsageError("expected a problem; for example: esoplay problems show E08")
    if args.action == "list" and args.names:
        raise UsageError(
            f"list accepts no names; to see a problem: esoplay problems show {args.names[0]}"
        )
    return _list_or_show(args)


def _list_or_show(args: argparse.Namespace) -> int:
    from esoplay.cli.output import print_json
    from esoplay.errors import EXIT_PASSED
    from esoplay.packs.catalogue import get_pack

    pack = get_pack(args.pack)
    if args.action == "list":
        if args.json:
            rows = [problem.as_json_row() for problem in pack]
            print_json({"pack": pack.as_json_head(), "problems": rows})
        else:
            _print_list(pack, _stars(pack))
        return EXIT_PASSED
    problem = pack.problem(args.names[0])
    if args.solution is not None:
        return _print_solution(problem, args)
    if args.json:
        from esoplay.grading.limits import limits_as_json
        from esoplay.packs.hints import all_hints
        from esoplay.programs.host_lanes import check_language_id

        found = problem.as_json() | {"limits": limits_as_json(problem)}
        if args.lang is not None:
            found["hints"] = list(all_hints(problem, check_language_id(args.lang)))
        print_json(found)
    else:
        _print_problem(problem, args.hints, args.lang)
    return EXIT_PASSED


def _print_solution(problem: Problem, args: argparse.Namespace) -> int:
    """Print the pack's solution if the user's program passes the practice tests.

    The comparison of the two programs is printed on stderr.
    """
    from esoplay.cli.output import print_json, print_program, print_stderr, read_program
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED
    from esoplay.packs.grading import grade_source
    from esoplay.packs.par import (
        comparison_as_json,
        comparison_lines,
        measure_par,
        own_approach,
    )
    from esoplay.packs.references import find_reference, has_reference
    from esoplay.packs.stars import SolutionFigures
    from esoplay.programs.execution import code_size, language_for

    language = language_for(args.solution, args.lang)
    if not has_reference(problem, language.id):
        print_stderr(f"no {language.name} solution of {problem.id} in this pack")
        return EXIT_FAILED
    program = read_program(args.solution)
    report = grade_source(problem.id, language.id, program, pack=args.pack)
    if not report.solved:
        passed = f"{report.passed} of {report.total} tests of {problem.id}"
        print_stderr(
            f"{args.solution} passes {passed}; pass all tests to see the solution of the pack"
        )
        return EXIT_FAILED
    reference = find_reference(problem, language.id)
    assert reference is not None, "has_reference is true"
    own = SolutionFigures(report.total_steps, code_size(language.id, program))
    par = measure_par(problem, language.id)
    approach = own_approach(problem, language.id, program)
    if args.json:
        found = {"problem": problem.id, "language": language.id, **reference.as_json()}
        compared = {} if par is None else {"comparison": comparison_as_json(own, par, approach)}
        print_json(found | compared)
        return EXIT_PASSED
    if par is not None:
        for line in comparison_lines(own, par, approach=approach):
            print_stderr(line)
    if not args.source:
        print_program(reference.program)
    elif reference.source_text is not None:
        print_program(reference.source_text.encode())
    else:
        print_stderr(f"no write-once source of {problem.id} in this pack")
        return EXIT_FAILED
    return EXIT_PASSED


def _stars(pack: Pack) -> dict[str, list[str]]:
    """Return the languages in which each problem is solved, with the stars earned in them.

    Does not create the file of progress if it is missing.
    """
    from esoplay.paths import state_folder
    from esoplay.progress.store import FILE_NAME, ProgressStore

    folder = state_folder()
    if not (folder / FILE_NAME).is_file():
        return {}
    from esoplay.packs.stars import SolutionFigures
    from esoplay.programs.execution import languages
    from esoplay.progress.par import par_setting_name, stars_text, stored_par

    problems = {problem.id: problem for problem in pack}
    found: dict[str, list[str]] = {}
    store = ProgressStore(folder)
    try:
        for language in languages():
            for id, standing in store.progress(pack.id, language.id).items():
                if not standing.solved or id not in problems:
                    continue
                kept = store.setting(par_setting_name(pack.id, id, language.id))
                par = stored_par(kept, problems[id], language.id)
                known = (
                    None if par is None else SolutionFigures(int(par["steps"]), int(par["size"]))
                )
                signs = stars_text(standing, known) or "✓"
                found.setdefault(id, []).append(f"{language.id} {signs}")
    finally:
        store.close()
    return found


def _print_list(pack: Pack, stars: dict[str, list[str]]) -> None:
    from itertools import groupby

    from esoplay.cli.output import paint

    width = max(len(problem.title) for problem in pack)
    print(paint(pack.title, "bold"), paint(f"{pack.id}, version {pack.version}", "dim"))
    for tier, problems in groupby(pack, lambda problem: problem.tier):
        print(f"\n{paint(tier, 'bold')}")
        for problem in problems:
            number = paint(problem.id, "accent")
            line = f"  {number}  {problem.title:{width}}  {paint(problem.category, 'dim')}"
            print(f"{line}  {', '.join(solved)}" if (solved := stars.get(problem.id)) else line)


def _print_problem(problem: Problem, hints: int, language: str | None) -> None:
    import textwrap

    from esoplay.cli.output import paint, quote_bytes
    from esoplay.cli.prose import columns, plain_lines
    from esoplay.grading.limits import statement_with_limits
    from esoplay.packs.hints import all_hints
    from esoplay.programs.host_lanes import check_language_id

    language = None if language is None else check_language_id(language)
    known = problem.hints if language is None else all_hints(problem, language)
    print(paint(problem.id, "accent"), paint(problem.title, "bold"), end="  ")
    print(paint(f"{problem.tier}, {problem.category}", "dim"))
    print("", *plain_lines(statement_with_limits(problem, language)), sep="\n")
    for number, example in enumerate(problem.examples, 1):
        print(f"\n{paint(f'Example {number}', 'bold')}")
        rows = example.invocation.as_rows()
        rows |= {"input": quote_bytes(example.input), "output": quote_bytes(example.output)}
        width = max(map(len, rows))
        for name, value in rows.items():
            print(f"  {name:{width}}  {value}")
    for number, hint in enumerate(known[: max(hints, 0)], 1):
        print(f"\n{paint(f'Hint {number}', 'bold')}")
        print(textwrap.indent("\n".join(plain_lines(hint, columns() - 2)), "  "))
    left = len(known) - hints
    chosen = "" if language is None else f" --lang {language}"
    if not known:
        return
    if hints <= 0:
        many = format_count(len(known), "hint")
        print(f"\n{many}: esoplay problems show {problem.id}{chosen} --hints 1")
    elif left > 0:
        print(f"\n{left} more: esoplay problems show {problem.id}{chosen} --hints {hints + 1}")
