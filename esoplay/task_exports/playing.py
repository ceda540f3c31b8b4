"""Sessions of an export: start them, and compute their scores from their logs."""

from __future__ import annotations

import atexit
import threading
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from esoplay.benchmark.sessions import Sessions
from esoplay.errors import UsageError
from esoplay.grading.seeds import PRACTICE_SEED, commitment, report_salt
from esoplay.packs.catalogue import get_pack
from esoplay.sessions.store import EventStore
from esoplay.sessions.vault import Vault
from esoplay.task_exports.judging import PACK_FOLDER, ExportFolder
from esoplay.task_exports.sessions import SESSIONS
from esoplay.temporary_folders import TemporaryFolder

PURPOSE = "rollouts"
"""Part of the name of the temporary folder that contains the store of sessions."""


class TierScore(NamedTuple):
    """The number of solved problems of a tier, and of all its problems in the session."""

    solved: int
    total: int


@dataclass(frozen=True, slots=True)
class SessionScore:
    """The score of a session, computed only from its log.

    solved, problems: numbers of problems. passed: the sum over all problems of the best share of
    hidden tests that a submission passed; 1 for a solved problem. runs, submissions: the numbers
    of local runs and of submissions, without voided ones. by_problem: whether each problem is
    solved. closed: whether the operator closed the session or no problem is left.
    """

    solved: int
    problems: int
    passed: float
    runs: int
    submissions: int
    tiers: Mapping[str, TierScore]
    by_problem: Mapping[str, bool]
    closed: bool

    def rewards(self, partial_credit: float = 0.0, step_cost: float = 0.0) -> dict[str, float]:
        """Return the parts of the reward: ``solved``, ``partial_credit`` and ``step_cost``.

        The reward is the mean over all problems: 1 for a solved one, else ``partial_credit`` times
        the best share of passed tests; minus ``step_cost`` for each local run and each submission.
        """
        partial = self.passed - self.solved
        return {
            "solved": self.solved / self.problems,
            "partial_credit": partial_credit * partial / self.problems,
            "step_cost": 0.0 - step_cost * (self.runs + self.submissions) / self.problems,
        }

    def reward(self, partial_credit: float = 0.0, step_cost: float = 0.0) -> float:
        """Return the reward of the session: the sum of its parts, which ``rewards`` explains."""
        return sum(self.rewards(partial_credit, step_cost).values())

    def metrics(self) -> dict[str, float]:
        """Return figures that evaluations log in addition to the reward, by name.

        These are the mean share of tests passed, the share of problems solved in each tier, the
        numbers of runs and submissions, and whether the session is closed.
        """
        tiers = {f"solved_{tier}": one.solved / one.total for tier, one in self.tiers.items()}
        return {
            "passed": self.passed / self.problems,
            "runs": float(self.runs),
            "submissions": float(self.submissions),
            "closed": float(self.closed),
            **tiers,
        }

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> SessionScore:
        """Create a score from the result of ``as_json``, even after it was saved as JSON text."""
        tiers = {tier: TierScore(*counts) for tier, counts in data["tiers"].items()}
        members: dict[str, Any] = {**data, "tiers": tiers}
        return cls(**members)


def score_events(events: Iterable[Mapping[str, Any]], tiers: Mapping[str, str]) -> SessionScore:
    """Return the score of a session's events, each with ``kind`` and ``body`` as in its export.

    tiers: the tier of each problem of the session.
    """
    best = dict.fromkeys(tiers, 0.0)
    solved = dict.fromkeys(tiers, False)
    final: set[str] = set()
    runs = submissions = 0
    ended = False
    for event in events:
        body = event["body"]
        match event["kind"]:
            case "program_run":
                runs += 1
            case "submission_graded":
                submissions += 1
                problem = body["problem"]
                passed = body["passed"] / body["total"] if body["total"] else 0.0
                best[problem] = max(best[problem], passed)
                solved[problem] = solved[problem] or body["status"] == "solved"
                if body["status"] in ("solved", "failed"):
                    final.add(problem)
            case "problem_skipped":
                final.add(body["problem"])
            case "session_closed":
                ended = True
            case _:
                pass
    names = list(dict.fromkeys(tiers.values()))
    counts = {
        name: TierScore(
            sum(solved[id] for id, tier in tiers.items() if tier == name),
            sum(tier == name for tier in tiers.values()),
        )
        for name in names
    }
    return SessionScore(
        solved=sum(solved.values()),
        problems=len(tiers),
        passed=sum(1.0 if solved[id] else share for id, share in best.items()),
        runs=runs,
        submissions=submissions,
        tiers=counts,
        by_problem=solved,
        closed=ended or len(final) == len(tiers),
    )


def score_problem(events: Iterable[Mapping[str, Any]], problem: str) -> SessionScore:
    """Return the score of one problem of a session."""
    own = (event for event in events if event["body"].get("problem") == problem)
    return score_events(own, {problem: "all"})


class ExportedSessions(ExportFolder):
    """A folder written by ``esoplay export --sessions``, whose sessions this process plays.

    All sessions share a private store, which is removed when the process ends.  Thread-safe.
    """

    kind = SESSIONS

    def __init__(self, folder: Path):
        """Open an export of sessions; raise UsageError for any other folder."""
        super().__init__(folder)
        self._opening = threading.Lock()
        self._opened: Sessions | None = None
        self._store: EventStore | None = None

    @property
    def sessions(self) -> Sessions:
        """Return the sessions that are played; the store is created on first use."""
        with self._opening:
            if self._opened is None:
                home = TemporaryFolder(PURPOSE)
                atexit.register(home.close)
                self._store = EventStore(home.path / "sessions.sqlite")
                self._opened = Sessions(self._store, vault=Vault(home.path / "vault"))
                atexit.register(self._opened.close)
            return self._opened

    def start(self, id: str) -> str:
        """Start the session of the task ``id``, and return the session's id.

        Raises UsageError for an unknown task, and for a seed that is missing or differs from the
        export's seed.
        """
        sample = self.sample(id)
        seed = self.read_seed()
        pack = self.folder / PACK_FOLDER if self.head["pack_included"] else None
        if commitment(seed, report_salt(seed), get_pack(pack)) != self.head["seed_commitment"]:
            raise self.seed_mismatch_error()
        new = self.sessions.init(
            str(sample["language"]),
            str(self.head["protocol"]),
            changes=self.head["changes"],
            pack=pack,
            problems=[problem["id"] for problem in sample["problems"]],
            seed=None if seed == PRACTICE_SEED else seed,
        )
        return new.session

    def score(self, id: str, session: str) -> SessionScore:
        """Return the score of a session of the task ``id`` so far."""
        if self._store is None:
            raise UsageError(f"session {session} was not started in this process")
        events = (record._asdict() for record in self._store.read(session))
        return score_events(events, self.tiers(id))

    def score_unplayed(self, id: str) -> SessionScore:
        """Return the score of an unplayed session of the task ``id``."""
        return score_events((), self.tiers(id))

    def tiers(self, id: str) -> dict[str, str]:
        """Return the tiers of a task's problems."""
        return {problem["id"]: problem["tier"] for problem in self.sample(id)["problems"]}
