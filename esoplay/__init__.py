"""esoplay: playground, time-travel debugger and grader for esoteric languages.

The names below are the public Python interface; they are loaded on first use. docs/api.md describes
them with examples.
"""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from esoplay.api import (
        CaseResult,
        GradeResult,
        RunResult,
        Timeline,
        Verification,
        grade,
        open_timeline,
        parse,
        run,
        verify,
    )

__all__ = [
    "CaseResult",
    "GradeResult",
    "RunResult",
    "Timeline",
    "Verification",
    "grade",
    "open_timeline",
    "parse",
    "run",
    "verify",
]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import esoplay.api as api

    return getattr(api, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
