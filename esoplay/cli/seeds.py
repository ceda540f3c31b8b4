"""The options ``--seed`` and ``--seed-file``, which several commands take."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any


def add_seed_arguments(parser: Any) -> None:
    """Add both to a parser or a group of one; either may be given."""
    seeds = parser.add_mutually_exclusive_group()
    seeds.add_argument(
        "--seed",
        metavar="S",
        help="64 hexadecimal digits or any text (others can see it in the process list)",
    )
    seeds.add_argument("--seed-file", metavar="F", help="file with 64 hexadecimal digits, mode 600")


def seed_of(args: argparse.Namespace) -> bytes | None:
    """The seed that was given, if any; raises UsageError."""
    from pathlib import Path

    from esoplay.grading.seeds import parse_seed, read_seed_file

    if args.seed_file is not None:
        return read_seed_file(Path(args.seed_file))
    return None if args.seed is None else parse_seed(args.seed)
