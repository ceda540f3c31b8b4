"""``session fetch | run | submit | skip``: what a solver does."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.cli.session.shared import Actions
    from esoplay.service.sessions import Sessions


def add_moves(actions: Actions) -> None:
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
    from esoplay.thin_client import show_statement

    shown = sessions.fetch(session, args.problem).as_json()
    print_json(shown) if args.json else show_statement(shown)
    return 0


def _run(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    import os

    from esoplay.cli.output import print_json, read_program
    from esoplay.errors import UsageError
    from esoplay.thin_client import show_run

    if args.file == args.input_file == "-":
        raise UsageError("FILE and --input-file cannot both be stdin")
    source = read_program(args.file)
    if args.input_file is not None:
        stdin = read_program(args.input_file)
    else:
        stdin = os.fsencode(args.input or "")
    answer = sessions.run(session, source, stdin)
    told = answer.as_json()
    print_json(told) if args.json else show_run(told, args.file)
    return answer.outcome.exit_code


def _submit(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json, read_program
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED
    from esoplay.thin_client import show_verdict

    source = read_program(args.file)
    answer = sessions.submit(session, args.problem, source, request_id=args.request_id)
    told = answer.as_json()
    print_json(told) if args.json else show_verdict(told)
    return EXIT_PASSED if answer.solved else EXIT_FAILED


def _skip(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json

    answer = sessions.skip(session)
    if args.json:
        print_json(answer.as_json())
    else:
        print(f"{answer.problem}: {answer.status}")
    return 0
