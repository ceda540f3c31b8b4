"""The commands of docs/reproducing.md, run as they stand with scripted solvers, and its pictures.

``ESOPLAY_PICTURES=write`` writes the pictures instead of comparing them.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest
from blocks import blocks
from shell import PATHS, ROOT

from esoplay.agents.isolation import find_bubblewrap
from esoplay.reporting import publications

PAGE = ROOT / "docs" / "reproducing.md"
PICTURES = ROOT / "docs" / "images" / "reproduced"
SCRIPTS = ROOT / "docs" / "reports" / "scripted"
NOTE = "tested by tests/docs/test_reproducing_page.py"
KILLS = 3
SYSTEM_PYTHON = Path("/usr/bin/python3")
CHROMIUM = shutil.which(os.environ.get("ESOPLAY_BROWSER") or "chromium")


def shown_pictures() -> set[str]:
    """The pictures that the page shows, below ``PICTURES``."""
    text = PAGE.read_text("utf-8")
    return set(re.findall(r"\(images/reproduced/([a-z]+/[a-z-]+\.svg)\)", text))


def commands(number: int) -> list[str]:
    (text,) = [block.text for block in blocks(PAGE) if block.note == NOTE][number : number + 1]
    return text.splitlines()


def test_the_page_names_every_reproduced_result_and_every_picture_exists() -> None:
    text = " ".join(PAGE.read_text("utf-8").split())
    for name, value in vars(publications).items():
        if not name.isupper() or not value:
            continue
        for part in value.split("; "):
            subject = part.partition(", ")[2].partition(" (")[0]
            words = [word for word in re.findall(r"[a-z-]+", subject.lower()) if len(word) > 3]
            assert all(word in text.lower() for word in words), part
            numbers = re.search(r"\((.*)\)", part)
            assert numbers is None or numbers[1] in text, part
    files = {path.relative_to(PICTURES).as_posix() for path in PICTURES.rglob("*.svg")}
    assert files == shown_pictures()
    assert len(files) == 20


class Runner:
    """A folder in which the commands run."""

    def __init__(self, folder: Path, port: str):
        self.folder = folder
        self.port = port
        tools = folder / "bin"
        tools.mkdir()
        tool = tools / "esoplay"
        tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m esoplay "$@"\n', "utf-8")
        tool.chmod(0o755)
        self.environment = {
            **os.environ,
            "PYTHONPATH": PATHS,
            # Agents start the first python3 on PATH; it must be one that is visible to them.
            "PATH": f"{tools}:/usr/local/bin:/usr/bin:/bin",
        }

    def run(self, lines: list[str], line: str) -> None:
        """Run a line after the assignments of variables before it."""
        done = subprocess.run(
            ["sh", "-ec", self._script(lines, line)],
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            check=False,
            timeout=1200,
        )
        assert done.returncode == 0, (line, done.stderr[-2000:].decode())

    def kill(self, lines: list[str], line: str, size: int) -> None:
        """Run a line, and kill it as soon as its transcript has grown by that many bytes."""
        transcript = self.folder / line.split()[-1] / "transcript.jsonl"
        grown = size + (transcript.stat().st_size if transcript.exists() else 0)
        process = subprocess.Popen(
            ["sh", "-ec", self._script(lines, line)],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        while process.poll() is None:
            if transcript.exists() and transcript.stat().st_size >= grown:
                os.killpg(process.pid, signal.SIGKILL)
                break
            time.sleep(0.01)
        assert process.wait() == -signal.SIGKILL, "it ended before it was killed"

    def _script(self, lines: list[str], line: str) -> str:
        assigned = [one for one in lines if one.startswith("export ")]
        text = "\n".join([*assigned, line]).replace(":8123/", f":{self.port}/")
        return re.sub(r"^python3 ", f'"{sys.executable}" ', text, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Everything that the page runs; each evaluation in five languages is killed three times."""
    folder = tmp_path_factory.mktemp("reproducing")
    for path in SCRIPTS.iterdir():
        if path.is_file():
            shutil.copy(path, folder / path.name)
    lines = commands(0)
    answers, serve, *rest = lines
    assert serve == "python3 model.py answers 8123 &"
    Runner(folder, "0").run([], answers)
    shutil.rmtree(folder / "bin")
    server = subprocess.Popen(
        [sys.executable, "model.py", "answers", "0"],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        assert server.stdout is not None
        runner = Runner(folder, server.stdout.readline().strip())
        for line in rest:
            if line.startswith("export "):
                continue
            if "--language all" in line:
                for number in range(KILLS):
                    runner.kill(rest, line, 150_000 * (number + 1))
            runner.run(rest, line)
    finally:
        server.kill()
        server.wait()
    return folder


def compare(folder: Path, group: str) -> None:
    for name in sorted(one for one in shown_pictures() if one.startswith(f"{group}/")):
        made = (folder / group / "pictures" / Path(name).name).read_text("utf-8")
        if os.environ.get("ESOPLAY_PICTURES") == "write":
            (PICTURES / name).parent.mkdir(parents=True, exist_ok=True)
            (PICTURES / name).write_text(made, "utf-8")
        else:
            assert made == (PICTURES / name).read_text("utf-8"), name


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_the_pictures_of_models_are_reproduced(played: Path) -> None:
    compare(played, "models")
    compare(played, "index")


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_killed_evaluations_lose_and_repeat_nothing(played: Path) -> None:
    for model in ("heron", "wren"):
        told = json.loads((played / model / "results.json").read_text("utf-8"))
        assert told["left"] == []
        trials = Counter((one["language"], one["regime"]) for one in told["trials"])
        assert (len(trials), set(trials.values())) == (25, {10})
        records = [
            json.loads(line)
            for line in (played / model / "transcript.jsonl").read_text().splitlines()
        ]
        answered = Counter(
            (one["trial"], one["turn"]) for one in records if one["kind"] == "answered"
        )
        assert set(answered.values()) == {1}
    report = json.loads((played / "models" / "report.json").read_text("utf-8"))
    assert len(report["conditions"]) == 2 * 5 * 5


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(CHROMIUM is None, reason="Chromium is not installed")
def test_the_report_opens_and_prints_in_chromium(played: Path, tmp_path: Path) -> None:
    assert CHROMIUM is not None
    page = (played / "models" / "report.html").as_uri()
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/own"]
    options += ["--enable-logging=stderr", "--v=0"]
    opened = subprocess.run(
        [CHROMIUM, *options, "--dump-dom", page],
        capture_output=True,
        check=True,
        text=True,
        timeout=300,
    )
    pictures = len(list((played / "models" / "pictures").glob("*.svg")))
    assert opened.stdout.count("<svg") == pictures
    assert "CONSOLE" not in opened.stderr
    printed = tmp_path / "report.pdf"
    command = [CHROMIUM, *options, "--no-pdf-header-footer", f"--print-to-pdf={printed}", page]
    subprocess.run(command, capture_output=True, check=True, timeout=300)
    assert printed.read_bytes().count(b"/Type /Page\n") > 5


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_the_latex_of_the_report_compiles_with_its_pictures(played: Path) -> None:
    pytest.importorskip("cairosvg", exc_type=ImportError)
    runner = Runner(played / "models", "0")
    runner.run([], "esoplay report ../heron ../wren --by regime --baseline zero-shot --pdf -o .")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
    done = subprocess.run(command, cwd=played / "models", capture_output=True, timeout=300)
    assert done.returncode == 0, done.stdout[-2000:].decode("utf-8", "replace")


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.skipif(not find_bubblewrap().is_usable, reason="bubblewrap does not work here")
@pytest.mark.skipif(not SYSTEM_PYTHON.exists(), reason="no python3 that solvers can see")
def test_the_pictures_of_agents_are_reproduced(played: Path) -> None:
    lines = commands(1)
    shutil.rmtree(played / "bin")
    runner = Runner(played, "0")
    for line in lines:
        runner.run([], line)
    compare(played, "agents")
