"""Correlations with external scores and sizes of corpora, and the file that they come from."""

from __future__ import annotations

import json
from itertools import permutations
from math import log10
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_evaluations import results

from esoplay.cli.main import main
from esoplay.errors import UsageError
from esoplay.packs.catalogue import get_pack
from esoplay.reporting.correlations import pearson, spearman
from esoplay.reporting.external import ScoredShare, correlations, read_external

TABLE = """\
[scores."Another benchmark"]
heron = 80.8
otter = 74
wren = 61.5
nobody = 3

[corpora.Repositories]
brainfuck = 5_000
unlambda = 100
python = 17e6
"""


def plain_r(xs: list[float], ys: list[float]) -> float:
    """Pearson's r in the form of a textbook."""
    count = len(xs)
    mean_x, mean_y = sum(xs) / count, sum(ys) / count
    together = sum((x - mean_x) * (y - mean_y) for x, y in zip(xs, ys, strict=True))
    return (
        together / (sum((x - mean_x) ** 2 for x in xs) * sum((y - mean_y) ** 2 for y in ys)) ** 0.5
    )


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), min_size=3, max_size=5))
def test_coefficients_and_their_p_values_match_all_permutations(
    pairs: list[tuple[int, int]],
) -> None:
    xs, ys = ([float(pair[side]) for pair in pairs] for side in (0, 1))
    found = pearson(xs, ys)
    if len(set(xs)) == 1 or len(set(ys)) == 1:
        assert found is None
        return
    assert found is not None
    assert found.value == pytest.approx(plain_r(xs, ys))
    tried = [abs(plain_r(xs, list(order))) for order in permutations(ys)]
    extreme = sum(one >= abs(found.value) - 1e-9 for one in tried)
    assert found.p == pytest.approx(extreme / len(tried))
    ranks = [
        [sum(b < a for b in side) + sum(b == a for b in side) / 2 for a in side]
        for side in (xs, ys)
    ]
    rho = spearman(xs, ys)
    assert rho is not None
    assert rho.value == pytest.approx(plain_r(*ranks))


def test_many_points_are_permuted_with_a_fixed_random_sample() -> None:
    xs = [float(value) for value in range(12)]
    found = pearson(xs, xs)
    assert found == pearson(xs, xs)
    assert found is not None
    assert found.value == pytest.approx(1)
    assert found.p == pytest.approx(1 / 10_001)
    assert pearson(xs[:2], xs[:2]) is None


def test_means_are_over_the_languages_that_all_models_have() -> None:
    tables = read_external("it.toml", TABLE.encode())
    rates = {
        ("heron", "brainfuck"): 0.9,
        ("heron", "unlambda"): 0.5,
        ("heron", "python"): 1.0,
        ("otter", "brainfuck"): 0.4,
        ("otter", "unlambda"): 0.2,
        ("otter", "python"): 0.8,
        ("wren (temperature 0)", "brainfuck"): 0.1,
        ("wren (temperature 0)", "unlambda"): 0.3,
        ("unknown", "brainfuck"): 0.5,
    }
    shares = [ScoredShare(name, "primary", lang, share) for (name, lang), share in rates.items()]
    scores, *corpora = correlations(tables, shares, {"python"})
    assert scores.over == ("brainfuck", "unlambda")
    assert [(one.name, one.value, one.share) for one in scores.points] == [
        ("wren (temperature 0)", 61.5, pytest.approx(0.2)),
        ("otter", 74, pytest.approx(0.3)),
        ("heron", 80.8, pytest.approx(0.7)),
    ]
    assert scores.unused == ("nobody",)
    assert scores.spearman is not None
    assert tuple(scores.spearman) == pytest.approx((1, 2 / 6))
    assert [one.condition for one in corpora] == [
        *(f"{name}, primary" for name in ("heron", "otter", "wren (temperature 0)", "unknown")),
        "all together, primary",
    ]
    heron = corpora[0]
    assert heron.pearson is not None
    sizes = [log10(size) for size in (100, 5_000, 17e6)]
    assert heron.pearson.value == pytest.approx(plain_r(sizes, [0.5, 0.9, 1.0]))
    assert corpora[2].pearson is None  # two languages


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[scores.A]\nheron = \n", "it.toml:2:9: not valid TOML: Invalid value"),
        ("[scores.A", "it.toml:1:10: not valid TOML"),
        ('[scores.A]\n  heron = "80"\n', "it.toml:2:11: scores.A.heron: expected a number"),
        ("[scores.A]\nheron = nan\n", "it.toml:2:9: scores.A.heron: expected a number"),
        ("[scores]\nheron = 3\n", "it.toml:2:9: scores.heron: expected a table [scores.NAME]"),
        ("\n[score.A]\nheron = 3\n", "it.toml:3:9: score.A.heron: unknown table; expected [scores"),
        ("[corpora.A]\nbf = 0\n", "it.toml:2:6: corpora.A.bf: expected a size above 0"),
        ("[corpora.A]\nbf = [1]\n", "it.toml:2:6: corpora.A.bf: expected a number"),
        ("[corpora.A.b]\nbf = 1\n", "it.toml:2:6: corpora.A.b.bf: expected a table [corpora.NAME]"),
        ("# none\n", "it.toml:1:1: no scores or sizes; expected tables such as [scores.NAME]"),
    ],
)
def test_errors_name_line_and_column(text: str, words: str) -> None:
    with pytest.raises(UsageError) as error:
        read_external("it.toml", text.encode())
    assert str(error.value).startswith(words)


def test_a_report_on_evaluations_has_a_section(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folders: list[str] = []
    for name in ("heron", "otter", "wren"):
        (tmp_path / name).mkdir()
        data = results(name, seed=1, pack=get_pack(None).id, runs=1)
        (tmp_path / name / "results.json").write_text(json.dumps(data), "utf-8")
        folders.append(str(tmp_path / name))
    table = tmp_path / "figures.toml"
    table.write_text(TABLE, "utf-8")
    options = ["--resamples", "100", "--external", str(table)]
    assert main(["report", *folders, *options, "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert len(told["external"]) == 3 * (1 + 4)
    shares = {(one["model"], one["language"], one["regime"]): one for one in told["conditions"]}
    first = told["external"][0]
    for point in first["points"]:
        each = [shares[point["name"], language, "zero-shot"]["share"] for language in first["over"]]
        assert point["share"] == pytest.approx(sum(each) / 2)
    assert main(["report", *folders, *options, "-o", str(tmp_path / "report")]) == 0
    assert (tmp_path / "report" / "pictures" / "external-scores.svg").exists()
    assert (tmp_path / "report" / "pictures" / "external-corpora.svg").exists()
    page = (tmp_path / "report" / "report.html").read_text("utf-8")
    assert "Left out of one or more comparisons for lack of results: nobody." in page
    table.write_text("[scores.A]\nheron = x\n", "utf-8")
    assert main(["report", *folders, *options]) == 2
    assert "figures.toml:2:9: not valid TOML" in capsys.readouterr().err
