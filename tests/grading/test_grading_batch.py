"""Grading in bulk: the same verdicts as one by one, whatever happens on the way."""

from __future__ import annotations

import base64
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from grading_packs import write_problem
from hypothesis import given, settings
from hypothesis import strategies as st
from shell import PATHS, esoplay, heed_interrupts

from esoplay.errors import UsageError
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.running.worker import Worker
from esoplay.service.batch import crew
from esoplay.service.batch.crew import Crew
from esoplay.service.batch.grading import Summary, grade_batch
from esoplay.service.batch.lines import Lines
from esoplay.service.batch.submissions import parse_line, read_submission
from esoplay.service.batch.terms import Terms
from esoplay.service.grading import grade_source

SECRET = bytes(range(32))
TERMS = Terms(SECRET, "standard", "exact", None, "/")
PROGRAMS = {
    "brainfuck": [b",[.,]", b"+[]", b"[", b"<", b",+.", b"\xff", b""],
    "whitespace": [b"", b" \t\n", b"   \t\n\n\n\n"],
    "unlambda": [b"`r`.ii", b"``ci`c``ci", b"`"],
    "befunge-98": [b"@", b"1.q", b"~#@,#@"],
    "shakespeare": [b"", b"No title"],
}
QUICK = [
    (problem, language, source)
    for language, sources in PROGRAMS.items()
    for source in sources
    for problem in ("E01", "E02")
]
SLOW = [("E02", "brainfuck", b"+[>+]"), ("E02", "brainfuck", b"+[.]")]
"""A program that takes all the tape it can, and one that floods its output."""


def spell(problem: str, language: str, source: bytes, **more: Any) -> bytes:
    program = {"program_base64": base64.b64encode(source).decode()}
    return json.dumps({"problem": problem, "language": language, **program, **more}).encode()


def batch(
    folder: Path, lines: Iterable[bytes], terms: Terms = TERMS, jobs: int = 2
) -> tuple[Path, Summary]:
    source, results = folder / "submissions.jsonl", folder / "results.jsonl"
    source.write_bytes(b"".join(line + b"\n" for line in lines))
    with source.open("rb") as file:
        return results, grade_batch(file.fileno(), results, terms, jobs=jobs)


def read(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_bytes().splitlines()]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[bytes, bytes]:
    """Lines of all sorts, and their results without any disturbance."""
    folder = tmp_path_factory.mktemp("whole")
    lines = [spell(*each, id=number) for number, each in enumerate(QUICK)]
    lines[7:7] = [b"", b"nonsense", b'{"problem": "E01"}', b"[" * 100_000]
    results, _ = batch(folder, lines)
    return (folder / "submissions.jsonl").read_bytes(), results.read_bytes()


def check_against_single(
    folder: Path, submissions: list[tuple[str, str, bytes]], seed: bytes
) -> None:
    """A batch says of each what grading it alone says."""
    terms = Terms(seed, "benchmark", "strip", None, "/")
    path, summary = batch(folder, [spell(*each) for each in submissions], terms)
    results = read(path)
    with Worker() as worker:
        for (problem, language, source), result in zip(submissions, results, strict=True):
            single = grade_source(
                problem,
                language,
                source,
                seed=seed,
                dialect="benchmark",
                compare="strip",
                worker=worker,
            ).as_json()
            assert {name: result[name] for name in single} == single
    assert summary.solved == sum(result["solved"] for result in results)
    assert summary.solved + summary.unsolved == len(submissions)


@pytest.mark.parametrize("seed", [SECRET, PRACTICE_SEED], ids=["secret", "practice"])
def test_results_are_those_of_single_gradings(seed: bytes, tmp_path: Path) -> None:
    few = [*QUICK[::2], *SLOW] if seed == SECRET else QUICK[1::4]
    check_against_single(tmp_path, few, seed)


RANDOM: list[st.SearchStrategy[tuple[str, str, bytes]]] = [
    st.tuples(
        st.sampled_from(["E01", "E02", "E08"]),
        st.just(language),
        st.lists(st.sampled_from(list(alphabet)), max_size=12).map(bytes),
    )
    for language, alphabet in {
        "brainfuck": b"+-<>[],.[]",
        "whitespace": b" \t\n",
        "unlambda": b"``````skivcde@|r",
    }.items()
]


