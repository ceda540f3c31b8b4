"""``session verify``: what was altered in an export, or left out of it."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.cli.session.shared import Actions
    from esoplay.service.verification import Verification

_VERIFY_EXAMPLES = """\
examples:
  esoplay session verify session.json
  esoplay session verify session.json --head 5c1f… (the last one that you were told)
  esoplay session verify session.json --seed-file seed --jobs 2 --json
exit status: 0 verified, 1 something was found, 2 usage
"""


def add_verify(actions: Actions) -> None:
    verify = actions.add(
        "verify",
        "find what was altered in an export, or left out of it",
        _verify,
        in_session=False,
        in_store=False,
        examples=_VERIFY_EXAMPLES,
    )
    verify.add_argument("export", metavar="EXPORT", help="a file of `session export`; - is stdin")
    verify.add_argument(
        "--head", metavar="H", help="a head that was acknowledged: the log must contain it"
    )
    seed = verify.add_mutually_exclusive_group()
    seed.add_argument(
        "--seed",
        metavar="HEX",
        help="the revealed seed: run and grade everything again",
    )
    seed.add_argument("--seed-file", metavar="F", help="the same from a private file")
    verify.add_argument("--pack", metavar="P", help="the session's pack, if it is not the own one")
    verify.add_argument("--jobs", type=int, metavar="N", help="default: one per core")


def _verify(args: argparse.Namespace) -> int:
    import os
    import sys

    from esoplay.cli.output import print_json, read_input
    from esoplay.cli.seeds import seed_of
    from esoplay.errors import UsageError
    from esoplay.service.verification import LARGEST, verify_export

    if args.jobs is not None and args.jobs < 1:
        raise UsageError("--jobs takes a number from 1")
    result = verify_export(
        read_input(args.export, LARGEST + 1),
        head=args.head,
        seed=seed_of(args),
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
    """One line on the terminal that is rewritten, and gone at the end."""
    from esoplay.cli.output import repaint

    repaint(f"{done} of {total} runs and submissions done again" if done < total else "")


def _print(result: Verification) -> None:
    from esoplay.cli.style import mark, styled

    for finding in result.findings:
        print(mark(False), finding)
    for note in result.notes:
        print("-", note)
    if result.repeated:
        print(
            f"done again: {result.submissions} submissions and {result.runs} runs, "
            f"{result.recorded} of them decided by the clock and taken as recorded"
        )
    told = f"{result.events} events"
    if result.head is not None:
        told += f", head {result.head}"
    count = len(result.findings)
    verdict = "verified" if result.verified else f"{count} finding{'s' if count > 1 else ''}"
    print(f"{told}: {styled(verdict, 'good' if result.verified else 'bad')}")
