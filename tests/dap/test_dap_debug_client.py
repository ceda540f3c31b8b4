"""The adapter under a client that others wrote for tests of debug adapters.

``ESOPLAY_DEBUG_CLIENT`` names a folder in which ``npm install @vscode/debugadapter-testsupport``
was run; every story starts node and an adapter, which takes about a second.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from esoplay.programs.generation import generate

PACKAGES = os.environ.get("ESOPLAY_DEBUG_CLIENT", "")
SCRIPT = Path(__file__).with_name("debug_client.js")
STORIES = re.findall(r"^  async (\w+)\(\) \{$", SCRIPT.read_text("utf-8"), re.MULTILINE)

PROGRAMS = {
    "sum.bf": "+++>++<\n[->+<]\n>.",
    "bad.bf": "+<",
    "copy.bf": ",[.,]",
    "endless.bf": "+[]",
    "store.b98": '"a" 5 1 p "b" 5 1 p 5 1 g , @\n',
}
COUNTING = """\
def main():
    total = 0
    c = getc()
    while c != 0:
        total += 1
        c = getc()
    print_int(total)
"""


@pytest.mark.skipif(not PACKAGES, reason="ESOPLAY_DEBUG_CLIENT names no folder of packages")
@pytest.mark.parametrize("story", STORIES)
def test_a_third_party_client_is_served(tmp_path: Path, story: str) -> None:
    for name, text in PROGRAMS.items():
        (tmp_path / name).write_text(text)
    made = generate(COUNTING, "brainfuck", name="length.py")
    (tmp_path / "length.bf").write_bytes(made.source)
    (tmp_path / "length.bf.map.json").write_text(json.dumps(made.source_map.as_json()))
    (tmp_path / "length.py").write_text(COUNTING)
    command = Path(sys.executable).with_name("esoplay")
    done = subprocess.run(
        ["node", SCRIPT, Path(PACKAGES).resolve(), command, tmp_path, story],
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
