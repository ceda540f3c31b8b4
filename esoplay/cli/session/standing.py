"""``session status | list``: how a session stands, and which there are."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.cli.session.shared import Actions
    from esoplay.service.sessions import Sessions, SessionStatus

_COLUMNS = ("solved", "failed", "skipped", "active", "pending")


def add_to(actions: Actions) -> None:
    from esoplay.cli.session.shared import in_session

    status = actions.add(
        "status",
        "show how the session stands: each tier, the current problem, what is left",
        in_session(_status),
        examples="examples:\n  esoplay session status\n  esoplay session status -v | grep failed",
    )
    status.add_argument("-v", "--verbose", action="store_true", help="one line for every problem")

    listing = actions.add(
        "list",
        "show all sessions of the store",
        _list,
        in_session=False,
        examples="examples:\n  esoplay session list\n  esoplay session list --open --json",
    )
    listing.add_argument("--open", action="store_true", help="only those that are not closed")


def _status(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json

    status = sessions.status(session)
    if args.json:
        print_json(status.as_json())
        return 0
    started = status.state.started
    state_word = "closed" if status.state.closed else "open"
    print(f"session {session}: {started.language}, {started.protocol.id}, {state_word}")
    if args.verbose:
        _print_problems(status)
    else:
        _print_tiers(status)
        _print_groups(status)
    print(", ".join(f"{count} {word}" for word, count in status.counts.items() if count))
    return 0


def _print_tiers(status: SessionStatus) -> None:
    from esoplay.cli.style import styled

    tiers = status.counts_by_tier
    if not tiers:
        return
    width = max(map(len, tiers))
    head = f"  {'':{width}}" + "".join(f"{word:>9}" for word in _COLUMNS)
    print(styled(head, "dim"))
    for tier, counts in tiers.items():
        print(f"  {tier:{width}}" + "".join(f"{counts[word]:>9}" for word in _COLUMNS))


def _print_groups(status: SessionStatus) -> None:
    """The problems of each status in one line, and the numbers of the active ones."""
    from esoplay.cli.style import styled

    order = list(status.state.progress)
    for word in _COLUMNS:
        members = [one for one in order if status.state.progress[one].status == word]
        if word == "active":
            for problem in members:
                print(f"  {'active':8} {styled(problem, 'accent')}  {_numbers(status, problem)}")
        elif members:
            print(f"  {word:8} {_ranges(members, order)}")


def _print_problems(status: SessionStatus) -> None:
    from esoplay.cli.style import styled

    for problem, progress in status.state.progress.items():
        line = f"  {styled(problem, 'accent')}  {progress.status:8}  {_numbers(status, problem)}"
        print(line.rstrip())


def _numbers(status: SessionStatus, problem: str) -> str:
    state, progress = status.state, status.state.progress[problem]
    if progress.status == "pending":
        return ""
    line = f"runs: {progress.runs}, submissions: {progress.submissions}"
    if progress.status == "active":
        for left, word in (
            (state.runs_left(problem), "runs"),
            (state.submissions_left(problem), "submissions"),
        ):
            line += "" if left is None else f", {word} left: {left}"
    return line


def _ranges(members: list[str], order: list[str]) -> str:
    """``E01–E04 M02``: neighbours in the pack's order are drawn together."""
    runs: list[list[str]] = []
    for one in members:
        if runs and order.index(one) == order.index(runs[-1][-1]) + 1:
            runs[-1].append(one)
        else:
            runs.append([one])
    return " ".join(run[0] if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs)


def _list(args: argparse.Namespace) -> int:
    import time

    from esoplay.cli.output import narrate, print_json
    from esoplay.cli.session.shared import as_path
    from esoplay.service.sessions import Sessions

    with Sessions.open(as_path(args.store), create=False) as sessions:
        listed = [one for one in sessions.list() if not (args.open and one.closed)]
    if args.json:
        print_json({"sessions": [one.as_json() for one in listed]})
        return 0
    for one in listed:
        if one.error is not None:
            print(f"{one.session}  cannot be read: {one.error}")
            continue
        day = time.strftime("%Y-%m-%d %H:%M", time.localtime(one.time_ms / 1000))
        word = "closed" if one.closed else "open"
        print(
            f"{one.session}  {day}  {one.language:11} {one.protocol:16} {one.pack:12} "
            f"{one.solved:>3} of {one.total:<3} {word:6} {one.solver or ''}".rstrip()
        )
    if not listed:
        narrate("no sessions")
    return 0
