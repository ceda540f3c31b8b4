"""``esoplay doctor``: show what is installed and what works."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

SUMMARY = "show versions, engines, folders, isolation and terminal abilities"
DESCRIPTION = """\
Show what is installed here: versions, which engines are compiled, where data and state are
stored, whether solvers can be isolated, and what the terminal can do. Exit status 1 when
something is broken."""
EXAMPLES = """\
examples:
  esoplay doctor
  esoplay doctor --json"""

_PACKAGES = ("textual", "rich", "pygments", "pyte", "watchfiles", "platformdirs")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def run(args: argparse.Namespace) -> int:
    report = examine_installation()
    if args.json:
        from esoplay.cli.output import print_json

        print_json(report)
    else:
        _print(report)
    return 0 if not report["problems"] else 1


def examine_installation() -> dict[str, Any]:
    """Check the installation; return the report as JSON data, with the defects in ``problems``."""
    import platform
    from importlib.metadata import PackageNotFoundError, version

    from esoplay.agents.isolation import find_bubblewrap
    from esoplay.paths import problems_folder, state_folder, themes_folder
    from esoplay.programs.execution import languages
    from esoplay.version import VERSION, find_commit

    problems: list[str] = []
    packages: dict[str, str | None] = {}
    for name in _PACKAGES:
        try:
            packages[name] = version(name)
        except PackageNotFoundError:
            packages[name] = None
            problems.append(f"the package {name} is not installed")
    engines = {language.id: language.parse(language.sample()).engine for language in languages()}
    folders = {"problems": problems_folder(), "themes": themes_folder()}
    for name, folder in folders.items():
        if not folder.is_dir():
            problems.append(f"the {name} folder {folder} is missing")
    state = str(state_folder())
    if not os.access(state, os.W_OK):
        problems.append(f"the state folder {state} cannot be written")
    return {
        "esoplay": VERSION,
        "commit": find_commit(),
        "python": platform.python_version(),
        "platform": platform.platform(),
        "packages": packages,
        "engines": engines,
        "folders": {**{name: str(path) for name, path in folders.items()}, "state": state},
        "bubblewrap": find_bubblewrap().as_json(),
        "terminal": _terminal(),
        "problems": problems,
    }


def _terminal() -> dict[str, Any]:
    size = os.get_terminal_size(1) if os.isatty(1) else None
    return {
        "stdin": os.isatty(0),
        "stdout": os.isatty(1),
        "size": f"{size.columns}x{size.lines}" if size else None,
        "TERM": os.environ.get("TERM"),
        "COLORTERM": os.environ.get("COLORTERM"),
        "NO_COLOR": "NO_COLOR" in os.environ,
        "colours": _color_depth_text(),
        "encoding": sys.stdout.encoding,
    }


def _color_depth_text() -> str:
    """Return the color depth of the screen, or the error in the setting."""
    from esoplay.color_depth import color_depth
    from esoplay.errors import UsageError

    try:
        return color_depth(os.environ).value
    except UsageError as error:
        return str(error)


def _isolation(bubblewrap: dict[str, Any]) -> list[str]:
    name = " ".join(filter(None, ("bubblewrap", bubblewrap["version"])))
    if bubblewrap["works"]:
        return [f"{name} works ({bubblewrap['path']})"]
    return [f"not possible: {bubblewrap['missing']}", f"try: {bubblewrap['fix']}"]


def _print(report: dict[str, Any]) -> None:
    made = f" ({report['commit']})" if report["commit"] else ""
    print(f"esoplay {report['esoplay']}{made}, Python {report['python']}, {report['platform']}")
    print("\nengines")
    for id, engine in report["engines"].items():
        print(f"  {id:12} {engine}")
    print("\npackages")
    for name, version in report["packages"].items():
        print(f"  {name:12} {version or 'missing'}")
    print("\nfolders")
    for name, path in report["folders"].items():
        print(f"  {name:12} {path}")
    print("\nisolation of solvers")
    for line in _isolation(report["bubblewrap"]):
        print(f"  {line}")
    print("\nterminal")
    for name, value in report["terminal"].items():
        shown = {True: "yes", False: "no", None: "-"}.get(value, value)
        print(f"  {name:12} {shown}")
    for problem in report["problems"]:
        print(f"\nproblem: {problem}")
