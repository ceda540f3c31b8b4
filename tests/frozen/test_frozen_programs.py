"""What earlier versions wrote about programs: maps, recordings, verdicts, batches, predictions."""

from __future__ import annotations

import copy
import io
import json
import shutil
from base64 import b64decode
from pathlib import Path
from typing import Any, cast

import pytest
from conversation import condensed
from frozen_data import (
    DRAWN,
    FOR_PEOPLE,
    Command,
    Restore,
    differences,
    each_version,
    read_json,
    read_lines,
    require_shipped_pack,
    version_of,
)

from esolangs.registry import find_language
from esoplay.paths import problems_folder
from esoplay.task_exports.judging import Exported

ENDINGS = {
    "brainfuck": ".bf",
    "befunge-98": ".b98",
    "whitespace": ".ws",
    "unlambda": ".unl",
    "shakespeare": ".spl",
}


def converse(
    command: Command, monkeypatch: pytest.MonkeyPatch, lines: list[str], *words: str | Path
) -> list[Any]:
    """What the text debugger answers to lines; its first answer comes before them."""
    text = "".join(f"{line}\n" for line in lines)
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
    said = command("debug", *words, "--repl", "--json").splitlines()
    return [condensed(json.loads(line)) for line in said]


@pytest.mark.parametrize("talk", each_version("repl/*.jsonl"))
def test_the_text_debugger_uses_a_source_map_as_before(
    talk: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Moves, lines, variables, counts and breakpoints of a program with the map beside it."""
    pairs = read_lines(talk)
    program = version_of(talk) / "programs" / f"digits{ENDINGS[talk.stem]}"
    lines = [pair["say"] for pair in pairs[1:]]
    now = converse(command, monkeypatch, lines, program, "--input", "123")
    for pair, answer in zip(pairs, now, strict=True):
        before = without_counts_of_words(pair["answer"])
        assert differences(before, without_counts_of_words(answer)) == [], pair["say"]


def without_counts_of_words(answer: Any) -> Any:
    """The answer without how many words Unlambda has in use: it says when garbage was collected."""
    copied = copy.deepcopy(cast("dict[str, Any]", answer))
    for panel in copied.get("view", copied).get("panels", ()):
        if panel["panel"] == "table":
            panel["rows"] = [row for row in panel["rows"] if "words" not in str(row[0])]
    return copied


@pytest.mark.parametrize("program", each_version("programs/emitted.bf"))
def test_the_map_of_another_generator_is_read(
    program: Path, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["break line 13", "c", "vars", "c", "rcontinue", "coverage source"]
    words = (program, "--map", program.with_name(f"{program.name}.map.json"), "--input", "")
    _, _, stopped, variables, *_, covered = converse(command, monkeypatch, lines, *words)
    assert stopped["view"]["source"]["line"] == 13
    assert stopped["view"]["source"]["name"] == "make.py"
    assert variables["variables"][0] | {"name": "letter", "value": 72} == variables["variables"][0]
    assert covered["executed"] < covered["lines"]


@pytest.mark.parametrize("map", each_version("programs/digits.*.map.json"))
def test_a_generated_program_prints_the_same(map: Path, command: Command) -> None:
    program = map.with_name(map.name.removesuffix(".map.json"))
    assert command.json("run", program, "--input", "123")["stdout"] == "6321"


# Verdicts


@pytest.mark.parametrize("language", [*ENDINGS, pytest.param("python", marks=pytest.mark.slow)])
@pytest.mark.parametrize("verdicts", each_version("verdicts.jsonl"))
def test_a_seed_gives_the_same_verdicts(
    verdicts: Path, language: str, command: Command, tmp_path: Path
) -> None:
    """Tests by number with their steps; under the public seed inputs and outputs as well."""
    require_shipped_pack(verdicts)
    program = tmp_path / "program"
    for each in read_lines(verdicts):
        if each["language"] == language:
            program.write_bytes(b64decode(each["program_base64"]))
            words = ("--lang", language, "--problem", each["problem"])
            for seed, verdict in each["verdicts"].items():
                now = command.json("grade", program, *words, "--seed", seed, status=None)
                assert differences(verdict, now, DRAWN | FOR_PEOPLE - {"stderr"}) == []


@pytest.fixture
def batch(tmp_path: Path) -> Path:
    return tmp_path / "batch"


@pytest.mark.parametrize("count", [4, pytest.param(None, marks=pytest.mark.slow, id="all")])
@pytest.mark.parametrize("submissions", each_version("batch/submissions.jsonl"))
def test_a_batch_is_graded_again_with_equal_results(
    submissions: Path, count: int | None, restore: Restore, command: Command, batch: Path
) -> None:
    """Then a file of results that ends in the middle of a line is completed.

    count: how many of the submissions, None for all, which are of every kind.
    """
    require_shipped_pack(submissions)
    restore(submissions)
    shutil.copytree(submissions.parent, batch)
    lines = submissions.read_bytes().splitlines(keepends=True)[:count]
    (batch / submissions.name).write_bytes(b"".join(lines))
    words = ("grade", "--batch", batch / submissions.name, "--seed", "frozen", "--jobs", "2")
    status = 0 if count else 1  # some of all are invalid
    command(*words, "-o", batch / "again.jsonl", status=status)
    frozen, now = read_lines(batch / "results.jsonl")[:count], read_lines(batch / "again.jsonl")
    for before, after in zip(frozen, now, strict=True):
        assert differences(before, after, {"message", "terms", "memory", "title"}) == []

    # Terms bind the version of esoplay: results of another one are not continued.
    terms = str(now[0]["terms"]).encode()
    whole = (batch / "results.jsonl").read_bytes().replace(frozen[0]["terms"].encode(), terms)
    results = b"".join(whole.splitlines(keepends=True)[:count])
    (batch / "results.jsonl").write_bytes(results[: 2 * len(results) // 3])
    kept = (batch / "results.jsonl").read_bytes().count(b"\n")
    summary = command.json(*words, "-o", batch / "results.jsonl", status=status)
    assert summary["before"] == kept
    assert read_lines(batch / "results.jsonl") == now


# Predictions, packs, tasks


def pack_with_references(references: Path, pack: Path) -> Path:
    """A copy of the pack with that version's references: items are made of them."""
    ours = shutil.ignore_patterns("references", "__pycache__")
    shutil.copytree(problems_folder(), pack, ignore=ours)
    for file in references.iterdir():
        (folder,) = pack.glob(f"{file.stem}-*")
        (folder / "references").mkdir()
        shutil.copy(file, folder / "references" / f"brainfuck{file.suffix}")
    return pack


@pytest.mark.parametrize("items", each_version("predictions/items.json"))
def test_predictions_are_judged_as_they_were(
    items: Path, restore: Restore, command: Command, tmp_path: Path
) -> None:
    restore(items)
    checked = read_json(items.with_name("checked.json"))
    for named in ("guesses", items):  # installed by that version, and the file
        answers = items.with_name("answers.jsonl")
        now = command.json("predict", "check", answers, "--items", named, status=1)
        assert differences(checked, now, FOR_PEOPLE | {"set"}) == []
    require_shipped_pack(items)
    made = read_json(items.with_name("made.json"))["problems"]
    editing = find_language("brainfuck").editing()
    for each in made:  # that version left comments in
        each["code"] = editing.without_comments(each["code"].encode()).decode()
    pack = pack_with_references(items.with_name("references"), tmp_path / "pack")
    words = ("predict", "make", "--lang", "brainfuck", "--pack", pack, "--seed", "frozen")
    command(*words, "-o", tmp_path / "now")
    now = read_json(tmp_path / "now")["problems"][: len(made)]
    assert differences(made, now, FOR_PEOPLE) == []


@pytest.mark.parametrize("pack", each_version("packs/small.json"))
def test_a_data_set_is_imported_and_exported(pack: Path, command: Command, tmp_path: Path) -> None:
    command("problems", "import", pack, "--id", "small")
    exported = json.loads(command("problems", "export", "--pack", "small"))
    assert differences(read_json(pack.with_name("small-exported.json")), exported, ()) == []
    pair = (pack.with_name("small_public.json"), pack.with_name("small_private.json"))
    command("problems", "import", *pair, "--id", "pair")
    program = tmp_path / "echo.bf"
    program.write_bytes(b",[.,]")
    for id in ("small", "pair"):
        verdict = command.json("grade", program, "--problem", "Q1", "--pack", id)
        assert [test["verdict"] for test in verdict["tests"]] == ["pass"] * 3


@pytest.mark.parametrize("packs", each_version("packs/installed.json"))
def test_an_installed_pack_is_found(packs: Path, restore: Restore, command: Command) -> None:
    restore(packs)
    now = {pack["id"]: pack for pack in command.json("problems", "packs")["packs"]}
    for pack in read_json(packs)["packs"]:
        if pack["id"] == "small":
            assert differences(pack, now["small"], {"title", "folder"}) == []


@pytest.mark.parametrize("folder", each_version("tasks/*"))
def test_a_task_export_still_judges_answers(folder: Path, tmp_path: Path) -> None:
    """By the name that exported modules import."""
    require_shipped_pack(folder)
    copy = tmp_path / "tasks"
    shutil.copytree(folder, copy)
    (copy / "seed").chmod(0o600)
    exported = Exported(copy)
    (task,) = (str(sample["id"]) for sample in exported.samples)
    assert exported.judge(task, "Here:\n```\n,[.,]\n```\n").solved
    wrong = exported.judge(task, "Here:\n```\n,.\n```\n")
    assert (wrong.solved, wrong.total) == (False, 6)


# Manifests


@pytest.mark.parametrize("manifest", each_version("lanes/*.toml"))
def test_a_lane_manifest_is_read(
    manifest: Path, command: Command, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ESOPLAY_LANES", str(manifest.parent))
    program = tmp_path / "program"
    program.write_bytes(b"cat\n")
    words = ("grade", program, "--lang", "posix-shell", "--problem", "E02", "--seed", "frozen")
    verdict = command.json(*words)
    assert verdict["solved"]
