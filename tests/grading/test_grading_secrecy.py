"""Only the grader can see hidden tests: who imports them, and what front ends print."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from esolangs.registry import language_ids
from esoplay.cli.main import main
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.packs import load_pack
from esoplay.grading.report import Verdict
from esoplay.grading.seeds import random_seed

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = [(ROOT, ROOT / "esoplay"), (ROOT / "interpreters", ROOT / "interpreters" / "esolangs")]
HIDDEN = "esoplay.grading.hidden"
GRADER = "esoplay.grading.grader"
MISTAKES = "esoplay.grading.proof"
EXPORTING = "esoplay.grading.pack_export"
LOOSE = ("problems", "scripts", "docs", "bench")


def modules() -> Iterator[tuple[str, Path]]:
    """Every Python file of the repository but tests, with a name to call it by."""
    for base, package in PACKAGES:
        for path in package.rglob("*.py"):
            parts = path.relative_to(base).with_suffix("").parts
            yield ".".join(parts).removesuffix(".__init__"), path
    for path in [*ROOT.glob("*.py"), *(file for folder in LOOSE for file in rglob(folder))]:
        yield str(path.relative_to(ROOT)), path


def rglob(folder: str) -> Iterator[Path]:
    return (ROOT / folder).rglob("*.py")


def imports(name: str, path: Path) -> set[str]:
    """The modules that a file can import: by statement, or by a name in a string."""
    package = name if path.stem == "__init__" else name.rpartition(".")[0]
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".")[: len(package.split(".")) - node.level + 1]
            base = ".".join(filter(None, [*(parts if node.level else []), node.module or ""]))
            found |= {base, *(f"{base}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            found |= {HIDDEN} if node.value in (HIDDEN, ".hidden", "hidden.py") else set()
    return found


def test_the_list_of_imports_has_every_form_of_import(tmp_path: Path) -> None:
    forms = [
        "import esoplay.grading.hidden",
        "from esoplay.grading import hidden",
        "from esoplay.grading.hidden import hidden_tests",
        "from . import hidden",
        "from .hidden import hidden_tests",
        "def late():\n    from esoplay.grading import hidden as h",
        "import_module('esoplay.grading.hidden')",
    ]
    for form in forms:
        file = tmp_path / "spy.py"
        file.write_text(form)
        assert HIDDEN in imports("esoplay.grading.spy", file), form


@pytest.mark.slow
def test_only_the_grader_the_check_of_mistakes_and_exports_import_hidden_tests() -> None:
    found = dict(modules())
    assert {HIDDEN, GRADER, "esoplay.cli.main", "esolangs.registry"} <= set(found)
    assert {name for name, path in found.items() if HIDDEN in imports(name, path)} == {
        GRADER,
        MISTAKES,
        EXPORTING,
    }


@pytest.mark.slow
def test_only_modules_for_operators_can_export_tests() -> None:
    """No module of the solver's side reaches what writes tests down."""
    users = {name for name, path in modules() if EXPORTING in imports(name, path)}
    assert users == {"esoplay.packs.exchange", "esoplay.packs.predictions"}
    front = {
        name
        for name, path in modules()
        if imports(name, path) & {"esoplay.packs.exchange", "esoplay.packs.predictions"}
    }
    assert front == {
        "esoplay.cli.pack_exchange",
        "esoplay.cli.commands.predict",
        "esoplay.evaluation.runs",  # who evaluates models holds the seed
    }


@pytest.mark.slow
def test_only_hidden_loads_a_judge() -> None:
    readers = {
        name
        for name, path in modules()
        for node in ast.walk(ast.parse(path.read_bytes()))
        if isinstance(node, ast.Constant) and node.value == "judge.py"
    }
    copies = "esoplay.task_exports.folders"  # it copies the file and does not load it
    assert readers == {HIDDEN, copies}


def strings(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from (key, *strings(item))
    elif isinstance(value, list):
        for item in value:
            yield from strings(item)
    elif isinstance(value, str):
        yield value


@pytest.mark.parametrize("id", ["E02", "E04", "E08", "E15"])
@pytest.mark.parametrize("solved", [True, False])
def test_grade_prints_no_word_of_a_hidden_test(
    id: str, solved: bool, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    problem = load_pack().problem(id)
    seed = random_seed()
    reference = problem.reference("brainfuck")
    assert reference is not None
    (tmp_path / "try.bf").write_bytes(reference if solved else b",.")
    arguments = ["grade", str(tmp_path / "try.bf"), "--problem", id, "--seed", seed.hex()]
    main([*arguments, "--json"])
    report = json.loads(capsys.readouterr().out)
    assert report["solved"] is solved
    known = {"problem", "language", "passed", "total", "solved", "tests", "seed_commitment"}
    known |= {"index", "verdict", "steps", id, "brainfuck", report["seed_commitment"]}
    known |= {"dialect", "standard"}
    known |= set(Verdict.__args__)
    assert set(strings(report)) <= known

    main(arguments)
    text = "".join(capsys.readouterr())
    for test in hidden_tests(problem, seed):
        assert test.edge_class not in text.split()
        for secret in (test.input.decode(), test.expected.decode()):
            assert len(secret) < 5 or secret not in text
    assert seed.hex() not in text


def test_verify_prints_no_word_of_a_hidden_test(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["verify", "--problem", "E08", "--jobs", "1", "--json"]) == 0
    report = json.loads(capsys.readouterr().out)
    known = {"cells", "solved", "total", "problem", "language", "dialect", "steps", "size"}
    known |= {"by_hand"}
    known |= {"missing", "starters", "checked", "faults"}
    known |= {"mistakes", "problems", "seeds", "escapes"}
    known |= {"E08", "standard", "benchmark", *language_ids()}
    assert set(strings(report)) <= known
