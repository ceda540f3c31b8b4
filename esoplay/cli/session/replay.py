"""``session replay``: look through the runs and submissions of an export."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.cli.session.shared import Actions
    from esoplay.service.replay import Attempt, Replay

_REPLAY_EXAMPLES = """\
examples:
  esoplay session replay session.json          in the terminal application
  esoplay session replay session.json --list   as text, a line an attempt
"""


def add_replay(actions: Actions) -> None:
    replay = actions.add(
        "replay",
        "look through the runs and submissions of an export, and debug any of them",
        _replay,
        in_session=False,
        in_store=False,
        examples=_REPLAY_EXAMPLES,
    )
    replay.add_argument("export", metavar="EXPORT", help="what `esoplay session export` wrote")
    seed = replay.add_mutually_exclusive_group()
    seed.add_argument(
        "--seed", metavar="HEX", help="the revealed seed: hidden tests are offered as inputs"
    )
    seed.add_argument("--seed-file", metavar="F", help="the same from a private file")
    replay.add_argument("--pack", metavar="P", help="the session's pack, if it is not the own one")
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
    _reveal_tests(args, replay)
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


def _reveal_tests(args: argparse.Namespace, replay: Replay) -> None:
    from esoplay.cli.seeds import seed_of
    from esoplay.errors import UsageError

    seed = seed_of(args)
    if seed is not None:
        replay.reveal(seed, args.pack)
    elif args.pack is not None:
        raise UsageError("--pack is about a revealed seed, and none was given")


def _line(attempt: Attempt) -> str:
    from esoplay.cli.style import styled
    from esoplay.service.replay import clock
    from esoplay.terminal_text import escaped

    number = "" if attempt.number is None else f" {attempt.number}"
    steps = "" if attempt.steps is None else f"{attempt.steps:,} steps"
    problem = styled(f"{escaped(attempt.problem or '-'):4}", "accent")
    style = {"good": "good", "bad": "bad"}.get(attempt.mood)
    outcome = f"{escaped(attempt.outcome):14}"
    return (
        f"{clock(attempt.elapsed_ms):>9}  {problem}"
        f"  {attempt.kind + number:15}  {styled(outcome, style) if style else outcome}"
        f"  {steps:>18}  {attempt.size:>7,} bytes  {escaped(attempt.program[:12])}"
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
        f"pack {export.pack_id} {export.pack_version}; {told}"
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
        "solved": replay.solved,
        "attempts": [attempt.as_json() for attempt in replay.attempts],
    }
