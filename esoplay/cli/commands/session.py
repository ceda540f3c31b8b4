"""``esoplay session``: solve the problems of a pack under the rules of a protocol."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from pathlib import Path

    from esoplay.service.sessions import Sessions, SubmissionAnswer

SUMMARY = "solve problems under the rules of a benchmark, or practise"
DESCRIPTION = """\
A session is one solver, one language and one problem after the other, under a protocol:
primary is the benchmark (three submissions each, hidden tests, no way back), practice explains
everything. `init` makes a folder to work in; the other commands know their session inside it.
Exit status: 0 passed, 1 the program was wrong or the command refused, 2 usage, 3 limit reached."""
EXAMPLES = """\
examples:
  esoplay session init --language brainfuck --workspace bench && cd bench
  esoplay session fetch
  esoplay session run hello.bf --input 'some text'
  esoplay session submit E01 hello.bf --json
  esoplay session status
  esoplay session export -o session.json
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parsers = parser.add_subparsers(dest="action", metavar="ACTION", required=True)

    def add(name: str, help: str, *, in_session: bool = True) -> argparse.ArgumentParser:
        description = help[0].upper() + help[1:] + "."
        action = parsers.add_parser(name, help=help, description=description, allow_abbrev=False)
        if in_session:
            action.add_argument(
                "--session", metavar="ID", help="default: that of the workspace this folder is in"
            )
        action.add_argument("--store", metavar="FILE", help="default: the user's own store")
        action.add_argument("--json", action="store_true", help="print one JSON object")
        return action

    init = add("init", "begin a session and write its workspace", in_session=False)
    init.add_argument("--language", required=True, metavar="L", help="such as brainfuck")
    init.add_argument("--protocol", default="primary", metavar="P", help="primary or practice")
    init.add_argument(
        "--workspace", metavar="DIR", help="default: a new folder named after the session"
    )
    init.add_argument(
        "--seed-file",
        metavar="F",
        help="file with 64 hexadecimal digits, mode 600; default: a seed is drawn",
    )
    init.add_argument("--solver", metavar="NAME", help="a label for reports")

    fetch = add("fetch", "show the problem to solve")
    fetch.add_argument("problem", nargs="?", metavar="ID", help="default: whose turn it is")

    run = add("run", "run a program on an input of your own; its bytes go to stdout")
    run.add_argument("file", metavar="FILE", help="the program; - is stdin")
    source = run.add_mutually_exclusive_group()
    source.add_argument("--input", metavar="TEXT", help="what it reads; default: nothing")
    source.add_argument("--input-file", metavar="F", help="a file that it reads; - is stdin")

    submit = add("submit", "hand in a program for the hidden tests")
    submit.add_argument("problem", metavar="ID", help="such as E08")
    submit.add_argument("file", metavar="FILE", help="the program; - is stdin")
    submit.add_argument(
        "--request-id", metavar="R", help="a repeat with the same R gets the first answer again"
    )

    add("status", "show how every problem stands")
    add("skip", "leave the current problem unsolved, where the rules allow it")
    export = add("export", "write the whole log, with programs and inputs, as JSON")
    export.add_argument("-o", dest="output", metavar="FILE", help="default: stdout")
    reveal = add("reveal", "publish the seed of a session that is closed")
    reveal.add_argument(
        "--close", action="store_true", help="close the session first: no move is possible after"
    )


def run(args: argparse.Namespace) -> int:
    from esoplay.service.sessions import Sessions

    if args.action == "init":
        with Sessions.open(_path(args.store)) as sessions:
            return _init(args, sessions)
    session = args.session or _session_here()
    with Sessions.open(_path(args.store) or _store_of(session), create=False) as sessions:
        return _ACTIONS[args.action](args, sessions, session)


