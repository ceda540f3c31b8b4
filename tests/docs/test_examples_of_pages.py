"""Examples of files and of modules on the pages are taken by what reads such files."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from blocks import Block, blocks
from shell import ROOT, esoplay

from esoplay.agents.agent_log import read_records
from esoplay.agents.grid import read_grid
from esoplay.evaluation.results import read_price
from esoplay.evaluation.rosters import read_roster
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.packs import digest_tests
from esoplay.grading.seeds import PRACTICE_SEED, Rng
from esoplay.learning.checks import find_lesson_defects
from esoplay.learning.course import read_lesson
from esoplay.packs.catalogue import get_problem
from esoplay.reporting.external import read_external
from esoplay.reporting.usage import read_usage
from esoplay.running.host.lanes import read_lane
from esoplay.tui.keys import FILE_NAME, KEYS, read_keys
from esoplay.tui.themes import read_theme

TESTED = "tested by tests/docs/test_examples_of_pages.py"


def found(page: str) -> list[Block]:
    return [block for block in blocks(ROOT / page) if block.note == TESTED]


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(text, "utf-8")
    return file


def grid(block: Block, folder: Path) -> None:
    (protocol,) = (each for each in blocks(ROOT / "docs/sessions.md") if each.kind == "toml")
    write(folder, "mine.toml", protocol.text)
    write(folder, "another.md", "Play the session.")
    (folder / "another-home").mkdir()
    (folder / "another-tools").mkdir()
    read = read_grid(write(folder, "grid.toml", block.text))
    assert (read.sessions, [solver.name for solver in read.solvers]) == (
        3,
        ["some-agent", "another"],
    )
    assert [protocol.submissions for _, protocol in read.protocols] == [3, 3, 1, 1]


def agent(block: Block, folder: Path) -> None:
    (solver,) = read_grid(write(folder, "grid.toml", block.text)).solvers
    assert solver.agent is not None
    assert solver.agent.name == "claude-code"


def agent_manifest(block: Block, folder: Path) -> None:
    write(folder, "mine.toml", block.text)
    file = write(folder, "grid.toml", '[[solvers]]\nname = "a"\nagent = "mine.toml"\n')
    (solver,) = read_grid(file).solvers
    assert solver.agent is not None
    assert solver.agent.table.log is not None
    usage = {"input": 5, "cache_reads": 7, "output": 3}
    part = {"kind": "tool", "tool": "patch", "arguments": {"patch": "+++ a.bf"}}
    record = {"type": "answer", "usage": usage, "answer": {"parts": [part]}}
    found = read_records(solver.agent.table.log, [record])
    assert found.tokens is not None
    assert found.tokens[0].input == 12
    assert found.calls is not None
    assert found.calls[0].text == "a.bf"


def prices(block: Block, folder: Path) -> None:
    price = read_price(block.text.encode(), "prices.toml", "some-model")
    assert price.currency == "USD"


def manifest(block: Block, folder: Path) -> None:
    lane = read_lane(write(folder, "shell.toml", block.text))
    assert (lane.id, lane.extensions) == ("shell", (".sh",))


def zero_manifest(block: Block, folder: Path) -> None:
    lane = read_lane(write(folder, "zero.toml", block.text))
    assert (lane.id, lane.extensions) == ("zero", (".0", ".zero"))


def lesson(block: Block, folder: Path) -> None:
    text = block.text.replace(
        "Markdown: one idea, then what to do. 40 to 190 words.", "Plus. " * 40
    )
    read = read_lesson(
        write(folder, "01-cell.toml", text.replace("broken = true ", "#")), "brainfuck"
    )
    assert find_lesson_defects(read) == []


def drill(block: Block, folder: Path) -> None:
    page, *_ = found("docs/learning.md")
    text = page.text.replace("broken = true ", "#") + block.text
    (read,) = read_lesson(write(folder, "01-cell.toml", text), "brainfuck").drills
    assert find_lesson_defects(read) == []


def theme(block: Block, folder: Path) -> None:
    assert read_theme(block.text).name == "mine"


def keys(block: Block, folder: Path) -> None:
    write(folder, FILE_NAME, block.text)
    read = read_keys(folder)
    assert read.notice is None
    known = {id for scope in ("screen", "tests", "debug") for id in KEYS[scope]}
    assert read.keymap.keys() <= known
    assert read.keymap["debug.over"] == "n,o"


def judge(block: Block, folder: Path) -> None:
    names: dict[str, Any] = {"PRINTABLE": "abc"}
    exec(block.text, names)
    assert names["solve"]("abc") == "cba"
    drawn: Iterator[tuple[str, str]] = names["cases"](Rng(PRACTICE_SEED))
    classes = dict(drawn)
    assert set(classes) <= {each.name for each in get_problem("E08").classes}


def fixed(block: Block, folder: Path) -> None:
    file = write(folder, "tests.json", block.text)
    problem = replace(
        get_problem("E02"), folder=folder, tests_digest=digest_tests(file.read_bytes())
    )
    read = hidden_tests(problem, PRACTICE_SEED)
    assert [(test.input, test.expected) for test in read] == [(b"ab c", b"ab c"), (b"", b"")]


def mistake(block: Block, folder: Path) -> None:
    names: dict[str, Callable[[str], str]] = {}
    exec(block.text, names)
    wrong = names["opposite__nothing_for_zero"]
    assert (wrong("3 4"), wrong("3 -3")) == ("7", "")
    assert "opposite" in {each.name for each in get_problem("E04").classes}


def generator(block: Block, folder: Path) -> None:
    script = write(folder, "generator.py", block.text)
    paths = f"{ROOT}:{ROOT / 'interpreters'}"
    subprocess.run([sys.executable, script], cwd=folder, env={"PYTHONPATH": paths}, check=True)
    assert esoplay("run", "hi.bf", cwd=folder).stdout == b"Hi"
    told = esoplay("debug", "hi.bf", "--input", "", "--repl", stdin=b"end\nsl\nvars\n", cwd=folder)
    assert b"letter is 105" in told.stdout


def usage(block: Block, folder: Path) -> None:
    session = json.loads(block.text)["session"]
    spent = read_usage({"usage.jsonl": block.text.encode()}).for_session(session)
    assert spent is not None


def roster(block: Block, folder: Path) -> None:
    write(folder, "ask.sh", "#!/bin/sh\n").chmod(0o755)
    first, *_, last = read_roster(write(folder, "roster.toml", block.text), bytes(32)).runs
    assert (first.model.name, first.regime, first.options.max_tokens) == (
        *("some-model-high", "zero-shot"),
        4096,
    )
    assert (last.model.name, last.regime, last.options.limits) == (
        "mine",
        "react",
        (9, 20_000, 900),
    )


def external_figures(block: Block, folder: Path) -> None:
    tables = read_external("figures.toml", block.text.encode())
    assert tables["scores"]["Another benchmark"]["heron"] == 80.8
    assert tables["corpora"]["Repositories"]["python"] == 17_000_000


EXAMPLES: dict[str, list[Callable[[Block, Path], None]]] = {
    "docs/agents.md": [grid, agent, agent_manifest],
    "docs/evaluation.md": [roster, prices],
    "docs/host-lanes.md": [manifest, zero_manifest],
    "docs/learning.md": [lesson, drill, drill],
    "docs/problem-pack.md": [judge, fixed, mistake],
    "docs/reports.md": [usage, external_figures],
    "docs/source-maps.md": [generator],
    "docs/themes.md": [theme, theme],
    "docs/keys.md": [keys],
}


@pytest.mark.parametrize("page", EXAMPLES)
def test_examples_of_a_page_are_valid(page: str, tmp_path: Path) -> None:
    for number, (block, check) in enumerate(zip(found(page), EXAMPLES[page], strict=True)):
        folder = tmp_path / str(number)
        folder.mkdir()
        check(block, folder)


def test_every_example_that_names_this_file_is_run() -> None:
    pages = {path.relative_to(ROOT).as_posix() for path in (ROOT / "docs").rglob("*.md")}
    assert {page for page in pages if found(page)} == EXAMPLES.keys()
