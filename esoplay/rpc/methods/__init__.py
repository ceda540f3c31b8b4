"""The method table, one module per family of methods.

Handlers only translate: JSON to a call of ``esoplay.service``, and its answer to JSON.
"""

from __future__ import annotations

from esoplay.rpc.methods import (
    about,
    control,
    counting,
    diagnosis,
    lessons,
    noting,
    problems,
    programs,
    provenance,
    recordings,
    sessions,
    source_maps,
    travel,
    watching,
)
from esoplay.rpc.table import Method

METHODS: dict[str, Method] = {}
METHODS["initialize"] = about.initialize_method(METHODS)
METHODS.update(
    (method.name, method)
    for family in (
        about,
        problems,
        lessons,
        programs,
        sessions,
        recordings,
        travel,
        provenance,
        counting,
        noting,
        watching,
        source_maps,
        diagnosis,
        control,
    )
    for method in family.METHODS
)
