"""Loading packs: order, the compiled form, and errors that name file and field."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from grading_packs import JUDGE, write_problem

from esoplay.errors import PackError, UnknownProblem, UsageError
from esoplay.grading.grader import grade
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.packs import COMPILED_PACK_FILE, compile_pack, load_pack
from esoplay.grading.problem import EdgeClass, Example, PackName, Range


def test_a_problem_has_the_contents_of_its_folder(tiny: Path) -> None:
    problem = load_pack(tiny).problem("T1")
    assert problem.pack == PackName("tiny", "7")
    assert problem.statement == "Copy the input."
    assert problem.examples == (Example(b"abc", b"abc"),)
    assert problem.hints == ("one", "two", "three")
    assert problem.classes == (
        EdgeClass("word", "Some letters."),
        EdgeClass("empty", "Nothing."),
    )
    assert problem.ranges == (Range("length", 0, 9),)


def test_problems_are_ordered_by_tier_and_then_by_id(tiny: Path) -> None:
    write_problem(tiny, "A2", "second")
    write_problem(tiny, "B1", "first")
    assert [problem.id for problem in load_pack(tiny)] == ["B1", "T1", "A2"]


def test_an_unknown_problem_is_named(tiny: Path) -> None:
    with pytest.raises(UnknownProblem, match="'Z9'"):
        load_pack(tiny).problem("Z9")


def test_ids_may_be_typed_in_any_case(tiny: Path) -> None:
    assert load_pack(tiny).problem("t1").id == "T1"


def test_programs_are_found_by_language(tiny: Path) -> None:
    problem = load_pack(tiny).problem("T1")
    assert problem.reference("brainfuck") is None
    assert problem.starter("brainfuck")  # the language's own
    for kind, program in [("references", b",[.,]"), ("starters", b",.")]:
        (problem.folder / kind).mkdir()
        (problem.folder / kind / "brainfuck.bf").write_bytes(program)
    assert problem.reference("brainfuck") == b",[.,]"
    assert problem.starter("brainfuck") == b",."
    assert problem.reference("brain") is None


def test_the_compiled_pack_is_the_same_pack(tiny: Path) -> None:
    written = load_pack(tiny)
    (tiny / COMPILED_PACK_FILE).write_text(json.dumps(compile_pack(tiny)))
    (tiny / "pack.toml").unlink()
    (tiny / "T1-copy" / "problem.toml").unlink()
    assert load_pack(tiny) == written


def test_the_compiled_pack_needs_no_toml_reader(tiny: Path) -> None:
    (tiny / COMPILED_PACK_FILE).write_text(json.dumps(compile_pack(tiny)))
    code = (
        "import sys; from pathlib import Path; from esoplay.grading.packs import load_pack;"
        f"load_pack(Path({str(tiny)!r})); print('tomllib' in sys.modules)"
    )
    environment = {"PYTHONPATH": ":".join(filter(None, sys.path))}
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment)
    assert ran.stdout == b"False\n", ran.stderr


def _add_to_pack(pack: Path, lines: str) -> None:
    with (pack / "pack.toml").open("a") as file:
        file.write(lines)


def test_a_pack_says_how_output_is_compared_and_how_long_a_run_may_take(tiny: Path) -> None:
    slow = write_problem(tiny, "T2")
    text = (slow / "problem.toml").read_text()
    (slow / "problem.toml").write_text("time_limit = 10\n" + text)
    assert [(each.compare, each.time_limit) for each in load_pack(tiny)] == [
        ("exact", 60),
        ("exact", 10),
    ]
    _add_to_pack(tiny, 'compare = "strip"\ntime_limit = 2.5\n')
    pack = load_pack(tiny)
    assert pack.compare == "strip"
    assert [(each.compare, each.time_limit) for each in pack] == [("strip", 2.5), ("strip", 10)]
    (tiny / COMPILED_PACK_FILE).write_text(json.dumps(compile_pack(tiny)))
    assert load_pack(tiny) == pack


def test_a_pack_can_have_other_categorizations(tiny: Path) -> None:
    _add_to_pack(tiny, '[categorizations.other]\nT1 = "strings"\n')
    assert load_pack(tiny).categories_by("other") == {"T1": "strings"}
    with pytest.raises(UsageError, match=r"unknown set of categories 'published' .*; known: other"):
        load_pack(tiny).categories_by("published")
    text = (tiny / "pack.toml").read_text()
    (tiny / "pack.toml").write_text(text.replace('T1 = "strings"', 'T1 = "sums"'))
    with pytest.raises(PackError, match=r"categorizations\.other\.T1: expected strings, found"):
        load_pack(tiny)
    (tiny / "pack.toml").write_text(text + 'T9 = "strings"\n')
    assert load_pack(tiny).categories_by("other") == {"T1": "strings"}, "T9 is not in this part"


def test_the_published_categories_have_the_published_sizes() -> None:
    """EsoLang-Bench, arXiv 2603.09678, Table 5."""
    published = load_pack().categories_by("published")
    assert Counter(published.values()) == {
        "basic I/O": 5,
        "arithmetic": 17,
        "strings": 26,
        "number theory": 8,
        "base conversion": 4,
        "sorting/arrays": 9,
        "stack/parsing": 5,
        "state machines": 4,
        "bitwise": 2,
    }
    named = {
        "basic I/O": ["E01", "E02", "E15"],
        "arithmetic": ["E04", "E05", "M07", "X06"],
        "strings": ["E08", "M01", "M04", "M03"],
        "number theory": ["M06", "H03", "X01", "X12"],
        "sorting/arrays": ["M13", "X02", "X11", "X05"],
        "stack/parsing": ["H01", "X04", "H02"],
        "state machines": ["H15", "X20"],
        "bitwise": ["X16", "X08"],
    }
    assert {published[id]: ids for ids in named.values() for id in ids} == named
    own = Counter(load_pack().categories_by(None).values())
    assert (own["sorting/arrays"], own["state machines"]) == (10, 3)


def test_output_is_compared_as_the_pack_says(tiny: Path) -> None:
    _add_to_pack(tiny, 'compare = "strip"\n')
    problem = load_pack(tiny).problem("T1")
    padded = b"++++++++++.[-],[.,]"  # prints a line break first
    assert grade(problem, "brainfuck", padded, seed=bytes(32)).solved
    assert not grade(problem, "brainfuck", padded, seed=bytes(32), compare="exact").solved


@pytest.mark.parametrize(
    ("language", "program"), [("brainfuck", b"+[>+<]"), ("python", b"while 1: 1")]
)
def test_a_run_ends_at_the_time_limit_of_its_problem(
    tiny: Path, language: str, program: bytes
) -> None:
    """In this process, and in a process of its own."""
    _add_to_pack(tiny, f"time_limit = {0.2 if language == 'python' else 1e-9}\n")
    (tiny / "T1-copy" / "judge.py").unlink()
    (tiny / "T1-copy" / "tests.json").write_text('[{"input": "a", "output": "a"}]')
    problem = load_pack(tiny).problem("T1")
    late = grade(problem, language, program, seed=bytes(32))
    assert [test.verdict for test in late.tests] == ["time_limit"]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('title = "Copy T1"\n', "", "title: this field is missing"),
        ('id = "T1"', "id = 1", "id: expected a string"),
        ('id = "T1"', 'id = " "', "id: expected a string that is not empty"),
        ('tier = "first"', 'tier = "third"', "tier: expected first | second, found 'third'"),
        ('category = "strings"', 'category = "string"', "category: expected strings"),
        ('["one", "two", "three"]', '["one", "two"]', "hints: expected a list of 3 strings"),
        ('["one", "two", "three"]', '["one", "two", 3]', "hints[2]: expected a string"),
        ('output = "abc"', "output = 1", "examples[0].output: expected a string, found 1"),
        ('output = "abc"', 'outputs = "abc"', "examples[0].output: this field is missing"),
        ('output = "abc"', 'output = "abc"\nx = 1', "examples[0].x: unknown field"),
        ('word = "Some letters."', "word = 2", "classes.word: expected a string"),
        ("[0, 9]", "[9, 0]", "ranges.length: expected two integers"),
        ("[0, 9]", "[0]", "ranges.length: expected two integers"),
        ("[ranges]", "[range]", "range: unknown field"),
        (
            'id = "T1"',
            'id = "T1"\ntime_limit = 61',
            "time_limit: expected seconds above 0, at most",
        ),
        ('id = "T1"', 'id = "T1"\ncompare = "strip"', "compare: unknown field"),
        ("[ranges]", "[ranges", "problem.toml: "),
    ],
)
def test_a_broken_problem_names_file_and_field(
    tiny: Path, old: str, new: str, complaint: str
) -> None:
    file = tiny / "T1-copy" / "problem.toml"
    assert old in file.read_text()
    file.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises(PackError) as raised:
        load_pack(tiny)
    assert str(raised.value).startswith(str(file))
    assert complaint in str(raised.value)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("format = 1", "format = 2", "format: expected 1, found 2"),
        ('version = "7"', "version = 7", "version: expected a string"),
        ('tiers = ["first", "second"]', 'tiers = "first"', "tiers: expected a list of strings"),
    ],
)
def test_a_broken_pack_file_names_the_field(tiny: Path, old: str, new: str, complaint: str) -> None:
    file = tiny / "pack.toml"
    file.write_text(file.read_text().replace(old, new, 1))
    with pytest.raises(PackError) as raised:
        load_pack(tiny)
    assert str(raised.value).startswith(f"{file}: {complaint}")


def test_two_problems_of_one_id_are_refused(tiny: Path) -> None:
    write_problem(tiny, "T2")
    file = tiny / "T2-copy" / "problem.toml"
    file.write_text(file.read_text().replace('id = "T2"', 'id = "T1"'))
    with pytest.raises(PackError, match="T1 is also the id of T1-copy"):
        load_pack(tiny)


def test_a_missing_statement_is_named(tiny: Path) -> None:
    (tiny / "T1-copy" / "statement.md").unlink()
    with pytest.raises(PackError, match=r"statement\.md"):
        load_pack(tiny)


@pytest.mark.parametrize("text", ["{", "[]", '{"format": 1}', "\xff"])
def test_a_broken_compiled_pack_is_a_pack_error(tiny: Path, text: str) -> None:
    (tiny / COMPILED_PACK_FILE).write_text(text, "latin-1")
    with pytest.raises(PackError, match=COMPILED_PACK_FILE):
        load_pack(tiny)


@pytest.mark.parametrize("name", ["examples", "tests"])
def test_null_does_not_stand_for_a_field_that_is_left_out(tiny: Path, name: str) -> None:
    compiled = compile_pack(tiny)
    compiled["problems"][0][name] = None
    (tiny / COMPILED_PACK_FILE).write_text(json.dumps(compiled))
    with pytest.raises(PackError, match=rf"problems\[0\]\.{name}: expected a"):
        load_pack(tiny)


def test_a_folder_without_a_pack_says_so(tmp_path: Path) -> None:
    with pytest.raises(PackError, match="not a problem pack"):
        load_pack(tmp_path)


def test_a_pack_without_problems_is_refused(tiny: Path) -> None:
    for file in (tiny / "T1-copy").iterdir():
        file.unlink()
    with pytest.raises(PackError, match="no problems"):
        load_pack(tiny)


BROKEN_JUDGES = {
    "def solve(text): return 1 // 0": "line 1: ZeroDivisionError",
    "def solve(text): return int(text)": "line 1: ValueError",
    "def solve(text): return 7": "status and stderr; found int",
    "def cases(rng): return 7": "TypeError",
    "def cases(rng):\n    return [rng.integer(5, 1)] * 6": "line 2: ValueError",
    "def cases(rng): return [('empty',)] * 6": "cases: expected pairs of edge class and input",
    "def cases(rng): return [('empty', 7)] * 6": "cases: expected pairs of edge class and input",
    "def cases(rng): return [([], '')] * 6": "cases: expected pairs of edge class and input",
    "def cases(rng): return []": "cases: expected 6 tests, found 0",
    "nonsense": "NameError: name 'nonsense' is not defined",
    "solve = 7": "solve: expected a function with this name",
    "def solve(": "SyntaxError",
    "\0": "null bytes",
}


@pytest.mark.parametrize("code", BROKEN_JUDGES)
def test_a_broken_judge_names_its_file_and_no_test(tiny: Path, code: str) -> None:
    judge = load_pack(tiny).problem("T1").folder / "judge.py"
    solve, _, cases = JUDGE.partition("\n\n\n")
    rest = {"def solve(text)": cases, "def cases(rng):": solve}.get(code[:15], JUDGE)
    judge.write_text(f"{code}\n{rest}" if rest is not JUDGE else f"{rest}\n{code}\n")
    with pytest.raises(PackError) as caught:
        hidden_tests(load_pack(tiny).problem("T1"), b"\1" * 32)
    assert str(caught.value).startswith(f"{judge}: ")
    assert BROKEN_JUDGES[code] in str(caught.value)
    assert "invalid literal" not in str(caught.value)  # that would quote a hidden input
