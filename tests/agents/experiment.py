"""The main experiment in small, played by stand-ins, and its report opened in a browser.

    python tests/agents/experiment.py FOLDER        FOLDER must not exist; takes some minutes

Two solvers, five languages, three sessions over ten problems: one solves all of them, one those
with even numbers.  Figures of the report are compared with that.  As root, and with a Python that
all users may start, a third solver then tries as another user to read what is not its own.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "interpreters"), str(Path(__file__).parent)]

from agents_helpers import STAND_IN, acceptance, make_answers, make_pack, write_grid  # noqa: E402

from esoplay.cli.main import main  # noqa: E402

PROBLEMS = ("E02", "E04", "E08", "E10", "M01", "M06", "M09", "H01", "H04", "X20")
EVEN = sum(int(problem[1:]) % 2 == 0 for problem in PROBLEMS)
LANGUAGES = ("brainfuck", "befunge-98", "whitespace", "unlambda", "shakespeare")
SESSIONS = 3
EVERYBODYS_PYTHON = "/usr/bin/python3"
BROWSERS = ("chromium", "chromium-browser", "google-chrome")


def play(folder: Path) -> None:
    pack = make_pack(folder / "pack", PROBLEMS)
    answers = make_answers(folder / "answers", LANGUAGES, PROBLEMS)
    solvers = {"heron": "solve", "plover": "half"}
    grid = write_grid(
        *(folder / "main.toml", pack, answers, solvers),
        languages=LANGUAGES,
        sessions=SESSIONS,
        more='[solvers.set]\nSTAND_IN_TOKENS = "1000"',
    )
    run, report = folder / "main.runs", folder / "report"
    began = time.monotonic()
    assert main(["agents", "run", str(grid), "-o", str(run), "--jobs", "2", *acceptance()]) == 0
    print(f"{time.monotonic() - began:.0f} s")
    assert main(["agents", "status", str(run)]) == 0
    assert main(["agents", "report", str(run), "-o", str(report)]) == 0
    told = json.loads((report / "report.json").read_text("utf-8"))
    assert len(told["sessions"]) == len(solvers) * len(LANGUAGES) * SESSIONS
    assert not told["refused"]
    expected = {"heron": len(PROBLEMS), "plover": EVEN}
    for session in told["sessions"]:
        assert session["partial"] is None, session
        assert len(session["solved"]) == expected[session["solver"]], session
    for series in told["series"]:
        assert series["sessions"] == [expected[series["solver"]]] * SESSIONS, series
    for effort in told["effort"]:
        assert effort["by_tokens"][-1]["solved"] == expected[effort["solver"]], effort
    print("figures are as counted")


def spy(folder: Path) -> None:
    """An agent of another user, in a place that everybody may enter."""
    folder.chmod(0o755)
    made = folder / "answers"
    (made / "private").write_text("nobody may read this\n", "utf-8")
    (made / "private").chmod(0o600)
    command = [EVERYBODYS_PYTHON, "-S", str(STAND_IN), "spy", f"{made}/{{language}}"]
    grid = folder / "spy.toml"
    grid.write_text(
        f'languages = ["brainfuck"]\npack = "pack"\n[[solvers]]\nname = "fox"\n'
        f'user = "nobody"\ncommand = {json.dumps(command)}\n',
        "utf-8",
    )
    run = folder / "spy.runs"
    assert main(["agents", "run", str(grid), "-o", str(run), *acceptance()]) == 0
    said = (run / "cells/fox/brainfuck/primary/1/attempt-1/stdout.log").read_text("utf-8")
    print(said)
    assert [line.split()[0] for line in said.splitlines()[:3]] == ["refused"] * 3


def look(page: Path) -> None:
    """A picture of the page as a browser shows it, light and dark."""
    browser = next(filter(None, map(shutil.which, BROWSERS)), None)
    if browser is None:
        print("there is no browser here")
        return
    for scheme in ("light", "dark"):
        picture = page.with_name(f"{scheme}.png")
        dark = ["--blink-settings=preferredColorScheme=0"] if scheme == "dark" else []
        subprocess.run(
            [
                *(browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"),
                *(f"--screenshot={picture}", "--window-size=1100,10000", *dark, page.as_uri()),
            ],
            check=True,
            capture_output=True,
            timeout=300,
        )
        print(picture)


if __name__ == "__main__":
    place = Path(sys.argv[1]).resolve()
    place.mkdir()
    os.environ["ESOPLAY_HOME"] = str(place / "state")
    play(place)
    if os.geteuid() == 0 and Path(EVERYBODYS_PYTHON).exists():
        spy(place)
    look(place / "report" / "report.html")
