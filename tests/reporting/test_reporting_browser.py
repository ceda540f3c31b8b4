"""The page in a real browser: ``ESOPLAY_BROWSER=chromium`` names one; it takes seconds to start."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from esoplay.cli.main import main

BROWSER = os.environ.get("ESOPLAY_BROWSER")


@pytest.mark.skipif(BROWSER is None, reason="ESOPLAY_BROWSER names no browser")
def test_the_page_loads_without_a_complaint(exports: dict[str, bytes], tmp_path: Path) -> None:
    assert BROWSER is not None
    (tmp_path / "exports").mkdir()
    files: list[str] = []
    for name, text in exports.items():
        files.append(str(tmp_path / "exports" / f"{name}.json"))
        Path(files[-1]).write_bytes(text)
    assert main(["report", *files, "-o", str(tmp_path / "report")]) == 0
    page = (tmp_path / "report" / "report.html").as_uri()
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/own"]
    options += ["--enable-logging=stderr", "--v=0", "--dump-dom", page]
    done = subprocess.run(
        [BROWSER, *options], capture_output=True, timeout=300, check=True, text=True
    )
    assert done.stdout.count("<svg") == 8
    assert "</footer>" in done.stdout
    assert "CONSOLE" not in done.stderr  # what a page complains of, its policy included
