"""Actions ``import``, ``export`` and ``packs`` of ``esoplay problems``."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from esoplay.packs.exchange import InstalledPack


IMPORT_DESCRIPTION = """\
Install a data set of another benchmark, or a folder of tasks, as a pack with fixed tests. FILE is
in a format of EsoLang-Bench or of its agentic harness; PRIVATE has the tests that FILE leaves out.
FOLDER has a folder for each task, with spec.json and tests, as in the AgentLang Index. Nothing in
these files is executed."""
IMPORT_EXAMPLES = """\
examples:
  esoplay problems import esolang_dataset.json --id esolang-bench
  esoplay problems import public.json private.json
  esoplay problems import agentlang-index/corpus --id agentlang
"""
EXPORT_DESCRIPTION = """\
Write a pack as a data set in the format of EsoLang-Bench, with the tests of each problem: its fixed
tests, or six tests that are derived from the practice seed or from another seed."""
EXPORT_EXAMPLES = """\
examples:
  esoplay problems export -o ours.json
  esoplay problems export --format pair --seed-file ~/seed -o bench
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of ``import`` and ``export`` to the parser of ``esoplay problems``."""
    _add_import_arguments(parser.add_argument_group("import"))
    _add_export_arguments(parser.add_argument_group("export"))


def help_parser(action: str) -> argparse.ArgumentParser | None:
    """Return a parser that prints the help of one action; None if it has no separate help."""
    import argparse

    if action == "compare":
        return _compare_help()
    if action not in ("import", "export"):
        return None
    importing = action == "import"
    parser = argparse.ArgumentParser(
        prog=f"esoplay problems {action}",
        description=IMPORT_DESCRIPTION if importing else EXPORT_DESCRIPTION,
        epilog=IMPORT_EXAMPLES if importing else EXPORT_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    if importing:
        parser.add_argument("file", metavar="FILE|FOLDER", help="a data set, or a folder of tasks")
        parser.add_argument(
            "private",
            nargs="?",
            metavar="PRIVATE",
            help="a second file, with the tests that FILE omits",
        )
        _add_import_arguments(parser)
    else:
        parser.add_argument(
            "--pack",
            metavar="P",
            help="an installed pack's id, or a folder; default: the built-in pack",
        )
        _add_export_arguments(parser)
    if importing:
        parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _compare_help() -> argparse.ArgumentParser:
    import argparse

    from esoplay.cli import pack_comparison
    from esoplay.cli.output import add_seed_arguments

    parser = argparse.ArgumentParser(
        prog="esoplay problems compare",
        description=pack_comparison.COMPARE_DESCRIPTION,
        epilog=pack_comparison.COMPARE_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "packs", nargs=2, metavar="PACK", help="an installed pack's id, or a folder"
    )
    pack_comparison.add_arguments(parser)
    add_seed_arguments(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _add_import_arguments(group: Any) -> None:
    group.add_argument(
        "--id", metavar="ID", dest="pack_id", help="id of the pack; default: the name of FILE"
    )
    group.add_argument("--title", metavar="T", help="title of the pack; default: the title in FILE")
    group.add_argument(
        "--replace", action="store_true", help="replace the installed pack that has this id"
    )


def _add_export_arguments(group: Any) -> None:
    from esoplay.cli.output import add_seed_arguments

    add_seed_arguments(group)
    group.add_argument(
        "--format",
        choices=["esolang-bench", "pair"],
        default="esolang-bench",
        help="one file with tests (default), or NAME_public.json and NAME_private.json",
    )
    group.add_argument(
        "--tests", action="store_true", help="write the hidden tests even if the seed is secret"
    )
    group.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        help="file to write; default: stdout; with --format pair: NAME in the names of both files, "
        "required",
    )


def run_import(args: argparse.Namespace) -> int:
    from pathlib import Path

    from esoplay.cli.output import print_json, print_stderr
    from esoplay.errors import EXIT_PASSED, UsageError
    from esoplay.packs.exchange import import_pack

    files = [Path(name) for name in args.names]
    if not 1 <= len(files) <= 2:
        raise UsageError(
            "import requires a folder of tasks, or a file, optionally followed by a file with its "
            "tests"
        )
    installed = import_pack(*files, id=args.pack_id, title=args.title, replace=args.replace)
    if args.json:
        print_json(installed.as_json())
    else:
        print(f"installed {installed.id}: {_describe_size(installed)}")
        if installed.kind == "problems":
            print_stderr(f"to see them: esoplay problems --pack {installed.id}")
        else:
            print_stderr(f"to see them: esoplay predict --items {installed.id}")
            print_stderr(f"to check their outputs: esoplay predict prove --items {installed.id}")
    return EXIT_PASSED


def run_packs(args: argparse.Namespace) -> int:
    from esoplay.cli.output import paint, print_json
    from esoplay.errors import EXIT_PASSED
    from esoplay.packs.exchange import installed_packs

    packs = installed_packs()
    if args.json:
        print_json({"packs": [pack.as_json() for pack in packs]})
        return EXIT_PASSED
    width = max(len(pack.id) for pack in packs)
    for pack in packs:
        kind = paint(_describe_size(pack), "bad" if pack.kind == "broken" else "dim")
        print(f"{paint(f'{pack.id:{width}}', 'accent')}  {pack.title}  {kind}")
    return EXIT_PASSED


def _describe_size(pack: InstalledPack) -> str:
    if pack.kind == "broken":
        return "cannot be used"
    tests = ", fixed tests" if pack.tests_digest else ""
    noun = pack.kind if pack.count != 1 else pack.kind[:-1]
    return f"{pack.count} {noun}, version {pack.version}{tests}"


def run_export(args: argparse.Namespace) -> int:
    from esoplay.cli.output import print_stderr, seed_argument
    from esoplay.errors import EXIT_PASSED, UsageError
    from esoplay.grading.seeds import PRACTICE_SEED
    from esoplay.packs.exchange import export_pack

    if args.names:
        raise UsageError("export accepts no name; use --pack for the pack and -o for the file")
    seed = seed_argument(args) or PRACTICE_SEED
    secret = seed != PRACTICE_SEED
    pair = args.format == "pair"
    if pair and (args.output is None or args.output == "-"):
        raise UsageError("--format pair writes two files and requires -o NAME")
    if secret and not pair and not args.tests:
        raise UsageError(
            "the output would contain the hidden tests of a secret seed; confirm with --tests, or "
            "use --format pair, which writes the tests to a separate file"
        )
    public, private = export_pack(args.pack, seed=seed, format=args.format)
    _print_additions(public)
    if private is None:
        _write(args.output, public, private=secret)
        return EXIT_PASSED
    name = args.output.removesuffix(".json")
    _write(f"{name}_public.json", public, private=False)
    _write(f"{name}_private.json", private, private=True)
    print_stderr(f"wrote {name}_public.json and {name}_private.json")
    return EXIT_PASSED


def _print_additions(data: dict[str, Any]) -> None:
    """Print the fields that other programs ignore, but that affect verdicts."""
    from esoplay.cli.output import print_stderr

    compare = data["metadata"].get("compare")
    if compare is not None:
        print_stderr(
            f"metadata.compare: {compare}; other programs ignore it and may compare output "
            "differently"
        )
    for item in data["problems"]:
        needs = [*item.get("needs", ()), *(["several files"] if item.get("files") else [])]
        if needs:
            print_stderr(
                f"{item['id']} needs {', '.join(needs)}; other programs ignore this requirement "
                "and cannot grade the problem"
            )


def _write(path: str | None, data: dict[str, Any], *, private: bool) -> None:
    """Write indented JSON to a file, which only its owner can read if ``private``, or to stdout."""
    import json

    from esoplay.cli.output import print_json, write_file

    if path is None or path == "-":
        print_json(data)
        return
    write_file(path, json.dumps(data, ensure_ascii=False, indent=1) + "\n", private=private)
