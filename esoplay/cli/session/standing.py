"""``session status``: how a session stands."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.cli.session.shared import Actions
    from esoplay.service.sessions import Sessions


def add_to(actions: Actions) -> None:
    from esoplay.cli.session.shared import in_session

    actions.add("status", "show how every problem stands", in_session(_status))


def _status(args: argparse.Namespace, sessions: Sessions, session: str) -> int:
    from esoplay.cli.output import print_json
    from esoplay.cli.style import styled

    status = sessions.status(session)
    if args.json:
        print_json(status.as_json())
        return 0
    state = status.state
    state_word = "closed" if state.closed else "open"
    print(f"session {session}: {state.started.language}, {state.protocol.id}, {state_word}")
    for problem, progress in state.progress.items():
        if progress.status != "pending":
            line = f"runs: {progress.runs}, submissions: {progress.submissions}"
            left = state.submissions_left(problem)
            if progress.status == "active" and left is not None:
                line += f", left: {left}"
            print(f"  {styled(problem, 'accent')}  {progress.status:8}  {line}")
    print(", ".join(f"{count} {word}" for word, count in status.counts.items() if count))
    return 0
