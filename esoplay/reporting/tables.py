"""The tables of a report as CSV and as LaTeX with booktabs."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Sequence

from esoplay.reporting.document import Document, Paragraph, Picture, ReportTable, source_note

TABLES_FOLDER = "tables"
"""The folder of tables next to a report."""

_SPECIAL = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    **{sign: f"\\{sign}" for sign in "&%$#_"},
    "−": "$-$",
    "±": r"$\pm$",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "–": "--",
    "“": "``",
    "”": "''",
    "…": r"\ldots{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "[": "{[}",  # else LaTeX would read it as an argument of the preceding \\
    "*": "{*}",
}
_LAST_LATIN, _PUNCTUATION = 0x17F, (0x2010, 0x2044)
"""The last Latin letter and the range of punctuation that pdfLaTeX supports in the encoding T1."""
_PREAMBLE = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[a4paper,margin=2cm]{geometry}
\usepackage{booktabs,graphicx,longtable}
"""


def table_files(document: Document) -> dict[str, str]:
    """Return each table as a CSV file and as a LaTeX ``tabular``, by file name."""
    files: dict[str, str] = {}
    for name, table in _named_tables(document):
        files[f"{TABLES_FOLDER}/{name}.csv"] = as_csv(table)
        files[f"{TABLES_FOLDER}/{name}.tex"] = as_tabular(table)
    return files


def as_latex(document: Document, pictures_folder: str | None = None) -> str:
    """Return a LaTeX document that includes the tables from their files.

    pictures_folder: with the pictures as PDF; None leaves them out.
    """
    lines = [_PREAMBLE, rf"\title{{{escape_latex(document.title)}}}", r"\date{}"]
    lines += [r"\begin{document}", r"\maketitle"]
    names = iter(_named_tables(document))
    for section in document.sections:
        lines.append(rf"\section{{{escape_latex(section.title)}}}")
        for block in section.blocks:
            if isinstance(block, Paragraph):
                lines.append(escape_latex(block.text) + "\n")
            elif isinstance(block, Picture):
                lines += _figure(block, pictures_folder) if pictures_folder is not None else []
            else:
                name, _ = next(names)
                lines += [
                    r"\begin{table}[htbp]",
                    r"\centering",
                    rf"\caption{{{escape_latex(_caption(block))}}}",
                    rf"\label{{tab:{name}}}",
                    r"\setbox0=\hbox{\input{" + f"{TABLES_FOLDER}/{name}.tex" + "}}",
                    r"\ifdim\wd0>\linewidth\resizebox{\linewidth}{!}{\usebox0}\else\usebox0\fi",
                    r"\end{table}",
                ]
        lines.append(r"\clearpage")
    return "\n".join([lines[0], *_declared_characters(document), *lines[1:], r"\end{document}", ""])


def _figure(picture: Picture, folder: str) -> list[str]:
    canvas = picture.canvas
    caption = " ".join(filter(None, [f"{canvas.title}.", source_note(picture)]))
    size = r"width=\linewidth,height=0.85\textheight,keepaspectratio"
    return [
        r"\begin{figure}[htbp]",
        r"\centering",
        rf"\includegraphics[{size}]{{{folder}/{canvas.name}.pdf}}",
        rf"\caption{{{escape_latex(caption)}}}",
        rf"\label{{fig:{canvas.name}}}",
        r"\end{figure}",
    ]


def _caption(table: ReportTable) -> str:
    note = source_note(table)
    return f"{table.caption}. {note}" if note else table.caption


def _declared_characters(document: Document) -> Iterator[str]:
    """Yield definitions that print each character unknown to pdfLaTeX as U+XXXX.

    XeLaTeX and LuaLaTeX skip the definitions and use the characters of the font.
    """
    texts = [document.title]
    for section in document.sections:
        texts.append(section.title)
        texts += [block.canvas.title for block in section.blocks if isinstance(block, Picture)]
        texts += [block.text for block in section.blocks if isinstance(block, Paragraph)]
    for _, table in _named_tables(document):
        texts += [table.caption, *(column.name for column in table.columns)]
        texts += [cell for row in table.rows for cell in row]
    for character in sorted(set("".join(texts)) - _SPECIAL.keys()):
        code = ord(character)
        if code > _LAST_LATIN and not _PUNCTUATION[0] <= code <= _PUNCTUATION[1]:
            declared = rf"\DeclareUnicodeCharacter{{{code:04X}}}{{U+{code:04X}}}"
            yield rf"\ifdefined\DeclareUnicodeCharacter{declared}\fi"


def included_files(latex: str) -> set[str]:
    """Return the files of a LaTeX report: PDF pictures, and each table as LaTeX and CSV."""
    pictures = re.findall(r"\\includegraphics\[[^]]*\]\{([a-z]+/[a-z-]+\.pdf)\}", latex)
    return {*_included_tables(latex), *pictures}


def _included_tables(latex: str) -> set[str]:
    names = re.findall(rf"\\input\{{({TABLES_FOLDER}/[a-z0-9-]+)\.tex\}}", latex)
    return {f"{name}.{ending}" for name in names for ending in ("csv", "tex")}


def as_csv(table: ReportTable) -> str:
    """Return a table as CSV, with the cells as the report shows them."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in table.columns])
    writer.writerows(table.rows)
    return text.getvalue()


def as_tabular(table: ReportTable) -> str:
    """Return a table as a LaTeX ``tabular`` with the rules of booktabs."""
    kinds = "".join("r" if column.numeric else "l" for column in table.columns)
    lines = [rf"\begin{{tabular}}{{{kinds}}}", r"\toprule"]
    lines.append(_row([column.name for column in table.columns]))
    lines.append(r"\midrule")
    lines += [_row(row) for row in table.rows]
    return "\n".join([*lines, r"\bottomrule", r"\end{tabular}", ""])


def escape_latex(text: str) -> str:
    """Escape a text for LaTeX."""
    return "".join(_SPECIAL.get(character, character) for character in text)


def _row(cells: Sequence[str]) -> str:
    return " & ".join(map(escape_latex, cells)) + r" \\"


def _named_tables(document: Document) -> Iterator[tuple[str, ReportTable]]:
    """Yield each table with a unique file name, made from its caption."""
    known: set[str] = set()
    for section in document.sections:
        for block in section.blocks:
            if isinstance(block, ReportTable):
                short = block.caption.partition(" (")[0].lower().replace("@", "-at-")
                name = stem = re.sub(r"[^a-z0-9]+", "-", short).strip("-")[:60] or "table"
                number = 2
                while name in known:
                    name, number = f"{stem}-{number}", number + 1
                known.add(name)
                yield name, block
