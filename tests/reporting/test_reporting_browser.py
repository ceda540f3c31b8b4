"""The page in a real browser: ``ESOPLAY_BROWSER=chromium`` names one; it takes seconds to start."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from esoplay.cli.main import main
from esoplay.packs.catalogue import get_pack
from esoplay.reporting.document import (
    Document,
    ReportTable,
    Section,
    TableColumn,
    as_page,
    text_column,
)

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
    assert done.stdout.count("<svg") == 11
    assert "</footer>" in done.stdout
    assert "CONSOLE" not in done.stderr  # what a page complains of, its policy included


_MEASURE = """<script>
const tables = [...document.querySelectorAll(".wide")];
const widths = tables.map(each => `${each.scrollWidth}/${each.clientWidth}`);
document.title = widths.join(" ");
</script></body>"""


@pytest.mark.skipif(BROWSER is None, reason="ESOPLAY_BROWSER names no browser")
def test_the_table_by_category_fits_a_page_of_1200_pixels(tmp_path: Path) -> None:
    assert BROWSER is not None
    categories = get_pack(None).categories
    columns = [*map(text_column, ("solver", "language", "protocol")), *map(TableColumn, categories)]
    row = ["some-agent-with-a-name", "befunge-98", "host-javascript", *["8/10 (49–94)"] * 9]
    assert len(columns) == len(row)
    table = ReportTable(
        "Solved, with Wilson 95 % intervals in percent, by category", columns, [row]
    )
    html = as_page(Document("A page", [Section("By category", [table])]))
    policy = html[html.index('<meta http-equiv="Content-Security-Policy"') :].partition("\n")[0]
    page = tmp_path / "page.html"
    page.write_text(html.replace(policy, "").replace("</body>", _MEASURE), "utf-8")
    options = ["--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}/own"]
    options += ["--window-size=1200,900", "--dump-dom", page.as_uri()]
    done = subprocess.run(
        [BROWSER, *options], capture_output=True, timeout=300, check=True, text=True
    )
    title = done.stdout.partition("<title>")[2].partition("</title>")[0]
    needed, shown = map(int, title.split("/"))
    assert needed <= shown
