"""``esoplay dataset``: the tables, the manifest, and what stays out of them."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from made_sessions import some_session
from scripted_models import evaluate
from shell import ROOT

from esoplay.cli.main import main
from esoplay.evaluation.extraction import add_fence
from esoplay.evaluation.model import Message, ModelAnswer
from esoplay.grading.hidden import hidden_tests
from esoplay.packs.catalogue import get_problem


class Odd:
    """A model with bytes that are not UTF-8 in its answers, which repeat the question."""

    def ask(self, messages: Sequence[Message], seed: int | None) -> ModelAnswer:
        said = f"\udcff {messages[-1].text}\n{add_fence(',[.,]+.')}\n"
        return ModelAnswer(said, 100, 0, 7)

    def close(self) -> None: ...


@pytest.fixture(scope="module")
def sources(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    folder = tmp_path_factory.mktemp("sources")
    for name, feedback in (("plain", "examples"), ("scored", "scoring")):
        options: dict[str, Any] = {"feedback": feedback, "attempts": 2}
        regimes = ["zero-shot", "self-scaffolding"]
        evaluate(folder / name, Odd(), ["brainfuck"], regimes, ["E02"], **options)
    (folder / "session.json").write_text(json.dumps(some_session().export()))
    return [str(folder / name) for name in ("plain", "scored", "session.json")]


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("ascii").splitlines()]


def test_tables_and_manifest_describe_the_sources(
    sources: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    words = ("-o", str(out), "--licence", "CC-BY-4.0", "--json")
    assert main(["dataset", *sources, *words]) == 0
    manifest = json.loads(capsys.readouterr().out)
    assert json.loads((out / "manifest.json").read_text()) == manifest
    schema = json.loads((ROOT / "docs/schemas/dataset.schema.json").read_text())
    Draft202012Validator(schema).validate(manifest)  # pyright: ignore[reportUnknownMemberType]
    assert (manifest["licence"], len(manifest["sources"])) == ("CC-BY-4.0", 3)
    for file in manifest["files"]:
        data = (out / file["name"]).read_bytes()
        assert hashlib.sha256(data).hexdigest() == file["sha256"]
        found = rows(out / file["name"])
        assert len(found) == file["rows"]
        assert all(list(row) == list(file["columns"]) for row in found)
    transcript = (Path(sources[0]) / "transcript.jsonl").read_bytes()
    assert manifest["sources"][0]["transcript_sha256"] == hashlib.sha256(transcript).hexdigest()
    trials = rows(out / "trials.jsonl")
    assert [(trial["source"], trial["regime"], trial["solved"]) for trial in trials] == [
        (source, regime, False)
        for source in ("plain", "scored")
        for regime in ("self-scaffolding", "zero-shot")
    ]
    assert trials[0]["program"] == ",[.,]+.\n"
    assert (trials[0]["attempts"], trials[0]["input_tokens"]) == (2, 200)
    assert [attempt["kind"] for attempt in rows(out / "attempts.jsonl")].count("submission") == 3
    assert "| `attempts.jsonl` | 6 |" in (out / "README.md").read_text()


def test_hidden_tests_are_left_out(sources: list[str], tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert main(["dataset", *sources, "-o", str(out), "--licence", "CC0-1.0"]) == 0
    turns = rows(out / "turns.jsonl")
    empty = [turn for turn in turns if turn["answer"] is None]
    assert [(turn["source"], turn["turn"]) for turn in empty] == [("scored", 2)]
    assert all(turn["messages"] is None for turn in empty)
    tests = hidden_tests(get_problem("E02"), bytes(range(32)))
    everything = "".join(file.read_text() for file in out.iterdir())
    for test in tests:
        if len(test.input) > 12:
            text = json.dumps(test.input.decode())[1:-1]
            assert text not in everything
            assert json.dumps(text)[1:-1] not in everything
    said = (Path(sources[1]) / "transcript.jsonl").read_text()
    assert any(json.dumps(json.dumps(test.input.decode()))[3:-3] in said for test in tests)


def test_parquet_has_the_same_rows(sources: list[str], tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet", exc_type=ImportError)
    out = tmp_path / "out"
    assert main(["dataset", *sources, "-o", str(out), "--licence", "CC0-1.0", "--parquet"]) == 0
    for table in ("trials", "turns", "attempts"):
        read = parquet.read_table(out / f"{table}.parquet").to_pylist()
        wanted = rows(out / f"{table}.jsonl")
        for row in wanted:
            if isinstance(row.get("answer"), str):
                row["answer"] = row["answer"].replace("\udcff", "\\udcff")
        assert read == wanted


def test_parquet_without_its_package_writes_nothing(
    sources: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    out = tmp_path / "out"
    assert main(["dataset", *sources, "-o", str(out), "--licence", "CC0-1.0", "--parquet"]) == 2
    assert "pip install 'esoplay[parquet]'" in capsys.readouterr().err
    assert not out.exists()


def test_invalid_exports_are_refused(
    sources: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("")
    full = str(tmp_path / "full")
    for words, reason in (
        ((*sources, "-o", full, "--licence", "X"), "is not empty"),
        ((sources[0], sources[0], "-o", "new", "--licence", "X"), "the name of two sources"),
        ((sources[0], "-o", "new", "--licence", " "), "--licence must be one line"),
        ((full, "-o", "new", "--licence", "X"), "expected a folder of `esoplay eval`"),
        ((str(tmp_path / "full/file"), "-o", "new", "--licence", "X"), "full/file: "),
    ):
        assert main(["dataset", *words]) == 2
        assert reason in capsys.readouterr().err
