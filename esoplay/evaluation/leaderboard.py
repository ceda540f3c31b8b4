"""Make a leaderboard: find submissions in a folder, check them, and write static pages.

A submission is a folder of ``esoplay eval`` or an export of a session, at any depth in the folder.
A revealed seed is in the file ``revealed-seed`` of a run, or next to an export in ``NAME.seed``.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, NamedTuple

from esoplay.benchmark.exports import MAX_EXPORT_BYTES
from esoplay.benchmark.reports import report_exports
from esoplay.benchmark.verification import verify_export
from esoplay.errors import EsoplayError, UsageError
from esoplay.evaluation.checking import check_run
from esoplay.evaluation.reports import RESULTS_FILE, SEED_FILE, TERMS_FILE
from esoplay.evaluation.saved_runs import read_run, seed_matches_run
from esoplay.evaluation.transcript import TRANSCRIPT_FILE
from esoplay.reporting.condition_figures import ConditionOptions, compute_standing
from esoplay.reporting.leaderboard import (
    BoardEntry,
    LanguageResult,
    board_index,
    board_json,
    entry_page,
)
from esoplay.reporting.report import ReportOptions
from esoplay.reporting.saved_evaluations import (
    Evaluation,
    group_conditions,
    name_models,
    read_evaluation,
)
from esoplay.reporting.standing import NO_CATALOGUE
from esoplay.reporting.statistics import wilson

REVEALED_SEED_FILE = "revealed-seed"
PROMPTS_FOLDER = "prompts"

Status = Literal["checked", "not checked", "refused"]


class BoardSource(NamedTuple):
    """Submission to the leaderboard: an evaluation or a session.

    name: path relative to the folder of submissions. reason: why it was refused or not checked.
    """

    name: str
    kind: Literal["evaluation", "session"]
    path: Path
    status: Status
    reason: str

    def as_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "kind": self.kind,
            "status": self.status,
            "reason": self.reason or None,
        }


@dataclass(frozen=True, slots=True)
class Leaderboard:
    """All submissions, and the entries for the accepted ones."""

    sources: tuple[BoardSource, ...]
    entries: tuple[BoardEntry, ...]

    @property
    def refused_sources(self) -> list[BoardSource]:
        return [source for source in self.sources if source.status == "refused"]


def make_leaderboard(
    folder: Path,
    *,
    check: bool = True,
    require_check: bool = False,
    jobs: int = 1,
    progress: Callable[[str], None] | None = None,
) -> Leaderboard:
    """Find, check and rank the submissions in a folder; raise UsageError if it has none.

    check: play evaluations and sessions again if their seed is published; submissions without a
    seed are never "checked". require_check: refuse submissions that are not checked. progress:
    called with the name of each submission before its check.
    """
    found = _find_sources(folder)
    if not found:
        raise UsageError(
            f"{folder}: no submission found; expected folders of `esoplay eval` or exports of "
            "sessions"
        )
    sources: list[BoardSource] = []
    for source in found:
        if progress is not None:
            progress(source.name)
        judge = _check_evaluation if source.kind == "evaluation" else _check_session
        judged = judge(source, jobs) if check else _read_source(source)
        if require_check and judged.status == "not checked":
            judged = judged._replace(status="refused", reason=f"not checked: {judged.reason}")
        sources.append(judged)
    refused: dict[str, str] = {}
    accepted = [source for source in sources if source.status != "refused"]
    entries = [*_evaluation_entries(accepted, refused), *_session_entries(accepted, refused)]
    ranked = sorted(entries, key=lambda entry: (-entry.mean, entry.name, entry.mode))
    return Leaderboard(
        tuple(
            source._replace(status="refused", reason=refused[source.name])
            if source.name in refused
            else source
            for source in sources
        ),
        tuple(ranked),
    )


def leaderboard_files(board: Leaderboard, title: str) -> dict[str, str]:
    """Return the contents of the pages and of ``leaderboard.json``, by file name."""
    pages: dict[str, str] = {}
    names = list(dict.fromkeys(entry.name for entry in board.entries))
    links = {name: f"models/{_slug(name)}.html" for name in names}
    sources = [(each.name, each.status, each.reason) for each in board.sources]
    pages["index.html"] = board_index(title, board.entries, links, sources)
    for name in names:
        own = [entry for entry in board.entries if entry.name == name]
        pages[links[name]] = entry_page(name, own)
    data = board_json(title, board.entries) | {
        "sources": [source.as_json() for source in board.sources]
    }
    pages["leaderboard.json"] = json.dumps(data, indent=1) + "\n"
    return pages


def _slug(name: str) -> str:
    """Return a unique file name for an entry's name."""
    words = re.sub("[^a-z0-9]+", "-", name.lower()).strip("-")[:60] or "model"
    return f"{words}-{sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:6]}"


