"""The effort of solving: submissions, local runs, tokens, generators, and reasons of failures."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Mapping
from typing import NamedTuple

from esoplay.reporting.conditions import ERROR_CLASSES, error_class
from esoplay.reporting.played_sessions import PlayedSession, Series
from esoplay.reporting.statistics import quantile
from esoplay.reporting.usage import SessionUsage, TokenPair, Usage


class Distribution(NamedTuple):
    """Quantiles of integers.  size: number of integers; if 0, the other fields are None."""

    size: int
    mean: float | None
    median: float | None
    quarter: float | None
    three_quarters: float | None
    greatest: int | None


class Point(NamedTuple):
    """A point of a curve: the number of problems solved after ``used`` runs or tokens."""

    used: int
    solved: int


class Effort(NamedTuple):
    """Submissions, runs, tokens and cost of the session that represents a series.

    This session is ``Series.shown_session``.

    submissions: number of problems solved by their first, second, … submission.
    submissions_at_solve, runs_at_solve: submissions and local runs of each solved problem.
    runs, graded: total numbers of local runs and graded submissions.
    by_runs: problems solved, by number of local runs in the session; by_tokens, by_input_tokens,
        by_output_tokens: problems solved, by tokens used; None if not reported.
    within_runs: number of problems solved after at most n local runs for the problem, by n.
    tokens, input_tokens, output_tokens, reasoning_tokens (a part of the output), cost: totals.
    run_endings: local runs by ending, ``ok`` or a class of errors.
    failures: graded submissions that failed, by class; None while the reports are sealed.
    """

    solver: str
    language: str
    protocol: str
    submissions: Mapping[int, int]
    submissions_at_solve: Distribution
    runs_at_solve: Distribution
    runs: int
    graded: int
    by_runs: tuple[Point, ...]
    by_tokens: tuple[Point, ...] | None
    by_input_tokens: tuple[Point, ...] | None
    by_output_tokens: tuple[Point, ...] | None
    within_runs: Mapping[int, int]
    tokens: int | None
    input_tokens: int | None
    output_tokens: int | None
    reasoning_tokens: int | None
    cost: float | None
    run_endings: Mapping[str, int]
    failures: Mapping[str, int] | None

    @property
    def name(self) -> str:
        return f"{self.solver}, {self.language}, {self.protocol}"


def distribution(values: list[int]) -> Distribution:
    """Return the number, mean, quartiles and maximum of the values."""
    if not values:
        return Distribution(0, None, None, None, None, None)
    ordered = sorted(values)
    quarter, median, three = (quantile(ordered, share) for share in (0.25, 0.5, 0.75))
    mean = sum(ordered) / len(ordered)
    return Distribution(len(ordered), mean, median, quarter, three, ordered[-1])


def effort(series: Series, usage: Usage) -> Effort:
    """Return the effort of the session that represents ``series``."""
    session = series.shown_session
    solves = session.sorted_solves
    firsts = Counter(solve.submission for solve in solves)
    own_runs = sorted(solve.runs for solve in solves)
    session_usage = usage.for_session(session.session)
    return Effort(
        solver=series.solver,
        language=series.language,
        protocol=series.protocol,
        submissions=dict(sorted(firsts.items())),
        submissions_at_solve=distribution([solve.submission for solve in solves]),
        runs_at_solve=distribution([solve.runs for solve in solves]),
        runs=sum(session.runs.values()),
        graded=sum(play.submissions for play in session.problem_records.values()),
        by_runs=_curve([solve.all_runs for solve in solves], sum(session.runs.values())),
        by_tokens=_solved_by_tokens(session, session_usage, lambda pair: pair.total),
        by_input_tokens=_solved_by_tokens(session, session_usage, lambda pair: pair.input),
        by_output_tokens=_solved_by_tokens(session, session_usage, lambda pair: pair.output),
        within_runs={most: bisect_right(own_runs, most) for most in sorted(set(own_runs))},
        tokens=None if session_usage is None else session_usage.tokens,
        input_tokens=None if session_usage is None else session_usage.cumulative_input[-1],
        output_tokens=None if session_usage is None else session_usage.cumulative_output[-1],
        reasoning_tokens=None if session_usage is None else session_usage.reasoning,
        cost=None if session_usage is None else session_usage.cost,
        run_endings=_endings(session),
        failures=_failures(session),
    )


def _solved_by_tokens(
    session: PlayedSession, usage: SessionUsage | None, count: Callable[[TokenPair], int]
) -> tuple[Point, ...] | None:
    if usage is None:
        return None
    used = [count(usage.tokens_until(solve.time_ms)) for solve in session.sorted_solves]
    return _curve(used, count(TokenPair(usage.cumulative_input[-1], usage.cumulative_output[-1])))


def _curve(amounts: list[int], total: int) -> tuple[Point, ...]:
    """Return the curve of the number of problems solved by the amount of runs or tokens used.

    It has a point at 0, at each of ``amounts``, and at ``total``. amounts: for each solved problem,
    the amount used when it was solved.
    """
    solved: dict[int, int] = {0: 0}
    for number, amount in enumerate(sorted(amounts), 1):
        solved[amount] = number
    solved.setdefault(total, len(amounts))
    return tuple(Point(*point) for point in solved.items())


def _endings(session: PlayedSession) -> dict[str, int]:
    endings: Counter[str] = Counter()
    for status, count in session.runs.items():
        endings["ok" if status == "ok" else error_class(status)] += count
    return {name: endings[name] for name in ("ok", *ERROR_CLASSES) if endings[name]}


def _failures(session: PlayedSession) -> dict[str, int] | None:
    if not session.closed:
        return None
    return {name: session.failures.get(name, 0) for name in ERROR_CLASSES}


# Possible generation of programs, from the files in the workspace at submission. The presence of a
# generator does not prove that it wrote the program, and its absence proves nothing either
# (docs/sessions.md).


class Metaprogramming(NamedTuple):
    """Numbers of programs that generate programs, found in the workspaces of one session.

    The session is the one that represents a series (``Series.shown_session``).

    seen, unseen: numbers of graded submissions whose workspace could and could not be inspected;
        the other figures count only inspected ones.
    with_generator: number of submissions with a generator in the workspace; with_map: number with
        the program itself and a source map next to it.
    solved, solved_with_generator: numbers of submissions that solved their problem.
    languages: languages of generators, with the number of submissions that had one.
    ratios: for each submission that solved its problem and had new generators, the bytes of the
        program per byte of generators first seen with that problem; sorted.  ratio: their median.
    helpers: number of generators in the session with different content; reused: how many of them
        were present, unchanged, for several problems; widest: the greatest number of problems with
        the same helper; spans: the number of problems of each helper, sorted.
    """

    solver: str
    language: str
    protocol: str
    seen: int
    unseen: int
    with_generator: int
    with_map: int
    solved: int
    solved_with_generator: int
    languages: Mapping[str, int]
    ratios: tuple[float, ...]
    ratio: float | None
    helpers: int
    reused: int
    widest: int
    spans: tuple[int, ...]

    @property
    def name(self) -> str:
        return f"{self.solver}, {self.language}, {self.protocol}"


def count_generators(series: Series) -> Metaprogramming:
    """Count the generators in the workspaces of the session that represents ``series``."""
    session = series.shown_session
    languages: Counter[str] = Counter()
    problems: dict[str, set[str]] = {}
    for each in session.submission_workspaces:
        languages.update(each.languages)
        for helper in each.generators:
            problems.setdefault(helper, set()).add(each.problem)
    solved = [each for each in session.submission_workspaces if each.solved]
    ratios = sorted(
        each.size / each.new_generator_bytes for each in solved if each.new_generator_bytes
    )
    spans = [len(found) for found in problems.values()]
    return Metaprogramming(
        solver=series.solver,
        language=series.language,
        protocol=series.protocol,
        seen=len(session.submission_workspaces),
        unseen=session.not_inspected,
        with_generator=sum(bool(each.generators) for each in session.submission_workspaces),
        with_map=sum(each.has_map for each in session.submission_workspaces),
        solved=len(solved),
        solved_with_generator=sum(bool(each.generators) for each in solved),
        languages=dict(sorted(languages.items(), key=lambda one: (-one[1], one[0]))),
        ratios=tuple(ratios),
        ratio=quantile(ratios, 0.5) if ratios else None,
        helpers=len(problems),
        reused=sum(count > 1 for count in spans),
        widest=max(spans, default=0),
        spans=tuple(sorted(spans)),
    )
