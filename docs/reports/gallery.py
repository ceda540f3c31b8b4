"""Make the pictures of docs/reports.md: ``python docs/reports/gallery.py FOLDER``.

The solvers are invented (``invented.py``), the sessions are played by the rules, and ``esoplay
report`` draws the pictures from their exports.  ``--exports DIR`` saves the exports.
"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from invented import exports, usage

from esoplay.benchmark.reports import finish_report, report_exports
from esoplay.reporting.report import ReportOptions


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    parser.add_argument("--exports", type=Path, metavar="DIR")
    args = parser.parse_args()
    with TemporaryDirectory() as work:
        played = dict(exports(Path(work)))
    tokens = usage(list(played.values()))
    if args.exports is not None:
        args.exports.mkdir(parents=True, exist_ok=True)
        for name, text in {**played, "tokens.jsonl": tokens}.items():
            (args.exports / name).write_bytes(text)
    report = report_exports(
        [(name, partial(played.__getitem__, name)) for name in played],
        ReportOptions(),
        usage={"tokens.jsonl": tokens},
    )
    args.folder.mkdir(parents=True, exist_ok=True)
    for name, text in finish_report(report).files().items():
        if isinstance(text, str) and name.endswith(".svg"):
            path = args.folder / Path(name).name
            path.write_text(text, "utf-8")
            print(f"{path}: {len(text.encode()) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
