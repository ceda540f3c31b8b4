"""``esoplay dataset``: write evaluations and sessions as a data set, or check one."""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from esoplay.evaluation.dataset_export import DatasetSource


SUMMARY = "write evaluations and sessions as a data set"
DESCRIPTION = """\
Write runs of `esoplay eval` and exports of sessions as tables of JSON lines: trials, turns (each
question with its answer) and attempts of sessions. A manifest has the settings of each run,
versions, the licence, columns, and the SHA-256 of each file. Hidden tests are not included.
With --parquet, write each table as Parquet as well (pip install 'esoplay[parquet]').
Exit status: 0 done, 2 usage, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay dataset runs/* -o dataset --licence CC-BY-4.0
  esoplay dataset runs/some-model sessions/*.json -o dataset --licence CC0-1.0 --parquet
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "sources",
        nargs="+",
        metavar="RUN",
        help="folders of `esoplay eval`, files of `esoplay session export`",
    )
    parser.add_argument("-o", dest="output", required=True, metavar="DIR", help="a new folder")
    parser.add_argument(
        "--licence", required=True, metavar="L", help="licence of the data set, such as CC-BY-4.0"
    )
    parser.add_argument("--parquet", action="store_true", help="also write Parquet files")
    parser.add_argument(
        "--json", action="store_true", help="print the manifest of the data set as JSON"
    )


def run(args: argparse.Namespace) -> int:
    from pathlib import Path

    from esolangs.wording import plural
    from esoplay.cli.output import print_json, print_stderr
    from esoplay.errors import EXIT_PASSED, UsageError
    from esoplay.evaluation.dataset_export import write_dataset

    if not args.licence.strip() or not args.licence.isprintable():
        raise UsageError("--licence must be one line of printable characters, such as CC-BY-4.0")
    sources = [_source(path) for path in args.sources]
    names = [source.name for source in sources]
    for name in names:
        if names.count(name) > 1:
            raise UsageError(f"{name} is the name of two sources; rename one of them")
    manifest = write_dataset(sources, Path(args.output), args.licence, parquet=args.parquet)
    if args.json:
        print_json(manifest)
    for file in manifest["files"]:
        print_stderr(f"{args.output}/{file['name']}: {plural(file['rows'], 'row')}")
    return EXIT_PASSED


def _source(path: str) -> DatasetSource:
    import hashlib
    from pathlib import Path

    from esoplay.benchmark.exports import MAX_EXPORT_BYTES, read_export
    from esoplay.cli.output import read_file
    from esoplay.errors import UsageError
    from esoplay.evaluation.dataset_export import DatasetSource
    from esoplay.evaluation.saved_runs import read_run

    name = Path(path).resolve().name
    if Path(path).is_dir():
        return DatasetSource(name, run=read_run(Path(path)))
    data = read_file(path, MAX_EXPORT_BYTES + 1)
    try:
        export = read_export(data)
    except UsageError as error:
        raise UsageError(f"{path}: {error}") from None
    return DatasetSource(name, export=export, sha256=hashlib.sha256(data).hexdigest())
