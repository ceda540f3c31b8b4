"""``session export | reveal | events | verify | replay``: read the log of a session."""

from __future__ import annotations

from esolangs.wording import format_count, noun, plural

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from esoplay.benchmark.exports import SessionExport
    from esoplay.benchmark.replay import Replay, ReplayAttempt
    from esoplay.benchmark.sessions import Sessions
    from esoplay.benchmark.verification import Verification
    from esoplay.cli.session import Actions


def add_export_and_reveal(actions: Actions) -> None:
    from esoplay.cli.session import in_session

    export = actions.add(
        "export",
        "write the whole log, with programs and inputs, as JSON",
        in_session(_export),
    )
    export.add_argument("-o", dest="output", metavar="FILE", help="default: stdout")

    reveal = actions.add("reveal", "publish the seed of a closed session", in_session(_reveal))
    reveal.add_argument(
        "--close",
        action="store_true",
        help="close the session first; a closed session cannot change",
    )


def _export(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json, print_stderr
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
        print_stderr(f"{format_count(len(data['events']), 'event')} written to {args.output}")
    return 0


def _reveal(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json, print_stderr

    if args.close:
        sessions.close_session(session)
    revealed = sessions.reveal(session)
    if args.json:
        print_json(revealed.as_json())
        return 0
    print(revealed.seed.hex())
    print_stderr(f"commitment {revealed.seed_commitment}")
    print_stderr(f"for pack {revealed.pack} {revealed.pack_version}")
    return 0


# session events: the log as JSON lines for other tools

_EVENTS_EXAMPLES = """\
examples:
  esoplay session events session.json -o events.jsonl
  esoplay session events --session c9cc095cacc2 | grep submission_graded
"""


def add_events(actions: Actions) -> None:
    events = actions.add(
        "events",
        "write one line of JSON per event, all with the same fields, for other tools",
        _events,
        examples=_EVENTS_EXAMPLES,
    )
    events.add_argument(
        "export", nargs="?", metavar="EXPORT", help="an export; default: the session itself"
    )
    events.add_argument("-o", dest="output", metavar="FILE", help="default: stdout")


def _events(args: argparse.Namespace) -> int:
    import json
    from pathlib import Path

    from esoplay.benchmark.exports import event_lines
    from esoplay.cli.output import print_json, print_stderr
    from esoplay.cli.session import in_session
    from esoplay.errors import UsageError

    if args.export is None:
        exports: list[SessionExport] = []
        in_session(lambda _, sessions, session: _save_events(sessions, session, exports))(args)
        export = exports[0]
    elif args.session is not None or args.store is not None:
        raise UsageError("EXPORT cannot be combined with --session or --store")
    else:
        export = load(args.export)
    text = "".join(json.dumps(line) + "\n" for line in event_lines(export))
    if args.output is None:
        if args.json:
            raise UsageError("--json requires -o FILE")
        print(text, end="")
        return 0
    try:
        Path(args.output).write_text(text, "ascii")
    except OSError as error:
        raise UsageError(f"cannot write {args.output}: {error.strerror}") from None
    if args.json:
        print_json({"file": args.output, "events": len(export.events)})
    else:
        print_stderr(f"{format_count(len(export.events), 'event')} written to {args.output}")
    return 0


def _save_events(sessions: Sessions, session: str, exports: list[SessionExport]) -> int:
    from esoplay.benchmark.exports import SessionExport

    exports.append(SessionExport(sessions.export(session).as_json()))
    return 0


def load(path: str) -> SessionExport:
    """Load an export from a file, ``-`` for stdin; raise UsageError if it is not a valid export."""
    from esoplay.benchmark.exports import MAX_EXPORT_BYTES, read_export
    from esoplay.cli.output import read_input
    from esoplay.errors import UsageError

    try:
        return read_export(read_input(path, MAX_EXPORT_BYTES + 1))
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None


# session verify: find altered or missing parts of an export

_VERIFY_EXAMPLES = """\
examples:
  esoplay session verify session.json
  esoplay session verify session.json --head 5c1f… (the last head that you received)
  esoplay session verify session.json --seed-file seed --jobs 2 --json
exit status: 0 verified, 1 something was found, 2 usage
"""


def add_verify(actions: Actions) -> None:
    verify = actions.add(
        "verify",
        "find altered or missing parts of an export",
        _verify,
        needs_session=False,
        needs_store=False,
        examples=_VERIFY_EXAMPLES,
    )
    verify.add_argument("export", metavar="EXPORT", help="a file of `session export`; - is stdin")
    verify.add_argument(
        "--head",
        metavar="H",
        help="check that the log contains H, a head (digest of the log) that the server returned",
    )
    seed = verify.add_mutually_exclusive_group()
    seed.add_argument(
        "--seed",
        metavar="HEX",
        help="the revealed seed; with it, everything is run and graded again",
    )
    seed.add_argument("--seed-file", metavar="F", help="file with the revealed seed")
    verify.add_argument(
        "--pack",
        metavar="P",
        help="pack of the session; default: the installed pack that the export names",
    )
    verify.add_argument(
        "--jobs", type=int, metavar="N", help="parallel processes; default: one per core"
    )


def _verify(args: argparse.Namespace) -> int:
    import os
    import sys

    from esoplay.benchmark.verification import MAX_EXPORT_BYTES, verify_export
    from esoplay.cli.output import print_json, read_input, seed_argument
    from esoplay.errors import UsageError

    if args.jobs is not None and args.jobs < 1:
        raise UsageError("--jobs must be an integer, 1 or more")
    result = verify_export(
        read_input(args.export, MAX_EXPORT_BYTES + 1),
        head=args.head,
        seed=seed_argument(args),
        pack=args.pack,
        jobs=args.jobs or os.cpu_count() or 1,
        progress=_show_progress if sys.stderr.isatty() else None,
    )
    if args.json:
        print_json(result.as_json())
    else:
        _print(result)
    return result.exit_code


def _show_progress(done: int, total: int) -> None:
    """Show progress on one terminal line, which is erased at the end."""
    from esoplay.cli.output import replace_line

    replace_line(f"{done} of {total} runs and submissions repeated" if done < total else "")


def _print(result: Verification) -> None:
    from esoplay.cli.output import mark, paint

    for finding in result.findings:
        print(mark(False), finding)
    for note in result.notes:
        print("-", note)
    if result.repeated:
        submissions, runs = (
            format_count(result.submissions, "submission"),
            format_count(result.runs, "run"),
        )
        accepted = format_count(result.recorded, "recorded result")
        print(
            f"repeated: {submissions} and {runs}; "
            f"accepted without comparison because of a time limit: {accepted}"
        )
    line = format_count(result.events, "event")
    if result.dialect is not None:
        line += f", dialect {result.dialect}"
    if result.head is not None:
        line += f", head {result.head}"
    count = len(result.findings)
    verdict = "verified" if result.verified else f"{count} finding{'s' if count > 1 else ''}"
    print(f"{line}: {paint(verdict, 'good' if result.verified else 'bad')}")


# session replay: browse the runs and submissions of an export

_REPLAY_EXAMPLES = """\
examples:
  esoplay session replay session.json          in the terminal application
  esoplay session replay session.json --list   as text, one line per attempt
"""


def add_replay(actions: Actions) -> None:
    replay = actions.add(
        "replay",
        "browse the runs and submissions of an export, and debug them",
        _replay,
        needs_session=False,
        needs_store=False,
        examples=_REPLAY_EXAMPLES,
    )
    replay.add_argument("export", metavar="EXPORT", help="file of `esoplay session export`")
    seed = replay.add_mutually_exclusive_group()
    seed.add_argument(
        "--seed",
        metavar="HEX",
        help="the revealed seed; with it, hidden tests are offered as inputs",
    )
    seed.add_argument("--seed-file", metavar="F", help="file with the revealed seed")
    replay.add_argument(
        "--pack",
        metavar="P",
        help="pack of the session; default: the installed pack that the export names",
    )
    replay.add_argument(
        "--list", action="store_true", help="print the runs and submissions, one line each"
    )


def _replay(args: argparse.Namespace) -> int:
    import os

    from esoplay.benchmark.replay import Replay
    from esoplay.cli.output import has_screen, print_json, print_stderr
    from esoplay.errors import EXIT_USAGE

    replay = Replay(load(args.export))
    _reveal_tests(args, replay)
    if args.json:
        print_json(_as_json(replay))
        return 0
    if args.list:
        for attempt in replay.attempts:
            print(_line(attempt))
        print_stderr(_summary(replay))
        return 0
    if not has_screen() or os.environ.get("TERM") == "dumb":
        print_stderr(
            "esoplay: a replay needs a terminal that can draw its screen\n"
            "try: --list to print the runs and submissions, or --json to print one JSON object"
        )
        return EXIT_USAGE
    from esoplay.tui.replay import launch

    return launch(replay)


def _reveal_tests(args: argparse.Namespace, replay: Replay) -> None:
    from esoplay.cli.output import seed_argument
    from esoplay.errors import UsageError

    seed = seed_argument(args)
    if seed is not None:
        replay.reveal(seed, args.pack)
    elif args.pack is not None:
        raise UsageError("--pack requires --seed or --seed-file")


def _line(attempt: ReplayAttempt) -> str:
    from esoplay.benchmark.replay import clock_text
    from esoplay.cli.output import paint
    from esoplay.terminal_text import escape_controls

    number = "" if attempt.number is None else f" {attempt.number}"
    steps = "" if attempt.steps is None else plural(attempt.steps, "step")
    problem = paint(f"{escape_controls(attempt.problem or '-'):4}", "accent")
    style = {"good": "good", "bad": "bad"}.get(attempt.tone)
    outcome = f"{escape_controls(attempt.outcome):14}"
    return (
        f"{clock_text(attempt.elapsed_ms):>9}  {problem}"
        f"  {attempt.kind + number:15}  {paint(outcome, style) if style else outcome}"
        f"  {steps:>18}  {attempt.size:>7,} {noun(attempt.size, 'byte'):5}"
        f"  {escape_controls(attempt.program[:12])}"
    )


def _summary(replay: Replay) -> str:
    export = replay.export
    submissions = sum(attempt.kind == "submission" for attempt in replay.attempts)
    counts = {
        "run": len(replay.attempts) - submissions,
        "submission": submissions,
        "solved problem": replay.solved_count,
    }
    contents = ", ".join(format_count(count, name) for name, count in counts.items())
    return (
        f"session {export.session}: {export.language}, {export.protocol}, "
        f"dialect {export.dialect}, pack {export.pack_id} {export.pack_version}; {contents}"
    )


def _as_json(replay: Replay) -> dict[str, object]:
    export = replay.export
    return {
        "session": export.session,
        "language": export.language,
        "dialect": export.dialect,
        "protocol": export.protocol,
        "pack": {"id": export.pack_id, "version": export.pack_version},
        "closed": export.closed,
        "solved": replay.solved_count,
        "attempts": [attempt.as_json() for attempt in replay.attempts],
    }
