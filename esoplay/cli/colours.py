"""The option ``--colours`` of commands that open a screen."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def add_colours(parser: argparse.ArgumentParser) -> None:
    """The option of commands that open a screen; :func:`choose_colours` takes its value."""
    from esoplay.color_depth import CHOICES

    parser.add_argument(
        "--colours",
        choices=CHOICES,
        help="how many colours the terminal shows (default: ESOPLAY_COLOURS, else found out)",
    )


def choose_colours(args: argparse.Namespace) -> None:
    """Pass ``--colours`` on to the screen."""
    import os

    from esoplay.color_depth import VARIABLE

    if args.colours is not None:
        os.environ[VARIABLE] = args.colours
