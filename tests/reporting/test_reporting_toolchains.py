"""Reports on sessions in host lanes show the versions of the toolchains."""

from __future__ import annotations

import platform
from pathlib import Path

from report_sessions import play, report

from esoplay.reporting.document import as_markdown
from esoplay.reporting.sections.document import write_report


def test_a_report_shows_the_toolchain_of_each_lane(tmp_path: Path) -> None:
    exports = {
        "a.json": play(tmp_path, {"E1": "S"}, language="python", close=True),
        "b.json": play(tmp_path, {"E1": "S"}, close=True),
    }
    text = as_markdown(write_report(report(exports)))
    assert f"| python | Python {platform.python_version()} | 1 |" in text
    assert "compiled" not in text
    without = as_markdown(write_report(report(exports, ["b.json"])))
    assert "Toolchains" not in without
