"""Immutable data classes for the contents of a problem pack.

A :class:`Problem` contains the data that solvers may see, and the path of its folder, from which
the grader reads the hidden tests.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from esolangs.wording import similar_words
from esoplay.errors import PackError, UnknownProblem, UsageError
from esoplay.grading.output_comparison import Compare
from esoplay.running.invocation import PLAIN, ProgramInvocation
from esoplay.running.run import TIME_LIMIT

SOURCE_FILE = "source.py"
SERVER_FILE = "server.py"
MAX_SERVER_BYTES = 32 << 10
"""Maximum size in bytes of the program of a problem's server."""


class PackName(NamedTuple):
    """Id and version of a pack; hidden tests depend on both.

    tests_digest: hexadecimal digest of the fixed tests of its problems, or empty.
    """

    id: str
    version: str
    tests_digest: str = ""


class Example(NamedTuple):
    """Public test: input and exact expected output, arguments, exit status and stderr."""

    input: bytes
    output: bytes
    invocation: ProgramInvocation = PLAIN

    def as_json(self) -> dict[str, Any]:
        """Return the example as JSON for front ends and files."""
        pair = {"input": _text(self.input), "output": _text(self.output)}
        return pair | self.invocation.as_json()


class EdgeClass(NamedTuple):
    """A kind of hidden test; each of the six tests belongs to one edge class."""

    name: str
    description: str


class Range(NamedTuple):
    """Smallest and largest value of a quantity in the statement."""

    quantity: str
    least: int
    greatest: int


@dataclass(frozen=True, slots=True)
class Problem:
    """Problem, which is the same for all languages.

    statement: Markdown without a title.  hints: three hints of increasing detail.  folder: folder
    with ``judge.py`` or ``tests.json``, ``starters/``, ``references/`` and ``source.py``.
    tests_digest: hexadecimal BLAKE2b of ``tests.json``, or None if a judge makes the tests.  needs:
    required features in addition to input and output.  files: names without extension of the
    required files, if a submission must have several.
    compare: default comparison mode of the pack.  time_limit: maximum seconds of one run.
    """

    pack: PackName
    id: str
    title: str
    tier: str
    category: str
    statement: str
    examples: tuple[Example, ...]
    hints: tuple[str, ...]
    classes: tuple[EdgeClass, ...]
    ranges: tuple[Range, ...]
    folder: Path
    tests_digest: str | None = None
    compare: Compare = "exact"
    time_limit: float = TIME_LIMIT
    needs: tuple[str, ...] = ()
    files: tuple[str, ...] = ()

    @property
    def has_fixed_tests(self) -> bool:
        """Whether the tests are the same for every seed."""
        return self.tests_digest is not None

    @property
    def lane_requirements(self) -> str:
        """Required features that only host lanes (ordinary languages) have, as text; '' if none."""
        named = {"arguments": "arguments", "exit": "an exit status", "server": "a network"}
        words = [named[need] for need in self.needs]
        return " and ".join([*words, *(["several files"] if self.files else [])])

    def server(self) -> str | None:
        """Return the source of the server that runs during tests, or None."""
        if "server" not in self.needs:
            return None
        file = self.folder / SERVER_FILE
        try:
            source = file.read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise PackError(f"{file}: {error}") from error
        if len(source.encode()) > MAX_SERVER_BYTES:
            raise PackError(f"{file}: expected at most {MAX_SERVER_BYTES:,} bytes")
        return source

    def starter(self, language_id: str) -> bytes:
        """Return the program with which an editor starts: the pack's or else the language's."""
        own = self._program("starters", language_id)
        if own is not None:
            return own
        from esolangs.registry import find_language
        from esoplay.running.host.lanes import find_lane, is_lane
        from esoplay.running.host.source_files import join_files

        if is_lane(language_id):
            lane = find_lane(language_id)
            if not self.files:
                return lane.starter
            files = {f"{stem}{lane.extensions[0]}": b"" for stem in self.files}
            return join_files({**files, lane.source: lane.starter})
        return find_language(language_id).starter()

    def reference(self, language_id: str) -> bytes | None:
        """Return the handwritten program that solves the problem, or None."""
        return self._program("references", language_id)

    def solution_source(self) -> str | None:
        """Return the source of the problem's solution for ``esoplay generate``, or None."""
        file = self.folder / SOURCE_FILE
        try:
            return file.read_text("utf-8") if file.is_file() else None
        except (OSError, UnicodeDecodeError) as error:
            raise PackError(f"{file}: {error}") from error

    def as_json(self) -> dict[str, Any]:
        """Return the data that a front end may show, such as statement, examples and hints."""
        return {
            **self.as_json_row(),
            "statement": self.statement,
            "examples": [example.as_json() for example in self.examples],
            "ranges": {entry.quantity: [entry.least, entry.greatest] for entry in self.ranges},
            "hints": list(self.hints),
            **({} if self.compare == "exact" else {"compare": self.compare}),
        }

    def as_json_row(self) -> dict[str, Any]:
        """Return the fields for lists of problems."""
        return {"id": self.id, "title": self.title, "tier": self.tier, "category": self.category}

    def _program(self, kind: str, language_id: str) -> bytes | None:
        try:
            for path in sorted((self.folder / kind).glob("*")):
                if path.stem == language_id:
                    return path.read_bytes()
        except OSError as error:
            raise PackError(f"{self.folder / kind}: {error.strerror}") from error
        return None


