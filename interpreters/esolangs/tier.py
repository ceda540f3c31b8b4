"""The tier that runs long programs, chosen with the environment variable ``ESOPLAY_TIER``."""

from __future__ import annotations

import os

from esolangs.errors import OptionError

TYPE_CHECKING = False

if TYPE_CHECKING:
    from typing import Literal

    Tier = Literal["core", "native", "auto"]

TIER_VARIABLE = "ESOPLAY_TIER"


def chosen_tier() -> Tier:
    """Return the tier that ``ESOPLAY_TIER`` names; ``auto`` if it is not set or empty.

    Raises OptionError for another value, and for ``native`` without the right version of wasmtime.
    """
    asked = os.environ.get(TIER_VARIABLE) or "auto"
    if asked == "core" or asked == "auto":
        return asked
    if asked != "native":
        raise OptionError(f'{TIER_VARIABLE} must be core, native or auto, not "{asked}"')
    from esolangs.wasmtime_library import MAJOR_VERSION, find_library  # imported late: uses ctypes

    if find_library() is None:
        raise OptionError(
            f"{TIER_VARIABLE}=native needs wasmtime {MAJOR_VERSION}, which is not installed\n"
            "try: pip install 'esoplay[native]', or unset ESOPLAY_TIER"
        )
    return "native"
