"""Method table; each module defines a group of methods.

Handlers only convert between JSON and calls of other packages.
"""

from __future__ import annotations

from esoplay.rpc.methods.history import COUNT_METHODS, DIAGNOSIS_METHODS, PROVENANCE_METHODS
from esoplay.rpc.methods.programs import LESSON_METHODS, PROBLEM_METHODS, PROGRAM_METHODS
from esoplay.rpc.methods.recordings import NOTE_METHODS, RECORDING_METHODS, SOURCE_METHODS
from esoplay.rpc.methods.server import CONTROL_METHODS, LANGUAGE_METHODS, initialize_method
from esoplay.rpc.methods.sessions import SESSION_METHODS
from esoplay.rpc.methods.travel import TRAVEL_METHODS, WATCH_METHODS
from esoplay.rpc.table import Method

METHODS: dict[str, Method] = {}
METHODS["initialize"] = initialize_method(METHODS)
METHODS.update(
    (method.name, method)
    for family in (
        LANGUAGE_METHODS,
        PROBLEM_METHODS,
        LESSON_METHODS,
        PROGRAM_METHODS,
        SESSION_METHODS,
        RECORDING_METHODS,
        TRAVEL_METHODS,
        PROVENANCE_METHODS,
        COUNT_METHODS,
        NOTE_METHODS,
        WATCH_METHODS,
        SOURCE_METHODS,
        DIAGNOSIS_METHODS,
        CONTROL_METHODS,
    )
    for method in family
)
