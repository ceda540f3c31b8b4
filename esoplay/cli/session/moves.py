"""``session fetch | run | submit | skip``: what a solver does."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.cli.session.shared import Actions
    from esoplay.service.sessions import Sessions, SubmissionAnswer


def add_to(actions: Actions) -> None:
    from esoplay.cli.session.shared import in_session

    fetch = actions.add("fetch", "show the problem to solve", in_session(_fetch))
    fetch.add_argument("problem", nargs="?", metavar="ID", help="default: whose turn it is")

    run = actions.add(
        "run", "run a program on an input of your own; its bytes go to stdout", in_session(_run)
    )
    run.add_argument("file", metavar="FILE", help="the program; - is stdin")
    source = run.add_mutually_exclusive_group()
    source.add_argument("--input", metavar="TEXT", help="what it reads; default: nothing")
    source.add_argument("--input-file", metavar="F", help="a file that it reads; - is stdin")

    submit = actions.add("submit", "hand in a program for the hidden tests", in_session(_submit))
    submit.add_argument("problem", metavar="ID", help="such as E08")
    submit.add_argument("file", metavar="FILE", help="the program; - is stdin")
    submit.add_argument(
        "--request-id", metavar="R", help="a repeat with the same R gets the first answer again"
    )

    actions.add(
        "skip", "leave the current problem unsolved, where the rules allow it", in_session(_skip)
    )


def _fetch(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json
    from esoplay.cli.session.shared import how_many
    from esoplay.cli.style import styled

    shown = sessions.fetch(session, args.problem)
    if args.json:
        print_json(shown.as_json())
        return 0
    print(styled(shown.problem, "accent"), styled(shown.title, "bold"), styled(shown.tier, "dim"))
    print(f"\n{shown.statement.strip()}\n")
    for example in shown.examples or ():
        print(f"example: {example['input']!r} gives {example['output']!r}")
    print(f"submissions left: {how_many(shown.submissions_left)}", end="; ")
    print(f"local runs left: {how_many(shown.runs_left)}")
    return 0


def _run(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    import os
    import sys

    from esoplay.cli.output import narrate, print_json, read_program
    from esoplay.errors import UsageError

    if args.file == args.input_file == "-":
        raise UsageError("FILE and --input-file cannot both be stdin")
    source = read_program(args.file)
    if args.input_file is not None:
        stdin = read_program(args.input_file)
    else:
        stdin = os.fsencode(args.input or "")
    answer = sessions.run(session, source, stdin)
    outcome = answer.outcome
    if args.json:
        print_json(answer.as_json())
        return outcome.exit_code
    sys.stdout.buffer.write(outcome.stdout)
    sys.stdout.flush()
    if outcome.stderr:
        narrate(f"esoplay: {args.file}: {outcome.stderr}")
    if answer.runs_left is not None:
        narrate(f"local runs left: {answer.runs_left}")
    return outcome.exit_code


def _submit(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json, read_program
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED

    source = read_program(args.file)
    answer = sessions.submit(session, args.problem, source, request_id=args.request_id)
    if args.json:
        print_json(answer.as_json())
    else:
        _print_answer(answer)
    return EXIT_PASSED if answer.solved else EXIT_FAILED


def _skip(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json

    answer = sessions.skip(session)
    if args.json:
        print_json(answer.as_json())
    else:
        print(f"{answer.problem}: {answer.status}")
    return 0


def _print_answer(answer: SubmissionAnswer) -> None:
    from esoplay.cli.session.shared import how_many
    from esoplay.cli.style import mark, styled

    for test in answer.tests or ():
        passed = test["verdict"] == "pass"
        print(f"  {mark(passed)} {test['index']}  {test['verdict'].replace('_', ' ')}")
        if not passed:
            for label in ("input", "expected", "got"):
                print(f"       {styled(f'{label:8}', 'dim')}  {test[label]!r}")
    verdict = styled("solved", "good") if answer.solved else styled("not solved", "bad")
    print(f"{answer.passed} of {answer.total} tests passed: {verdict}")
    if not answer.solved:
        print(f"submissions left: {how_many(answer.submissions_left)}; problem {answer.status}")
