"""Import, export and list packs, including in formats of other benchmarks."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from esoplay.errors import PackError, UsageError
from esoplay.grading.datasets import convert_problems, read_dataset
from esoplay.grading.pack_export import as_dataset
from esoplay.grading.packs import (
    PREDICTIONS_FILE,
    find_installed,
    install,
    installed_ids,
    is_valid_id,
    load_pack,
)
from esoplay.grading.predictions import convert_predictions, load_predictions
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.grading.task_folders import read_task_folder
from esoplay.packs.catalogue import BUILT_IN, FURTHER_PACKS, get_pack

FORMATS = ("esolang-bench", "pair")


@dataclass(frozen=True, slots=True)
class InstalledPack:
    """An installed pack, or a built-in one.

    kind: ``problems``, ``predictions``, or ``broken`` for an unusable pack, whose ``title`` is the
    error message. tests_digest: digest of the pack's fixed tests; empty if a seed generates the
    tests.
    """

    id: str
    version: str
    title: str
    kind: str
    count: int
    tests_digest: str
    folder: Path | None

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "version": self.version,
            "title": self.title,
            "kind": self.kind,
            "count": self.count,
            "tests": self.tests_digest or None,
            "folder": None if self.folder is None else str(self.folder),
        }


def installed_packs() -> list[InstalledPack]:
    """Return the built-in packs, then the installed packs sorted by id."""
    shipped = [
        InstalledPack(one.id, one.version, one.title, "problems", len(one.problems), "", None)
        for one in map(get_pack, (None, *FURTHER_PACKS))
    ]
    return [*shipped, *(_read_installed(id, find_installed(id)) for id in installed_ids())]


def import_pack(
    public: Path,
    private: Path | None = None,
    *,
    id: str | None = None,
    title: str | None = None,
    replace: bool = False,
) -> InstalledPack:
    """Install the problems or the output predictions of a data set or a folder of tasks.

    ``private`` contains the tests, by id, that ``public`` leaves out. Nothing in a file is
    executed. Raises UsageError if a file cannot be read or the id is taken or invalid, PackError if
    a file is invalid, and StoreError if the pack cannot be saved; then nothing is installed.
    """
    name = _make_id(public) if id is None else id
    if name in (BUILT_IN, *FURTHER_PACKS):
        raise UsageError(f"{name!r} is the id of a built-in pack; choose another id with --id")
    if not is_valid_id(name):
        raise UsageError(
            f"{name!r} is not a pack id; expected 1 to 64 letters, digits, "
            "'.', '_' or '-', starting with a letter or digit; choose one with --id"
        )
    if public.is_dir():
        if private is not None:
            raise UsageError(
                f"{public} is a folder of tasks, which has no private file; omit {private}"
            )
        tasks = read_task_folder(public, id=name, title=title)
        return _read_installed(name, install(name, tasks.write, replace=replace))
    dataset = read_dataset(public)
    if not dataset.has_predictions:
        hidden = None if private is None else read_dataset(private)
        problems = convert_problems(dataset, hidden, id=name, title=title)
        folder = install(name, problems.write, replace=replace)
    elif private is None:
        predictions = convert_predictions(dataset, id=name, title=title)
        folder = install(name, predictions.write, replace=replace)
    else:
        raise UsageError(
            f"{public} contains output predictions, which have no private file; omit {private}"
        )
    return _read_installed(name, folder)


def export_pack(
    name: str | Path | None = None,
    *,
    seed: bytes = PRACTICE_SEED,
    format: str = "esolang-bench",
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """Return the contents of a pack's public file and, if the format has one, its private file.

    seed: generates the tests. The format ``esolang-bench`` has one file with the tests; in the
    format ``pair``, only the private file contains the tests. Raises UsageError for an unknown pack
    or format, and PackError for an invalid pack.
    """
    pack = get_pack(name)
    if format == "esolang-bench":
        return as_dataset(pack, seed, "input_output_examples"), None
    if format == "pair":
        public = as_dataset(pack, seed, None)
        return public, as_dataset(pack, seed, "test_cases")
    raise UsageError(f"unknown format {format!r}; expected {', '.join(FORMATS)}")


def _make_id(file: Path) -> str:
    """Return an id made from a file name: ``esolang-full`` for ``Esolang_full_public.json``.

    The extension and the suffix ``-public`` are removed; characters other than letters and digits
    become ``-``.
    """
    stem = re.sub("[^a-z0-9]+", "-", file.resolve().stem.lower()).strip("-")
    return stem.removesuffix("-public")


def _read_installed(id: str, folder: Path | None) -> InstalledPack:
    if folder is None:
        return InstalledPack(id, "", "folder not found", "broken", 0, "", None)
    try:
        if (folder / PREDICTIONS_FILE).is_file():
            found = load_predictions(folder, id)
            return InstalledPack(
                id, found.version, found.title, "predictions", len(found.items), "", folder
            )
        pack = load_pack(folder)
    except (PackError, UsageError) as error:
        return InstalledPack(id, "", str(error), "broken", 0, "", folder)
    return InstalledPack(
        id, pack.version, pack.title, "problems", len(pack.problems), pack.tests_digest, folder
    )
