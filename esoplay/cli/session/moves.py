"""``session fetch | run | submit | skip | status | list``: the solver's moves."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.benchmark.sessions import Sessions
    from esoplay.cli.session import Actions


def add_moves(actions: Actions) -> None:
    from esoplay.cli.session import in_session

    fetch = actions.add("fetch", "show the problem to solve", in_session(_fetch))
    fetch.add_argument("problem", nargs="?", metavar="ID", help="default: the next problem")

    run = actions.add(
        "run", "run a program on an input of your own; its output goes to stdout", in_session(_run)
    )
    run.add_argument("file", metavar="FILE", help="the program; - is stdin")
    source = run.add_mutually_exclusive_group()
    source.add_argument("--input", metavar="TEXT", help="input of the program; default: empty")
    source.add_argument("--input-file", metavar="F", help="file with the input; - is stdin")

    run.add_argument(
        "--argument",
        metavar="A",
        action="append",
        dest="arguments",
        help="argument of the program's command line, only in ordinary languages (host lanes); "
        "may be repeated; write --argument=-v for an argument that starts with a hyphen",
    )

    submit = actions.add("submit", "submit a program to the hidden tests", in_session(_submit))
    submit.add_argument("problem", metavar="ID", help="the problem, such as E08")
    submit.add_argument("file", metavar="FILE", help="the program; - is stdin")
    submit.add_argument(
        "--request-id",
        metavar="R",
        help="request id; a repeated request with the same id gets the same answer",
    )

    actions.add(
        "skip", "leave the current problem unsolved, if the rules allow it", in_session(_skip)
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
    answer = sessions.run(session, source, stdin, arguments=args.arguments or ())
    data = answer.as_json()
    print_json(data) if args.json else show_run(data, args.file)
    return answer.outcome.exit_code


def _submit(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json, read_program
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED
    from esoplay.thin_client import show_verdict

    source = read_program(args.file)
    answer = sessions.submit(session, args.problem, source, request_id=args.request_id)
    data = answer.as_json()
    print_json(data) if args.json else show_verdict(data)
    return EXIT_PASSED if answer.solved else EXIT_FAILED


def _skip(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json

    answer = sessions.skip(session)
    if args.json:
        print_json(answer.as_json())
    else:
        print(f"{answer.problem}: {answer.status}")
    return 0


# session status | list


def add_status(actions: Actions) -> None:
    from esoplay.cli.session import in_session

    status = actions.add(
        "status",
        "show the state of the session: tiers, current problem, remaining problems",
        in_session(_status),
        examples="examples:\n  esoplay session status\n  esoplay session status -v | grep failed",
    )
    status.add_argument("-v", "--verbose", action="store_true", help="one line for every problem")

    listing = actions.add(
        "list",
        "show all sessions of the store",
        _list,
        needs_session=False,
        examples="examples:\n  esoplay session list\n  esoplay session list --open --json",
    )
    listing.add_argument("--open", action="store_true", help="only open sessions")


def _status(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json
    from esoplay.thin_client import show_status

    status = sessions.status(session).as_json()
    print_json(status) if args.json else show_status(status, args.verbose)
    return 0


def _list(args: argparse.Namespace) -> int:
    import time

    from esoplay.benchmark.sessions import Sessions
    from esoplay.cli.output import print_json, print_stderr
    from esoplay.cli.session import as_path

    with Sessions.open(as_path(args.store), create=False) as sessions:
        listed = [one for one in sessions.list() if not (args.open and one.closed)]
    if args.json:
        print_json({"sessions": [one.as_json() for one in listed]})
        return 0
    for one in listed:
        if one.error is not None:
            print(f"{one.session}  cannot be read: {one.error}")
            continue
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.time_ms / 1000))
        word = "closed" if one.closed else "open"
        print(
            f"{one.session}  {day}  {one.language:11} {one.protocol:16} {one.pack:12} "
            f"{one.solved:>3} of {one.total:<3} {word:6} {one.solver or ''}".rstrip()
        )
    if not listed:
        print_stderr("no sessions")
    return 0
