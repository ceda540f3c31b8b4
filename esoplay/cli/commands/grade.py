"""``esoplay grade``: the verdict on a program by hidden tests."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.grading.report import GradeReport, TestResult

SUMMARY = "judge a program by the hidden tests of a problem"
DESCRIPTION = """\
Run a program on six hidden tests. They are derived from a seed: without one, from the public
seed of practice, and then every input and output is shown. Under any other seed only verdicts are.
Programs in ordinary languages are judged alike, in host lanes: see esoplay lanes.
An imported pack has fixed tests instead: a seed then decides only whether they are shown.
With --batch, grade a file of submissions; docs/batch-grading.md describes its lines.
Exit status: 0 solved, 1 not solved, 2 usage, 3 nothing but limits failed it, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay grade reverse.bf --problem E08
  esoplay grade reverse.bf --problem E08 --dialect benchmark --seed-file ~/seed --json
  esoplay grade reverse.py --problem E08           in the host lane python
  esoplay grade - --lang brainfuck --problem E02 < echo.bf
  esoplay grade --batch submissions.jsonl -o results.jsonl --jobs 2
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from esoplay.cli.grade_batch import add_batch_arguments
    from esoplay.cli.seeds import add_seed_arguments

    parser.add_argument("file", nargs="?", metavar="FILE", help="the program; - is stdin")
    parser.add_argument("--problem", metavar="ID", help="such as E08")
    parser.add_argument(
        "--lang", metavar="L", help="language or host lane; default: by the file's extension"
    )
    parser.add_argument("--dialect", default="standard", metavar="D", help="default: standard")
    parser.add_argument(
        "--set",
        action="append",
        default=[],
        dest="settings",
        metavar="K=V",
        help="set one option of the dialect, such as eof=-1",
    )
    parser.add_argument(
        "--pack", metavar="P", help="an installed pack's id, or a folder; default: the own pack"
    )
    add_seed_arguments(parser)
    parser.add_argument(
        "--compare",
        choices=["exact", "strip"],
        default="exact",
        help="exact: byte by byte (default); strip: as text without white space at both ends",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    add_batch_arguments(parser)


def run(args: argparse.Namespace) -> int:
    from esoplay.cli.grade_batch import check_single, run_batch
    from esoplay.cli.output import parse_settings, print_json, read_program
    from esoplay.cli.seeds import seed_of
    from esoplay.grading.seeds import PRACTICE_SEED
    from esoplay.service.grading import grade_source
    from esoplay.service.host_lanes import language_id_for
    from esoplay.service.problems import get_problem

    if args.batch is not None:
        return run_batch(args, seed_of(args) or PRACTICE_SEED)
    check_single(args)
    problem = get_problem(args.problem, args.pack)
    language_id = language_id_for(args.file, args.lang)
    report = grade_source(
        problem.id,
        language_id,
        read_program(args.file),
        seed=seed_of(args),
        dialect=args.dialect,
        options=parse_settings(args.settings),
        compare=args.compare,
        pack=args.pack,
    )
    if args.json:
        print_json(report.as_json())
    else:
        _print_report(report, problem.title)
    return report.exit_code


def _print_report(report: GradeReport, title: str) -> None:
    from esoplay.cli.style import styled

    print(styled(report.problem, "accent"), styled(title, "bold"), end="  ")
    print(styled(f"{report.language}, {report.dialect}", "dim"))
    counted = any(test.steps for test in report.tests)
    for test in report.tests:
        _print_test(test, counted)
    verdict = styled("solved", "good") if report.solved else styled("not solved", "bad")
    fixed = "fixed " if report.fixed else ""
    print(f"{report.passed} of {report.total} {fixed}tests passed: {verdict}")


def _print_test(test: TestResult, counted: bool) -> None:
    """A line, and more where it failed; steps only where something counts them."""
    from esoplay.cli.style import mark, quoted, styled

    words = test.verdict.replace("_", " ")
    kind = f"  {test.edge_class}" if test.edge_class else ""
    steps = f"  {test.steps:>10,} steps" if counted else ""
    print(f"  {mark(test.passed)} {test.index}  {words:12}{steps}{kind}")
    if test.detail is None or test.passed:
        return
    rows = {"input": test.detail.input, "expected": test.detail.expected, "got": test.detail.got}
    for label, data in rows.items():
        print(f"       {styled(f'{label:8}', 'dim')}  {quoted(data)}")
    if test.detail.message:
        print(f"       {styled('because ', 'dim')}  {test.detail.message}")
