"""``esoplay verify``: starters, mistakes, and what it says of many cells."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from grading_packs import write_problem

from esolangs.registry import language_ids
from esoplay.cli.main import main
from esoplay.codegen.back_ends import back_end_ids
from esoplay.grading.packs import COMPILED_PACK_FILE, TESTS_FILE, compile_pack, load_pack
from esoplay.grading.proof import ProofCell, find_escaped_mistakes
from esoplay.packs import proofs
from esoplay.packs.proofs import DIALECTS, verify
from esoplay.programs.generation import generate
from esoplay.running.run import run_source

Capture = pytest.CaptureFixture[str]
CAUGHT = "def empty__told(text):\n    return text or 'nothing'\n"
ESCAPES = "def word__long_ones_cut(text):\n    return text[:8]\n"
ECHO = """\
def main():
    c = getc()
    while c != 0:
        putc(c)
        c = getc()
"""
HOG = "import os\ndef word__dies(text):\n    os._exit(9)\n"


@pytest.fixture
def few_seeds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(proofs, "MISTAKE_SEEDS", 30)
    monkeypatch.setattr(proofs, "_CHUNK", 10)


def add(pack: Path, file: str, text: str) -> None:
    path = pack / "T1-copy" / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text)


def test_a_source_is_proved_in_every_language(tiny: Path, capsys: Capture) -> None:
    add(tiny, "source.py", ECHO)
    assert main(["verify", "--pack", str(tiny), "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    made = back_end_ids()
    assert (report["solved"], report["total"]) == (len(made), len(made))
    cells = [(cell["language"], cell["dialect"]) for cell in report["cells"]]
    assert cells == [(language, dialect) for language in made for dialect in DIALECTS]
    program = generate(ECHO, "whitespace").source
    cell = next(cell for cell in report["cells"] if cell["language"] == "whitespace")
    assert cell["size"] == len(program)
    assert cell["steps"] in {
        run_source("whitespace", program, stdin=b"x" * length).steps for length in range(6, 10)
    }


def test_hand_written_references_are_proved_as_well(tiny: Path, capsys: Capture) -> None:
    add(tiny, "source.py", ECHO)
    add(tiny, "references/brainfuck.bf", ",.")
    arguments = ["verify", "--pack", str(tiny), "--lang", "brainfuck"]
    assert main([*arguments, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert [cell["solved"] for cell in report["cells"]] == [True, True]
    assert [cell["solved"] for cell in report["by_hand"]] == [False, False]
    assert (report["solved"], report["total"]) == (0, 1)
    assert main(arguments) == 1
    text = capsys.readouterr().out
    assert text.count("by hand") == 2
    assert "0/1 proved" in text


@pytest.mark.parametrize(("language", "runs"), [("brainfuck", 1), ("befunge-98", 2)])
def test_dialects_with_the_same_options_share_one_run(
    language: str, runs: int, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add(tiny, "source.py", ECHO)
    proved: list[str] = []
    prove = proofs.prove

    def counted(*arguments: Any, dialect: str, **named: Any) -> ProofCell:
        proved.append(dialect)
        return prove(*arguments, dialect=dialect, **named)

    monkeypatch.setattr(proofs, "prove", counted)
    cells = verify(language, pack=tiny).cells
    assert (len(proved), [cell.dialect for cell in cells]) == (runs, list(DIALECTS))


def test_a_source_that_cannot_be_compiled_is_not_proved(tiny: Path, capsys: Capture) -> None:
    add(tiny, "source.py", "def main():\n    putc('a')\n")
    assert main(["verify", "--pack", str(tiny), "--lang", "unlambda"]) == 1
    text = capsys.readouterr().out
    assert "line 2, column 10" in text
    assert "0/1 proved" in text


def test_a_mistake_that_escapes_is_reported_with_the_first_such_seed(
    tiny: Path, few_seeds: None, capsys: Capture
) -> None:
    add(tiny, "mistakes.py", CAUGHT + ESCAPES)
    add(tiny, "references/brainfuck.bf", ",[.,]")
    arguments = ["verify", "--pack", str(tiny), "--lang", "brainfuck"]
    assert main([*arguments, "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert (report["solved"], report["total"]) == (1, 1)
    (escape,) = report["mistakes"].pop("escapes")
    assert report["mistakes"] == {"problems": 1, "mistakes": 2, "seeds": 30}
    seeds = [number.to_bytes(32) for number in range(30)]
    first = find_escaped_mistakes(load_pack(tiny).problem("T1"), seeds)
    assert escape == {
        "problem": "T1",
        "mistake": "word__long_ones_cut",
        "seed": first[0].seed.hex(),
    }
    assert main(arguments) == 1
    text = capsys.readouterr().out
    assert "1 of 2 mistakes caught" in text
    assert f"passes the tests of seed {escape['seed']}" in text


def test_several_processes_find_what_one_finds(tiny: Path, few_seeds: None) -> None:
    add(tiny, "mistakes.py", CAUGHT + ESCAPES)
    other = write_problem(tiny, "T2")
    (other / "mistakes.py").write_text(ESCAPES)
    told: list[tuple[int, int]] = []

    def tell(done: int, total: int, label: str) -> None:
        told.append((done, total))

    alone = verify("brainfuck", pack=tiny)
    together = verify("brainfuck", pack=tiny, jobs=2, progress=tell)
    assert together.escapes == alone.escapes
    assert {escape.problem for escape in alone.escapes} == {"T1", "T2"}
    assert told == [(done, 8) for done in range(1, 9)]


def test_a_mistake_that_kills_its_process_is_an_internal_error(
    tiny: Path, few_seeds: None, capsys: Capture
) -> None:
    add(tiny, "mistakes.py", HOG)
    other = write_problem(tiny, "T2")
    (other / "mistakes.py").write_text(CAUGHT)
    assert main(["verify", "--pack", str(tiny), "--lang", "brainfuck", "--jobs", "2"]) == 4
    assert "a worker process ended unexpectedly" in capsys.readouterr().err


def test_starters_are_tried_where_there_is_no_reference(tiny: Path, capsys: Capture) -> None:
    add(tiny, "starters/brainfuck.bf", ",[.,]")
    add(tiny, "starters/whitespace.ws", "   \t\t")
    assert main(["verify", "--pack", str(tiny), "--json"]) == 1
    report = json.loads(capsys.readouterr().out)
    assert report["starters"]["checked"] == 2 * len(language_ids())
    faults = report["starters"]["faults"]
    told = {(fault["language"], fault["dialect"]): fault["complaint"] for fault in faults}
    assert (
        told["brainfuck", "standard"]
        == "the starter solves the problem; expected a starter that fails"
    )
    assert told["whitespace", "benchmark"].startswith("the starter is not a valid program")
    assert len(told) == 4
    assert report["missing"] == {language: ["T1"] for language in language_ids()}
    assert main(["verify", "--pack", str(tiny)]) == 1
    text = capsys.readouterr().out
    assert f"{2 * len(language_ids()) - 4} of {2 * len(language_ids())} starters" in text
    assert "the starter solves the problem" in text


def test_many_cells_are_summarized_unless_all_are_requested(tiny: Path, capsys: Capture) -> None:
    for number in range(2, 9):
        write_problem(tiny, f"T{number}")
    add(tiny, "references/brainfuck.bf", ",[.,]")
    arguments = ["verify", "--pack", str(tiny), "--lang", "brainfuck"]
    assert main(arguments) == 0
    text = capsys.readouterr().out
    assert "no reference program for 7 problems" in text
    assert "T1" not in text
    assert main([*arguments, "--verbose"]) == 0
    text = capsys.readouterr().out
    assert "no reference program for T2 T3 T4 T5 T6 T7 T8" in text
    assert "T1  brainfuck    standard" in text


def test_fixed_tests_prove_themselves_without_examples(tiny: Path) -> None:
    (tiny / "T1-copy" / "judge.py").unlink()
    add(tiny, TESTS_FILE, '[{"input": "x", "output": "x"}]')
    add(tiny, "references/brainfuck.bf", ",[.,]")
    toml = tiny / "T1-copy" / "problem.toml"
    toml.write_text(toml.read_text().replace('[[examples]]\ninput = "abc"\noutput = "abc"\n', ""))
    report = verify("brainfuck", pack=tiny)
    assert (report.solved, report.total, report.exit_code) == (1, 1, 0)


def test_a_compiled_pack_has_mistakes_and_fixed_tests_too(
    tiny: Path, few_seeds: None, capsys: Capture
) -> None:
    """What a wheel carries: one JSON file, and of each folder what is not in it."""
    add(tiny, "mistakes.py", CAUGHT + ESCAPES)
    other = write_problem(tiny, "T2")
    (other / "judge.py").unlink()
    (other / TESTS_FILE).write_text('[{"input": "x", "output": "x"}]')
    (tiny / COMPILED_PACK_FILE).write_text(json.dumps(compile_pack(tiny)))
    for file in [tiny / "pack.toml", *tiny.glob("*/problem.toml"), *tiny.glob("*/statement.md")]:
        file.unlink()
    report = verify("brainfuck", pack=tiny)
    assert (report.problems_with_mistakes, report.mistake_count) == (1, 2)
    assert [escape.mistake for escape in report.escapes] == ["word__long_ones_cut"]
    (tiny / "echo.bf").write_bytes(b",[.,]")
    for id in ("T1", "T2"):
        assert main(["grade", str(tiny / "echo.bf"), "--problem", id, "--pack", str(tiny)]) == 0
    assert "1 of 1 fixed tests passed" in capsys.readouterr().out