def _find_sources(folder: Path) -> list[BoardSource]:
    found: list[BoardSource] = []
    for path in sorted(folder.rglob(TERMS_FILE)):
        name = str(path.parent.relative_to(folder))
        found.append(BoardSource(name, "evaluation", path.parent, "not checked", ""))
    for path in sorted(folder.rglob("*.json")):
        if not (path.parent / TERMS_FILE).exists() and _is_export(path):
            name = str(path.relative_to(folder))
            found.append(BoardSource(name, "session", path, "not checked", ""))
    return found


def _is_export(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return b'"esoplay-session"' in file.read(200)
    except OSError:
        return False


def _read_source(source: BoardSource) -> BoardSource:
    try:
        if source.kind == "evaluation":
            read_run(source.path)
    except EsoplayError as error:
        return source._replace(status="refused", reason=str(error))
    return source._replace(reason="checks were switched off")


def _check_evaluation(source: BoardSource, jobs: int) -> BoardSource:
    try:
        run = read_run(source.path)
    except EsoplayError as error:
        return source._replace(status="refused", reason=str(error))
    if not run.trials:
        return source._replace(status="refused", reason=f"{TRANSCRIPT_FILE}: no finished trial")
    try:
        seed = _read_published_seed(source.path / REVEALED_SEED_FILE)
    except UsageError as error:
        return source._replace(status="refused", reason=str(error))
    if seed is None and not (source.path / SEED_FILE).exists():
        return source._replace(reason="its seed is not revealed")
    prompts = source.path / PROMPTS_FOLDER
    try:
        if seed is not None and not seed_matches_run(run, seed):
            reason = f"{REVEALED_SEED_FILE}: not the seed that {TERMS_FILE} commits to"
            return source._replace(status="refused", reason=reason)
        found = check_run(run, seed, prompts=prompts if prompts.is_dir() else None, jobs=jobs)
    except EsoplayError as error:
        return source._replace(reason=_first_line(error))
    if found:
        reason = f"{found[0].file}: {found[0].text}"
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        return source._replace(status="refused", reason=reason + more)
    return source._replace(status="checked")


def _check_session(source: BoardSource, jobs: int) -> BoardSource:
    try:
        seed = _read_published_seed(source.path.with_suffix(".seed"))
    except UsageError as error:
        return source._replace(status="refused", reason=str(error))
    try:
        data = source.path.read_bytes()[: MAX_EXPORT_BYTES + 1]
        result = verify_export(data, seed=seed, jobs=jobs)
    except OSError as error:
        return source._replace(status="refused", reason=str(error.strerror))
    except EsoplayError as error:
        return source._replace(reason=_first_line(error))
    if not result.verified:
        return source._replace(status="refused", reason=str(result.findings[0]))
    if not result.repeated:
        return source._replace(reason="its seed is not revealed")
    return source._replace(status="checked")


def _first_line(error: EsoplayError) -> str:
    return str(error).partition("\n")[0]


def _read_published_seed(path: Path) -> bytes | None:
    """Return the published seed in ``path``, or None if the file does not exist.

    Raises UsageError if the file is unreadable or does not contain a seed.
    """
    try:
        text = path.read_bytes()[:1000].decode("ascii").strip()
        seed = bytes.fromhex(text)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise UsageError(f"{path.name}: {error.strerror}") from None
    except ValueError:
        seed = b""
    if len(seed) != 32:
        raise UsageError(f"{path.name}: expected 64 hexadecimal digits")
    return seed


def _evaluation_entries(
    sources: Sequence[BoardSource], refused: dict[str, str]
) -> list[BoardEntry]:
    """Return a leaderboard entry for each model, regime and pack.

    A regime is a method of asking the model.  If an evaluation is refused, the reason is added to
    ``refused``, with the source's name as its key.
    """
    by_model: dict[str, list[BoardSource]] = {}
    chosen: dict[str, BoardSource] = {}
    read: list[Evaluation] = []
    for source in sources:
        if source.kind != "evaluation":
            continue
        try:
            evaluation = read_evaluation(source.name, _read_bytes(source.path / RESULTS_FILE))
            group_conditions([*read, evaluation])  # refuses the same trials twice
        except EsoplayError as error:
            refused[source.name] = _first_line(error)
            continue
        read.append(evaluation)
        chosen[source.name] = source
    for name, model in name_models(read).items():
        by_model.setdefault(model, []).append(chosen[name])
    groups: dict[tuple[str, str, str], dict[str, LanguageResult]] = {}
    for condition in group_conditions(read):
        standing = compute_standing(condition, NO_CATALOGUE, ConditionOptions())
        result = LanguageResult(
            standing.solved,
            standing.total,
            standing.interval,
            standing.tiers,
            standing.errors,
            standing.cost,
        )
        key = (condition.model, condition.regime, condition.pack)
        groups.setdefault(key, {})[condition.language] = result
    return [
        BoardEntry("evaluation", name, mode, pack, languages, *_status(by_model[name]))
        for (name, mode, pack), languages in groups.items()
    ]


def _read_bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}") from None


