"""The pages of a leaderboard: an index, and one page for each model or agent."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any, Literal, NamedTuple

from esoplay.reporting.document import (
    Block,
    Document,
    Paragraph,
    ReportTable,
    Section,
    TableColumn,
    as_page,
    make_page,
    text_column,
)
from esoplay.reporting.sections.wording import format_amount, in_percent, percent
from esoplay.reporting.statistics import ConfidenceInterval, arithmetic_mean
from esoplay.version import VERSION


class LanguageResult(NamedTuple):
    """A model's or agent's result in one language.

    tiers: numbers of solved and of all problems.  cost: mean per trial.
    """

    solved: int
    total: int
    interval: ConfidenceInterval
    tiers: Mapping[str, tuple[int, int]]
    errors: Mapping[str, int]
    cost: float | None

    @property
    def share(self) -> float:
        return self.solved / self.total


@dataclass(frozen=True, slots=True)
class BoardEntry:
    """A row of the leaderboard.

    mode: the regime or protocol. checked: whether all its sources were graded again. sources: the
    status of each source, by name.
    """

    kind: Literal["evaluation", "session"]
    name: str
    mode: str
    pack: str
    languages: Mapping[str, LanguageResult]
    checked: bool
    sources: Mapping[str, str]

    @property
    def mean(self) -> float:
        """Return the share solved, averaged over the languages of this row."""
        return arithmetic_mean([result.share for result in self.languages.values()])

    def as_json(self) -> dict[str, Any]:
        return {
            "kind": self.kind,
            "name": self.name,
            "mode": self.mode,
            "pack": self.pack,
            "mean": self.mean,
            "checked": self.checked,
            "sources": dict(self.sources),
            "languages": {
                language: {
                    "solved": result.solved,
                    "total": result.total,
                    "wilson_95": list(result.interval),
                }
                for language, result in self.languages.items()
            },
        }


def board_json(title: str, entries: Sequence[BoardEntry]) -> dict[str, Any]:
    """Return the leaderboard as one object."""
    return {
        "format": "esoplay-leaderboard",
        "format_version": 1,
        "esoplay": VERSION,
        "title": title,
        "entries": [entry.as_json() for entry in entries],
    }


def board_index(
    title: str,
    entries: Sequence[BoardEntry],
    links: Mapping[str, str],
    sources: Sequence[tuple[str, str, str]],
) -> str:
    """Return the index page.

    links: the page of each entry, by name. sources: name, status and reason of each submission.
    """
    said = (
        "<p>The share of problems solved in each language, with the mean over these languages. "
        "Checked results were graded again with their revealed seed.</p>"
    )
    main = [said]
    contents: list[tuple[str, str]] = []
    for kind, heading in (("evaluation", "Models"), ("session", "Agents")):
        for pack in dict.fromkeys(entry.pack for entry in entries if entry.kind == kind):
            chosen = [entry for entry in entries if (entry.kind, entry.pack) == (kind, pack)]
            id = f"{kind}-{len(contents) + 1}"
            contents.append((f"{heading}, {pack}", id))
            main += _table(f"{heading}, pack {pack}", id, chosen, links)
    contents.append(("Submissions", "submissions"))
    main += _sources(sources)
    return make_page(title, contents, main)


def _table(
    heading: str, id: str, entries: Sequence[BoardEntry], links: Mapping[str, str]
) -> list[str]:
    languages = list(dict.fromkeys(each for entry in entries for each in entry.languages))
    heads = ["rank", "name", "mode", "mean", "languages", *languages, "checked"]
    rows: list[str] = []
    rank, before = 0, None
    for place, entry in enumerate(entries, 1):
        if entry.mean != before:  # equal means share a rank
            rank, before = place, entry.mean
        link = f'<a href="{escape(links[entry.name])}">{escape(entry.name)}</a>'
        cells = [str(rank), link, escape(entry.mode), percent(entry.mean)]
        cells.append(str(len(entry.languages)))
        for language in languages:
            result = entry.languages.get(language)
            cells.append("–" if result is None else _share(result))
        cells.append("yes" if entry.checked else "no")
        rows.append("<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>")
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in heads)
    return [
        f'<section aria-labelledby="{id}"><h2 id="{id}">{escape(heading)}</h2>',
        f'<div class="wide" tabindex="0" role="region" aria-label="{escape(heading)}"><table>',
        f"<thead><tr>{head}</tr></thead><tbody>",
        *rows,
        "</tbody></table></div></section>",
    ]


def _share(result: LanguageResult) -> str:
    return f"{percent(result.share)} <small>({in_percent(result.interval)})</small>"


def _sources(sources: Sequence[tuple[str, str, str]]) -> list[str]:
    heads = "".join(f'<th scope="col">{name}</th>' for name in ("submission", "status", "reason"))
    return [
        '<section aria-labelledby="submissions"><h2 id="submissions">Submissions</h2>',
        '<div class="wide" tabindex="0" role="region" aria-label="Submissions"><table>',
        f"<thead><tr>{heads}</tr></thead><tbody>",
        *(
            "<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in source) + "</tr>"
            for source in sources
        ),
        "</tbody></table></div></section>",
    ]


def entry_page(name: str, entries: Sequence[BoardEntry]) -> str:
    """Return the page of a model or agent."""
    sections = [Section(f"{entry.mode}, {entry.pack}", list(_blocks(entry))) for entry in entries]
    return as_page(Document(name, sections), [("Leaderboard", "../index.html")])


def _blocks(entry: BoardEntry) -> list[Block]:
    tiers = list(dict.fromkeys(tier for each in entry.languages.values() for tier in each.tiers))
    errors = list(dict.fromkeys(name for each in entry.languages.values() for name in each.errors))
    heads = [text_column("language")]
    heads += map(TableColumn, ("solved", "of", "share", "95 % interval", *tiers, "mean cost"))
    rows = [
        [
            language,
            str(each.solved),
            str(each.total),
            percent(each.share),
            in_percent(each.interval),
            *(
                "/".join(map(str, each.tiers[tier])) if tier in each.tiers else "–"
                for tier in tiers
            ),
            "–" if each.cost is None else format_amount(each.cost, 4),
        ]
        for language, each in entry.languages.items()
    ]
    blocks: list[Block] = [
        Paragraph(f"Mean over {len(entry.languages)} languages: {percent(entry.mean)}."),
        ReportTable("Problems solved", heads, rows),
    ]
    if errors:
        rows = [
            [language, *(str(each.errors.get(name, 0)) for name in errors)]
            for language, each in entry.languages.items()
        ]
        heads = [text_column("language"), *map(TableColumn, errors)]
        blocks.append(ReportTable("Why trials failed", heads, rows))
    rows = [[source, status] for source, status in entry.sources.items()]
    blocks.append(
        ReportTable("Submissions", [text_column("submission"), text_column("status")], rows)
    )
    return blocks
