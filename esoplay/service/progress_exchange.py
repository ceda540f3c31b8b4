"""Progress as one JSON object, to be kept or carried to another machine; see ``docs/progress.md``.

Merging loses nothing and may be repeated: afterwards each submission is there as often as it was in
the file or here, whichever is more, and bests follow from the submissions.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from esoplay.service.progress_reading import FORMAT, FORMAT_VERSION, LARGEST, read_progress
from esoplay.service.progress_store import Foreign, ProgressStore, Record
from esoplay.version import VERSION

__all__ = ["LARGEST", "Merged", "export_progress", "export_text", "import_progress"]

_HINTS, _LESSON_HINTS, _LESSONS = "hints ", "lesson hints ", "lessons done "


class Merged(NamedTuple):
    """What an import brought.  known: submissions that were here already."""

    submissions: int
    known: int
    programs: int
    others: int

    def words(self) -> str:
        """One sentence for people."""
        if not (self.submissions or self.programs or self.others):
            if not self.known:
                return "nothing new: there are no submissions in it"
            each = "its submission was" if self.known == 1 else f"its {self.known} submissions were"
            return f"nothing new: {each} here already"
        parts = [f"{self.submissions} submission{'' if self.submissions == 1 else 's'} imported"]
        if self.known:
            parts.append(f"{self.known} were here already")
        return ", ".join(parts)


# Exporting


def export_progress(store: ProgressStore) -> dict[str, Any]:
    """Everything that was achieved, with the programs of one's solutions."""
    records = store.records()
    digests = sorted({record.digest for record in records if record.digest is not None})
    programs = {digest: store.files.read(digest) for digest in digests}
    return {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "esoplay": VERSION,
        "submissions": [_submission(record) for record in records],
        "programs": {
            digest: b64encode(source).decode()
            for digest, source in programs.items()
            if source is not None
        },
        "others": [_other(each) for each in store.all_others()],
        "hints": _numbers(store.settings(_HINTS)),
        "lesson_hints": _numbers(store.settings(_LESSON_HINTS)),
        "lessons": {id: _slugs(done) for id, done in store.settings(_LESSONS).items()},
    }


def export_text(store: ProgressStore) -> str:
    """The object as a file holds it."""
    return json.dumps(export_progress(store), ensure_ascii=False, indent=1) + "\n"


def _submission(record: Record) -> dict[str, Any]:
    submission = record.submission
    return {
        "at": record.at,
        "day": record.day,
        "pack": record.pack,
        "problem": submission.problem,
        "language": record.language,
        "dialect": record.dialect,
        "verdicts": list(submission.verdicts),
        "steps": submission.steps,
        "size": submission.size,
        "memory": submission.memory,
        "program": record.digest,
    }


def _other(foreign: Foreign) -> dict[str, Any]:
    solution = foreign.solution
    return {
        "solver": solution.solver,
        "pack": foreign.pack,
        "problem": foreign.problem,
        "language": foreign.language,
        "program": foreign.digest,
        "steps": solution.steps,
        "size": solution.size,
        "memory": solution.memory or 0,
    }


def _numbers(table: dict[str, Any]) -> dict[str, int]:
    return {name: value for name, value in table.items() if type(value) is int and value >= 0}


def _slugs(value: object) -> list[str]:
    slugs = cast("list[object]", value) if isinstance(value, list) else []
    return sorted({slug for slug in slugs if isinstance(slug, str)})


# Importing


def import_progress(store: ProgressStore, data: bytes) -> Merged:
    """Merge a file; raises UsageError, before anything is changed, for one that cannot be read."""
    brought = read_progress(data)
    new = _missing(brought.records, store.records())
    missing = [
        source for digest, source in brought.programs.items() if store.files.read(digest) is None
    ]
    for source in missing:
        store.files.keep(source)
    foreign = sorted(set(brought.others) - set(store.all_others()))
    store.add(new)
    store.add_others(foreign)
    hints = {_HINTS + name: value for name, value in brought.hints.items()}
    hints |= {_LESSON_HINTS + name: value for name, value in brought.lesson_hints.items()}
    for name, value in hints.items():
        known = store.setting(name, 0)
        if not isinstance(known, int) or value > known:
            store.set_setting(name, value)
    for language, slugs in brought.lessons.items():
        known = _slugs(store.setting(_LESSONS + language, []))
        if not slugs <= set(known):
            store.set_setting(_LESSONS + language, sorted(slugs | set(known)))
    return Merged(len(new), len(brought.records) - len(new), len(missing), len(foreign))


def _missing(records: Sequence[Record], here: list[Record]) -> list[Record]:
    """Those that a file has more often than the store, by their times."""
    known = Counter(here)
    new: list[Record] = []
    for record in sorted(records, key=lambda record: record.at):
        if known[record]:
            known[record] -= 1
        else:
            new.append(record)
    return new
