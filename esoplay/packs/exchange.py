"""Packs that come from other benchmarks and go to them: import, export, what is installed."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from esoplay.errors import PackError, UsageError
from esoplay.grading.datasets import problems_of, read_dataset
from esoplay.grading.exporting import as_dataset
from esoplay.grading.packs import (
    PREDICTIONS,
    find_installed,
    install,
    installed_ids,
    is_name,
    load_pack,
)
from esoplay.grading.predictions import load_predictions, predictions_of
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.packs.catalogue import OWN, get_pack

FORMATS = ("esolang-bench", "pair")


@dataclass(frozen=True, slots=True)
class InstalledPack:
    """A pack that is installed, or the one that ships.

    kind: ``problems``, ``predictions``, or ``broken`` when ``title`` says what is wrong with it.
    tests: digest of its fixed tests; empty where a seed makes them.
    """

    id: str
    version: str
    title: str
    kind: str
    count: int
    tests: str
    folder: Path | None

    def as_json(self) -> dict[str, Any]:
        return {
            "id": self.id,
            "version": self.version,
            "title": self.title,
            "kind": self.kind,
            "count": self.count,
            "tests": self.tests or None,
            "folder": None if self.folder is None else str(self.folder),
        }


def installed_packs() -> list[InstalledPack]:
    """The pack that ships, and the installed ones by id."""
    own = get_pack()
    shipped = InstalledPack(own.id, own.version, own.title, "problems", len(own.problems), "", None)
    return [shipped, *(_look(id, find_installed(id)) for id in installed_ids())]


def import_pack(
    public: Path,
    private: Path | None = None,
    *,
    id: str | None = None,
    title: str | None = None,
    replace: bool = False,
) -> InstalledPack:
    """Install the problems or the output predictions of a data set.

    ``private`` holds the tests, by id, that ``public`` leaves out.  Nothing of a file is run.
    Raises UsageError where a file cannot be read, the id is taken or is none, PackError where a
    file is not as it should be, and StoreError; then nothing was installed.
    """
    name = _id_of(public) if id is None else id
    if name == OWN:
        raise UsageError(
            f"{name!r} cannot be the id of a pack that is imported: it is that of the pack that "
            "ships; --id chooses another one"
        )
    if not is_name(name):
        raise UsageError(
            f"{name!r} cannot be the id of a pack that is imported: 1 to 64 letters, digits, "
            "'.', '_' or '-', beginning with no sign; --id chooses one"
        )
    dataset = read_dataset(public)
    if not dataset.predictions:
        hidden = None if private is None else read_dataset(private)
        problems = problems_of(dataset, hidden, id=name, title=title)
        folder = install(name, problems.write, replace=replace)
    elif private is None:
        predictions = predictions_of(dataset, id=name, title=title)
        folder = install(name, predictions.write, replace=replace)
    else:
        raise UsageError(f"{public} holds output predictions, which have no private file")
    return _look(name, folder)


def export_pack(
    chosen: str | Path | None = None,
    *,
    seed: bytes = PRACTICE_SEED,
    format: str = "esolang-bench",
) -> tuple[dict[str, Any], dict[str, Any] | None]:
    """The public and the private file of a pack under a seed.

    In the format ``esolang-bench`` there is one file, with the tests; in ``pair`` the tests stand
    in the private file alone.  Raises like ``get_pack``, and UsageError for an unknown format.
    """
    pack = get_pack(chosen)
    if format == "esolang-bench":
        return as_dataset(pack, seed, "input_output_examples"), None
    if format == "pair":
        public = as_dataset(pack, seed, None)
        return public, as_dataset(pack, seed, "test_cases")
    raise UsageError(f"no format {format!r}; there are: {', '.join(FORMATS)}")


def _id_of(file: Path) -> str:
    """``esolang_full_public.json`` is installed as ``esolang-full``."""
    stem = re.sub("[^a-z0-9]+", "-", file.stem.lower()).strip("-")
    return stem.removesuffix("-public")


def _look(id: str, folder: Path | None) -> InstalledPack:
    if folder is None:
        return InstalledPack(id, "", "vanished", "broken", 0, "", None)
    try:
        if (folder / PREDICTIONS).is_file():
            found = load_predictions(folder, id)
            return InstalledPack(
                id, found.version, found.title, "predictions", len(found.items), "", folder
            )
        pack = load_pack(folder)
    except (PackError, UsageError) as error:
        return InstalledPack(id, "", str(error), "broken", 0, "", folder)
    return InstalledPack(
        id, pack.version, pack.title, "problems", len(pack.problems), pack.tests, folder
    )
