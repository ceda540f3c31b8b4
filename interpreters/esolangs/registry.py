"""Which languages are installed: the folders beside this file that export ``LANGUAGE``.

Listing ids imports no language; a folder ``befunge_98`` has the id ``befunge-98``.
"""

from __future__ import annotations

import os
from importlib import import_module

from esolangs.errors import UnknownLanguage

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esolangs.language import Language


def language_ids() -> list[str]:
    """Ids of the installed languages, in alphabetical order."""
    here = os.path.dirname(__file__)
    return sorted(
        entry.name.replace("_", "-")
        for entry in os.scandir(here)
        if entry.is_dir() and os.path.exists(os.path.join(entry.path, "__init__.py"))
    )


def find_language(id: str) -> Language:
    """The language with this id; raises UnknownLanguage with the ids there are."""
    if id in language_ids():
        return import_module("esolangs." + id.replace("-", "_")).LANGUAGE
    raise UnknownLanguage(
        f"language {id!r} is not installed; installed: {', '.join(language_ids())}"
    )


def language_of_file(path: str) -> Language:
    """The language whose extension ``path`` has; raises UnknownLanguage."""
    extension = os.path.splitext(path)[1].lower()
    for id in language_ids():
        language = find_language(id)
        if extension in language.extensions:
            return language
    raise UnknownLanguage(
        f"no installed language has files ending in {extension!r}"
        if extension
        else f"{path!r} has no extension to tell its language by"
    )
