"""Each statistic against its definition by brute force, and against published values.

They were also held once against scipy 1.17 and statsmodels 0.15, which are not dependencies:
Wilson's intervals up to 119 trials differ by 4e-16 at most, McNemar's p by 1e-15, Wilcoxon's not
at all.
"""

from __future__ import annotations

import statistics
from math import isclose

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles import report_statistics as oracle

from esoplay.reporting import statistics as paired
from esoplay.reporting import statistics as summary
from esoplay.reporting.statistics import (
    ConfidenceInterval,
    bonferroni,
    bootstrap_mean,
    mcnemar,
    quantile,
    signed_rank,
    summarize,
    wilson,
)

small = st.integers(-4, 4).map(float)


@given(st.integers(1, 200), st.data(), st.sampled_from([0.5, 0.9, 0.95, 0.99]))
def test_wilson_is_where_the_score_test_begins_to_reject(
    trials: int, data: st.DataObject, confidence: float
) -> None:
    successes = data.draw(st.integers(0, trials))
    low, high = wilson(successes, trials, confidence)
    assert (low, high) == pytest.approx(oracle.wilson_ends(successes, trials, confidence), abs=1e-9)
    assert 0 <= low <= successes / trials <= high <= 1


def test_wilson_gives_the_published_intervals() -> None:
    # R. G. Newcombe, Two-sided confidence intervals for the single proportion, Statistics in
    # Medicine 17 (1998), table I, method 3.
    published = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0.0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (successes, trials), ends in published.items():
        assert wilson(successes, trials) == pytest.approx(ends, abs=5e-5)


def test_an_interval_is_as_wide_as_its_longer_side() -> None:
    low, high = wilson(64, 80)
    assert high - 0.8 < 0.8 - low
    assert ConfidenceInterval(low, high).half_width(0.8) == 0.8 - low
    for successes, trials in ((0, 0), (3, 2), (-1, 2)):
        with pytest.raises(ValueError, match="invalid for an interval"):
            wilson(successes, trials)


@pytest.mark.parametrize("pairs", range(11))
def test_mcnemar_is_exact(pairs: int) -> None:
    for first in range(pairs + 1):
        assert mcnemar(first, pairs - first) == float(oracle.mcnemar_p(first, pairs - first))


def test_mcnemar_gives_what_the_binomial_distribution_says() -> None:
    assert mcnemar(0, 0) == 1
    assert mcnemar(0, 5) == 0.0625
    assert mcnemar(1, 9) == pytest.approx(0.021484375)
    assert mcnemar(400, 500) == pytest.approx(0.0009564441369189373)  # scipy.stats.binomtest
    with pytest.raises(ValueError, match="must not be negative"):
        mcnemar(-1, 2)


@given(st.lists(small, max_size=9))
def test_signed_ranks_count_all_signs(differences: list[float]) -> None:
    found = signed_rank(differences)
    assert found.p == float(min(1, oracle.signed_rank_p(differences)))
    kept = [abs(value) for value in differences if value]
    assert found.size == len(kept)
    assert found.plus + found.minus == sum(oracle.ranks(kept))


def test_signed_ranks_give_the_published_value() -> None:
    # C. Darwin's maize, crossed less self-fertilised plants, as in R. A. Fisher, The Design of
    # Experiments (1935), and in the documentation of scipy.stats.wilcoxon: 24, p 0.0413.
    heights = [6, 8, 14, 16, 23, 24, 28, 29, 41, -48, 49, 56, 60, -67, 75]
    found = signed_rank(heights)
    assert (found.minus, found.plus, found.exact) == (24, 96, True)
    assert found.p == 0.041259765625


@pytest.mark.parametrize("lean", [-1, 0])
def test_signed_ranks_of_eighty_problems_count_all_signs(lean: int) -> None:
    # Differences of shares of three sessions: thirds, with many ties and zeros.
    thirds = [(at * at % 7 - 3 + lean) / 3 for at in range(80)]
    found = signed_rank([round(value, 12) for value in thirds])
    assert found.exact
    assert found.p == pytest.approx(float(oracle.signed_rank_p_by_counting(thirds)), rel=1e-12)


