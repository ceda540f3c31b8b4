"""The way from ``esoplay run`` to the machine's loop is short, and the documented one."""

from __future__ import annotations

import re
import sys
from dataclasses import dataclass
from pathlib import Path
from types import FrameType

import pytest

from esolangs.language import Program
from esolangs.machine import Machine
from esoplay.cli.main import main

PAGE = Path(__file__).resolve().parents[2] / "docs" / "architecture.md"
HEADING = "## From `esoplay run` to the machine"
MAX_HOPS = 8

Hop = tuple[str, str]
"""A call from one module into another one."""


@dataclass
class Call:
    """A call into a module.  leads: whether the program, its core, its machine or the loop of the
    machine is made or entered below it."""

    module: str
    caller: str
    leads: bool = False


class Walk:
    """Records the calls of this project up to the first run of a machine."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self._stack: list[Call | None] = []
        self._arrived = False

    def __call__(self, frame: FrameType, event: str, argument: object) -> None:
        if self._arrived:
            return
        if event == "return" and self._stack:
            self._stack.pop()
        elif event == "call":
            self._enter(frame)

    def _enter(self, frame: FrameType) -> None:
        module = str(frame.f_globals.get("__name__", ""))
        ours = module.partition(".")[0] in ("esoplay", "esolangs")
        caller = next((call.module for call in reversed(self._stack) if call is not None), "")
        self._stack.append(Call(module, caller) if ours else None)
        if self._stack[-1] is not None:
            self.calls.append(self._stack[-1])
        name, self_ = frame.f_code.co_name, frame.f_locals.get("self")
        made = isinstance(self_, Program | Machine) and name in ("__init__", "new_core")
        self._arrived = isinstance(self_, Machine) and name == "run"
        if made or self._arrived:
            for call in self._stack:
                if call is not None:
                    call.leads = True

    @property
    def hops(self) -> list[Hop]:
        return [
            (call.caller, call.module)
            for call in self.calls
            if call.leads and call.caller not in ("", call.module)
        ]


def documented() -> list[Hop]:
    section = PAGE.read_text("utf-8").partition(HEADING)[2].partition("\n## ")[0]
    return re.findall(r"^\d+\. `([\w.]+)` → `([\w.]+)`", section, re.MULTILINE)


def test_the_calls_of_a_run_between_modules_are_few_and_documented(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "hello.bf"
    file.write_bytes(b"++++++[>++++++++++<-]>+++++.")
    arguments = ["run", str(file)]
    assert main(arguments) == 0  # so that importing is over
    walk, before = Walk(), sys.getprofile()
    sys.setprofile(walk)
    try:
        code = main(arguments)
    finally:
        sys.setprofile(before)
    assert code == 0
    assert capfd.readouterr().out == "AA"
    assert walk.hops == documented()
    assert len(walk.hops) <= MAX_HOPS
