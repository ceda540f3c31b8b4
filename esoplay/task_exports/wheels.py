"""What an export installs: the wheel of esoplay that it contains, or how to build one."""

from __future__ import annotations

import re
from pathlib import Path
from typing import NamedTuple

from esoplay.errors import UsageError

SUFFIX = ".whl"
ANY_WHEEL = "esoplay-*.whl"
_NAME = re.compile(r"esoplay-[\w.+!]+(-\d\w*)?(-[\w.]+){3}\.whl", re.ASCII)

_MISSING = """\
This export does not contain esoplay, and no package index has it. Build a wheel in a checkout of
esoplay, and export again with it:

    ESOPLAY_EXT=off make wheel
    esoplay export {framework} --install dist/esoplay-{version}-py3-none-any.whl …
"""


class Wheel(NamedTuple):
    """A wheel that is copied into an export."""

    name: str
    data: bytes


def read_wheel(install: str) -> Wheel:
    """Return esoplay's wheel.  Raises UsageError for another file, and if it cannot be read."""
    path = Path(install)
    if not _NAME.fullmatch(path.name):
        raise UsageError(
            f"--install: expected an esoplay wheel with a valid file name, not {path.name}"
        )
    try:
        return Wheel(path.name, path.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read {install}: {error.strerror}") from None


def missing_wheel_advice(framework: str, version: str) -> str:
    """Return how to get an export with a wheel, in Markdown."""
    return _MISSING.format(framework=framework, version=version)
