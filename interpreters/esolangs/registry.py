"""The registry of installed languages: the folders of this package that export ``LANGUAGE``.

Listing ids imports no language; a folder ``befunge_98`` has the id ``befunge-98``.
``ESOPLAY_LANGUAGES`` in the environment names a folder of further language folders,
which are also modules of this package.
"""

from __future__ import annotations

import os
import sys
from importlib import import_module

from esolangs.errors import UnknownLanguage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Iterator

    from esolangs.language import Language

_PACKAGE = sys.modules["esolangs"]  # not imported at run time, because it imports this module

_extra_folder = os.environ.get("ESOPLAY_LANGUAGES")
if _extra_folder and _extra_folder not in _PACKAGE.__path__:
    _PACKAGE.__path__.append(os.path.abspath(_extra_folder))


def language_ids() -> list[str]:
    """Return the ids of the installed languages in alphabetical order."""
    return sorted({name.replace("_", "-") for _, name in _folders()})


def find_language(id: str) -> Language:
    """Return the language with this id; raise UnknownLanguage if it is not installed."""
    name = id.replace("-", "_")
    # Servers look languages up for every run: do not search the disk for one that is imported.
    imported = getattr(sys.modules.get(f"esolangs.{name}"), "LANGUAGE", None)
    if imported is not None and imported.id == id:
        return imported
    if id == name.replace("_", "-") and any(name == other for _, other in _folders()):
        return import_module(f"esolangs.{name}").LANGUAGE
    raise UnknownLanguage(
        f"language {id!r} is not installed; installed: {', '.join(language_ids())}"
        f"{_suggest_language(id, language_ids())}"
    )


def _suggest_language(word: str, known: list[str]) -> str:
    from esolangs.wording import suggest  # late: needed only for errors

    return suggest(word, known)


def language_of_file(path: str) -> Language:
    """Return the language for the extension of ``path``; raise UnknownLanguage if none has it."""
    extension = os.path.splitext(path)[1].lower()
    for language in _candidates(extension):
        if extension in language.extensions:
            return language
    raise UnknownLanguage(
        f"no installed language has files ending in {extension!r}"
        if extension
        else f"{path!r} has no extension, so its language is unknown"
    )


def _folders() -> Iterator[tuple[str, str]]:
    """Yield the path and name of every language's folder."""
    for path in _PACKAGE.__path__:
        for entry in os.scandir(path):
            if os.path.exists(os.path.join(entry.path, "__init__.py")):
                yield entry.path, entry.name


def _candidates(extension: str) -> Iterator[Language]:
    """Yield all languages; the ones whose sample program has this extension come first."""
    folders = sorted(
        (not os.path.exists(os.path.join(path, f"sample{extension}")), name)
        for path, name in _folders()
    )
    for _, name in folders:
        yield find_language(name.replace("_", "-"))
