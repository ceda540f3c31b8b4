"""Entry point: find the command, parse its arguments, convert errors to exit codes."""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False


if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Protocol

    class CommandModule(Protocol):
        """Module in ``esoplay/cli/commands``; the command has the name of the module."""

        SUMMARY: str
        DESCRIPTION: str
        EXAMPLES: str

        def add_arguments(self, parser: argparse.ArgumentParser) -> None: ...

        def run(self, args: argparse.Namespace) -> int: ...


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code (see ``esoplay.errors``)."""
    from esoplay.terminal_text import TerminalStream

    arguments = list(sys.argv[1:] if argv is None else argv)
    _open_missing_streams()
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = map(TerminalStream, streams)  # pyright: ignore[reportAttributeAccessIssue]
    try:
        return _main(arguments)
    finally:
        sys.stdout, sys.stderr = streams


def _main(arguments: list[str]) -> int:
    try:
        if len(arguments) == 2 and arguments[0] == "run" and not arguments[1].startswith("-"):
            from esoplay.cli.commands.run import run_file  # without options no parser is needed

            _check_tier()
            code = run_file(arguments[1])
        else:
            code = _run(arguments)
        sys.stdout.flush()  # so that a failed write is reported here, not by the interpreter
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        code = 1  # closed pipe, as in `esoplay run … | head`
    except Exception as error:
        code = _report(error)
    else:
        return code
    _flush_stdout()
    return code


def command_names() -> list[str]:
    """Return the names of all commands (the modules of the folder) in alphabetical order."""
    folder = os.path.join(os.path.dirname(__file__), "commands")
    files = (entry.name for entry in os.scandir(folder))
    return sorted(name[:-3] for name in files if name.endswith(".py") and name[0] != "_")


def load_command(name: str) -> CommandModule:
    """Import the module of a command."""
    from importlib import import_module

    return import_module(f"esoplay.cli.commands.{name}")  # pyright: ignore[reportReturnType]


def build_parser(names: Sequence[str]) -> argparse.ArgumentParser:
    """Return a parser for the commands ``names``; help needs all commands, execution only one."""
    import argparse

    from esoplay.cli.suggestions import ShowVersion, SuggestingParser

    parser = SuggestingParser(
        prog="esoplay",
        description="Playground, time-travel debugger and grader for esoteric languages.",
        epilog="Without a command the terminal application opens. "
        "`esoplay COMMAND --help` explains a command with examples. `esoplay doctor` prints the "
        "folder where your work is saved; the variable ESOPLAY_HOME sets another folder.",
    )
    parser.add_argument(
        "--version", action=ShowVersion, nargs=0, help="show version, commit and engines, and exit"
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    for name in names:
        module = load_command(name)
        command = commands.add_parser(
            name,
            help=module.SUMMARY,
            description=module.DESCRIPTION,
            epilog=module.EXAMPLES,
            add_help=not getattr(module, "HAS_OWN_HELP", False),
            allow_abbrev=False,  # abbreviations would change meaning when options are added
            formatter_class=argparse.RawDescriptionHelpFormatter,
        )
        module.add_arguments(command)
        command.set_defaults(handler=module.run, full_parser=_full_parser)
    return parser


def _full_parser() -> argparse.ArgumentParser:
    """Return a parser with all commands, for shell completion."""
    return build_parser(command_names())


def _open_missing_streams() -> None:
    """Open the null device in place of each closed standard stream.

    Otherwise, a file that is opened later could get the stream's descriptor.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 (stays open)


def _remove_leftovers() -> None:
    """Remove temporary folders of processes that were killed; see ``esoplay.temporary_folders``."""
    try:
        with os.scandir(os.environ.get("TMPDIR") or "/tmp") as entries:
            found = any(entry.name.startswith("esoplay-") for entry in entries)
    except OSError:
        return
    if found:
        from esoplay.temporary_folders import (
            remove_leftovers,
        )  # imported late: usually there are no leftovers

        remove_leftovers()


def _flush_stdout() -> None:
    """Flush stdout; if that fails, discard its output, to prevent a second error at exit."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _run(arguments: list[str]) -> int:
    for stream in (sys.stdout, sys.stderr):  # escape what the encoding cannot represent
        reconfigure = getattr(stream, "reconfigure", None)  # a replaced stream may not have it
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")
    if not arguments:
        from esoplay.cli.commands.play import play  # without options no parser is needed

        _check_tier()
        return play()  # which removes leftovers itself, after the first frame
    _remove_leftovers()
    names = command_names()
    wanted = [arguments[0]] if arguments[0] in names else names
    try:
        args = build_parser(wanted).parse_args(arguments)
    except SystemExit as leaving:  # argparse has printed help (0) or an error (2)
        return int(leaving.code or 0)
    _check_tier()
    return args.handler(args)


def _check_tier() -> None:
    """Raise OptionError for a value of ESOPLAY_TIER that cannot be used."""
    if os.environ.get("ESOPLAY_TIER", "core") not in ("core", "auto"):
        from esolangs.tier import chosen_tier

        chosen_tier()


def _report(error: Exception) -> int:
    """Report a user or system error on one line, and an internal error with its traceback."""
    from esolangs.errors import EngineError
    from esoplay.errors import EXIT_INTERNAL, EXIT_USAGE, EsoplayError

    if isinstance(error, EsoplayError):
        message, code = str(error), error.exit_code
    elif isinstance(error, EngineError):
        message, code = str(error), EXIT_USAGE
    elif isinstance(error, OSError):
        message, code = _describe_os_error(error)
    else:
        import traceback

        traceback.print_exc()
        message, code = "internal error; this is a defect of esoplay", EXIT_INTERNAL
    print(f"esoplay: {message}", file=sys.stderr)
    return code


def _describe_os_error(error: OSError) -> tuple[str, int]:
    """Return the message and the exit code for an OSError.

    Errors without a file name concern the current folder or a stream.
    """
    from esoplay.errors import EXIT_INTERNAL, EXIT_USAGE

    if error.filename is not None:
        return f"cannot use {os.fsdecode(error.filename)}: {error.strerror}", EXIT_USAGE
    if isinstance(error, FileNotFoundError):
        return "the current folder no longer exists", EXIT_USAGE
    return f"cannot read the input or write the output: {error.strerror}", EXIT_INTERNAL
