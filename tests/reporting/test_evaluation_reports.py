"""Reports on evaluations, against figures that are counted here in another way."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from made_evaluations import results
from oracles.report_statistics import mcnemar_p, signed_rank_p, wilson_ends
from published_schemas import assert_valid

from esoplay.cli.main import main
from esoplay.packs.catalogue import get_pack
from esoplay.reporting.condition_figures import pass_at_k
from esoplay.reporting.sections.wording import format_points

FAST = ["--resamples", "100"]


def saved(folder: Path, model: str, **options: Any) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    terms: dict[str, Any] = {"seed": 1, "pack": get_pack(None).id, **options}
    data = results(model, **terms)
    (folder / "results.json").write_text(json.dumps(data), "utf-8")
    return folder


def report(capsys: pytest.CaptureFixture[str], *words: str | Path) -> dict[str, Any]:
    assert main(["report", *map(str, words), *FAST, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def chosen(data: dict[str, Any], *names: str) -> list[dict[str, Any]]:
    return [trial for trial in data["trials"] if (trial["language"], trial["regime"]) == names]


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("models")
    return [saved(folder / name, name) for name in ("heron-1", "heron-2")]


def read(folder: Path) -> dict[str, Any]:
    return json.loads((folder / "results.json").read_text("utf-8"))


def test_evaluations_can_be_reported_by_published_categories(
    models: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = read(models[0])
    for trial in data["trials"]:
        place = "/".join([*trial["id"].split("/")[:3], "{}", trial["id"].split("/")[4]])
        trial["item"] = {"H01": "X20", "E11": "M13"}.get(trial["item"], trial["item"])
        trial["id"] = place.format(trial["item"])
    (tmp_path / "results.json").write_text(json.dumps(data), "utf-8")
    items = {trial["item"] for trial in data["trials"]}
    assert {"X20", "M13"} <= items
    own, published = report(capsys, tmp_path), report(capsys, tmp_path, "--categories", "published")
    assert (own["categorization"], published["categorization"]) == (None, "published")
    assert "state machines" not in own["categories"]
    assert {"state machines", "sorting/arrays"} <= set(published["categories"])
    assert main(["report", str(tmp_path), "--categories", "published", "--markdown", *FAST]) == 0
    assert "The categories are from the categorization 'published'." in capsys.readouterr().out
    assert main(["report", str(tmp_path), "--categories", "mine"]) == 2
    assert (
        "unknown set of categories 'mine' of pack esoplay-80; known: published"
        in capsys.readouterr().err
    )


def test_the_figures_of_every_condition_match_the_results(
    models: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    told = report(capsys, *models)
    assert len(told["conditions"]) == 2 * 3 * 3
    for one in told["conditions"]:
        data = next(read(each) for each in models if each.name == one["model"])
        trials = chosen(data, one["language"], one["regime"])
        solved = [trial for trial in trials if trial["solved"]]
        assert (one["solved"], one["total"], one["problems"]) == (len(solved), 24, 8)
        low, high = wilson_ends(len(solved), 24, 0.95)
        assert (one["interval"]["low"], one["interval"]["high"]) == pytest.approx((low, high))
        assert sum(one["errors"].values()) == 24 - len(solved)
        assert one["errors"]["no program"] == sum(t["verdict"] == "no_program" for t in trials)
        assert one["first_attempt"] == sum(t["attempts"] == 1 for t in solved) / 24
        assert sum(one["at_attempt"].values()) == len(solved)
        assert one["output_tokens"] == pytest.approx(
            sum(t["tokens"]["output"] for t in trials) / 24
        )
        assert one["cost"] == pytest.approx(sum(t["cost"] for t in trials) / 24)
        assert [sum(counts) for counts in zip(*one["tiers"].values(), strict=True)] == [
            len(solved),
            24,
        ]
        assert one["pass_at"]["1"] == pytest.approx(one["share"])
        shares = [sum(t["solved"] for t in trials if t["run"] == run) / 8 for run in (1, 2, 3)]
        assert one["over_runs"]["mean"] == pytest.approx(sum(shares) / 3)


@given(st.lists(st.booleans(), min_size=1, max_size=7), st.data())
def test_pass_at_k_is_the_share_of_choices_that_solve(
    runs: list[bool], data: st.DataObject
) -> None:
    k = data.draw(st.integers(1, len(runs)))
    choices = list(combinations(runs, k))
    expected = sum(map(any, choices)) / len(choices)
    assert pass_at_k(len(runs), sum(runs), k) == pytest.approx(expected)


def pairs_by_hand(data: dict[str, Any], language: str, first: str, second: str) -> dict[str, Any]:
    sides = [
        {(trial["item"], trial["run"]): trial["solved"] for trial in chosen(data, language, regime)}
        for regime in (first, second)
    ]
    items = list(dict.fromkeys(item for item, _ in sides[0]))
    only = [
        sum(sides[at][item, 1] and not sides[1 - at][item, 1] for item in items) for at in (0, 1)
    ]
    differences = [
        round(sum(sides[0][item, run] - sides[1][item, run] for run in (1, 2, 3)) / 3, 12)
        for item in items
    ]
    return {
        "only_first": only[0],
        "only_second": only[1],
        "difference": sum(differences) / len(differences),
        "mcnemar": float(mcnemar_p(*only)),
        "wilcoxon": float(signed_rank_p(differences)),
    }


def pairs_of(told: dict[str, Any]) -> list[dict[str, Any]]:
    """Return all pairs of a report with the values that they compare."""
    return [
        {**pair, "first": one["first"], "second": one["second"]}
        for one in told["comparison"]["comparisons"]
        for pair in one["pairs"]
    ]


def test_regimes_are_compared_in_pairs(
    models: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    told = report(capsys, models[0])
    assert (told["comparison"]["axis"], told["baseline"]) == ("regime", None)
    single = [pair for pair in pairs_of(told) if pair["match"]]
    assert len(single) == 3 * 3
    for pair in single:
        language = pair["match"].partition(", ")[2]
        expected = pairs_by_hand(read(models[0]), language, pair["first"], pair["second"])
        found = {**pair, "wilcoxon": pair["wilcoxon"]["p"]}
        assert {name: found[name] for name in expected} == pytest.approx(expected)
        assert (pair["tests"], pair["mcnemar_corrected"]) == (9, min(1, 9 * pair["mcnemar"]))


def test_a_baseline_is_compared_with_the_others_only(
    models: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    told = report(capsys, *models, "--baseline", "heron-1")
    assert (told["comparison"]["axis"], told["baseline"]) == ("model", "heron-1")
    assert {(pair["first"], pair["second"]) for pair in pairs_of(told)} == {("heron-2", "heron-1")}
    assert {pair["tests"] for pair in pairs_of(told) if pair["match"]} == {9}
    fewer = report(capsys, *models, "--by", "regime", "--baseline", "zero-shot")
    assert {pair["tests"] for pair in pairs_of(fewer) if pair["match"]} == {2 * 6}
    assert main(["report", str(models[0]), "--baseline", "nobody"]) == 2
    assert (
        "--baseline: unknown condition 'nobody'; expected one of regime:" in capsys.readouterr().err
    )


def test_the_tax_compares_with_the_host_lane(
    models: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    told = report(capsys, models[0])
    assert_valid(told, "evaluation-report")
    shares = {(one["language"], one["regime"]): one["share"] for one in told["conditions"]}
    assert len(told["language_tax"]) == 2 * 3
    for tax in told["language_tax"]:
        expected = shares[tax["language"], tax["regime"]] - shares["python", tax["regime"]]
        assert tax["loss"]["tax"] == pytest.approx(expected)
        assert tax["each"] == {"python": tax["loss"]}


def test_the_tax_is_also_against_each_familiar_language(models: list[Path], tmp_path: Path) -> None:
    words = [str(models[0]), "--familiar", "python,unlambda", "-o", str(tmp_path / "out")]
    assert main(["report", *words, *FAST]) == 0
    told = json.loads((tmp_path / "out" / "report.json").read_text("utf-8"))
    shares = {(one["language"], one["regime"]): one["share"] for one in told["conditions"]}
    rows = iter(
        rows_of(tmp_path / "out" / "tables" / "language-tax-against-each-familiar-language.csv")
    )
    for tax in told["language_tax"]:
        assert set(tax["each"]) == {"python", "unlambda"}
        mean = sum(one["tax"] for one in tax["each"].values()) / 2
        assert tax["loss"]["tax"] == pytest.approx(mean)
        for language, one in tax["each"].items():
            expected = shares["brainfuck", tax["regime"]] - shares[language, tax["regime"]]
            assert one["tax"] == pytest.approx(expected)
            row = next(rows)
            assert (row["regime"], row["familiar"]) == (tax["regime"], language)
            assert row["tax"] == format_points(one["tax"])
    assert next(rows, None) is None


def test_the_frontier_has_the_conditions_that_no_cheaper_condition_beats(
    models: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    points = report(capsys, *models)["by_cost"]
    for one in points:
        beaten = any(
            other["amount"] <= one["amount"]
            and other["share"] >= one["share"]
            and (other["amount"], other["share"]) != (one["amount"], one["share"])
            for other in points
        )
        assert one["best"] == (not beaten)


def test_costs_that_differ_by_rounding_are_equal_on_the_frontier(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    regimes = ["zero-shot", "few-shot"]
    folder = saved(tmp_path, "heron", languages=["brainfuck"], regimes=regimes, problems=6, runs=2)
    data = read(folder)
    for trial in data["trials"]:
        first = trial["regime"] == "zero-shot"
        trial["cost"] = 0.2 if first else 0.1 if trial["run"] == 1 else 0.3
        trial["solved"] = first or trial["run"] == 1
    (folder / "results.json").write_text(json.dumps(data), "utf-8")
    points = {one["regime"]: one for one in report(capsys, folder)["by_cost"]}
    assert points["few-shot"]["amount"] < points["zero-shot"]["amount"]
    assert points["few-shot"]["amount"] == pytest.approx(points["zero-shot"]["amount"])
    assert {name: one["best"] for name, one in points.items()} == {
        "zero-shot": True,
        "few-shot": False,
    }


def test_runs_of_two_evaluations_are_counted_together(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = saved(tmp_path / "one", "heron", seed=1, regimes=["zero-shot"], languages=["unlambda"])
    two = saved(tmp_path / "two", "heron", seed=2, regimes=["zero-shot"], languages=["unlambda"])
    (condition,) = report(capsys, one, two)["conditions"]
    assert (condition["total"], condition["over_runs"]["size"]) == (48, 6)
    assert len(condition["pass_at"]) == 6


def test_an_evaluation_on_other_terms_is_listed_as_another_model(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    usual = saved(tmp_path / "one", "heron", seed=1, languages=["unlambda"])
    other = saved(tmp_path / "two", "heron", seed=1, languages=["unlambda"], feedback="scoring")
    told = report(capsys, usual, other)
    assert {one["model"] for one in told["conditions"]} == {"heron", "heron (scoring feedback)"}


@pytest.mark.parametrize(
    ("terms", "name"),
    [
        ({"temperature": 0.0}, "temperature 0"),
        ({"max_tokens": 500}, "max 500 tokens"),
        ({"attempts": 2}, "2 attempts"),
        ({"bare": True}, "bare"),
        ({"examples": 1}, "1 example"),
        ({"options": {"eof": "-1"}}, "eof=-1"),
        ({"extra": {"reasoning_effort": "low"}}, 'reasoning_effort="low"'),
        ({"own_prompts": ["task"], "prompts": "2b4b120e4fe1d64d"}, "own prompts 2b4b12"),
    ],
)
def test_runs_under_other_terms_are_not_counted_together(
    tmp_path: Path, terms: dict[str, Any], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    few: Any = {"languages": ["unlambda"], "regimes": ["zero-shot"], "runs": 1}
    usual = saved(tmp_path / "one", "wren", **{"seed": 1, **few})
    other = saved(tmp_path / "two", "heron", **{"seed": 2, **few, **terms})
    # The name without the terms is enough for a baseline, if it is unique.
    told = report(capsys, usual, other, "--baseline", "heron")
    assert {one["model"] for one in told["conditions"]} == {"wren", f"heron ({name})"}
    assert told["baseline"] == f"heron ({name})"


def test_trials_that_are_given_twice_are_refused(
    models: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    copy = tmp_path / "copy.json"
    copy.write_bytes((models[0] / "results.json").read_bytes())
    assert main(["report", str(models[0]), str(copy)]) == 1
    assert "is also in" in capsys.readouterr().err
    assert main(["report", str(models[0]), str(copy), "--keep-going", "--json", *FAST]) == 1
    told = json.loads(capsys.readouterr().out)
    assert [one["file"] for one in told["refused"]] == [str(copy)]
    assert len(told["conditions"]) == 9
    assert main(["report", str(models[0]), f"{models[0]}/", "--keep-going", "--json", *FAST]) == 1
    told = json.loads(capsys.readouterr().out)
    assert "is counted twice" in told["refused"][0]["reason"]
    assert {one["total"] for one in told["conditions"]} == {24}


def test_missing_folders_and_results_are_named(
    models: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", str(models[0]), str(tmp_path / "none")]) == 2
    assert "none: No such file or directory" in capsys.readouterr().err
    assert main(["report", str(models[0]), str(tmp_path)]) == 2
    assert f"{tmp_path}: no results.json in this folder" in capsys.readouterr().err


def test_results_are_read_from_stdin(
    models: list[Path], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    data = (models[0] / "results.json").read_bytes()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    told = report(capsys, "-", models[1])
    assert [one["file"] for one in told["evaluations"]] == ["-", str(models[1] / "results.json")]
    assert len(told["conditions"]) == 18


def test_problems_are_paired_by_id_in_any_order(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = saved(tmp_path / "one", "heron", languages=["unlambda"], regimes=["zero-shot"])
    two = saved(tmp_path / "two", "wren", languages=["unlambda"], regimes=["zero-shot"])
    before = pairs_of(report(capsys, one, two))
    data = read(two)
    data["trials"].reverse()
    (two / "results.json").write_text(json.dumps(data), "utf-8")
    assert len(before) == 1
    assert pairs_of(report(capsys, one, two)) == before


def test_conditions_without_a_counterpart_are_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    few: Any = {"languages": ["unlambda"], "regimes": ["zero-shot"]}
    one, two, three = (saved(tmp_path / each, each, **few) for each in ("heron", "wren", "ibis"))
    data = read(two)
    data["left"].append(data["trials"].pop()["id"])  # another set of problems
    data["trials"] = [each for each in data["trials"] if each["item"] != data["trials"][0]["item"]]
    (two / "results.json").write_text(json.dumps(data), "utf-8")
    compared = report(capsys, one, two, three)["comparison"]
    assert [(each["first"], each["second"]) for each in compared["comparisons"]] == [
        ("heron", "ibis")
    ]
    assert [each["name"] for each in compared["left_out"]] == ["wren, unlambda, zero-shot"]


def test_costs_in_different_currencies_are_not_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    one = saved(tmp_path / "one", "heron", runs=1)
    two = saved(tmp_path / "two", "wren", runs=1, priced=False)
    told = report(capsys, one, two)
    assert (told["currency"], len(told["by_cost"])) == ("USD", 9)
    data = {**results("wren", seed=1, runs=1), "currency": "EUR"}
    (two / "results.json").write_text(json.dumps(data), "utf-8")
    told = report(capsys, one, two)
    assert (told["currency"], told["by_cost"]) == (None, [])


def test_without_solved_problems_the_report_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = saved(tmp_path / "one", "heron", runs=1)
    data: dict[str, Any] = {**read(folder), "trials": []}
    (folder / "results.json").write_text(json.dumps(data), "utf-8")
    assert main(["report", str(folder)]) == 0
    assert "solve` is finished, and this report covers only that task." in capsys.readouterr().out


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"format": "esoplay-evaluation-results"', "not the results of an evaluation"),
        ('{"format": "esoplay-evaluation-results", "format_version": 1}', "terms"),
    ],
)
def test_damaged_results_are_named(
    tmp_path: Path, text: str, reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "damaged.json"
    path.write_text(text, "utf-8")
    assert main(["report", str(path)]) == 1
    told = capsys.readouterr().err
    assert "damaged.json" in told
    assert reason in told


def test_options_of_sessions_are_refused(
    models: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    session = tmp_path / "session.json"
    session.write_text("{}", "utf-8")
    assert main(["report", str(models[0]), str(session)]) == 1
    assert f"{session}: the export fails verification" in capsys.readouterr().err
    assert main(["report", str(models[0]), "--by", "protocol"]) == 2
    assert "--by protocol is for sessions" in capsys.readouterr().err
    assert main(["report", str(models[0]), "--usage", str(session)]) == 2
    assert "--usage is for sessions" in capsys.readouterr().err


def rows_of(path: Path) -> Iterator[dict[str, str]]:
    yield from csv.DictReader(io.StringIO(path.read_text("utf-8")))


def test_the_folder_of_a_report_has_tables_pages_and_pictures(
    models: list[Path], tmp_path: Path
) -> None:
    folder = tmp_path / "report"
    assert main(["report", *map(str, models), *FAST, "-o", str(folder)]) == 0
    told = json.loads((folder / "report.json").read_text("utf-8"))
    rows = list(rows_of(folder / "tables" / "accuracy-by-model-language-and-regime.csv"))
    assert [(row["model"], row["regime"], int(row["solved"])) for row in rows] == [
        (one["model"], one["regime"], one["solved"]) for one in told["conditions"]
    ]
    latex = (folder / "report.tex").read_text("utf-8")
    for table in (folder / "tables").glob("*.tex"):
        assert f"\\input{{tables/{table.name}}}" in latex
        text = table.read_text("utf-8")
        columns = text.splitlines()[0].count("r") + text.splitlines()[0].count("l") - 2
        assert columns > 0
        assert text.count(r"\\") == len(list(rows_of(table.with_suffix(".csv")))) + 1
    page = (folder / "report.html").read_text("utf-8")
    for picture in (folder / "pictures").glob("*.svg"):
        assert f"pictures/{picture.name}" in (folder / "report.md").read_text("utf-8")
        assert f'aria-labelledby="{picture.stem}-title' in page
    # A smaller report removes the files of an earlier one.
    single = saved(tmp_path / "single", "heron", runs=1, languages=["unlambda"], priced=False)
    assert main(["report", str(single), *FAST, "-o", str(folder)]) == 0
    assert not (folder / "tables" / "pass-at-k.csv").exists()
    assert not (folder / "pictures" / "eval-by-cost.svg").exists()


def test_names_are_escaped_in_latex(tmp_path: Path) -> None:
    odd = saved(tmp_path / "odd", r"a_b & {100%} \x", languages=["unlambda"], runs=1)
    assert main(["report", str(odd), *FAST, "-o", str(tmp_path / "report")]) == 0
    text = (tmp_path / "report" / "tables" / "attempts.tex").read_text("utf-8")
    assert r"a\_b \& \{100\%\} \textbackslash{}x & unlambda" in text


def test_latex_has_a_definition_for_letters_that_it_does_not_know(tmp_path: Path) -> None:
    odd = saved(tmp_path / "odd", "[x] \u6a21 \xe9", languages=["unlambda"], runs=1)
    assert main(["report", str(odd), *FAST, "-o", str(tmp_path / "report")]) == 0
    latex = (tmp_path / "report" / "report.tex").read_text("utf-8")
    defined = [line for line in latex.splitlines() if "DeclareUnicodeCharacter" in line]
    assert defined == [
        r"\ifdefined\DeclareUnicodeCharacter\DeclareUnicodeCharacter{6A21}{U+6A21}\fi"
    ]
    # A bracket after the end of a row would be an option of it.
    text = (tmp_path / "report" / "tables" / "attempts.tex").read_text("utf-8")
    assert "\n{[}x] \u6a21 \xe9 & unlambda" in text


def test_attempts_time_and_reasoning_of_every_condition_match_the_results(
    models: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    data = read(models[0])
    for one in report(capsys, models[0])["conditions"]:
        trials = chosen(data, one["language"], one["regime"])
        programs = [trial["attempts"] for trial in trials]
        assert one["attempts"] == pytest.approx(sum(programs) / 24)
        for name, found in (("tier", "attempts_by_tier"), ("item", "attempts_by_problem")):
            assert set(one[found]) == {trial[name] for trial in trials}
            for value, mean in one[found].items():
                some = [trial["attempts"] for trial in trials if trial[name] == value]
                assert mean == pytest.approx(sum(some) / len(some))
        assert one["seconds"] == pytest.approx(sum(trial["seconds"] for trial in trials))
        assert one["reasoning_tokens"] == pytest.approx(20 * one["attempts"])


def test_results_without_reasoning_tokens_are_read(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = saved(tmp_path / "older", "heron", runs=1, languages=["unlambda"])
    data = read(folder)
    for trial in data["trials"]:
        del trial["tokens"]["reasoning"]
    (folder / "results.json").write_text(json.dumps(data), "utf-8")
    assert {one["reasoning_tokens"] for one in report(capsys, folder)["conditions"]} == {0}


def picture(folder: Path, name: str) -> ElementTree.Element:
    return ElementTree.fromstring((folder / "pictures" / f"{name}.svg").read_bytes())


def hints(tree: ElementTree.Element) -> set[str]:
    return {hint.text or "" for part in tree.iter() for hint in part if hint.tag.endswith("title")}


def test_pictures_of_tiers_categories_and_the_tax_show_the_figures(
    models: list[Path], tmp_path: Path
) -> None:
    folder = tmp_path / "report"
    assert main(["report", *map(str, models), *FAST, "-o", str(folder)]) == 0
    told = json.loads((folder / "report.json").read_text("utf-8"))
    tiers, heat = hints(picture(folder, "eval-by-tier")), picture(folder, "eval-by-category")
    for one in told["conditions"]:
        for tier, (solved, total) in one["tiers"].items():
            line = f"{one['model']}, {one['regime']}"
            assert f"{one['language']}, {line}, {tier}: {100 * solved / total:.1f} %" in tiers
    cells = {
        hint.text: float(cell.get("fill-opacity", ""))
        for cell in heat.iter()
        for hint in cell
        if hint.tag.endswith("title") and cell.get("fill-opacity")
    }
    for one in told["conditions"]:
        for name, (solved, total) in one["categories"].items():
            label = f"{one['model']}, {one['language']}, {one['regime']}, {name}: {solved}/{total}"
            assert cells[label] == pytest.approx(0.55 * solved / total, abs=0.006)
    taxes = hints(picture(folder, "eval-language-tax"))
    for tax in told["language_tax"]:
        assert f"{tax['model']}, {tax['regime']}: {format_points(tax['loss']['tax'])}" in taxes


def test_the_main_table_has_means_without_the_familiar_language(
    models: list[Path], tmp_path: Path
) -> None:
    folder = tmp_path / "report"
    assert main(["report", str(models[0]), *FAST, "-o", str(folder)]) == 0
    for row in rows_of(folder / "tables" / "share-solved-in-percent.csv"):
        mean = (float(row["brainfuck"]) + float(row["unlambda"])) / 2
        assert float(row["mean of unfamiliar languages"]) == pytest.approx(mean, abs=0.11)
