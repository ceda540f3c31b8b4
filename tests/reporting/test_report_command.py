"""``esoplay report``."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
from report_sessions import PROBLEMS
from shell import ROOT

from esoplay.benchmark.reports import familiar_languages
from esoplay.cli.main import main


@pytest.fixture
def files(exports: dict[str, bytes], tmp_path: Path) -> list[str]:
    for name, text in exports.items():
        (tmp_path / f"{name}.json").write_bytes(text)
    return [str(tmp_path / f"{name}.json") for name in exports]


def test_the_report_is_printed_as_text(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", *files]) == 0
    told = capsys.readouterr().out
    assert told.startswith("Benchmark report\n\nSessions\n\n9 sessions of 2 solvers in brainfuck,")
    assert "not closed" in told
    assert "Comparison by protocol" in told
    assert "By tier" not in told  # the pack of these sessions is not installed


def test_json_is_one_object_with_every_figure(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", *files, "--json", "--by", "solver", "--familiar", "Whitespace"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["format"] == "esoplay-report"
    first = found["series"][0]
    assert (first["solver"], first["language"], first["protocol"]) == (
        "ant",
        "brainfuck",
        "primary",
    )
    assert (first["rate"]["solved"], first["others"]) == (4, [3, 5])
    assert found["comparison"]["axis"] == "solver"
    assert [one["match"] for one in found["comparison"]["comparisons"][0]["pairs"]] == [
        *("brainfuck, primary", "whitespace, primary", None)
    ]
    assert found["language_tax"][0]["familiar"] == ["whitespace"]
    assert len(found["sessions"]) == 9
    assert found["sessions"][0]["solved"] == ["E1", "E2", "H1", "H2"]


def test_a_baseline_leaves_only_the_pairs_with_it(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", *files, "--json"]) == 0
    every = json.loads(capsys.readouterr().out)["comparison"]["comparisons"]
    assert main(["report", *files, "--json", "--baseline", "primary"]) == 0
    found = json.loads(capsys.readouterr().out)["comparison"]
    assert found["axis"] == "protocol"
    assert {one["second"] for one in found["comparisons"]} == {"primary"}
    pairs = [pair for one in found["comparisons"] for pair in one["pairs"] if pair["match"]]
    assert {pair["tests"] for pair in pairs} == {len(pairs)}
    assert len(pairs) <= sum(pair["match"] is not None for one in every for pair in one["pairs"])
    assert main(["report", *files, "--baseline", "wasp"]) == 2
    assert "unknown condition 'wasp'; expected one of protocol: primary" in capsys.readouterr().err


def test_an_output_folder_gets_page_markdown_json_and_pictures(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "a" / "report"
    for _ in range(2):  # also where there is one already
        assert main(["report", *files, "-o", str(out), "--title", "Ants & bees"]) == 0
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "11 pictures" in captured.err
    page = (out / "report.html").read_text("utf-8")
    assert "<h1>Ants &amp; bees</h1>" in page
    assert "pass the seed to <code>esoplay session verify</code>." in page
    pictures = {path.stem for path in (out / "pictures").iterdir()}
    assert {"solved", "problems", "errors", "by-runs", "comparison", "generators"} <= pictures
    for path in (out / "pictures").iterdir():
        ElementTree.parse(path)
    markdown = (out / "report.md").read_text("utf-8")
    assert all(f"(pictures/{name}.svg)" in markdown for name in pictures)
    assert json.loads((out / "report.json").read_text("utf-8"))["refused"] == []


def test_unverified_exports_are_refused_by_name(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    altered = tmp_path / "altered.json"
    altered.write_bytes(Path(files[0]).read_bytes().replace(b'"solver": "ant"', b'"solver": "emu"'))
    assert main(["report", *files[1:], str(altered)]) == 1
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.startswith(f"esoplay: {altered}: the export fails verification: ")
    assert main(["report", *files, str(altered), files[2], "--keep-going"]) == 1
    told = " ".join(capsys.readouterr().out.split())
    assert "Refused exports, left out of the results" in told
    assert str(altered) in told
    assert f"is also in {files[2]}" in told
    assert "emu" not in told.replace("is not", "")
    assert main(["report", str(altered), "--keep-going", "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["series"] == []


def test_tiers_come_from_a_pack_that_is_named(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = tmp_path / "pack"
    folder.mkdir()
    (folder / "pack.toml").write_text(
        'format = 1\nid = "six"\nversion = "1"\ntitle = "Six"\n'
        'tiers = ["easy", "hard"]\ncategories = ["text", "sums"]\n'
    )
    for id, tier in PROBLEMS.items():
        problem = folder / id
        problem.mkdir()
        (problem / "problem.toml").write_text(
            f'id = "{id}"\ntitle = "Title {id}"\ntier = "{tier}"\ncategory = "text"\n'
            'hints = ["a", "b", "c"]\nclasses = {word = "Words."}\n'
            '[[examples]]\ninput = ""\noutput = ""\n'
        )
        (problem / "statement.md").write_text("Do it.\n")
        (problem / "judge.py").write_text("")
    assert main(["report", *files, "--pack", str(folder)]) == 0
    lines = capsys.readouterr().out.splitlines()
    row = lines.index("Solved, with Wilson 95 % intervals in percent, by tier") + 3
    assert lines[row].split() == ["ant", "brainfuck", "primary", *("2/3", "(21–94)") * 2]


def test_nothing_to_compare_is_reported_where_it_was_asked_for(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", files[0], files[3], "--by", "solver", "-v"]) == 0
    told = capsys.readouterr().out
    told = " ".join(told.split())
    assert "no two complete series on the same problems that differ only in the solver" in told
    assert "ant, brainfuck, direct" in told.partition("Left out of the comparison")[2]


def test_languages_that_are_not_esoteric_are_the_familiar_ones() -> None:
    assert familiar_languages({"python", "brainfuck"}, None) == {"python"}
    assert familiar_languages({"python", "brainfuck"}, ["brainfuck"]) == {"brainfuck"}


def test_a_session_that_is_given_twice_is_refused(
    files: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", files[0], files[0]]) == 1
    assert f"is also in {files[0]} (" in capsys.readouterr().err
    # The same session, exported before its last event: nothing is wrong with that export.
    export = json.loads(Path(files[6]).read_bytes())
    export["events"].pop()
    export["head"] = export["events"][-1]["head"]
    earlier = tmp_path / "earlier.json"
    earlier.write_text(json.dumps(export))
    assert main(["report", files[6], str(earlier)]) == 1
    count = len(export["events"])
    told = f"is also in {files[6]} ({count} events in this export, {count + 1} in the other); "
    assert told in capsys.readouterr().err


def test_pictures_of_an_earlier_report_do_not_stay(files: list[str], tmp_path: Path) -> None:
    out, mine = tmp_path / "report", tmp_path / "report" / "pictures" / "mine.svg"
    assert main(["report", *files, "-o", str(out)]) == 0
    mine.write_text("somebody's own")
    assert (out / "pictures" / "comparison.svg").exists()
    assert main(["report", files[0], "-o", str(out)]) == 0  # one session: nothing to compare
    told = (out / "report.md").read_text("utf-8")
    found = {path.name for path in (out / "pictures").iterdir()}
    assert "comparison.svg" not in found
    assert found == {"mine.svg", *re.findall(r"\(pictures/([a-z-]+\.svg)\)", told)}
    assert not list(tmp_path.rglob("*.half"))


def test_progress_is_cleared_before_other_output(
    files: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    assert main(["report", files[0], files[0]]) == 1
    told = capsys.readouterr().err.split("\r\x1b[K")
    assert told[1:3] == ["0 of 2 exports audited", "1 of 2 exports audited"]
    assert told[3].startswith("esoplay: ")
    assert main(["report", *files[:2], "--json"]) == 0
    told = capsys.readouterr().err.split("\r\x1b[K")
    assert told[-2:] == ["2 of 2 exports audited, computing the statistics", ""]


def test_json_has_the_members_that_its_page_names(
    files: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["report", *files, "--json", "--familiar", "whitespace"]) == 0
    found = json.loads(capsys.readouterr().out)
    page = (ROOT / "docs" / "reports.md").read_text("utf-8").partition("## JSON")[2]
    intro, rows = page.partition("| member |")[0], page.splitlines()
    told = set(re.findall(r"`([a-z_]+)`", intro)) & set(found)
    for row in rows:
        member, _, names = row.removeprefix("| `").partition("` | ")
        if not row.startswith("| `") or member in (
            "agents",
            "external",
            "overlap",
        ):  # not in this report
            continue
        told.add(member)
        if member == "budgets":  # these sessions have only one budget
            continue
        one = found[member] if isinstance(found[member], dict) else found[member][0]
        within = set(re.findall(r"`([a-z_]+)`", names))
        if member == "comparison":
            one = {**one, **one["comparisons"][0], **one["comparisons"][0]["pairs"][0]}
            within |= {"mcnemar_corrected", "wilcoxon_corrected", "axis"}
        assert set(one) <= within | {"solver", "language", "protocol"}, member
    assert set(found) == told


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        (["--resamples", "1"], "--resamples must be an integer from 100"),
        (["--title", "two\nlines"], "--title must be one line"),
        (["--usage", "nowhere.jsonl"], "cannot read nowhere.jsonl"),
        (["nowhere.json"], "cannot read nowhere.json"),
        (["-", "-"], "stdin (-) can be named only once"),
        (["-o", "{file}/below"], "cannot write"),
        (
            ["--pack", "{pack}"],
            "no session uses pack esoplay-80; the sessions use six",
        ),
        (
            ["--familiar", "pyton"],
            "there are no results in 'pyton'; expected one or more of brainfuck",
        ),
        (["-o", "{file}"], "-o must be a folder, and"),
        (["-o", "page.html"], "page.html looks like a file; report.html and the other files are"),
    ],
)
def test_invalid_options_are_usage_errors(
    files: list[str], options: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    options = [option.format(file=files[0], pack=ROOT / "problems") for option in options]
    assert main(["report", files[0], *options]) == 2
    assert complaint in capsys.readouterr().err