@given(st.lists(st.one_of(*RANDOM), min_size=8, max_size=16))
@settings(max_examples=int(os.environ.get("ESOPLAY_BATCHES", "2")))
def test_so_are_those_of_random_programs(
    tmp_path_factory: pytest.TempPathFactory, submissions: list[tuple[str, str, bytes]]
) -> None:
    check_against_single(tmp_path_factory.mktemp("random"), submissions, SECRET)


def test_bytes_do_not_depend_on_the_number_of_processes(
    whole: tuple[bytes, bytes], tmp_path: Path
) -> None:
    for jobs in (1, 3):
        folder = tmp_path / str(jobs)
        folder.mkdir()
        path, _ = batch(folder, whole[0].splitlines(), jobs=jobs)
        assert path.read_bytes() == whole[1]


def test_lines_are_answered_in_their_order_with_number_and_id(whole: tuple[bytes, bytes]) -> None:
    results = [json.loads(line) for line in whole[1].splitlines()]
    numbers = [result["line"] for result in results]
    assert numbers == [n for n in range(1, len(whole[0].splitlines()) + 1) if n != 8]  # blank
    assert [result["id"] for result in results if "id" in result] == [*range(len(QUICK))]
    bad = [result["error"]["message"] for result in results if result["status"] == "invalid"]
    assert [message.partition(":")[0] for message in bad] == [
        "no JSON",
        "language",
        "no JSON that can be read",
    ]


@given(data=st.data())
@settings(max_examples=3)
def test_a_batch_goes_on_wherever_it_stopped(
    whole: tuple[bytes, bytes], tmp_path_factory: pytest.TempPathFactory, data: st.DataObject
) -> None:
    folder = tmp_path_factory.mktemp("cut")
    kept = data.draw(st.integers(0, len(whole[1])))
    (folder / "results.jsonl").write_bytes(whole[1][:kept])
    path, summary = batch(folder, whole[0].splitlines())
    assert path.read_bytes() == whole[1]
    assert summary.before == whole[1][:kept].count(b"\n")
    assert summary.before + summary.done == whole[1].count(b"\n")


def test_submissions_may_be_added_to_a_batch_that_is_done(
    whole: tuple[bytes, bytes], tmp_path: Path
) -> None:
    (tmp_path / "results.jsonl").write_bytes(whole[1])
    path, summary = batch(tmp_path, [*whole[0].splitlines(), spell("E02", "brainfuck", b",[.,]")])
    assert summary.done == summary.solved == 1
    assert path.read_bytes().startswith(whole[1])


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ("other lines", "is the result of another submission"),
        ("fewer lines", "holds more results than there are submissions"),
        ("other seed", "was graded under other terms"),
        ("other compare", "was graded under other terms"),
        ("other file", "line 1 is no result of a batch"),
        ("other end", "its end is no result of a batch"),
    ],
)
def test_results_of_something_else_are_refused_and_left_alone(
    whole: tuple[bytes, bytes], tmp_path: Path, change: str, reason: str
) -> None:
    lines, terms, there = whole[0].splitlines(), TERMS, whole[1]
    if change == "other lines":
        lines[3] = spell("E02", "brainfuck", b",.")
    elif change == "fewer lines":
        lines = lines[:3]
    elif change == "other seed":
        terms = Terms(PRACTICE_SEED, "standard", "exact", None, "/")
    elif change == "other compare":
        terms = Terms(SECRET, "standard", "strip", None, "/")
    else:
        there = b"a letter to a friend\n" if change == "other file" else b"a letter"
    (tmp_path / "results.jsonl").write_bytes(there)
    with pytest.raises(UsageError, match=reason):
        batch(tmp_path, lines, terms)
    assert (tmp_path / "results.jsonl").read_bytes() == there


def test_two_batches_do_not_write_one_file(tmp_path: Path) -> None:
    line = spell("E02", "brainfuck", b",[.,]")
    (tmp_path / "s").write_bytes(line + b"\n")

    def again(_: object) -> None:
        with pytest.raises(UsageError, match="is being written by another batch"):
            batch(tmp_path, [line])

    with (tmp_path / "s").open("rb") as file:
        summary = grade_batch(file.fileno(), tmp_path / "results.jsonl", TERMS, progress=again)
    assert summary.solved == 1


def test_submissions_are_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "s"
    path.write_bytes(spell("E02", "brainfuck", b""))
    with path.open("rb") as file, pytest.raises(UsageError, match="holds the submissions"):
        grade_batch(file.fileno(), path, TERMS)
    assert path.read_bytes() == spell("E02", "brainfuck", b"")


# Processes that vanish


