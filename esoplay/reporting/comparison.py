"""Comparisons of two conditions on the same problems, and the language tax."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple

from esoplay.reporting.played_sessions import Series
from esoplay.reporting.statistics import (
    RESAMPLES,
    ConfidenceInterval,
    SignedRank,
    arithmetic_mean,
    bonferroni,
    bootstrap_mean,
    mcnemar,
    signed_rank,
)

Axis = Literal["protocol", "solver", "language", "tools", "regime", "model"]
AXES: tuple[Axis, ...] = ("protocol", "solver", "language")
"""The properties by which sessions can be compared; the first possible one is the default."""


class ComparedCondition(NamedTuple):
    """The results that are one side of a comparison.

    They are from a series of sessions, or from the runs of an evaluation under one condition.

    values: the value on each axis, in the order in which the name has them. pack: with its version.
    solved: whether each problem was solved in the session or run that McNemar's test uses; shares:
    the share of complete sessions or runs that solved it.
    """

    name: str
    values: Mapping[Axis, str]
    pack: str
    problems: tuple[str, ...]
    solved: Sequence[bool]
    shares: Sequence[float]

    def other_values(self, axis: Axis) -> tuple[str, ...]:
        """Return the condition's values on all axes except ``axis``."""
        return tuple(value for other, value in self.values.items() if other != axis)


class PairedResult(NamedTuple):
    """The results of two conditions on the same problems.

    A match is two conditions that differ only in the compared value. A result is of one match, or
    of all matches together.

    match: what both conditions have in common, such as solver and language; None for all matches.
    problems: number of problems, each in ``matches`` matches.
    both, only_first, only_second, neither: numbers of problems that both conditions, one of them or
        neither solved in their first complete session or run; added over the matches.
    mcnemar: p of McNemar's exact test of these counts.
    difference: of the shares solved, first minus second, by problem over all complete sessions or
        runs and matches; interval: its bootstrap interval over problems, at 95 %.
    wilcoxon: Wilcoxon's test of the differences by problem.
    tests: the number of pairs of the same kind (single matches, or all together) in the whole
    comparison; mcnemar_corrected, wilcoxon_corrected: both p with Bonferroni's correction for that
        number.
    """

    match: str | None
    problems: int
    matches: int
    both: int
    only_first: int
    only_second: int
    neither: int
    mcnemar: float
    difference: float
    interval: ConfidenceInterval
    wilcoxon: SignedRank
    tests: int = 1
    mcnemar_corrected: float = 1.0
    wilcoxon_corrected: float = 1.0


class ConditionComparison(NamedTuple):
    """The comparison of two values on an axis, such as two solvers.

    pairs: the results of each match, and of all matches together; see :class:`PairedResult`.
    """

    axis: Axis
    first: str
    second: str
    pairs: tuple[PairedResult, ...]


class Unmatched(NamedTuple):
    """A series or condition that was left out of a comparison, and the reason."""

    name: str
    reason: str


class AxisComparison(NamedTuple):
    """The comparisons of all pairs of values on an axis, and the series and conditions left out."""

    axis: Axis
    comparisons: tuple[ConditionComparison, ...]
    left_out: tuple[Unmatched, ...]


def choose_axis(series: Sequence[Series]) -> Axis | None:
    """Return the first axis that is the only difference between two complete series, or None.

    The axes are tried in the order of ``AXES``. Only series with the same pack and problems are
    compared.
    """
    return first_axis([_condition(one) for one in series if one.headline is not None], AXES)


def first_axis(conditions: Sequence[ComparedCondition], axes: Sequence[Axis]) -> Axis | None:
    """Return the first of ``axes`` that is the only difference between two conditions, or None.

    Only conditions with the same pack and problems are compared.
    """
    for axis in axes:
        pairs = _pairs_of_values(conditions, axis)
        if any(_matches(conditions, axis, *pair) for pair in pairs):
            return axis
    return None


def compare(
    series: Sequence[Series],
    axis: Axis,
    resamples: int = RESAMPLES,
    seed: int = 0,
    baseline: str | None = None,
) -> AxisComparison:
    """Compare the complete series along ``axis``; see ``compare_conditions``."""
    partial = [
        Unmatched(one.name, one.shown_session.partial_reason or "")
        for one in series
        if one.headline is None
    ]
    complete = [_condition(one, axis) for one in series if one.headline is not None]
    compared = compare_conditions(complete, axis, resamples, seed, baseline)
    return compared._replace(left_out=(*partial, *compared.left_out))


