"""``session replay``: look through the runs and submissions of an export."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.cli.session.shared import Actions
    from esoplay.service.replay import Attempt, Replay

EXAMPLES = """\
examples:
  esoplay session replay session.json          in the terminal application
  esoplay session replay session.json --list   as text, a line an attempt
"""


def add_to(actions: Actions) -> None:
    replay = actions.add(
        "replay",
        "look through the runs and submissions of an export, and debug any of them",
        _replay,
        in_session=False,
        in_store=False,
        examples=EXAMPLES,
    )
    replay.add_argument("export", metavar="EXPORT", help="what `esoplay session export` wrote")
    replay.add_argument(
        "--list", action="store_true", help="print the runs and submissions, a line each"
    )


def _replay(args: argparse.Namespace) -> int:
    import os
    import sys

    from esoplay.cli.output import narrate, print_json
    from esoplay.cli.session.events import load
    from esoplay.errors import EXIT_USAGE
    from esoplay.service.replay import Replay

    replay = Replay(load(args.export))
    if args.json:
        print_json(_as_json(replay))
        return 0
    if args.list:
        for attempt in replay.attempts:
            print(_line(attempt))
        narrate(_told(replay))
        return 0
    terminal = sys.stdin.isatty() and sys.stdout.isatty()
    if not terminal or os.environ.get("TERM") == "dumb":
        narrate(
            "esoplay: a replay needs a terminal, and this is none. "
            "With --list it prints the runs and submissions, with --json an object."
        )
        return EXIT_USAGE
    from esoplay.tui.replay import launch

    return launch(replay)


def _line(attempt: Attempt) -> str:
    from esoplay.cli.style import styled
    from esoplay.service.replay import clock

    number = "" if attempt.number is None else f" {attempt.number}"
    steps = "" if attempt.steps is None else f"{attempt.steps:,} steps"
    problem = styled(f"{attempt.problem or '-':4}", "accent")
    style = {"good": "good", "bad": "bad"}.get(attempt.mood)
    outcome = f"{attempt.outcome:14}"
    return (
        f"{clock(attempt.elapsed_ms):>9}  {problem}"
        f"  {attempt.kind + number:15}  {styled(outcome, style) if style else outcome}"
        f"  {steps:>18}  {attempt.size:>7,} bytes  {attempt.program[:12]}"
    )


def _told(replay: Replay) -> str:
    export = replay.export
    submissions = sum(attempt.kind == "submission" for attempt in replay.attempts)
    counts = {
        "run": len(replay.attempts) - submissions,
        "submission": submissions,
        "solved problem": replay.solved,
    }
    told = ", ".join(f"{count} {noun}{'' if count == 1 else 's'}" for noun, count in counts.items())
    return (
        f"session {export.session}: {export.language}, {export.protocol}, "
        f"pack {export.pack}; {told}"
    )


def _as_json(replay: Replay) -> dict[str, object]:
    export = replay.export
    return {
        "session": export.session,
        "language": export.language,
        "dialect": export.dialect,
        "protocol": export.protocol,
        "pack": export.pack,
        "closed": export.closed,
        "solved": replay.solved,
        "attempts": [attempt.as_json() for attempt in replay.attempts],
    }
