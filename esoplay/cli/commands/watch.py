"""``esoplay watch``: show a session while it is played."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable
    from pathlib import Path

    from esoplay.benchmark.exports import Event
    from esoplay.benchmark.session_watch import SessionWatch


SUMMARY = "watch a session while it is played"
DESCRIPTION = """\
Show a session as it is played: problems, programs, runs and verdicts. On the screen, Enter opens
any program in the debugger, with an input of the solver or a public example. Without a terminal,
the command prints a line for each event until the session is closed. It only reads the log, so the
session is not affected. Hidden tests are never shown."""
EXAMPLES = """\
examples:
  esoplay watch 0123456789ab
  esoplay watch bench               the session of a workspace
  esoplay watch 0123456789ab --store runs.sqlite
  esoplay watch 0123456789ab --json | jq -r .kind
  esoplay watch 0123456789ab --once     the events so far, as lines
"""

POLL_SECONDS = 0.5
"""Interval between two reads of the log, in seconds."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "session",
        nargs="?",
        metavar="SESSION",
        help="a session's id, its workspace, or a store with one session; "
        "default: the workspace that contains this folder",
    )
    parser.add_argument(
        "--store", metavar="FILE", help="default: the store that the session was started in"
    )
    parser.add_argument(
        "--plain", action="store_true", help="print lines of text instead of opening the screen"
    )
    parser.add_argument(
        "--json",
        action="store_true",
        help="print one JSON object for each event, as `esoplay session events` does",
    )
    parser.add_argument("--once", action="store_true", help="print the events so far, and exit")


def run(args: argparse.Namespace) -> int:
    from esoplay.benchmark.session_watch import SessionWatch
    from esoplay.cli.output import has_screen, is_plain
    from esoplay.errors import EXIT_PASSED

    session, store = _find_session(args.session, args.store)
    watch = SessionWatch(store, session)
    if not (args.json or args.once or is_plain(args.plain)) and has_screen():
        from esoplay.tui.replay import launch_watch

        return launch_watch(watch)
    _print(watch, _json_printer(watch) if args.json else _line_printer(watch), once=args.once)
    return EXIT_PASSED


def _find_session(name: str | None, store: str | None) -> tuple[str, Path]:
    """Return the id of the session that ``name`` selects, and the path of its store.

    Raises UsageError if none is found.
    """
    from pathlib import Path

    if name is not None and store is None and Path(name).is_file():
        return _only_session(Path(name)), Path(name)
    session = _session_id(name)
    return session, _store(store, session)


def _only_session(path: Path) -> str:
    """Return the only session of a store, such as a store of `esoplay agents run`."""
    from esoplay.benchmark.session_watch import list_sessions
    from esoplay.errors import UsageError

    with open(path, "rb") as file:
        if file.read(16) != b"SQLite format 3\0":
            raise UsageError(
                f"{path} is not a session store\n"
                f"try: if it is an export, esoplay session replay {path}"
            )
    sessions = list_sessions(path)
    if not sessions:
        raise UsageError(f"{path} has no sessions; expected one")
    if len(sessions) != 1:
        raise UsageError(
            f"{path} has {len(sessions)} sessions; expected one\n"
            f"try: esoplay session list --store {path}, then esoplay watch ID --store {path}"
        )
    return sessions[0]


def _session_id(name: str | None) -> str:
    """Return the id of the session that ``name`` selects; raise UsageError if none is found."""
    from pathlib import Path

    from esoplay.benchmark.sessions import find_session
    from esoplay.cli.session import current_session
    from esoplay.errors import UsageError

    if name is None:
        return current_session()
    path = Path(name)
    if not path.exists():
        if len(name) == 12 and not set(name) - set("0123456789abcdef"):
            return name
        raise UsageError(
            f"{name} is neither a folder nor the id of a session, which has 12 hexadecimal "
            "digits\ntry: esoplay session list"
        )
    if not path.is_dir():
        raise UsageError(f"{name} is a file; with --store, name a session by its id")
    session = find_session(path.absolute())
    if session is None:
        raise UsageError(f"{name} is not the workspace of a session\ntry: esoplay session list")
    return session


def _store(folder: str | None, session: str) -> Path:
    from pathlib import Path

    from esoplay.benchmark.sessions import find_store
    from esoplay.errors import UsageError

    store = find_store(session) if folder is None else Path(folder)
    if not store.exists():
        raise UsageError(f"there is no session store {store}")
    return store


def _print(watch: SessionWatch, show: Callable[[Event], None], *, once: bool) -> None:
    """Show all events. Unless ``once`` is set, continue until the session is closed.

    A failed read is retried, and repetitions of its error are not printed. An event that cannot be
    shown is skipped after its error is printed.
    """
    from esoplay.cli.output import print_stderr
    from esoplay.errors import StoreError

    events, failed = watch.events, ""
    while True:
        for event in events:
            try:
                show(event)
            except StoreError as error:
                print_stderr(f"esoplay: event {event.seq} is not shown: {error}")
        if once or watch.closed:
            return
        _wait()
        try:
            events, failed = watch.read_events(), ""
        except StoreError as error:
            if str(error) != failed:
                failed = str(error)
                print_stderr(
                    f"esoplay: {failed}\ntry: wait; the store is read again every {POLL_SECONDS} s"
                )
            events = ()


def _wait() -> None:
    import time

    time.sleep(POLL_SECONDS)


def _json_printer(watch: SessionWatch) -> Callable[[Event], None]:
    from esoplay.benchmark.exports import EventLines
    from esoplay.cli.output import json_line

    lines = EventLines(watch)
    return lambda event: print(json_line(lines.line(event)), flush=True)


def _line_printer(watch: SessionWatch) -> Callable[[Event], None]:
    from esoplay.benchmark.replay import clock_text
    from esoplay.benchmark.session_watch import describe_event
    from esoplay.cli.output import quote_bytes
    from esoplay.terminal_text import escape_controls

    start_ms = watch.events[0].time_ms

    def show(event: Event) -> None:
        text = describe_event(watch, event, lambda data: quote_bytes(data, 60) if data else "")
        text = escape_controls(text).replace("\n", "\\n").replace("\t", "\\t")
        print(f"{clock_text(event.time_ms - start_ms)} {text}", flush=True)

    return show
