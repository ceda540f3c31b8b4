"""Convert the sessions of a report to conditions, the form in which evaluations are reported."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import fsum

from esoplay.reporting.ablations import DEFAULT_BASELINE
from esoplay.reporting.conditions import (
    AGENT_SESSION,
    NO_PROGRAM,
    ReportedCondition,
    ReportedTrial,
    TrialTokens,
    trials_by_problem,
)
from esoplay.reporting.played_sessions import PlayedSession, ProblemRecord, Series
from esoplay.reporting.standing import NO_CATALOGUE, Catalogue
from esoplay.reporting.usage import Usage, UsageEntry


def make_series_conditions(
    series: Sequence[Series], catalogues: Mapping[str, Catalogue], usage: Usage
) -> list[ReportedCondition]:
    """Return a condition for each series with complete sessions; each session is a run.

    catalogues: by id of the pack, for the tiers.
    """
    return [
        ReportedCondition(
            one.solver,
            one.language,
            regime_for(one.protocol),
            f"{one.pack} {one.pack_version}",
            trials_by_problem(
                [
                    trial
                    for run, session in enumerate(one.complete_sessions, 1)
                    for trial in _trials(
                        session, run, catalogues.get(one.pack, NO_CATALOGUE), usage
                    )
                ]
            ),
            is_session=True,
        )
        for one in series
        if one.complete_sessions
    ]


def regime_for(protocol: str) -> str:
    """Return "agent session", followed by the name of the protocol unless it is ``primary``."""
    return AGENT_SESSION if protocol == DEFAULT_BASELINE else f"{AGENT_SESSION}, {protocol}"


def _trials(
    session: PlayedSession, run: int, catalogue: Catalogue, usage: Usage
) -> Iterator[ReportedTrial]:
    answers = _answers(session, usage)
    for problem, record in session.problem_records.items():
        known = catalogue.problems.get(problem)
        solved = record.solve is not None
        yield ReportedTrial(
            problem=problem,
            run=run,
            tier="" if known is None else known.tier,
            solved=solved,
            failure="" if solved else _failure(record),
            attempts=record.solve.submission if record.solve else record.submissions,
            seconds=fsum(
                (period.ended_ms - period.began_ms) / 1000
                for period in session.active_periods
                if period.problem == problem
            ),
            tokens=None if answers is None else _tokens(answers.get(problem, [])),
            cost=None if answers is None else _cost(answers.get(problem, [])),
        )


def _failure(record: ProblemRecord) -> str:
    return record.failure or ("other" if record.submissions else NO_PROGRAM)


def _answers(session: PlayedSession, usage: Usage) -> dict[str, list[UsageEntry]] | None:
    """Return the usage of the model's answers by problem; None if no usage was reported.

    Answers between two problems count for the second one, answers after the last problem for the
    last one.
    """
    session_usage = usage.for_session(session.session)
    if session_usage is None:
        return None
    found: dict[str, list[UsageEntry]] = {}
    if not session.active_periods:
        return found
    parts = session_usage.split_entries([period.ended_ms for period in session.active_periods])
    for period, part in zip(session.active_periods, parts, strict=True):
        found.setdefault(period.problem, []).extend(part)
    return found


def _tokens(answers: Sequence[UsageEntry]) -> TrialTokens:
    reasoning = [one.reasoning_tokens for one in answers if one.reasoning_tokens is not None]
    return TrialTokens(
        sum(one.input_tokens for one in answers),
        sum(one.output_tokens for one in answers),
        sum(reasoning) if len(reasoning) == len(answers) else None,
    )


def _cost(answers: Sequence[UsageEntry]) -> float | None:
    """Return the total cost of answers; None if the cost of one is not reported."""
    costs = [one.cost for one in answers if one.cost is not None]
    return fsum(costs) if len(costs) == len(answers) else None
