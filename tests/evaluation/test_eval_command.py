"""``esoplay eval``: what it shows, sends and refuses; commands as models."""

from __future__ import annotations

import json
import re
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
from scripted_models import ECHO, Reply, arguments, echoing, records, serving
from shell import ROOT

from esoplay.cli.main import main

KEY = "sk-0123456789"


def test_a_terminal_gets_a_progress_bar_and_bold_headings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "80")
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)
    with serving(echoing) as served:
        assert main(arguments(tmp_path, served.url, "zero-shot")) == 0
    captured = capsys.readouterr()
    assert "\x1b[1mErrors\x1b[0m" in captured.out
    bars = captured.err.split("\r\x1b[K")
    assert bars[0] == bars[-1] == ""
    assert [bar.partition("  ")[0] for bar in bars[1:-1]] == [
        "[------------------------] 0 of 3",
        "[########----------------] 1 of 3",
        "[################--------] 2 of 3",
        "[########################] 3 of 3",
    ]


def test_the_key_is_sent_and_never_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def telling(messages: list[dict[str, str]]) -> Reply:
        if len(served.asked) == 1:
            error = {"error": {"message": f"overloaded, dear {KEY}"}}
            body = json.dumps(error).encode()
            return Reply(None, 503, body, (("Retry-After", "0"),))
        return echoing(messages)

    monkeypatch.setenv("MY_KEY", KEY)
    with serving(telling) as served:
        command = [*arguments(tmp_path, served.url, "zero-shot"), "--key-env", "MY_KEY"]
        assert main(command) == 0
        assert {headers["Authorization"] for headers in served.headers} == {f"Bearer {KEY}"}
    captured = capsys.readouterr()
    assert "Requests that failed and were retried: 1." in captured.out
    assert "retry in 0 s: 503: overloaded, dear ***" in captured.err
    assert KEY not in captured.out + captured.err
    assert not any(KEY.encode() in file.read_bytes() for file in tmp_path.iterdir())
    assert "overloaded, dear ***" in records(tmp_path, "failed")[0]["reason"]
    assert main([*arguments(tmp_path, "http://10.0.0.1/v1"), "--key-env", "MY_KEY"]) == 2
    assert "is not sent to another machine over http" in capsys.readouterr().err


