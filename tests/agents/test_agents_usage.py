"""Lines in which an agent reports its tokens: read, passed over, and drawn in a report."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest
from agents_helpers import ROOT, agents, sessions_of, write_grid

from esoplay.agents.usage import MAX_BYTES, UsageFile
from esoplay.reporting.usage import read_usage

BEGAN = 1_700_000_000_000
GOOD = '{"input_tokens": 5, "output_tokens": 2}\n'


@pytest.fixture
def attempt(tmp_path: Path) -> Path:
    (tmp_path / "home").mkdir()
    return tmp_path


def append_reports(attempt: Path, text: str, mode: str = "a") -> None:
    with (attempt / "home" / "usage.jsonl").open(mode, encoding="utf-8") as file:
        file.write(text)


def saved_lines(attempt: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (attempt / "usage.jsonl").read_text("utf-8").splitlines()]


@pytest.mark.slow
def test_a_report_includes_valid_lines_of_a_faulty_agent(
    pack: Path, answers: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, run = tmp_path / "grid.toml", tmp_path / "run"
    write_grid(file, pack, answers, {"heron": "spender"})
    status, out, told = agents(capsys, "run", file, "-o", run, "--json")
    assert status == 0
    assert "complete, 2 of 2 solved, verified, 1,215 tokens" in told
    one = sessions_of(out)["heron"]
    assert (one["result"]["tokens"], one["result"]["cost"]) == (1215, 0.5)
    (note,) = [note for note in one["result"]["notes"] if "lines of token reports" in note]
    assert note.startswith(
        "skipped 3 lines of token reports; reason for the first: not valid JSON: "
    )
    _, out, _ = agents(capsys, "report", run, "--json")
    effort = json.loads(out)["effort"][0]
    steps = [(step["used"], step["solved"]) for step in effort["by_tokens"]]
    assert steps == [(0, 0), (110, 1), (1210, 2), (1215, 2)]

    lines = Path(one["attempt"], "usage.jsonl")
    lines.write_text(lines.read_text("utf-8").replace("1000", "1"), "utf-8")
    status, out, told = agents(capsys, "report", run, "--json")
    assert status == 0
    assert "usage.jsonl: altered after it was recorded; its tokens are left out" in told
    assert json.loads(out)["effort"][0]["tokens"] is None


def test_the_token_report_on_the_page_is_accepted(attempt: Path) -> None:
    page = (ROOT / "docs" / "agents.md").read_text("utf-8")
    line = page.partition("## Tokens")[2].partition("```json\n")[2].partition("```")[0]
    append_reports(attempt, line)
    told = UsageFile(attempt, "a", BEGAN).finish()
    assert (told.tokens, told.cost, told.notes) == (5910, 0.031, ())


def test_a_line_without_a_time_gets_the_time_when_it_was_written(attempt: Path) -> None:
    append_reports(attempt, GOOD + json.dumps({**json.loads(GOOD), "time_ms": BEGAN + 7}) + "\n")
    os.utime(attempt / "home" / "usage.jsonl", (BEGAN / 1000 + 60, BEGAN / 1000 + 60))
    told = UsageFile(attempt, "a", BEGAN).finish()
    assert (told.tokens, told.notes) == (14, ())
    assert [line["time_ms"] for line in saved_lines(attempt)] == [BEGAN + 60_000, BEGAN + 7]
    spent = read_usage({"it": (attempt / "usage.jsonl").read_bytes()}).for_session("a")
    assert spent is not None
    assert (spent.tokens_until(BEGAN + 7).total, spent.tokens) == (7, 14)


def test_tokens_of_reasoning_are_saved(attempt: Path) -> None:
    append_reports(attempt, json.dumps({**json.loads(GOOD), "reasoning_tokens": 1}) + "\n")
    append_reports(attempt, json.dumps({**json.loads(GOOD), "reasoning_tokens": -1}) + "\n")
    told = UsageFile(attempt, "a", BEGAN).finish()
    assert told.notes[0].startswith(
        "skipped 1 line of token reports; reason for the first: reasoning_tokens: expected"
    )
    spent = read_usage({"it": (attempt / "usage.jsonl").read_bytes()}).for_session("a")
    assert spent is not None
    assert spent.reasoning == 1


def test_only_complete_lines_are_read_and_none_twice_after_a_kill(
    attempt: Path,
) -> None:
    first = UsageFile(attempt, "a", BEGAN)
    assert not first.read_lines()  # nothing is there yet
    append_reports(attempt, GOOD + GOOD[:10])
    first.read_lines()
    assert len(saved_lines(attempt)) == 1
    append_reports(attempt, GOOD[10:] + "x\n" + GOOD.strip())
    told = UsageFile(attempt, "a", BEGAN).finish()
    assert (told.tokens, len(saved_lines(attempt))) == (21, 3)
    assert told.notes[0].startswith(
        "skipped 1 line of token reports; reason for the first: not valid JSON"
    )
    assert UsageFile(attempt, "a", BEGAN).finish() == (21, None, told.sha256, ())


def test_a_file_that_is_rewritten_is_read_from_its_beginning(attempt: Path) -> None:
    usage = UsageFile(attempt, "a", BEGAN)
    append_reports(attempt, GOOD * 3)
    usage.read_lines()
    append_reports(attempt, GOOD, "w")
    assert usage.finish().tokens == 28


WRONG = [
    ("x" * (3 << 20), "not valid JSON"),
    ("[" * 100_000, "not valid JSON"),
    ("3", "input_tokens: expected a non-negative integer"),
    ('{"input_tokens": 5}', "output_tokens: expected a non-negative integer"),
    (
        '{"input_tokens": 5, "output_tokens": true}',
        "output_tokens: expected a non-negative integer",
    ),
    (GOOD[:-2] + ', "cost": NaN}', "cost: expected a non-negative number"),
    (GOOD[:-2] + ', "cost": "1"}', "cost: expected a non-negative number"),
    (GOOD[:-2] + ', "time_ms": 1795340507}', "time_ms: expected Unix time in milliseconds"),
    (GOOD[:-2] + ', "time_ms": "now"}', "time_ms: expected a non-negative integer"),
]


@pytest.mark.parametrize(("line", "reason"), WRONG, ids=lambda value: value[-20:])
def test_invalid_lines_are_skipped_and_later_ones_count(
    line: str, reason: str, attempt: Path
) -> None:
    append_reports(attempt, f"{line}\n{GOOD}")
    told = UsageFile(attempt, "a", BEGAN).finish()
    assert told.tokens == 7
    (note,) = told.notes
    assert f" of token reports; reason for the first: {reason}" in note
    assert len(note) < 300


@pytest.mark.parametrize("at", ["Infinity", "-1", str(10**30), '"1"'])
def test_a_damaged_offset_in_the_saved_reports_is_reported(at: str, attempt: Path) -> None:
    usage = UsageFile(attempt, "a", BEGAN)
    append_reports(attempt, GOOD)
    usage.read_lines()
    kept = attempt / "usage.jsonl"
    line = json.loads(kept.read_bytes())
    kept.write_text(json.dumps(line).replace(f'"at": {line["at"]}', f'"at": {at}'))
    assert "the saved reports are damaged" in UsageFile(attempt, "a", BEGAN).finish().notes[0]


def test_token_reports_are_read_up_to_a_limit(attempt: Path) -> None:
    append_reports(attempt, GOOD)
    with (attempt / "home" / "usage.jsonl").open("r+b") as file:
        file.truncate(2 * MAX_BYTES)
    told = UsageFile(attempt, "a", BEGAN).finish()
    assert told.tokens == 7
    assert f"token reports: only the first {MAX_BYTES:,} bytes were read" in told.notes


@pytest.mark.parametrize("place", ["home/usage.jsonl", "usage.jsonl"])
def test_a_pipe_in_place_of_a_token_report_does_not_block(place: str, attempt: Path) -> None:
    os.mkfifo(attempt / place)
    if place == "usage.jsonl":
        append_reports(attempt, GOOD)
    told = UsageFile(attempt, "a", BEGAN).finish()
    assert told.sha256 is None
    assert told.notes[0].startswith("token reports: ")