def test_killed_processes_cost_nothing_but_time(whole: tuple[bytes, bytes], tmp_path: Path) -> None:
    (tmp_path / "s").write_bytes(whole[0])
    found: list[bytes] = []
    with (tmp_path / "s").open("rb") as file, Crew(TERMS, 2) as graders:
        for result in graders.grade(Lines(file.fileno())):
            found.append(result.line)
            if len(found) in (1, 20):
                for pid in graders.pids:
                    os.kill(pid, signal.SIGKILL)
    assert b"".join(found) == whole[1]


def test_a_submission_that_takes_its_process_with_it_is_voided(tiny: Path, tmp_path: Path) -> None:
    write_problem(tiny, "T2")
    (tiny / "T2-copy" / "judge.py").write_text("import os\nos._exit(9)\n")
    lines = [spell(f"T{kind}", "brainfuck", b",[.,]") for kind in (1, 2, 1, 2, 1)]
    path, summary = batch(tmp_path, lines, Terms(SECRET, "standard", "exact", str(tiny), "/"))
    assert [result["status"] for result in read(path)] == [
        "graded",
        "voided",
        "graded",
        "voided",
        "graded",
    ]
    assert read(path)[1]["error"]["message"] == "the process that graded it vanished 2 times"
    assert (summary.solved, summary.voided, summary.exit_code) == (3, 2, 1)


def test_what_takes_too_long_is_killed_and_graded_as_a_single_submission(
    tiny: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The first process to ask for these tests never gets them; any later one does.
    monkeypatch.setattr(crew, "TIME_LIMIT", 0.1)
    marker = tmp_path / "asked"
    judge = tiny / "T1-copy" / "judge.py"
    judge.write_text(
        "import os, time\n"
        f"if not os.path.exists({str(marker)!r}):\n"
        f"    open({str(marker)!r}, 'w').close()\n"
        "    time.sleep(1000)\n" + judge.read_text()
    )
    terms = Terms(SECRET, "standard", "exact", str(tiny), "/")
    path, summary = batch(tmp_path, [spell("T1", "brainfuck", b",[.,]")], terms, jobs=1)
    assert marker.exists()
    assert summary.solved == 1
    assert read(path)[0]["passed"] == 6


def test_a_submission_names_installed_packs_alone(tiny: Path, tmp_path: Path) -> None:
    lines = [spell("T1", "brainfuck", b",[.,]", pack=name) for name in (str(tiny), "tiny")]
    lines.append(spell("E02", "brainfuck", b",[.,]", pack="esoplay-80"))
    path, _ = batch(tmp_path, lines, Terms(SECRET, "standard", "exact", str(tiny), "/"))
    folder, unknown, own = read(path)
    assert "no installed pack" in folder["error"]["message"]
    assert "no installed pack 'tiny'" in unknown["error"]["message"]
    assert own["solved"]


def test_no_more_is_read_ahead_than_is_needed(tmp_path: Path) -> None:
    line = spell("E02", "brainfuck", b"") + b"\n"
    (tmp_path / "s").write_bytes(line * 20_000)
    with (tmp_path / "s").open("rb") as file, Crew(TERMS, 2) as graders:
        lines = Lines(file.fileno())
        next(graders.grade(lines))
        assert lines.taken <= 4200 * len(line)


# Lines


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("", "no JSON: Expecting value (column 1)"),
        ("7", "expected an object, found a number"),
        ('{"id": NaN}', "a number of no use"),
        ("9" * 5000, "a number of no use"),
        ("{}", "problem: this field is missing"),
        ('{"problem": 1}', "problem: expected a text, found a number"),
        ('{"problem": "E01"}', "language: this field is missing"),
        ('{"problem": "E01", "langauge": "x"}', "unknown field 'langauge'"),
        ('{"problem": "E01", "language": "klingon", "program": ""}', "klingon"),
        ('{"problem": "E01", "language": "unlambda"}', "found none of them"),
        ('{"problem": "E01", "path": "/x.bf", "program": ""}', "found program and path"),
        ('{"problem": "E01", "path": "/none/x.bf"}', "cannot read /none/x.bf: No such file"),
        ('{"problem": "E01", "path": "/\\u0000.bf"}', "null byte"),
        ('{"problem": "E01", "path": "/", "language": "unlambda"}', "Is a directory"),
        ('{"problem": "E01", "path": "/dev/zero", "language": "unlambda"}', "is longer than"),
        ('{"problem": "E01", "language": "unlambda", "program": "\\ud800"}', "surrogate"),
        ('{"problem": "E01", "language": "unlambda", "program_base64": "a"}', "program_base64: "),
        (
            '{"problem": "E01", "language": "unlambda", "program": "", "options": {"a": []}}',
            "options: a: expected a text or a whole number, found a list",
        ),
        (
            '{"problem": "E01", "language": "unlambda", "program": "", "compare": "fuzzy"}',
            "compare: expected exact or strip, found 'fuzzy'",
        ),
        ('{"id": true, "problem": "E01"}', "id: expected a text or a whole number"),
    ],
)
def test_a_bad_line_says_what_is_wrong(line: str, reason: str) -> None:
    with pytest.raises(UsageError) as caught:
        read_submission(parse_line(line.encode()), "/")
    assert reason in str(caught.value)