def _init(args: argparse.Namespace, sessions: Sessions) -> int:
    from pathlib import Path

    from esoplay.cli.output import narrate, print_json
    from esoplay.errors import UsageError
    from esoplay.service.sessions import PROTOCOLS

    protocol = PROTOCOLS.get(args.protocol)
    if args.seed_file is not None and protocol is not None and protocol.public_seed:
        raise UsageError(f"{protocol.id} uses the public seed, so --seed-file has no meaning")
    started = sessions.init(
        args.language.lower(),
        args.protocol,
        seed_file=_path(args.seed_file),
        solver=args.solver,
        workspace=_path(args.workspace),
        workspace_in=Path(),
    )
    if args.json:
        print_json(started.as_json())
    else:
        print(started.session)
        narrate(
            f"{len(started.problems)} problems in {started.language}, "
            f"protocol {started.protocol.id}; the workspace is {started.workspace}. "
            "Go there and begin with: esoplay session fetch"
        )
    return 0


def _fetch(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json
    from esoplay.cli.style import styled

    shown = sessions.fetch(session, args.problem)
    if args.json:
        print_json(shown.as_json())
        return 0
    print(styled(shown.problem, "accent"), styled(shown.title, "bold"), styled(shown.tier, "dim"))
    print(f"\n{shown.statement.strip()}\n")
    for example in shown.examples or ():
        print(f"example: {example['input']!r} gives {example['output']!r}")
    print(f"submissions left: {_count(shown.submissions_left)}", end="; ")
    print(f"local runs left: {_count(shown.runs_left)}")
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


def _status(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json
    from esoplay.cli.style import styled

    status = sessions.status(session)
    if args.json:
        print_json(status.as_json())
        return 0
    state = status.state
    state_word = "closed" if state.closed else "open"
    print(f"session {session}: {state.started.language}, {state.protocol.id}, {state_word}")
    for problem, progress in state.progress.items():
        if progress.status != "pending":
            line = f"runs: {progress.runs}, submissions: {progress.submissions}"
            left = state.submissions_left(problem)
            if progress.status == "active" and left is not None:
                line += f", left: {left}"
            print(f"  {styled(problem, 'accent')}  {progress.status:8}  {line}")
    print(", ".join(f"{count} {word}" for word, count in status.counts.items() if count))
    return 0


def _skip(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json

    answer = sessions.skip(session)
    if args.json:
        print_json(answer.as_json())
    else:
        print(f"{answer.problem}: {answer.status}")
    return 0


def _export(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import narrate, print_json
    from esoplay.errors import UsageError

    data = sessions.export(session).as_json()
    if args.output is None:
        print_json(data)
        return 0
    import json
    from pathlib import Path

    try:
        Path(args.output).write_text(json.dumps(data) + "\n", "utf-8")
    except OSError as error:
        raise UsageError(f"cannot write {args.output}: {error.strerror}") from None
    if args.json:
        print_json({"file": args.output, "events": len(data["events"]), "head": data["head"]})
    else:
        narrate(f"{len(data['events'])} events written to {args.output}")
    return 0


def _reveal(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import narrate, print_json

    if args.close:
        sessions.close_session(session)
    revealed = sessions.reveal(session)
    if args.json:
        print_json(revealed.as_json())
        return 0
    print(revealed.seed.hex())
    narrate(f"committed to as {revealed.seed_commitment}")
    narrate(f"for pack {revealed.pack} {revealed.pack_version}")
    return 0


_ACTIONS: dict[str, Callable[[argparse.Namespace, Sessions, str], int]] = {
    "fetch": _fetch,
    "run": _run,
    "submit": _submit,
    "status": _status,
    "skip": _skip,
    "export": _export,
    "reveal": _reveal,
}


def _print_answer(answer: SubmissionAnswer) -> None:
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
        print(f"submissions left: {_count(answer.submissions_left)}; problem {answer.status}")


def _count(left: int | None) -> str:
    return "as many as you like" if left is None else str(left)


def _session_here() -> str:
    from pathlib import Path

    from esoplay.errors import UsageError
    from esoplay.service.sessions import find_session

    session = find_session(Path.cwd())
    if session is None:
        raise UsageError(
            "this folder belongs to no session; go to a workspace, name one with --session ID, "
            "or begin one with: esoplay session init --language L"
        )
    return session


def _store_of(session: str) -> Path:
    from esoplay.service.sessions import store_of

    return store_of(session)


def _path(text: str | None) -> Path | None:
    from pathlib import Path

    return None if text is None else Path(text)
