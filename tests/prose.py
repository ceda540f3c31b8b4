"""Find phrases that ``docs/writing.md`` advises against: ``python tests/prose.py [PATH…]``.

Reads the prose of the repository: pages, docstrings, comments, messages, lessons and hints.  Code
between backquotes is left out, as are the strings of tests, which are data.  Prints a line for each
finding and exits with 1 if there is one.
"""

from __future__ import annotations

import ast
import io
import re
import subprocess
import sys
import tokenize
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parent.parent

WORDS = {
    r"(?<!there\s)\b(?:is|are|was|were|be|being) no\b"
    r"(?! (?:longer|more|fewer|less|later|earlier|larger|smaller|different)\b)": "is not a …; no …",
    r"\b(?:has|have|had) no [\w-]+ (?:that|which)\b": "without a …; no … found",
    r"\bnobody(?:'s)?\b": "no user, no client, nothing; or say who does it",
    r"\bin vain\b": "fails",
    r"\banew\b": "again",
    r"\bbehind\b": "after, past, below",
    r"\b(?:tells?|told|telling)\b(?! (?:[\w-]+ ){0,3}apart)": "report, return, show, print, say",
    r"\b(?:go|goes|going|gone|went) on (?:with|for)\b": "continue, resume; take longer than",
    r"\b(?:come|comes|came) to\b(?! an end)": "amount to, result in, reach",
    r"\bwhat (?:came|comes|becomes?|became|has become|had become) of\b": "the result of",
    r"\bcarr(?:y|ies|ied|ying) out\b": "run, execute, perform",
    r"\bfore(?:tells?|told|telling)\b": "predict",
    r"\b(?:take|takes|took|taken|taking) up\b": "open, resume, start",
    r"\bpresent (?:cell|instruction|line|position|program|state|step)\b": "current",
    r"\bbegun\b": "started",
    r"\bsettled?\b": "decided, finished",
    r"\bblanks\b": "whitespace, spaces, blank cells",
    r"\bparted\b": "separated, split",
    r"\bthose (?:that|who|of|which)\b": "name the things again",
    r"\bof no use\b": "invalid, not useful",
    r"\b(?:is|are|was|were|been?) kept\b": "saved, stored; remains",
    r"\b(?:as|for) ever\b": "as before; forever",
}
"""A pattern, and what to write instead.  A space stands for any whitespace."""

ALLOWED: dict[str, str] = {
    "diagnosis: problems may be left and taken up again": (
        "the purpose of a protocol, which the definition of a recorded run contains"
    ),
    'answer = ["nobody", "no one"': "answers that learners may type",
    'script.tell("Romeo"': "the name of a method of generated plays",
    "who tells the others what they are": "generated plays, which recorded programs contain",
    "who remembers what lies behind in": "generated plays, which recorded programs contain",
    '"not begun"': "the status of a session in JSON output, which is a frozen spelling",
}
"""Text in which a finding is meant as it is written, and the reason."""

SKIPPED = ("tests/frozen", "esoplay/evaluation/prompts", "problems/[EHMX]*")
"""Recorded data; prompts, statements and sources, whose digests evaluations and par contain."""

LESSONS_AND_HINTS = ("esoplay/learning", "esoplay/packs/language_hints", "problems/hints")
"""Folders of TOML files for learners."""

PATTERN = re.compile(
    "|".join(f"({each.replace(' ', chr(92) + 's+')})" for each in WORDS), re.IGNORECASE
)
PYTHON_STRINGS = {tokenize.STRING, getattr(tokenize, "FSTRING_MIDDLE", tokenize.STRING)}


class Text(NamedTuple):
    """A piece of prose: what is not prose in it is blanked out, so offsets stay."""

    line: int
    text: str


class Finding(NamedTuple):
    """A phrase to avoid.  ``line`` and ``column`` count from 1."""

    path: Path
    line: int
    column: int
    found: str
    instead: str

    def __str__(self) -> str:
        path = self.path.relative_to(ROOT) if self.path.is_relative_to(ROOT) else self.path.name
        place = f"{path}:{self.line}:{self.column}"
        return f"{place}: {' '.join(self.found.split())!r}: write {self.instead}"


def _hide(match: re.Match[str]) -> str:
    return re.sub(r"\S", "\N{MIDDLE DOT}", match[0])


def _markdown(source: str) -> Iterator[Text]:
    source = re.sub(r"^( *)(```+|~~~+).*?^ *\2", _hide, source, flags=re.DOTALL | re.MULTILINE)
    yield Text(1, source)


def _python(source: str, messages: bool) -> Iterator[Text]:
    docstrings = {
        (node.value.lineno, node.value.col_offset)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    }
    comment: list[str] = []
    first = last = 0
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            if comment and token.start[0] != last + 1:
                yield Text(first, "\n".join(comment))
                comment = []
            if not comment:
                first = token.start[0]
            last = token.start[0]
            comment.append(" " * token.start[1] + token.string)
        elif token.type in PYTHON_STRINGS and (messages or token.start in docstrings):
            if token.start in docstrings or " " in token.string.strip():
                yield Text(token.start[0], " " * token.start[1] + token.string)
    if comment:
        yield Text(first, "\n".join(comment))


def _toml(source: str) -> Iterator[Text]:
    tomllib.loads(source)
    yield Text(1, source)


def texts(path: Path) -> Iterator[Text]:
    """The prose of a file."""
    source = path.read_text(encoding="utf-8")
    if path.suffix == ".md":
        yield from _markdown(source)
    elif path.suffix == ".py":
        yield from _python(source, messages="tests" not in path.parts)
    elif path.suffix == ".toml":
        yield from _toml(source)


def findings(path: Path) -> Iterator[Finding]:
    """What should be written in other words."""
    for line, text in texts(path):
        shown = re.sub(r"`+[^`]+`+", _hide, text)
        for match in PATTERN.finditer(shown):
            if any(allowed in " ".join(text.split()) for allowed in ALLOWED):
                continue
            before = shown[: match.start()]
            yield Finding(
                path,
                line + before.count("\n"),
                match.start() - before.rfind("\n"),
                match[0],
                list(WORDS.values())[(match.lastindex or 1) - 1],
            )


def prose_files() -> list[Path]:
    """All files of the repository that contain prose of its own."""
    listed = subprocess.run(
        ["git", "ls-files", "*.md", "*.py", *LESSONS_AND_HINTS],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    paths = [ROOT / each for each in listed.stdout.split("\n") if each]
    return [
        path
        for path in paths
        if path.suffix in {".md", ".py", ".toml"}
        and not any(
            parent.match(folder) for parent in path.relative_to(ROOT).parents for folder in SKIPPED
        )
    ]


def main(arguments: list[str]) -> int:
    chosen = [Path(each).resolve() for each in arguments]
    paths = [path for path in chosen if path.is_file()] + [
        path
        for path in prose_files()
        if not chosen or any(path.is_relative_to(each) for each in chosen if each.is_dir())
    ]
    found = [finding for path in paths for finding in sorted(findings(path))]
    for finding in found:
        print(finding)
    if found:
        print(f"{len(found)} phrases to rewrite; see docs/writing.md", file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
