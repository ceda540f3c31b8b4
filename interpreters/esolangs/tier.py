"""The tier that runs long programs, chosen with the environment variable ``ESOPLAY_TIER``."""

from __future__ import annotations

import os
import sys

from esolangs.errors import OptionError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Literal

    Tier = Literal["core", "native", "auto"]

VARIABLE = "ESOPLAY_TIER"


def chosen_tier() -> Tier:
    """Return the tier; ``core`` if the variable is not set or empty.

    Raises OptionError for another value, and for ``native`` if wasmtime is not installed.
    """
    asked = os.environ.get(VARIABLE) or "core"
    if asked == "core" or asked == "auto":
        return asked
    if asked != "native":
        raise OptionError(f'{VARIABLE} must be core, native or auto, not "{asked}"')
    if not _has_wasmtime():
        raise OptionError(
            f"{VARIABLE}=native needs wasmtime, which is not installed\n"
            "try: pip install 'esoplay[native]', or unset ESOPLAY_TIER"
        )
    return "native"


def _has_wasmtime() -> bool:
    if "wasmtime" in sys.modules:
        return sys.modules["wasmtime"] is not None  # pyright: ignore[reportUnnecessaryComparison]
    from importlib.util import find_spec

    return find_spec("wasmtime") is not None