def compare_conditions(
    conditions: Sequence[ComparedCondition],
    axis: Axis,
    resamples: int = RESAMPLES,
    seed: int = 0,
    baseline: str | None = None,
) -> AxisComparison:
    """Compare the values on ``axis`` in pairs, such as one language with another.

    A pair is compared if it has a match: two conditions that differ only in these two values.

    baseline: compare the other values only with this one, so that fewer tests are corrected for.
    Conditions without a match are in ``left_out``.
    """
    found: list[tuple[str, str, list[PairedResult]]] = []
    met: set[str] = set()
    for first, second in _pairs_of_values(conditions, axis, baseline):
        matches = _matches(conditions, axis, first, second)
        if not matches:
            continue
        met.update(one.name for match in matches.values() for one in match)
        pairs = [_pair(name, [match], resamples, seed) for name, match in matches.items()]
        alike = len({match[0].problems for match in matches.values()}) == 1
        if len(matches) > 1 and alike:
            pairs.append(_pair(None, list(matches.values()), resamples, seed))
        found.append((first, second, pairs))
    left_out = [
        Unmatched(one.name, f"no counterpart that differs only in the {axis}")
        for one in conditions
        if one.name not in met
    ]
    return AxisComparison(axis, tuple(_correct_comparisons(axis, found)), tuple(left_out))


def _condition(series: Series, axis: Axis | None = None) -> ComparedCondition:
    headline = series.headline
    rules: dict[Axis, str] = {"protocol": series.protocol}
    if axis == "tools":
        profile = series.tools
        rules = {"protocol": series.protocol.replace(f"+tools={profile}", ""), "tools": profile}
    assert headline is not None, "partial series are left out"
    return ComparedCondition(
        series.name,
        {"solver": series.solver, "language": series.language, **rules},
        f"{series.pack} {series.pack_version}",
        series.problems,
        [problem in headline.solved for problem in series.problems],
        solved_shares(series),
    )


def _correct_comparisons(
    axis: Axis, uncorrected: Sequence[tuple[str, str, list[PairedResult]]]
) -> Iterator[ConditionComparison]:
    """Yield the comparison of each pair of values, with every p corrected for the number of tests.

    Tests of single matches and tests of all matches together are counted separately.
    uncorrected: for each pair, the first value, the second value and the results.
    """
    single = sum(pair.match is not None for _, _, pairs in uncorrected for pair in pairs)
    pooled = sum(pair.match is None for _, _, pairs in uncorrected for pair in pairs)
    for first, second, pairs in uncorrected:
        corrected = (
            _correct_p_values(one, pooled if one.match is None else single) for one in pairs
        )
        yield ConditionComparison(axis, first, second, tuple(corrected))


def _correct_p_values(pair: PairedResult, test_count: int) -> PairedResult:
    return pair._replace(
        tests=test_count,
        mcnemar_corrected=bonferroni(pair.mcnemar, test_count),
        wilcoxon_corrected=bonferroni(pair.wilcoxon.p, test_count),
    )


def _pairs_of_values(
    conditions: Sequence[ComparedCondition], axis: Axis, baseline: str | None = None
) -> Iterator[tuple[str, str]]:
    values = dict.fromkeys(one.values[axis] for one in conditions)
    if baseline is None:
        return combinations(values, 2)
    return ((value, baseline) for value in values if value != baseline)


_Match = tuple[ComparedCondition, ComparedCondition]


def _matches(
    conditions: Sequence[ComparedCondition], axis: Axis, first: str, second: str
) -> Mapping[str, _Match]:
    """Return pairs of conditions that differ only in ``axis``: ``first`` against ``second``.

    The key of a pair is the text of the values that its conditions have in common.
    """
    sides: tuple[dict[object, ComparedCondition], dict[object, ComparedCondition]] = ({}, {})
    for one in conditions:
        for side, value in zip(sides, (first, second), strict=True):
            if one.values[axis] == value:
                side[one.other_values(axis), one.pack, one.problems] = one
    return {
        ", ".join(one.other_values(axis)): (one, sides[1][key])
        for key, one in sides[0].items()
        if key in sides[1]
    }


def _pair(name: str | None, matches: Sequence[_Match], resamples: int, seed: int) -> PairedResult:
    problems = matches[0][0].problems
    table = Counter(
        pair for one, other in matches for pair in zip(one.solved, other.solved, strict=True)
    )
    differences = [
        arithmetic_mean([one.shares[at] - other.shares[at] for one, other in matches])
        for at in range(len(problems))
    ]
    # Rounded, because equal thirds may differ in their last bit and would not be ties.
    ranked = [round(value, 12) for value in differences]
    return PairedResult(
        match=name,
        problems=len(problems),
        matches=len(matches),
        both=table[True, True],
        only_first=table[True, False],
        only_second=table[False, True],
        neither=table[False, False],
        mcnemar=mcnemar(table[True, False], table[False, True]),
        difference=arithmetic_mean(differences),
        interval=bootstrap_mean(differences, resamples, seed=seed),
        wilcoxon=signed_rank(ranked),
    )


def solved_shares(series: Series) -> list[float]:
    """Return, for each problem, the share of complete sessions that solved it."""
    sessions = [session.solved for session in series.complete_sessions]
    return [
        arithmetic_mean([problem in solved for solved in sessions]) for problem in series.problems
    ]


