"""Programs that may have been generated."""

from __future__ import annotations

from esoplay.reporting.document import Block, Column, Picture, Section, Table, Text, words
from esoplay.reporting.metaprogramming import Metaprogramming
from esoplay.reporting.pictures.canvas import Canvas
from esoplay.reporting.pictures.stacks import draw_stacks
from esoplay.reporting.report import Report
from esoplay.reporting.writing.wording import Names, amount, percent

_WITH, _WITHOUT, _UNSEEN = "generator there", "none seen", "workspace not seen"


def generators(report: Report) -> list[Section]:
    """The section on metaprogramming; none where no workspace was ever seen."""
    found = report.metaprogramming
    if not any(one.seen for one in found):
        return []
    names = Names(report)
    canvas = Canvas(
        "generators",
        "Submissions with a generator in the workspace",
        "For each series a bar of its graded submissions: with a generator in the workspace, with "
        "none to be seen, and with a workspace that could not be looked into.",
    )
    draw_stacks(
        canvas,
        [_WITH, _WITHOUT, _UNSEEN],
        [(names.label(one), _parts(one)) for one in found],
        "graded submissions",
    )
    columns = [
        *names.columns,
        *(Column("submissions seen"), Column("with generator"), Column("solved with one")),
        Column("with map"),
        *(words("languages"), Column("size ratio"), Column("helpers"), Column("reused")),
        Column("most problems"),
    ]
    rows = [[*names.cells(one), *_cells(one)] for one in found]
    blocks: list[Block] = [
        Text(
            "What lay in the workspace when a program was handed in. That a generator lay there is "
            "a fact; that it wrote the program is not proved by it, and where none was seen "
            "nothing is proved. “With map”: the very program lay there with a source map beside "
            "it. The size ratio is the median, over solved problems with new generators, of the "
            "program's bytes for each byte of these. Helpers are different generators by content; "
            "reused are those that lay there for more than one problem."
        ),
        Picture(canvas),
        Table("Metaprogramming", columns, rows),
    ]
    return [Section("Metaprogramming", blocks)]


def _parts(one: Metaprogramming) -> dict[str, int]:
    without = one.seen - one.with_generator
    return {_WITH: one.with_generator, _WITHOUT: without, _UNSEEN: one.unseen}


def _cells(one: Metaprogramming) -> list[str]:
    return [
        f"{one.seen} of {one.seen + one.unseen}",
        f"{one.with_generator} ({percent(one.with_generator / one.seen)})" if one.seen else "–",
        f"{one.solved_with_generator} of {one.solved}",
        str(one.with_map),
        ", ".join(f"{name} {count}" for name, count in one.languages.items()) or "–",
        amount(one.ratio, 2),
        str(one.helpers),
        str(one.reused),
        str(one.widest),
    ]
