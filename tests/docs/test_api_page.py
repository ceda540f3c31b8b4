"""The examples of docs/api.md are executed, and its reference names what is public."""

from __future__ import annotations

import doctest
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from blocks import blocks
from shell import PATHS, ROOT

import esoplay

PAGE = ROOT / "docs" / "api.md"
EXPORT = ROOT / "tests/frozen/data/592eef9/sessions/relaxed/session.json"


def test_the_examples_print_what_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copy(EXPORT, tmp_path)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    examples = [block for block in blocks(PAGE) if block.kind == "pycon"]
    assert len(examples) >= 6
    said: list[str] = []
    for block in examples:
        parsed = doctest.DocTestParser().get_doctest(
            block.text, names, str(block), str(PAGE), block.line
        )
        runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
        runner.run(parsed, out=said.append, clear_globs=False)
        names = parsed.globs
    assert not said, "".join(said)


def test_the_reference_names_what_is_public() -> None:
    text = PAGE.read_text("utf-8")
    assert set(esoplay.__all__) <= set(re.findall(r"\w+", text))
    rows = re.findall(r"^\| `(\w+)\(", text, re.MULTILINE)
    assert rows == ["parse", "run", "open_timeline", "grade", "verify"]
    assert set(rows) <= set(esoplay.__all__)
    for name in esoplay.__all__:
        assert getattr(esoplay, name).__doc__


def test_importing_loads_nothing() -> None:
    code = (
        "import sys, esoplay; dir(esoplay); "
        "print(sys.modules.keys() & {'esoplay.api', 'typing', 'dataclasses', 'msgspec'})"
    )
    done = subprocess.run(
        [sys.executable, "-S", "-c", code],
        capture_output=True,
        env={"PYTHONPATH": PATHS},
        check=True,
    )
    assert done.stdout == b"set()\n"
    with pytest.raises(AttributeError, match="no attribute 'grad'"):
        _ = esoplay.grad  # pyright: ignore[reportAttributeAccessIssue]
