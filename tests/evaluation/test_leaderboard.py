"""``esoplay leaderboard``: checks of submissions, and the pages."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from scripted_models import evaluate
from shell import ROOT
from test_evaluation_viewing import Page

from esoplay.cli.main import main
from esoplay.evaluation.extraction import add_fence
from esoplay.evaluation.model import Message, ModelAnswer

SEED = bytes(range(32)).hex()


class Fixed:
    """A model that always writes the same program."""

    def __init__(self, program: str):
        self._program = program

    def ask(self, messages: Sequence[Message], seed: int | None) -> ModelAnswer:
        return ModelAnswer(add_fence(self._program), 100, 0, 7)

    def close(self) -> None: ...


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two evaluations: one solves E02, with a name that is markup; one solves nothing."""
    folder = tmp_path_factory.mktemp("made")
    for name, program in (("good", ",[.,]"), ("poor", "+")):
        run = folder / name / "run"
        run.parent.mkdir()
        evaluate(run, Fixed(program), ["brainfuck"], ["zero-shot"], ["E01", "E02"])
        for file in ("evaluation.json", "results.json"):
            text = (run / file).read_text()
            (run / file).write_text(text.replace('"scripted"', f'"<b>{name}</b>"'))
        (run / "revealed-seed").write_text(f"{SEED}\n")
    return folder


@pytest.fixture
def submissions(made: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(made, tmp_path / "submissions"))


def board(capsys: pytest.CaptureFixture[str], *words: str, status: int = 0) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["leaderboard", *words, "--json"]) == status
    return json.loads(capsys.readouterr().out)


def test_checked_submissions_are_ranked(
    submissions: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = tmp_path / "site"
    found = board(capsys, str(submissions), "-o", str(site), "--title", "Echoes & more")
    schema = json.loads((ROOT / "docs/schemas/leaderboard.schema.json").read_text())
    Draft202012Validator(schema).validate(found)  # pyright: ignore[reportUnknownMemberType]
    assert [(each["name"], each["mean"], each["checked"]) for each in found["entries"]] == [
        ("<b>good</b>", 0.5, True),
        ("<b>poor</b>", 0.0, True),
    ]
    assert json.loads((site / "leaderboard.json").read_text()) == found
    pages = [site / "index.html", *(site / "models").iterdir()]
    assert len(pages) == 3
    for path in pages:
        text = path.read_text("utf-8")
        page = Page(text)
        assert page.elements.isdisjoint({"script", "link", "img", "iframe", "b"})
        for link in page.links:
            assert link[1:] in page.ids if link[0] == "#" else (path.parent / link).is_file()
        assert "&lt;b&gt;good" in text or "&lt;b&gt;poor" in text
    # pages of models that are gone are removed, and other files are not
    (site / "models" / "mine.html").write_text("mine")
    shutil.rmtree(submissions / "poor")
    board(capsys, str(submissions), "-o", str(site))
    assert len(list((site / "models").iterdir())) == 2


TAMPERED: list[tuple[str, Callable[[str], str], str]] = [
    (
        "results.json",
        lambda text: text.replace('"solved": false', '"solved": true'),
        "results.json: trials: does not follow from the transcript",
    ),
    (
        "transcript.jsonl",
        lambda text: text.replace('"solved": false', '"solved": true', 1),
        "transcript.jsonl: solve/brainfuck/zero-shot/E0",
    ),
    ("transcript.jsonl", lambda text: text[:100], "transcript.jsonl: no finished trial"),
    (
        "revealed-seed",
        lambda text: text.replace("00", "ff", 1),
        "revealed-seed: not the seed that evaluation.json commits to",
    ),
    ("revealed-seed", lambda _: "soon", "revealed-seed: expected 64 hexadecimal digits"),
]


@pytest.mark.parametrize(("file", "change", "reason"), TAMPERED)
def test_a_tampered_submission_is_refused(
    submissions: Path,
    capsys: pytest.CaptureFixture[str],
    file: str,
    change: Callable[[str], str],
    reason: str,
) -> None:
    shutil.rmtree(submissions / "good")
    path = submissions / "poor" / "run" / file
    path.write_text(change(path.read_text()))
    (found,) = board(capsys, str(submissions), status=1)["sources"]
    assert (found["name"], found["status"]) == ("poor/run", "refused")
    assert found["reason"].startswith(reason)


def test_the_same_answers_and_missing_results_are_refused(
    submissions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    shutil.copytree(submissions / "good" / "run", submissions / "twin")
    (submissions / "poor" / "run" / "results.json").unlink()
    found = board(capsys, str(submissions), "--no-check", status=1)
    reasons = {each["name"]: each["reason"] for each in found["sources"]}
    assert "is also in good/run" in reasons["twin"]
    assert "cannot read" in reasons["poor/run"]
    assert [each["name"] for each in found["entries"]] == ["<b>good</b>"]


def test_without_a_seed_nothing_is_checked(
    submissions: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (submissions / "good" / "run" / "revealed-seed").unlink()
    (export,) = (ROOT / "tests/frozen/data").glob("592eef9/sessions/primary-closed/session.json")
    shutil.copy(export, submissions)
    found = board(capsys, str(submissions))
    status = {each["name"]: each["status"] for each in found["sources"]}
    assert status == {
        "good/run": "not checked",
        "poor/run": "checked",
        "session.json": "not checked",
    }
    assert [each["checked"] for each in found["entries"] if each["name"] == "<b>good</b>"] == [
        False
    ]
    assert [each["kind"] for each in found["entries"]].count("session") == 1
    strict = board(capsys, str(submissions), "--require-check", status=1)
    assert [each["name"] for each in strict["entries"]] == ["<b>poor</b>"]
    assert strict["sources"][0]["reason"] == "not checked: its seed is not revealed"
    unchecked = board(capsys, str(submissions), "--no-check")
    assert {each["status"] for each in unchecked["sources"]} == {"not checked"}


def test_a_folder_without_submissions_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["leaderboard", str(tmp_path)]) == 2
    assert "no submission found" in capsys.readouterr().err
    assert main(["leaderboard", str(tmp_path / "none")]) == 2
