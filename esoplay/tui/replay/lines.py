"""The rows above and below a session: what it is, and what the selected attempt came to."""

from __future__ import annotations

from esoplay.service.event_lines import iso_time
from esoplay.service.replay import Attempt, Replay
from esoplay.tui.debug.canvas import Piece
from esoplay.tui.debug.lines import LineCanvas
from esoplay.tui.debug.visible import PICTURED_TEXT, plural, reveal
from esoplay.tui.replay.attempts import MARKS


def name_of(attempt: Attempt) -> str:
    """``E04, submission 2``."""
    name = attempt.kind if attempt.number is None else f"submission {attempt.number}"
    return f"{attempt.problem or 'no problem'}, {name}".translate(PICTURED_TEXT)


class SessionLine(LineCanvas):
    """Whose session it is, and how it stands; or what is being debugged."""

    DEFAULT_CSS = "SessionLine { background: $panel; }"

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        export = replay.export
        solver = f" by {export.solver}" if export.solver else ""
        self._session = f" {export.session}{solver}".translate(PICTURED_TEXT)
        self._rules = f"  {export.language}, {export.protocol}".translate(PICTURED_TEXT)
        submissions = sum(attempt.kind == "submission" for attempt in replay.attempts)
        self._counts = ", ".join(
            (
                plural(len(replay.attempts) - submissions, "run"),
                plural(submissions, "submission"),
                f"{replay.solved} solved",
                "closed" if export.closed else "open",
            )
        )

        self._debugged: Attempt | None = None

    def show_debugged(self, attempt: Attempt | None) -> None:
        """Tell which attempt is in the debugger; None tells of the session again."""
        self._debugged = attempt
        self.repaint()

    def left(self) -> list[Piece]:
        rules = self._rules
        if self._debugged is not None:
            rules = f"  #{self._debugged.place + 1}: {name_of(self._debugged)}"
        return [Piece(self._session, self.palette.strong), Piece(rules, self.palette.base)]

    def right(self) -> list[Piece]:
        if self._debugged is not None:
            return [Piece("Esc", self.palette.key), Piece(" back to the list ", self.palette.faint)]
        return [Piece(f"{self._counts} ", self.palette.base)]


class AttemptLine(LineCanvas):
    """Outcome, input and time of the selected attempt."""

    def __init__(self) -> None:
        super().__init__()
        self._attempt: Attempt | None = None
        self._input: bytes | None = None

    def show(self, replay: Replay, attempt: Attempt | None) -> None:
        """Tell of an attempt; of none where there is none."""
        self._attempt = attempt
        name = None if attempt is None else attempt.input
        self._input = None if name is None else replay.export.input(name)
        self.repaint()

    def left(self) -> list[Piece]:
        palette, attempt = self.palette, self._attempt
        if attempt is None:
            return []
        mood = {"good": palette.good, "bad": palette.bad, "calm": palette.strong}[attempt.mood]
        tests = " tests passed" if " of " in attempt.outcome and "," not in attempt.outcome else ""
        said = f"{attempt.outcome}{tests}".translate(PICTURED_TEXT)
        pieces = [Piece(f" {MARKS[attempt.mood]} {said}", mood)]
        if attempt.steps is not None:
            most = "" if attempt.kind != "submission" else " at most"
            pieces.append(Piece(f"  {plural(attempt.steps, 'step')}{most}", palette.base))
        pieces.append(Piece(f"  {plural(attempt.size, 'byte')}", palette.base))
        if self._input is not None:
            pieces.append(Piece(f"  input {reveal(self._input[:200]) or 'empty'}", palette.faint))
        return pieces

    def right(self) -> list[Piece]:
        if self._attempt is None:
            return []
        moment = iso_time(self._attempt.time_ms).replace("T", " ")[:19]
        return [Piece(f"{moment} UTC ", self.palette.faint)]
