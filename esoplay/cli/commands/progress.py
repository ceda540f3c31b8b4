"""``esoplay progress``: show, export and import practice progress."""

from __future__ import annotations

from esolangs.wording import format_count, noun

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from esoplay.grading.problem import Pack
    from esoplay.progress.records import Standings, Streak
    from esoplay.progress.store import ProgressStore

SUMMARY = "show, export and import your progress"
DESCRIPTION = """\
Show your progress in practice: the number of solved problems in each tier and language, days in
a row, and the fewest steps and bytes of your solutions. Export it to a file, or merge such a file:
nothing is lost, the best result wins, and merging twice changes nothing.
Exit status: 0 done, 2 usage, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay progress                       the table, the streak, the best results
  esoplay progress --lang unlambda       the same for one language
  esoplay progress --json                everything, as one JSON object
  esoplay progress export -o mine.json   all submissions, and the programs that solved problems
  esoplay progress import mine.json      merge an exported file
"""

ACTIONS = ("show", "export", "import")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "action", nargs="?", metavar="ACTION", default="show", help=", ".join(ACTIONS)
    )
    parser.add_argument("names", nargs="*", metavar="FILE", help="the file to import; - is stdin")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    showing = parser.add_argument_group("show")
    showing.add_argument("--lang", metavar="L", help="one language; default: all")
    showing.add_argument(
        "--pack",
        metavar="P",
        help="an installed pack's id, or a folder; default: the built-in pack",
    )
    exporting = parser.add_argument_group("export")
    exporting.add_argument("-o", "--output", metavar="FILE", help="default: stdout")


def run(args: argparse.Namespace) -> int:
    from esoplay.cli.output import print_stderr
    from esoplay.errors import EXIT_PASSED, UsageError
    from esoplay.paths import state_folder
    from esoplay.progress.store import ProgressStore

    if args.action not in ACTIONS:
        raise UsageError(f"expected one of {', '.join(ACTIONS)}, found {args.action!r}")
    if len(args.names) != (1 if args.action == "import" else 0):
        words = " FILE.json" if args.action == "import" else ""
        raise UsageError(f"wrong number of names; expected: esoplay progress {args.action}{words}")
    if args.output is not None and args.action != "export":
        raise UsageError("-o requires the action export: esoplay progress export -o FILE.json")
    store = ProgressStore(state_folder())
    try:
        for notice in store.notices:
            print_stderr(notice)
        {"show": _show, "export": _export, "import": _import}[args.action](store, args)
    finally:
        store.close()
    return EXIT_PASSED


def _export(store: ProgressStore, args: argparse.Namespace) -> None:
    from esoplay.cli.output import print_json, print_stderr, write_file
    from esoplay.progress.exchange import export_progress, export_text

    if args.output is None or args.output == "-":
        print_json(export_progress(store))
        return
    write_file(args.output, export_text(store), private=False)
    if not args.json:
        written = format_count(len(store.records()), "submission")
        print_stderr(f"{written} written to {args.output}")


def _import(store: ProgressStore, args: argparse.Namespace) -> None:
    from esoplay.cli.output import print_json, read_input
    from esoplay.progress.exchange import MAX_FILE_BYTES, import_progress

    merged = import_progress(store, read_input(args.names[0], MAX_FILE_BYTES + 1))
    if args.json:
        print_json(merged._asdict())
    else:
        print(merged.describe())


def _show(store: ProgressStore, args: argparse.Namespace) -> None:
    from esolangs.registry import find_language, language_ids
    from esoplay.cli.output import print_json
    from esoplay.packs.catalogue import get_pack
    from esoplay.progress.records import progress_as_json

    pack = get_pack(args.pack)
    chosen = [find_language(args.lang.lower()).id] if args.lang else language_ids()
    standings = {id: store.progress(pack.id, id) for id in chosen}
    if args.json:
        print_json(progress_as_json(pack, standings, store.streak()))
    else:
        _print_table(pack, standings)
        _print_streak(store.streak())
        _print_best(pack, standings)


def _print_table(pack: Pack, standings: Standings) -> None:
    """Print the numbers of solved, all and attempted problems per tier (rows) and language."""
    from esoplay.cli.output import paint
    from esoplay.progress.records import count, problems_by_tier

    rows = [*problems_by_tier(pack), ("all", pack.problems)]
    names = max(len(tier) for tier, _ in rows)
    widths = {id: max(len(id), 14) for id in standings}
    heads = "".join(f"  {id:<{width}}" for id, width in widths.items())
    print(paint(f"{'solved':<{names}}{heads}".rstrip(), "bold"))
    for tier, problems in rows:
        texts: list[str] = []
        for id, known in standings.items():
            solved, tried, total = count(problems, known)
            text = f"{solved}/{total}" + (f", {tried} tried" if tried else "")
            texts.append(f"  {text:<{widths[id]}}")
        print(f"{tier:<{names}}{''.join(texts)}".rstrip())


def _print_streak(streak: Streak) -> None:
    words = streak.describe()
    print(f"\n{words}" if words else "\nnothing solved yet: `esoplay` opens the first problem")


def _print_best(pack: Pack, standings: Standings) -> None:
    """Print a line per solved problem: the best results and their dates."""
    from esoplay.cli.output import paint

    for id, known in standings.items():
        solved = [problem for problem in pack if problem.id in known and known[problem.id].solved]
        if not solved:
            continue
        print(f"\n{paint(id, 'bold')}")
        for problem in solved:
            best = known[problem.id]
            figures = (
                f"{best.steps:>12,} {noun(best.steps or 0, 'step'):5} {best.steps_at[:10]}"
                f"{best.size:>9,} {noun(best.size or 0, 'byte'):5} {best.size_at[:10]}"
            )
            print(f"  {paint(problem.id, 'accent')} {problem.title[:40]:<40}{figures}")
