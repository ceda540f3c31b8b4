"""Folders of tasks, and problems whose tests have more than an input and an output."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from grading_packs import PROBLEM, write_pack
from task_corpora import TASKS, write_corpus

from esoplay.cli.main import main
from esoplay.errors import EsoplayError, PackError, UsageError
from esoplay.grading.hidden import HiddenTest, hidden_tests
from esoplay.grading.packs import installed_ids
from esoplay.grading.proof import find_escaped_mistakes
from esoplay.grading.seeds import PRACTICE_SEED, random_seed
from esoplay.packs import proofs
from esoplay.packs.catalogue import get_pack, get_problem
from esoplay.packs.exchange import import_pack
from esoplay.packs.grading import grade_examples, grade_source
from esoplay.running.host.runner import HostRunner
from esoplay.running.invocation import ProgramInvocation


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return write_corpus(tmp_path / "corpus")


def _require_namespaces() -> None:
    with HostRunner() as runner:
        runner.run("python", b"")
        if not {"network", "files"} <= set(runner.guards):
            pytest.skip("this system does not allow namespaces")


def test_a_corpus_is_imported_as_a_pack(corpus: Path) -> None:
    found = import_pack(corpus)
    assert (found.id, found.kind, found.count) == ("corpus", "problems", len(TASKS))
    problem = get_problem("003-status", "corpus")
    assert (problem.tier, problem.category) == ("medium", "networking")
    assert (problem.time_limit, problem.needs) == (10.0, ("server",))
    assert len(problem.examples) == 1
    tests = hidden_tests(problem, PRACTICE_SEED)
    assert [test.expected for test in tests] == [b"200\n", b"503\n"]
    failing = hidden_tests(get_problem("004-halve", "corpus"), PRACTICE_SEED)[1]
    assert failing.invocation == ProgramInvocation(("7",), 2, b"odd")
    note = "program receives arguments of the command line."
    assert get_problem("004-halve", "corpus").statement.endswith(f"The {note}")
    triangle = get_problem("001-triangle", "corpus")
    assert (triangle.lane_requirements, "also receives the input as" in triangle.statement) == (
        "",
        True,
    )
    zero = get_problem("005-double", "corpus").reference("zero")
    assert zero is not None
    assert zero.startswith(b"-- src/lib.0 --\nfn twice\n-- src/main.0 --\n")


@pytest.mark.slow
def test_references_of_all_six_kinds_of_tasks_are_proved(corpus: Path) -> None:
    _require_namespaces()
    import_pack(corpus)
    report = proofs.verify("python", pack="corpus")
    assert [cell for cell in report if not cell.solved] == []
    assert (report.solved, report.total, report.exit_code) == (6, 6, 0)


def test_arguments_files_and_a_server_decide_a_verdict(corpus: Path) -> None:
    import_pack(corpus)
    ids = ["004-halve", "005-double"]
    with HostRunner() as runner:
        runner.run("python", b"")
        ids += ["003-status"] if {"network", "files"} <= set(runner.guards) else []
        for id in ids:
            reference = get_problem(id, "corpus").reference("python")
            assert reference is not None
            right = grade_source(id, "python", reference, pack="corpus", worker=runner)
            assert right.solved, id
    wrong = grade_source("004-halve", "python", b"import sys; print(4)", pack="corpus")
    assert [test.verdict for test in wrong.tests] == ["pass", "fault"]
    detail = wrong.tests[1].detail
    assert detail is not None
    assert detail.message == "exit status 0, expected exit status 2"
    assert detail.as_json()["arguments"] == ["7"]


def test_esoteric_languages_get_the_tasks_that_need_only_input_and_output(corpus: Path) -> None:
    import_pack(corpus)
    report = grade_examples("002-fields", "brainfuck", b"+" * 50 + b".", pack="corpus")
    assert [test.verdict for test in report.tests] == ["wrong_answer"]
    for id, needs in (("004-halve", "arguments and an exit status"), ("003-status", "a network")):
        with pytest.raises(UsageError, match=f"cannot be solved in brainfuck: it needs {needs},"):
            grade_source(id, "brainfuck", b"", pack="corpus")


def test_an_empty_argument_repeats_an_empty_input(corpus: Path) -> None:
    case = corpus / "002-fields/tests/public/case-001.json"
    found = json.loads(case.read_text("utf-8")) | {"stdin": "", "argv": [""]}
    case.write_text(json.dumps(found), "utf-8")
    import_pack(corpus)
    assert get_problem("002-fields", "corpus").needs == ()


def test_a_corpus_may_be_below_a_folder_or_a_single_task(corpus: Path) -> None:
    assert import_pack(corpus.parent, id="whole").count == len(TASKS)
    assert import_pack(corpus / "000-say").count == 1


def _edit(file: str, old: str, new: str) -> Callable[[Path], object]:
    def edit(corpus: Path) -> None:
        path = corpus / file
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    return edit


def _write(file: str, data: bytes) -> Callable[[Path], object]:
    def write(corpus: Path) -> None:
        (corpus / file).write_bytes(data)

    return write


def _remove(pattern: str) -> Callable[[Path], object]:
    def remove(corpus: Path) -> None:
        for file in corpus.glob(pattern):
            file.unlink()

    return remove


@pytest.mark.parametrize(
    ("damage", "words"),
    [
        (
            _edit("000-say/spec.json", '"title": "Say"', '"title": 7'),
            r"000-say/spec\.json:3:3: title: expected a string that is not empty, found 7",
        ),
        (
            _edit("000-say/spec.json", '"difficulty": "easy"', '"difficulty": "so-so"'),
            r"spec\.json:4:3: difficulty: expected easy \| medium \| hard \| extra-hard",
        ),
        (
            _edit("000-say/spec.json", '"wall_time_max_ms": 5000', '"wall_time_max_ms": 70000'),
            r"spec\.json:16:5: acceptance\.wall_time_max_ms: expected milliseconds above 0",
        ),
        (
            _edit("000-say/spec.json", '"slug"', '"slag"'),
            r"spec\.json:1:1: slug: this field is missing",
        ),
        (_edit("000-say/spec.json", '"000-say"', '"../say"'), r"spec\.json:2:3: slug: expected 1"),
        (
            _edit("001-triangle/spec.json", '"001-triangle"', '"000-SAY"'),
            r"001-triangle/spec\.json:2:3: slug: 000-SAY is also the slug of an earlier task",
        ),
        (
            _edit("000-say/tests/public/case-001.json", '"argv": []', '"argv": [1]'),
            r"case-001\.json:4:3: argv\[0\]: expected a string without NUL characters, found 1",
        ),
        (
            _edit("000-say/tests/hidden/case-001.json", "{", "{,"),
            r"hidden/case-001\.json:1:2: not valid JSON: Expecting property name",
        ),
        (
            _write("000-say/spec.json", b'{"slug": ' + b"9" * 5000 + b"}"),
            r"000-say/spec\.json: not valid JSON: Exceeds the limit",
        ),
        (
            _write("000-say/spec.json", b'{\n "slug": "\xff"}'),
            r"000-say/spec\.json:2:11: not UTF-8",
        ),
        (
            _remove("000-say/tests/*/*.json"),
            r"000-say: no tests; expected tests/public/\*\.json and tests/hidden/\*\.json",
        ),
    ],
)
def test_errors_name_file_line_and_column(
    corpus: Path, damage: Callable[[Path], object], words: str
) -> None:
    damage(corpus)
    with pytest.raises(EsoplayError, match=words):
        import_pack(corpus)
    assert installed_ids() == ()


@pytest.mark.parametrize("action", ["import", "export"])
def test_help_after_an_action_describes_it(action: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["problems", action, "--help"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith(f"usage: esoplay problems {action} ")
    assert ("--replace" in shown, "--format" in shown) == (action == "import", action == "export")


def test_other_folders_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"not a corpus of tasks; expected folders with a file"):
        import_pack(tmp_path)


ENDS = """
def solve(text, *arguments):
    return (text, 0, "") if arguments else (text, 3, "no arguments")


