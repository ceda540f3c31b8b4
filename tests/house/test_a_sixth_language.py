"""A language is one folder: everything above the engines takes it as it takes the others.

The folder ``sixth/countfish`` is copied to some place that ``ESOPLAY_LANGUAGES`` names.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from shell import PATHS, ROOT, esoplay

import esolangs
from esolangs.registry import find_language, language_ids
from esoplay.debugging.debugger import BreakpointSpec, Debugger
from esoplay.paths import state_folder

FOLDER = Path(__file__).parent / "sixth" / "countfish"
PROGRAM = b"r o\nd\no j"
"""Prints from the input byte down, each number but the first and last twice."""


@pytest.fixture
def languages(tmp_path: Path) -> Path:
    """A folder of language folders, with the one of the sixth language in it."""
    folder = tmp_path / "languages"
    shutil.copytree(FOLDER, folder / "countfish", ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def installed(languages: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The language in this process, as ``ESOPLAY_LANGUAGES`` puts it into a fresh one."""
    monkeypatch.setattr(esolangs, "__path__", [*esolangs.__path__, str(languages)])
    yield
    for name in [name for name in sys.modules if name.startswith("esolangs.countfish")]:
        del sys.modules[name]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "down.cfish"
    path.write_bytes(b"r o d d d o")
    return path


def test_the_language_is_unknown_without_its_folder(file: Path) -> None:
    assert "countfish" not in language_ids()
    done = esoplay("run", file)
    assert done.returncode == 2
    assert b"no installed language has files ending in '.cfish'" in done.stderr


def test_run_and_doctor_know_the_language(languages: Path, file: Path) -> None:
    env = {"ESOPLAY_LANGUAGES": str(languages)}
    done = esoplay("run", file, stdin=b"A", **env)
    assert (done.returncode, done.stdout, done.stderr) == (0, b"65\n62\n", b"")
    done = esoplay("run", file, "--input", "A", "--max-steps", "3", "--json", **env)
    told = json.loads(done.stdout)
    assert (told["language"], told["status"], told["stdout"]) == ("countfish", "step_limit", "65\n")
    assert json.loads(esoplay("doctor", "--json", **env).stdout)["engines"]["countfish"] == "plain"
    done = esoplay("run", file, "--allow-files", ".", **env)
    assert (done.returncode, b"Countfish has no file access" in done.stderr) == (2, True)


def test_a_folder_that_is_not_there_is_named(file: Path) -> None:
    done = esoplay("run", file, ESOPLAY_LANGUAGES="/no/such/folder")
    assert done.returncode == 2
    assert b"cannot use /no/such/folder" in done.stderr


def test_json_rpc_serves_the_language(languages: Path) -> None:
    def ask(method: str, **params: Any) -> dict[str, Any]:
        return {"jsonrpc": "2.0", "id": method, "method": method, "params": params}

    program = {"language": "countfish", "program": PROGRAM.decode(), "stdin": "\3"}
    requests = [
        ask("run", **program),
        ask("language.card", language="countfish"),
        ask("debug.open", **program),
        ask("debug.breakpoints", debug="d1", set=[{"instruction": "d", "condition": "value == 1"}]),
        ask("debug.continue", debug="d1"),
        ask("debug.step", debug="d1", count=3, reverse=True),
        ask("debug.writes", debug="d1", cell=0, limit=2),
        ask("debug.view", debug="d1", fields=["registers", "places", "panels"]),
    ]
    lines = "".join(json.dumps(request) + "\n" for request in requests).encode()
    done = esoplay("serve", stdin=lines, ESOPLAY_LANGUAGES=str(languages))
    answers = [json.loads(line)["result"] for line in done.stdout.splitlines()]
    ran, card, opened, _, stopped, back, writes, view = answers
    assert ran["stdout"] == "3\n2\n2\n1\n1\n0\n"
    assert card["card"].startswith("# Countfish")
    assert opened["view"]["location"]["instruction"] == "r"
    assert stopped["view"]["location"]["explanation"] == "the number is 1"
    assert back["step"] == stopped["step"] - 3
    assert [(write["old"], write["new"]) for write in writes["writes"]] == [(2, 1), (2, 2)]
    assert view["registers"] == {"value": 1}
    assert view["places"] == {"the start": 0}
    assert [panel["panel"] for panel in view["panels"]] == ["table", "stack"]