def _session_entries(sources: Sequence[BoardSource], refused: dict[str, str]) -> list[BoardEntry]:
    """Return a leaderboard entry for each solver, protocol and pack.

    Adds the reasons why exports are refused to ``refused``.
    """
    chosen = {source.name: source for source in sources if source.kind == "session"}
    if not chosen:
        return []

    def load(path: Path) -> Callable[[], bytes]:
        return lambda: _read_bytes(path)

    exports = [(name, load(source.path)) for name, source in chosen.items()]
    report = report_exports(exports, ReportOptions(), keep_going=True)
    refused.update({each.file: each.reason for each in report.refused})
    by_solver: dict[str, list[BoardSource]] = {}
    for session in report.sessions:
        by_solver.setdefault(session.solver or "–", []).append(chosen[session.file])
    groups: dict[tuple[str, str, str], dict[str, LanguageResult]] = {}
    partial: set[tuple[str, str, str]] = set()
    for each in report.standings:
        key = (each.solver, each.protocol, each.pack)
        tiers = {tier: (rate.solved, rate.total) for tier, rate in each.tiers.items()}
        interval = wilson(each.rate.solved, each.rate.total)
        result = LanguageResult(each.rate.solved, each.rate.total, interval, tiers, {}, None)
        groups.setdefault(key, {})[each.language] = result
        if each.partial is not None:
            partial.add(key)
    return [
        BoardEntry(
            "session",
            name,
            f"{mode}, partial" if (name, mode, pack) in partial else mode,
            pack,
            languages,
            *_status(by_solver.get(name, [])),
        )
        for (name, mode, pack), languages in groups.items()
    ]


def _status(sources: Sequence[BoardSource]) -> tuple[bool, Mapping[str, str]]:
    """Return whether all sources are checked, and the status of each source by name."""
    statuses = {
        source.name: f"{source.status}: {source.reason}" if source.reason else source.status
        for source in sources
    }
    return all(source.status == "checked" for source in sources), statuses
