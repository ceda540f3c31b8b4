"""``esoplay lanes``: list the host lanes and how their programs are isolated."""

from __future__ import annotations

import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.programs.host_lanes import LaneState

SUMMARY = "list the ordinary languages that programs can be graded in"
DESCRIPTION = """\
List the host lanes, the ordinary languages that programs can be graded in; whether their toolchains
are installed; and what this machine isolates their programs from: other processes, the network,
files, and root's rights.
ESOPLAY_LANES in the environment names a folder with additional manifests; see docs/host-lanes.md.
Exit status: 0 done, 2 usage or a broken manifest, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay lanes
  esoplay lanes --json
  ESOPLAY_LANES=~/lanes esoplay lanes
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    from esoplay.cli.output import print_json, replace_line
    from esoplay.errors import EXIT_USAGE
    from esoplay.programs.host_lanes import describe_lanes

    watched = sys.stderr.isatty()
    states: list[LaneState] = []
    for state in describe_lanes(_show_progress if watched else None):
        if watched:
            replace_line("")
        if not args.json:
            _print_lane(state)
            sys.stdout.flush()
        states.append(state)
    if args.json:
        print_json({"lanes": [state.as_json() for state in states]})
    return EXIT_USAGE if any(state.has_invalid_manifest for state in states) else 0


def _show_progress(id: str) -> None:
    from esoplay.cli.output import replace_line

    replace_line(f"checking {id}; the first time can take half a minute")


def _print_lane(state: LaneState) -> None:
    from esoplay.cli.output import mark, paint

    words = state.version or ("broken" if state.has_invalid_manifest else "not installed")
    there = state.version is not None
    print(f"{mark(there)} {paint(f'{state.id:12}', 'accent')}  {state.name:12}  {words}")
    if state.unusable_reason:
        print(f"  {'':12}  {state.unusable_reason}")
    if state.guards:
        print(f"  {'':12}  {_describe_guards(state.guards, missing=False)}")
    if state.missing_guards:
        warning = _describe_guards(state.missing_guards, missing=True)
        print(f"  {'':12}  {paint(warning, 'bad')}")


def _describe_guards(guards: tuple[str, ...], *, missing: bool) -> str:
    from esolangs.wording import join_names

    words = {"processes": "other processes", "network": "the network", "files": "files"}
    isolated_from = [words[each] for each in guards if each in words]
    parts: list[str] = []
    if isolated_from:
        parts.append(f"{'not ' if missing else ''}isolated from {join_names(isolated_from)}")
    if "user" in guards:
        parts.append("may run as root" if missing else "does not run as root")
    return "; ".join(parts)