# The language tax: the loss of a solver in an unfamiliar language. It is the share solved in the
# unfamiliar language minus the mean share in the familiar ones, of the same solver on the same
# problems (the methodology of the AgentLang Index).


class Loss(NamedTuple):
    """A comparison of the shares of problems solved in unfamiliar and in familiar languages.

    tax: ``share`` minus ``familiar_share``. interval: of the tax by bootstrap over problems, at
    95 %.
    """

    share: float
    familiar_share: float
    tax: float
    interval: ConfidenceInterval


class SolverTax(NamedTuple):
    """How much the share of solved problems of one solver differs from that in familiar languages.

    tax: ``share`` minus ``familiar_share``; negative values are losses.
    language: None for the mean over all ``languages``, in each of which problems have equal weight.
    familiar: the languages compared with; familiar_protocol: the protocol of their series.
    share, familiar_share: means over problems and complete sessions.
    each: the loss compared with each familiar language alone.
    """

    solver: str
    language: str | None
    languages: tuple[str, ...]
    protocol: str
    familiar: tuple[str, ...]
    familiar_protocol: str
    share: float
    familiar_share: float
    tax: float
    interval: ConfidenceInterval
    each: Mapping[str, Loss]


def loss(
    unfamiliar: Sequence[Sequence[float]],
    familiar: Sequence[Sequence[float]],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Loss:
    """Return the loss in the unfamiliar languages compared with the familiar ones.

    A language is a list of shares: for each problem, the share of sessions that solved it. All
    lists have the same order of problems. The shares of several languages are averaged by problem.
    """
    means, familiar_means = (
        [arithmetic_mean(shares) for shares in zip(*group, strict=True)]
        for group in (unfamiliar, familiar)
    )
    lost = [one - other for one, other in zip(means, familiar_means, strict=True)]
    interval = bootstrap_mean(lost, resamples, seed=seed)
    return Loss(
        arithmetic_mean(means), arithmetic_mean(familiar_means), arithmetic_mean(lost), interval
    )


def losses_by_language(
    unfamiliar: Sequence[Sequence[float]],
    familiar: Mapping[str, Sequence[float]],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> dict[str, Loss]:
    """Return the loss compared with each familiar language alone, by language; see ``loss``."""
    return {
        language: loss(unfamiliar, [shares], resamples, seed)
        for language, shares in familiar.items()
    }


def language_taxes(
    series: Sequence[Series],
    familiar: Collection[str],
    resamples: int = RESAMPLES,
    seed: int = 0,
) -> Iterator[SolverTax]:
    """Yield the language tax of each complete series in a language that is not ``familiar``.

    The tax is the share solved in that language minus the mean share in the familiar languages.
    Compares series with the same solver, pack, problems and protocol. If no familiar series has the
    same protocol, but all have one protocol, compares with that one. The taxes of several languages
    with equal solver, pack, problems and protocol are followed by their mean.
    """
    complete = [one for one in series if one.headline is not None]
    known = [one for one in complete if one.language in familiar]
    groups: dict[tuple[object, ...], list[Series]] = {}
    for one in complete:
        if one.language not in familiar and _comparable_series(one, known):
            terms = (one.solver, one.protocol, one.pack, one.pack_version, one.problems)
            groups.setdefault(terms, []).append(one)
    for group in groups.values():
        others = _comparable_series(group[0], known)
        for compared in [*([one] for one in group), *([group] if len(group) > 1 else [])]:
            yield _tax(compared, others, resamples, seed)


def _tax(
    unfamiliar: Sequence[Series], familiar: Sequence[Series], resamples: int, seed: int
) -> SolverTax:
    first, other = unfamiliar[0], familiar[0]
    shares, familiar_shares = (
        [solved_shares(one) for one in group] for group in (unfamiliar, familiar)
    )
    languages = tuple(one.language for one in familiar)
    return SolverTax(
        first.solver,
        first.language if len(unfamiliar) == 1 else None,
        tuple(one.language for one in unfamiliar),
        first.protocol,
        languages,
        other.protocol,
        *loss(shares, familiar_shares, resamples, seed),
        losses_by_language(
            shares, dict(zip(languages, familiar_shares, strict=True)), resamples, seed
        ),
    )


def _comparable_series(series: Series, familiar: Sequence[Series]) -> list[Series]:
    """Return the series in ``familiar`` that have the solver, pack and problems of ``series``.

    If any of them have the protocol of ``series``, the others are left out.  Otherwise the result
    is empty unless all share one protocol, such as one for host lanes.
    """
    known = [
        other
        for other in familiar
        if (other.solver, other.pack, other.pack_version, other.problems)
        == (series.solver, series.pack, series.pack_version, series.problems)
    ]
    same = [other for other in known if other.protocol == series.protocol]
    return same or (known if len({other.protocol for other in known}) == 1 else [])
