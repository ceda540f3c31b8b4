"""Agents play the pack ``basics`` from start to report, in a host lane and an esoteric language."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from agents_helpers import agents, write_grid

from esolangs.registry import find_language
from esoplay.cli.main import main
from esoplay.packs.catalogue import get_pack, select_solvable
from esoplay.packs.references import find_reference
from esoplay.running.host.lanes import is_lane

LANGUAGES = ("python", "brainfuck")
WHOLE = {"python": 20, "brainfuck": 15}


def write_answers(folder: Path) -> Path:
    """What solves the problems, in a folder for each language."""
    pack = get_pack("basics")
    for language in LANGUAGES:
        (folder / language).mkdir(parents=True)
        for problem in select_solvable(pack.problems, None, language):
            if is_lane(language):
                (file,) = (problem.folder / "references").glob(f"{language}.*")
                program, ending = file.read_bytes(), file.suffix
            else:
                found = find_reference(problem, language)
                assert found is not None
                program = found.program
                ending = find_language(language).extensions[0]
            (folder / language / f"{problem.id}{ending}").write_bytes(program)
    return folder


@pytest.mark.slow
def test_basics_is_played_from_start_to_report(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, run = tmp_path / "grid.toml", tmp_path / "run"
    answers = write_answers(tmp_path / "answers")
    (tmp_path / "shown.toml").write_text('extends = "primary"\nexamples = true\n', "utf-8")
    write_grid(
        *(file, Path("basics"), answers, {"heron": "examples"}),
        languages=LANGUAGES,
        protocols=["shown.toml"],
    )
    status, out, told = agents(capsys, "run", file, "-o", run, "--json")
    sessions = {one["language"]: one for one in json.loads(out)["sessions"]}
    assert {name: one["status"] for name, one in sessions.items()} == dict.fromkeys(
        LANGUAGES, "complete"
    ), told
    assert status == 0
    results = {name: one["result"] for name, one in sessions.items()}
    assert {name: result["solved"] for name, result in results.items()} == WHOLE
    assert all(result["verified"] and result["repeated"] for result in results.values())
    exports = [str(Path(one["attempt"]) / "session.json") for one in sessions.values()]
    log = json.loads(Path(exports[0]).read_text("utf-8"))
    runs = [event["body"] for event in log["events"] if event["kind"] == "program_run"]
    assert {body["problem"] for body in runs if "arguments" in body} == {"B02"}
    assert {body.get("server") for body in runs} == {None, "B14", "B15", "B16"}

    status, out, _ = agents(capsys, "report", run)
    assert status == 0
    for words in ("Toolchains of host lanes", "20 of 20", "15 of 15"):
        assert words in " ".join(out.split()), out
    capsys.readouterr()
    assert main(["report", *exports, "--pack", "basics", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    assert sorted(len(one["solved"]) for one in report["sessions"]) == [15, 20]
