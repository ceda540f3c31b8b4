"""``esoplay predict``: predict the output of programs."""

from __future__ import annotations

from esolangs.wording import plural

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.packs.predictions import PredictionReport, PredictionSet
    from esoplay.running.run import Outcome

SUMMARY = "predict the output of programs, and grade the predictions"
DESCRIPTION = """\
Output prediction: predict the exact output of a program for an input. Without --items the programs
are solutions of the built-in pack, with inputs derived from the practice seed.
Exit status: 0 all correct, 1 some wrong, 2 usage, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay predict                          all items
  esoplay predict show OP-brainfuck-03     program and input of an item
  esoplay predict answer OP-brainfuck-03 answer.txt
  esoplay predict check answers.jsonl      one line each: {"id": "OP-brainfuck-03", "output": "7"}
  esoplay predict make --lang brainfuck --seed-file ~/seed -o items.json
  esoplay predict prove --items published  check that each program prints the output of its item
"""

ACTIONS = ("list", "show", "answer", "check", "make", "prove")
MAX_ANSWERS_BYTES = 64 << 20
"""Maximum size of a file of answers, in bytes."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    from esoplay.cli.output import add_seed_arguments
    from esoplay.grading.output_comparison import COMPARE_HELP, COMPARE_MODES

    parser.add_argument(
        "action", nargs="?", metavar="ACTION", default="list", help=", ".join(ACTIONS)
    )
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="an item's id or a file of answers"
    )
    parser.add_argument(
        "--items", metavar="P", help="an installed set's id, or a file; default: the practice set"
    )
    parser.add_argument(
        "--compare",
        choices=COMPARE_MODES,
        default="exact",
        help=COMPARE_HELP + "exact",
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    making = parser.add_argument_group("make")
    add_seed_arguments(making)
    making.add_argument("--lang", metavar="L", help="one language; default: all")
    making.add_argument("--pack", metavar="P", help="an installed pack's id, or a folder")
    making.add_argument("-o", "--output", metavar="FILE", help="default: stdout")


def run(args: argparse.Namespace) -> int:
    from esoplay.errors import UsageError
    from esoplay.packs.predictions import get_predictions

    wanted = {"list": 0, "show": 1, "answer": 2, "check": 1, "make": 0, "prove": 0}
    if args.action not in wanted:
        raise UsageError(f"expected one of {', '.join(ACTIONS)}, found {args.action!r}")
    if len(args.names) != wanted[args.action]:
        names = {"show": " ID", "answer": " ID FILE", "check": " ANSWERS.jsonl"}
        raise UsageError(
            f"wrong number of names; expected: "
            f"esoplay predict {args.action}{names.get(args.action, '')}"
        )
    if args.action == "make":
        return _make(args)
    actions = {"list": _list, "show": _show, "answer": _check, "check": _check, "prove": _prove}
    return actions[args.action](get_predictions(args.items), args)


def _list(items: PredictionSet, args: argparse.Namespace) -> int:
    from esoplay.cli.output import paint, print_json
    from esoplay.errors import EXIT_PASSED

    if args.json:
        rows = [item.as_json_row() for item in items.items]
        print_json({"set": items.id, "title": items.title, "items": rows})
        return EXIT_PASSED
    print(paint(items.title, "bold"), paint(f"{items.id}, version {items.version}", "dim"))
    width = max(len(item.id) for item in items.items)
    for item in items.items:
        rest = paint(f"{item.language}, {item.dialect}, {item.tier}", "dim")
        print(f"  {paint(f'{item.id:{width}}', 'accent')}  {item.title}  {rest}")
    return EXIT_PASSED


def _show(items: PredictionSet, args: argparse.Namespace) -> int:
    from esoplay.cli.output import paint, print_json, quote_bytes
    from esoplay.errors import EXIT_PASSED

    item = items.item(args.names[0])
    if args.json:
        print_json(item.as_json())
        return EXIT_PASSED
    print(paint(item.id, "accent"), paint(item.title, "bold"), end="  ")
    print(paint(f"{item.language}, {item.dialect}, {item.tier}", "dim"))
    print(f"\n{paint('Input', 'bold')}    {quote_bytes(item.input)}")
    print(f"{paint('Program', 'bold')}  {plural(len(item.program), 'byte')}")
    blank = item.language == "whitespace"
    print(quote_bytes(item.program) if blank else item.program.decode())
    return EXIT_PASSED


def _check(items: PredictionSet, args: argparse.Namespace) -> int:
    from esoplay.cli.output import print_json, read_input
    from esoplay.errors import UsageError
    from esoplay.grading.predictions import PredictionSet
    from esoplay.packs.predictions import check_answers, read_answers

    path = args.names[-1]
    data = read_input(path, MAX_ANSWERS_BYTES + 1)
    if len(data) > MAX_ANSWERS_BYTES:
        raise UsageError(
            f"{path} is longer than {MAX_ANSWERS_BYTES:,} bytes, the limit for an answer"
        )
    if args.action == "answer":
        item = items.item(args.names[0])
        items = PredictionSet(items.id, items.version, items.title, (item,))
        answers = {item.id.casefold(): data}
    else:
        answers = read_answers(data, path)
    report = check_answers(items, answers, args.compare)
    if args.json:
        print_json(report.as_json())
    else:
        _print_report(report)
    return report.exit_code


def _print_report(report: PredictionReport) -> None:
    from esoplay.cli.output import mark, paint

    for item, verdict in report.verdicts:
        words = paint(verdict.replace("_", " "), "dim")
        print(f"{mark(verdict == 'pass')} {paint(item.id, 'accent')}  {item.language}  {words}")
    style = "good" if report.exit_code == 0 else "bad"
    print(paint(f"{report.passed} of {len(report.verdicts)} right", style))


def _make(args: argparse.Namespace) -> int:
    from esoplay.cli.output import print_json, seed_argument, write_file
    from esoplay.errors import EXIT_PASSED
    from esoplay.grading.seeds import PRACTICE_SEED
    from esoplay.packs.predictions import reference_predictions

    seed = seed_argument(args) or PRACTICE_SEED
    language = args.lang and args.lang.lower()
    made = reference_predictions(language, pack=args.pack, seed=seed, prove=True)
    if args.output is None or args.output == "-":
        print_json(made.as_dataset())
    else:
        import json

        text = json.dumps(made.as_dataset(), ensure_ascii=False, indent=1) + "\n"
        write_file(args.output, text, private=seed != PRACTICE_SEED)
    return EXIT_PASSED


def _truncation(outcome: Outcome) -> dict[str, object]:
    from esoplay.running.run import truncation_fields

    return (
        truncation_fields(len(outcome.stdout) + outcome.hidden_bytes)
        if outcome.hidden_bytes
        else {}
    )


def _prove(items: PredictionSet, args: argparse.Namespace) -> int:
    from esoplay.cli.output import mark, paint, print_json, quote_bytes
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED
    from esoplay.packs.predictions import wrong_items

    wrong = wrong_items(items)
    if args.json:
        rows = [
            {
                "id": item.id,
                "expected": item.output.decode(),
                "status": outcome.status,
                "stdout": outcome.stdout.decode("utf-8", "backslashreplace"),
                **_truncation(outcome),
            }
            for item, outcome in wrong
        ]
        print_json({"set": items.id, "total": len(items.items), "disagreements": rows})
    else:
        for item, outcome in wrong:
            print(f"{mark(False)} {paint(item.id, 'accent')}  {item.language}, {item.dialect}")
            print(f"       {paint('says    ', 'dim')}  {quote_bytes(item.output)}")
            print(f"       {paint('prints  ', 'dim')}  {quote_bytes(outcome.stdout)}")
            if outcome.status != "ok":
                print(f"       {paint('because ', 'dim')}  {outcome.stderr or outcome.status}")
        proved = len(items.items) - len(wrong)
        style = "bad" if wrong else "good"
        print(
            paint(f"programs that print the expected output: {proved} of {len(items.items)}", style)
        )
    return EXIT_FAILED if wrong else EXIT_PASSED