def test_the_text_debugger_debugs_the_language(languages: Path, file: Path) -> None:
    commands = (
        b"places\nregisters\nb the START\nb d\nc\nc\nview\nc\nS\nloops\nwatch 0 if value > 9\n"
    )
    done = esoplay(
        "debug", file, "--repl", "--input", "A", stdin=commands, ESOPLAY_LANGUAGES=str(languages)
    )
    said = done.stdout.decode()
    assert done.stderr == b""
    for part in [
        "the start, at 0",
        "value is 0: the number",
        "breakpoint 1: at the start, never hit",
        'breakpoint 2: at any "d", never hit',
        "step 3, line 1 column 7: d  the number is 64",
        "number: 1\n  value 64, bits 7",
        "small divisors: 7, top first: 1 2 4 8 16 32 64",
        "error: Countfish has no loops or calls to list; try: view",
        "breakpoint 3: when cell 0 is written if value > 9, never hit",
    ]:
        assert part in said


@pytest.mark.slow
@pytest.mark.usefixtures("installed")
def test_the_debugger_travels_through_a_run_of_the_language() -> None:
    debugger = Debugger.open("countfish", b"r" + b"iosd" * 3 + b"sssj", stdin=b"\1")
    debugger.seek(200)
    forwards = [debugger.seek(step) and debugger.view() for step in range(1, 200)]
    backwards = [debugger.seek(step) and debugger.view() for step in range(199, 0, -1)]
    assert forwards == backwards[::-1]
    debugger.add_breakpoint(BreakpointSpec(place="The Start", condition="value % 2 == 0"))
    assert debugger.resume(reverse=True).reasons[0].kind in ("breakpoint", "start")
    debugger.set_cell(0, 10**5000)
    assert "e5000" in debugger.step_by(2).reasons[0].text + str(debugger.view())


@pytest.mark.usefixtures("installed")
def test_a_run_of_slow_steps_returns_within_the_time_limit() -> None:
    program = find_language("countfish").parse(b"ii" + b"s" * 19 + b"o")
    patient, impatient = program.start(), program.start()
    assert patient.run(10**6) == "halted"
    impatient.patience = 0.0
    pauses = 0
    while impatient.run(10**6) == "running":
        pauses += 1
    assert pauses == 6 + 1  # from 2 to the power of 2**14 on, and once after printing
    assert impatient.view() == patient.view()
    assert impatient.take_printed() == patient.take_printed()


@pytest.mark.usefixtures("installed")
def test_moves_can_be_cancelled_between_slow_steps() -> None:
    debugger = Debugger.open("countfish", b"ii" + b"s" * 18 + b"idididididididididid")
    debugger._timeline.machine.patience = 0.0
    asked: list[int] = []

    def refuse(done: int, total: int) -> bool:
        asked.append(done)
        return len(asked) < 4

    assert debugger.seek(40, refuse).reasons[0].kind == "cancelled"
    assert asked == [16, 17, 18, 19]
    debugger.seek(40)
    debugger._timeline.machine.patience = 0.0
    debugger.add_breakpoint(BreakpointSpec(offset=3))
    assert debugger.resume(reverse=True).step == 3


@pytest.mark.usefixtures("installed")
async def test_the_screen_debugs_the_language(file: Path) -> None:
    from esoplay.tui.app import EsoplayApp
    from esoplay.tui.workspace import LaunchRequest

    app = EsoplayApp(state_folder(), request=LaunchRequest(file, debug=True, stdin=b"A"))
    async with app.run_test(size=(120, 40)) as pilot:
        moves = [("step 0", "l"), ("step 1/6", "l"), ("step 2/6", "G"), ("step 6/6", "h")]
        for text, key in moves:
            await shows(pilot, text)
            await pilot.press(key)
        await shows(pilot, "step 5/6")
        await shows(pilot, "the number is 62")
        await shows(pilot, "small divisors")
    app.save_everything()
    app.workspace.state.close()


async def shows(pilot: Any, text: str) -> None:
    """Let messages be handled until the screen shows a text."""
    shown = ""
    deadline = time.monotonic() + 300
    while time.monotonic() < deadline:
        await pilot.pause(0.01)
        strips = pilot.app.screen._compositor.render_strips()
        shown = "\n".join(strip.text for strip in strips)
        if text in shown:
            return
    raise AssertionError(f"{text!r} is nowhere on the screen:\n{shown}")


def test_the_language_passes_the_tests_of_the_contract(languages: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-k", "countfish",
         str(ROOT / "tests" / "esolangs" / "test_contract.py")],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": PATHS, "ESOPLAY_LANGUAGES": str(languages)},
        capture_output=True,
        text=True,
        check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout
    assert "failed" not in done.stdout
    assert len(find_language("brainfuck").options) > 0  # and nothing of it is left here