def test_an_evaluation_with_prices_reports_its_cost(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with serving(echoing) as served:
        prices = tmp_path / "prices.toml"
        prices.write_text('currency = "EUR"\n[models.scripted]\ninput = 1000\noutput = 10000\n')
        command = [*arguments(tmp_path / "a", served.url, "zero-shot"), "--prices", str(prices)]
        assert main(command) == 0
    # three answers of 100 tokens at 0.001 and 7 at 0.01
    assert "cost in EUR" in capsys.readouterr().out
    assert json.loads((tmp_path / "a" / "results.json").read_text())["cost"] == 0.51


def test_the_command_for_endpoints_and_the_prices_on_the_page_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    page = (ROOT / "docs" / "evaluation.md").read_text("utf-8")
    blocks = re.findall(r"^```(?:sh|toml)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    (asking,) = (block for block in blocks if block.startswith("export "))
    (prices,) = (block for block in blocks if block.startswith("currency"))
    export, command = asking.replace("\\\n", " ").strip().splitlines()
    name, _, key = export.removeprefix("export ").partition("=")
    words = shlex.split(command)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(name, key.replace("…", KEY))
    (tmp_path / "prices.toml").write_text(prices)
    with serving(echoing) as served:
        words[words.index("--base-url") + 1] = served.url
        assert main([*words[1:], "--language", "brainfuck", "--problems", "E02"]) == 0
    assert len(served.asked) == 3 * 8  # runs, and answers of all regimes to what is solved at once
    assert {headers["Authorization"] for headers in served.headers} == {f"Bearer {KEY}"}
    assert {body["temperature"] for body in served.asked} == {0.7}
    told = json.loads((tmp_path / "runs" / "some-model" / "results.json").read_text())
    # 60 fresh tokens at 3, 40 cached ones at 0.3 and 7 at 15, for a million
    assert told["cost"] == pytest.approx(24 * (60 * 3 + 40 * 0.3 + 7 * 15) / 1e6)
    assert "cost in USD" in capsys.readouterr().out


MODEL = """\
import os, sys
prompt = sys.stdin.buffer.read()
assert b"You write programs in Whitespace." in prompt and b"# Echo Line" in prompt
assert (os.environ["ESOPLAY_MODEL"], os.environ["ESOPLAY_TEMPERATURE"]) == ("own", "0.5")
assert os.environ["ESOPLAY_MAX_TOKENS"] == "1234567"
if not os.path.exists("begun"):
    open("begun", "w")
    sys.exit("not yet")
sys.stdout.buffer.write(b"So:\\n~~~\\n\\xff" + sys.argv[1].encode() + b"\\n~~~\\n\\xfe")
"""


def test_extra_members_that_are_invalid_json_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "extra.json"
    command = [*arguments(tmp_path / "out", "http://localhost:1/v1"), "--extra", str(path)]
    for text, what in [
        (b'{"top_p": NaN}', "NaN is not a JSON number"),
        (b'{"stop": "\\ud800"}', "not valid JSON"),
        (b'{"a": "\xff"}', "not valid JSON"),
        (b"[" * 100_000, "not valid JSON"),
        (b"[]", "expected one JSON object"),
        (b'{"stream": true}', "stream: this member cannot be set"),
    ]:
        path.write_bytes(text)
        assert main(command) == 2
        said = capsys.readouterr().err
        assert f"{path}: " in said
        assert what in said
    assert not (tmp_path / "out").exists()


def test_a_failed_command_is_run_again_and_may_answer_in_bytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "model.py").write_text(MODEL)
    command = shlex.join([sys.executable, "model.py", ECHO["Whitespace"]])
    asked = [
        *("eval", "--language", "whitespace", "--regime", "zero-shot", "--problems", "E02"),
        *("--command", command, "--model", "own", "--temperature", "0.5", "-o", "out", "--json"),
        *("--max-tokens", "1234567"),
    ]
    assert main(asked) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["trials"][0]["solved"]  # a byte that is not whitespace is a comment
    assert told["failed_requests"] == 1
    counts = ("input", "cached", "output", "reasoning")
    assert told["tokens"] == {**dict.fromkeys(counts, 0), "untold": 1}
    (failure,) = records(tmp_path / "out", "failed")
    assert failure["reason"] == "exit status 1: not yet"


@pytest.mark.parametrize(
    ("changed", "what"),
    [
        ({"--regime": "magic"}, "--regime: expected zero-shot, few-shot"),
        ({"--language": "klingon"}, "klingon"),
        ({"--problems": "E01,Q7"}, "'Q7' is not an id"),
        ({"--base-url": "ftp://host"}, "--base-url: expected an address"),
        ({"--base-url": "http://user:secret@host/v1"}, "without user"),
        ({"--dialect": "posh"}, "posh"),
        ({"--base-url": None, "--command": "./nothing"}, "cannot find the program ./nothing"),
        ({"--jobs": "0"}, "--jobs must be"),
        ({"--timeout": "nan"}, "--timeout must be"),
        ({"--extra": "nowhere.json"}, "cannot read nowhere.json"),
        ({"--key-env": "NO_SUCH_NAME"}, "NO_SUCH_NAME is not set"),
        ({"--task": "predict", "--regime": "react"}, "for this task"),
        ({"--task": "predict", "--language": "python"}, "does not contain programs in Python"),
    ],
)
def test_invalid_options_are_reported_in_one_line(
    changed: dict[str, Any], what: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    options = {
        "--language": "brainfuck",
        "--regime": "zero-shot",
        "--model": "m",
        "--base-url": "http://localhost:1/v1",
        "-o": str(tmp_path / "out"),
    } | changed
    words = [word for pair in options.items() if pair[1] is not None for word in pair]
    assert main(["eval", *words]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert what in said
    assert not (tmp_path / "out").exists()
