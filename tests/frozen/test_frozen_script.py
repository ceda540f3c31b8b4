"""The script that freezes the formats of a version still works."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from frozen_data import VERSIONS

SCRIPT = Path(__file__).with_name("freeze.py")
DRAWN = re.compile(r"\b(?:[0-9a-f]{64}|[0-9a-f]{16}|[0-9a-f]{12})\b")


@pytest.mark.opt_in
@pytest.mark.timeout(1200)
@pytest.mark.skipif("ESOPLAY_FREEZE" not in os.environ, reason="ESOPLAY_FREEZE is not set")
def test_the_script_writes_the_same_files_as_for_an_earlier_version(tmp_path: Path) -> None:
    """The same files as for some version are written, apart from the ids in their names."""
    output = tmp_path / "now"
    subprocess.run([sys.executable, SCRIPT, output], check=True)
    written = names_in(output)
    whole = [version for version in VERSIONS if (version / "home").is_dir()]  # not --only a part
    assert any(names_in(version) <= written for version in whole)


def names_in(folder: Path) -> set[str]:
    files = (file.relative_to(folder) for file in folder.rglob("*") if file.is_file())
    return {DRAWN.sub("ID", str(file)) for file in files}