def cases(rng):
    yield "empty", ""
    for _ in range(5):
        yield "word", rng.text("abc", 1, 3), [rng.text("xyz", 1, 3)]
"""
MISTAKES = """
def empty__succeeds(text, *arguments):
    return text


def word__ignores_the_input(text, *arguments):
    return ("", 0, "")


def word__is_right(text, *arguments):
    return text, 0, ""
"""


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    pack = write_pack(tmp_path / "pack")
    folder = pack / "T1-copy"
    table = PROBLEM.format(id="T1", tier="first").replace("hints", 'needs = ["exit"]\nhints', 1)
    (folder / "problem.toml").write_text(table)
    (folder / "judge.py").write_text(ENDS)
    return pack


def test_a_judge_may_give_arguments_and_expect_an_exit_status(pack: Path) -> None:
    source = (
        b"import sys\nprint(end=input() if len(sys.argv) > 1 else '')\n"
        b"if len(sys.argv) < 2:\n    sys.stderr.write('no arguments')\n    sys.exit(3)\n"
    )
    report = grade_source("T1", "python", source, pack=pack)
    assert report.solved
    assert {test.invocation.arguments == () for test in _tests(pack)} == {True, False}
    assert not grade_source("T1", "python", b"print(end=input())", pack=pack).solved


def test_mistakes_are_compared_with_the_whole_end_of_a_run(pack: Path) -> None:
    (pack / "T1-copy" / "mistakes.py").write_text(MISTAKES)
    escapes = find_escaped_mistakes(get_problem("T1", pack), [random_seed()])
    assert [escape.mistake for escape in escapes] == ["word__is_right"]


def test_an_exit_status_must_be_declared(pack: Path) -> None:
    table = pack / "T1-copy" / "problem.toml"
    table.write_text(table.read_text().replace('needs = ["exit"]\n', ""))
    with pytest.raises(PackError, match=r'solve: tests that expect .* require "exit" in needs'):
        _tests(pack)
    (pack / "T1-copy" / "judge.py").unlink()
    tests = [{"input": "", "output": "", "exit": 1}]
    (pack / "T1-copy" / "tests.json").write_text(json.dumps(tests))
    with pytest.raises(
        PackError, match=r'tests\.json: tests that expect .* require "exit" in needs'
    ):
        _tests(pack)
    table.write_text(table.read_text().replace('output = "abc"', 'output = ""\nexit = 1'))
    with pytest.raises(
        PackError, match=r'examples\[0\]: tests that expect .* require "exit" in needs'
    ):
        get_pack(pack)


def test_a_submission_must_have_the_files_that_the_problem_names(pack: Path) -> None:
    table = pack / "T1-copy" / "problem.toml"
    table.write_text(table.read_text().replace("hints", 'files = ["main", "tool"]\nhints', 1))
    report = grade_examples("T1", "python", b"print(end=input())", pack=pack)
    (test,) = report.tests
    assert test.verdict == "parse_error"
    assert test.detail is not None
    assert test.detail.message == "expected the files main.py and tool.py; missing: tool.py"
    both = b"-- main.py --\nimport tool\n-- tool.py --\nprint(end=input())\n"
    assert grade_examples("T1", "python", both, pack=pack).solved


def _tests(pack: Path) -> tuple[HiddenTest, ...]:
    return hidden_tests(get_problem("T1", pack), PRACTICE_SEED)
