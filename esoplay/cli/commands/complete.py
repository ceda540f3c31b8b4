"""``esoplay complete``: let the shell complete commands, options and values."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

SUMMARY = "print a script that lets the shell complete commands and options"
DESCRIPTION = """\
Print a script for bash or zsh. It completes commands, actions, options, languages, protocols and
problems, and files wherever one may stand; it holds all that it knows, so that Tab answers at
once. Make it anew when esoplay or its languages change.
Exit status: 0 done, 2 usage."""
EXAMPLES = """\
examples:
  eval "$(esoplay complete bash)"              in ~/.bashrc
  eval "$(esoplay complete zsh)"               in ~/.zshrc, after compinit
  esoplay complete bash > ~/.local/share/bash-completion/completions/esoplay
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("shell", choices=("bash", "zsh"), help="the shell")


def run(args: argparse.Namespace) -> int:
    from esolangs.registry import language_ids
    from esoplay.cli.completion import bash_script, places, zsh_script
    from esoplay.cli.main import build_parser, command_names
    from esoplay.errors import EXIT_PASSED
    from esoplay.evaluation.regimes import REGIMES
    from esoplay.service.host_lanes import lane_ids
    from esoplay.service.problems import list_problems
    from esoplay.service.sessions import PROTOCOLS

    languages = language_ids()
    values = {
        "--lang": languages,
        "--language": [*languages, *lane_ids()],
        "--familiar": [*languages, *lane_ids()],
        "--protocol": list(PROTOCOLS),
        "--regime": list(REGIMES),
        "--problem": [problem.id for problem in list_problems()],
    }
    found = list(places(build_parser(command_names()), values))
    make = bash_script if args.shell == "bash" else zsh_script
    print(make("esoplay", found), end="")
    return EXIT_PASSED
