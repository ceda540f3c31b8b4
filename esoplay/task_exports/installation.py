"""The wheel or pip requirement from which exported tasks install esoplay.

An export contains a wheel, or names a requirement for pip such as ``esoplay==1.0``, or the user
adds a wheel later.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import NamedTuple

from esoplay.errors import UsageError
from esoplay.task_exports.plan import ExportOptions, ExportPlan

_SUFFIX = ".whl"
_ANY_WHEEL = "esoplay-*.whl"
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
    """Return esoplay's wheel; raise UsageError if it is unreadable or not a wheel of esoplay."""
    path = Path(install)
    if not _NAME.fullmatch(path.name):
        raise UsageError(
            f"--install: expected an esoplay wheel with a valid file name, not {path.name}"
        )
    try:
        return Wheel(path.name, path.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read {install}: {error.strerror}") from None


def readme_values(plan: ExportPlan, framework: str) -> dict[str, str]:
    """Return the values for all README templates: counts, versions, advice on a missing wheel."""
    head = plan.head(framework)
    version = head["esoplay"]
    missing = _MISSING.format(framework=framework, version=version)
    return {
        "version": version,
        "tasks": str(head["tasks"]),
        "pack": plan.pack.id,
        "advice": missing if plan.options.install is None else "",
    }


# Images, which install a wheel or a requirement


def image_wheel(options: ExportOptions) -> Wheel | None:
    """Return the wheel to copy into the export, from which images install esoplay, or None.

    None means that images install a pip requirement, or a wheel that the user adds later.
    """
    if options.install is None:
        return None
    if not options.install.endswith(_SUFFIX):
        _require_word("--install", options.install)
        return None
    return read_wheel(options.install)


def image_values(options: ExportOptions, wheel: Wheel | None) -> dict[str, str]:
    """Return the values for Dockerfile templates: the base image, and how to install esoplay."""
    if options.install is None:
        copy, install = f"COPY {_ANY_WHEEL} /tmp/\n", f"/tmp/{_ANY_WHEEL}"
    elif wheel is None:
        copy, install = "", shlex.quote(options.install)
    else:
        copy, install = f"COPY {wheel.name} /tmp/{wheel.name}\n", f"/tmp/{wheel.name}"
    return {"image": _require_word("--image", options.image), "copy": copy, "install": install}


def _require_word(option: str, text: str) -> str:
    """Return ``text`` if it is one word and not an option; raise UsageError otherwise."""
    if not text or not text.isprintable() or " " in text or text.startswith("-"):
        raise UsageError(
            f"{option}: expected one word that does not start with '-', found {text!r}"
        )
    return text