@dataclass(frozen=True, slots=True)
class Pack:
    """Problem pack; problems are ordered by tier and then by id.

    categorizations: alternative categories of problems, by name of the categorization and id of the
    problem.
    """

    id: str
    version: str
    title: str
    tiers: tuple[str, ...]
    categories: tuple[str, ...]
    problems: tuple[Problem, ...]
    tests_digest: str = ""
    compare: Compare = "exact"
    categorizations: Mapping[str, Mapping[str, str]] = field(
        default_factory=dict[str, Mapping[str, str]], hash=False
    )

    @property
    def name(self) -> PackName:
        return PackName(self.id, self.version, self.tests_digest)

    def categories_by(self, categorization: str | None) -> dict[str, str]:
        """Return the category of each problem, by default in the pack's own categorization.

        Raises UsageError for an unknown categorization.
        """
        changes: Mapping[str, str] = {}
        if categorization is not None:
            if categorization not in self.categorizations:
                known = ", ".join(self.categorizations) or "none"
                raise UsageError(
                    f"unknown set of categories {categorization!r} of pack {self.id}; "
                    f"known: {known}"
                )
            changes = self.categorizations[categorization]
        return {problem.id: changes.get(problem.id, problem.category) for problem in self.problems}

    def as_json_head(self) -> dict[str, str]:
        """Return the fields that identify the pack in a list of problems."""
        return {"id": self.id, "version": self.version, "title": self.title}

    def __iter__(self) -> Iterator[Problem]:
        return iter(self.problems)

    def problem(self, id: str) -> Problem:
        """Return the problem with this id, ignoring case.

        Raises UnknownProblem if the pack has no problem with this id.
        """
        for problem in self.problems:
            if problem.id.casefold() == id.casefold():
                return problem
        first, last = self.problems[0].id, self.problems[-1].id
        words = f"problem {id!r} is not in pack {self.id}, which has {first} to {last}"
        like = self._closest_problem(id)
        raise UnknownProblem(f"{words}; did you mean {like}?" if like else words)

    def _closest_problem(self, id: str) -> str | None:
        """Return the id, or id and title, of the problem that is closest to an unknown id.

        E8 is close to E08; a word is close to a title that contains it.
        """
        word = id.strip().casefold()
        if not 0 < len(word) <= 80:
            return None
        letter, number = word[0], word[1:].lstrip("0")
        for each in self.problems:
            known = each.id.casefold()
            if number and known[0] == letter and known[1:].lstrip("0") == number:
                return each.id
        titled = [each for each in self.problems if len(word) > 2 and word in each.title.casefold()]
        if titled:
            return f"{titled[0].id} {titled[0].title}"
        titles = {each.title.casefold().replace(" ", "-"): each for each in self.problems}
        near = similar_words(word.replace(" ", "-"), titles) if len(word) > 3 else []
        if near:
            return f"{titles[near[0]].id} {titles[near[0]].title}"
        from difflib import get_close_matches  # imported late: only for this error

        ids = {each.id.casefold(): each.id for each in self.problems}
        return next((ids[near] for near in get_close_matches(word, ids, 1, 0.6)), None)


def _text(data: bytes) -> str:
    return data.decode("utf-8", "backslashreplace")
