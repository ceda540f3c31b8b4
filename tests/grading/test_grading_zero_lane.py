"""The manifest for Zero in docs/host-lanes.md, with a shell in place of the compiler."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from task_corpora import write_corpus

from esoplay.packs.exchange import import_pack
from esoplay.packs.grading import grade_source
from esoplay.running.host.lanes import find_lane_by_file

PAGE = Path(__file__).parents[2] / "docs" / "host-lanes.md"
STAND_IN = """\
#!/bin/sh
case "$1" in
--version) echo "zero 0.1.2" ;;
run)
    place=$2
    shift 2
    [ "$1" = -- ] && shift
    if [ -d "$place" ]; then place=$place/src/main.0; fi
    exec /bin/sh "$place" "$@" ;;
esac
"""
FILE = b'echo "$(($1 * ($1 + 1) / 2))"\n'
PROJECT = b"""\
-- zero.json --
{}
-- src/main.0 --
. "${0%/*}/lib.0"
twice "$1"
-- src/lib.0 --
twice() { echo "$((2 * $1))"; }
"""


def test_the_manifest_runs_files_and_projects_with_arguments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (block,) = re.findall(r'```toml\n(id = "zero"\n.*?)```', PAGE.read_text("utf-8"), re.DOTALL)
    lanes, tools = tmp_path / "lanes", tmp_path / "zero" / "bin"
    lanes.mkdir()
    tools.mkdir(parents=True)
    (lanes / "zero.toml").write_text(block)
    (tools / "zero").write_text(STAND_IN)
    (tools / "zero").chmod(0o755)
    for folder in (tmp_path, tools.parent, tools):
        folder.chmod(0o755)
    monkeypatch.setenv("ESOPLAY_LANES", str(lanes))
    monkeypatch.setenv("PATH", f"{tools}:/usr/bin:/bin")
    lane = find_lane_by_file("fib.0")
    assert lane is not None
    assert lane.id == "zero"
    import_pack(write_corpus(tmp_path / "corpus"))
    for id, source in (("001-triangle", FILE), ("005-double", PROJECT)):
        report = grade_source(id, "zero", source, pack="corpus")
        assert report.solved, [test.detail for test in report.tests]