@given(st.lists(st.sampled_from([b"", b"a", b"bc", b" ", b"\r"])), st.booleans())
def test_lines_are_numbered_and_blank_ones_left_out(parts: list[bytes], ended: bool) -> None:
    text = b"\n".join(parts) + (b"\n" if ended else b"")
    into, out = os.pipe()
    os.write(out, text)
    os.close(out)
    lines = Lines(into)
    found: list[tuple[int, bytes]] = []
    while (line := lines.wait()) is not None:
        found.append(line)
    os.close(into)
    assert found == [
        (number, part) for number, part in enumerate(text.split(b"\n"), 1) if part.strip()
    ]
    assert lines.taken == len(text)


def test_an_endless_line_is_refused_in_bounded_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("esoplay.service.batch.lines.MAX_LINE", 1000)
    (tmp_path / "s").write_bytes(b"x" * 2_000_000 + b"\nnext\n")
    with (tmp_path / "s").open("rb") as file:
        lines = Lines(file.fileno())
        assert lines.wait() == (1, b"x" * 1001)
        assert lines.wait() == (2, b"next")
        assert lines.taken == 2_000_006


# The command


def test_the_command_grades_from_stdin_to_stdout(tmp_path: Path) -> None:
    (tmp_path / "cat.bf").write_bytes(b",[.,]")
    stdin = b'{"id": "a", "problem": "E02", "path": "cat.bf"}\nnonsense\n'
    done = esoplay("grade", "--batch", "-", "--seed", "s", stdin=stdin, cwd=tmp_path)
    first, second = (json.loads(line) for line in done.stdout.splitlines())
    assert (first["id"], first["solved"], second["status"]) == ("a", True, "invalid")
    assert done.stderr.decode().startswith("1 graded, 1 of them solved; 1 invalid (")
    assert b"\r" not in done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["x.bf", "--batch", "s"], "names its own program and problem"),
        (["--batch", "s", "--lang", "brainfuck"], "names its own language and options"),
        (["--batch", "s", "--jobs", "0"], "--jobs takes a number from 1"),
        (["--batch", "s", "--json"], "the results need a file"),
        (["--batch", "none"], "cannot read none"),
        (["x.bf", "--problem", "E01", "--jobs", "2"], "--jobs has a meaning with --batch only"),
        ([], "name a FILE and a --problem"),
    ],
)
def test_the_command_says_how_it_is_used(arguments: list[str], reason: str, tmp_path: Path) -> None:
    (tmp_path / "s").write_bytes(b"")
    done = esoplay("grade", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert reason in done.stderr.decode()


def test_an_interrupt_leaves_results_to_go_on_with(tmp_path: Path) -> None:
    results = tmp_path / "results.jsonl"
    line = spell("E02", "brainfuck", b",[.,]") + b"\n"
    process = subprocess.Popen(
        [sys.executable, "-m", "esoplay", "grade", "--batch", "-", "-o", str(results), "--seed=s"],
        stdin=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": PATHS},
        preexec_fn=heed_interrupts,
    )
    assert process.stdin is not None
    process.stdin.write(line * 3)
    process.stdin.flush()
    deadline = time.monotonic() + 60
    while not results.exists() or results.read_bytes().count(b"\n") < 3:
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(signal.SIGINT)
    _, told = process.communicate(timeout=60)
    assert process.returncode == 130
    assert b"interrupted; the same command goes on where" in told
    done = esoplay("grade", "--batch", "-", "-o", results, "--seed=s", "--json", stdin=line * 5)
    assert json.loads(done.stdout) == {
        "before": 3,
        "solved": 2,
        "unsolved": 0,
        "invalid": 0,
        "voided": 0,
    }
    assert [result["line"] for result in read(results)] == [1, 2, 3, 4, 5]