def test_where_all_differences_are_of_one_size_only_their_signs_count() -> None:
    for above, below in ((3, 1), (30, 50), (110, 90)):
        found = signed_rank([0.5] * above + [-0.5] * below)
        assert found.exact
        assert found.p == pytest.approx(mcnemar(above, below), rel=1e-12)


def test_beyond_the_exact_distribution_the_approximation_is_that_of_textbooks() -> None:
    differences = [float(at % 11 - 4) for at in range(400)]
    found = signed_rank(differences)
    assert (found.size, found.exact) == (364, False)
    expected = oracle.signed_rank_p_approximation(differences)
    assert found.p == pytest.approx(expected, rel=1e-9)


def test_the_normal_approximation_is_near_the_exact_distribution(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    differences = [(at % 7 - 2.4) * (1 + at % 3) for at in range(150)]
    exact = signed_rank(differences)
    monkeypatch.setattr(paired, "MAX_EXACT_DIFFERENCES", 10)
    rough = signed_rank(differences)
    assert exact.exact
    assert not rough.exact
    assert rough.p == pytest.approx(exact.p, rel=0.1)


def test_a_correction_is_at_most_certain() -> None:
    assert bonferroni(0.01, 3) == 0.03
    assert bonferroni(0.4, 3) == 1


@given(st.lists(st.integers(-1000, 1000), min_size=2, max_size=30), st.integers(2, 9))
def test_quantiles_and_deviations_match_the_standard_library(values: list[int], parts: int) -> None:
    ours = [quantile(sorted(values), cut / parts) for cut in range(1, parts)]
    assert ours == pytest.approx(statistics.quantiles(values, n=parts, method="inclusive"))
    found = summarize(values)
    assert found.deviation == pytest.approx(statistics.stdev(values))
    assert found.mean == pytest.approx(statistics.mean(values))
    assert (found.least, found.greatest, found.spread) == (
        min(values),
        max(values),
        max(values) - min(values),
    )


@settings(max_examples=10)
@given(st.lists(small, min_size=2, max_size=5), st.integers(0, 99))
def test_the_bootstrap_has_the_quantiles_of_all_resamples(values: list[float], seed: int) -> None:
    means = sorted(oracle.all_means(values))
    low, high = bootstrap_mean(values, 2_000, 0.8, seed)
    # 2,000 draws: the share of resamples beyond an end is within 5 deviations of a tenth.
    slack = 5 * (0.1 * 0.9 / 2_000) ** 0.5
    tiny = 1e-9

    def share(below: float) -> float:
        return sum(mean <= below for mean in means) / len(means)

    assert share(low - tiny) <= 0.1 + slack
    assert share(low + tiny) >= 0.1 - slack
    assert share(high - tiny) <= 0.9 + slack
    assert share(high + tiny) >= 0.9 - slack
    assert min(values) <= low <= high <= max(values)


def test_the_bootstrap_is_the_same_everywhere() -> None:
    values = [1.0] * 30 + [0.0] * 40 + [-1.0] * 10
    interval = bootstrap_mean(values, 2_000, seed=7)
    assert interval == bootstrap_mean(values, 2_000, seed=7)
    assert interval != bootstrap_mean(values, 2_000, seed=8)
    # By the normal approximation: 0.25 and 1.96 deviations of the mean, 0.0726 each.
    assert isclose(interval.low, 0.25 - 1.96 * 0.0726, abs_tol=0.02)
    assert isclose(interval.high, 0.25 + 1.96 * 0.0726, abs_tol=0.02)


def test_the_bootstrap_does_not_depend_on_cached_draws(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    values = [0.25, 1.0, -0.5, 0.0]
    kept = bootstrap_mean(values, 500, seed=3)
    monkeypatch.setattr(summary, "_MAX_CACHED_INDEXES", 0)
    assert bootstrap_mean(values, 500, seed=3) == kept
    assert bootstrap_mean([0.5], 500) == (0.5, 0.5)


def test_the_mean_of_no_values_is_an_error() -> None:
    for function in (summarize, bootstrap_mean):
        with pytest.raises(ValueError, match="cannot compute a mean"):
            function([])
    assert summarize([3]).deviation is None
