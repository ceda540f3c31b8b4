# What the rest of the package sees of _pages.py (compiled: _pages_c).
from typing import Any

from esolangs.pages import PageGroup

def save_groups(
    memory: Any, itemsize: int, count: int, before: tuple[PageGroup, ...]
) -> tuple[PageGroup, ...]: ...
def load_groups(groups: tuple[PageGroup, ...], memory: Any, count: int) -> None: ...
