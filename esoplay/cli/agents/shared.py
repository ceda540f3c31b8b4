"""What the actions of ``esoplay agents`` share: the folder of a run, and its lines."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from esoplay.agents.records import Result, RunNote, Standing

ENDING = ".runs"
_GOOD = {"complete"}
_PLAIN = {"not begun", "begun"}


def folder_of(text: str) -> Path:
    """The folder of a run: itself, or that of a grid's file where no other was named."""
    from pathlib import Path

    path = Path(text)
    return Path(path.stem + ENDING) if path.suffix == ".toml" else path


def run_in(text: str) -> tuple[Path, RunNote]:
    """The folder of a run that is there, and what it says of itself; raises UsageError."""
    from esoplay.agents.notes import noted_run
    from esoplay.errors import UsageError

    folder = folder_of(text)
    note = noted_run(folder)
    if note is None:
        raise UsageError(f"{folder} has no run in it; one is begun with: esoplay agents run")
    return folder, note


def print_table(standings: Sequence[Standing]) -> None:
    """A line for each cell."""
    from esoplay.cli.style import styled

    rows = [_row(standing) for standing in standings]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for standing, row in zip(standings, rows, strict=True):
        line = [text.ljust(width) for text, width in zip(row, widths, strict=True)]
        if standing.word not in _PLAIN:
            line[4] = styled(line[4], "good" if standing.word in _GOOD else "bad")
        print("  ".join(line).rstrip())


def summary_of(standings: Sequence[Standing]) -> str:
    """How many stand how."""
    counts: dict[str, int] = {}
    for standing in standings:
        counts[standing.word] = counts.get(standing.word, 0) + 1
    told = ", ".join(f"{count} {word}" for word, count in counts.items())
    return f"{len(standings)} session{'' if len(standings) == 1 else 's'}: {told}"


def told(result: Result) -> str:
    """What came of an attempt, on one line."""
    from esoplay.terminal_text import one_line

    parts = [result.end if not result.findings else "forged"]
    parts[0] += f" ({result.why})" if result.why else ""
    if result.problems:
        parts.append(f"{result.solved} of {result.problems} solved")
    if result.sha256 is not None:
        checked = "verified" if result.repeated else "verified by its log"
        if not result.verified:
            checked = (
                f"does not verify: {result.findings[0]}" if result.findings else "not verified"
            )
        parts.append(checked)
    if result.tokens is not None:
        parts.append(f"{result.tokens:,} tokens")
    if result.isolated is False:
        parts.append("not isolated")
    if result.violations:
        parts.append(f"submissions against the rules: {result.violations}")
    return one_line(", ".join(parts))


def _row(standing: Standing) -> tuple[str, ...]:
    from esoplay.agents.watching import progress_of
    from esoplay.terminal_text import one_line

    cell = standing.cell
    so_far = standing.result or progress_of(standing)
    solved = f"{so_far.solved}/{so_far.problems}" if so_far and so_far.problems else ""
    minutes = "" if so_far is None else _clock(so_far.seconds)
    note = one_line("; ".join(_remarks(standing)))
    kind = (cell.solver, cell.language, cell.protocol, str(cell.number))
    return (*kind, standing.word, solved, minutes, note)


def _remarks(standing: Standing) -> tuple[str, ...]:
    result = standing.result
    if standing.damage is not None:
        return (standing.damage,)
    if standing.altered:
        return ("the export is not what was verified",)
    if result is None:
        return ()
    isolation = ("not isolated",) if result.isolated is False else ()
    why = (result.why,) if result.why else ()
    return (*why, *result.findings[:1], *isolation, *result.notes)


def _clock(seconds: float) -> str:
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
