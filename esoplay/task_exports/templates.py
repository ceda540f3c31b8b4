"""The data files in ``templates/``, filled in."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import lru_cache
from importlib.resources import files

_GAP = re.compile(r"\{\{([a-z_]+)\}\}")
_PACKAGE = "esoplay.task_exports"
_ENDING = ".in"
_CONTROL = re.compile("[\x7f\x80-\x9f]")


def names(framework: str) -> Iterator[str]:
    """The templates of a framework, in a fixed order."""
    folder = files(_PACKAGE) / "templates" / framework
    for file in sorted(folder.iterdir(), key=lambda file: file.name):
        yield file.name.removesuffix(_ENDING)


def filled(template: str, **values: str) -> bytes:
    """A template, such as ``harbor/task.toml``; what is put in is not looked into again."""
    return _GAP.sub(lambda gap: values[gap[1]], _text(template)).encode()


def quoted(text: str) -> str:
    """A string as TOML and Python spell it, in double quotes."""
    plain = json.dumps(text, ensure_ascii=False)
    return _CONTROL.sub(lambda found: f"\\u{ord(found[0]):04x}", plain)


@lru_cache
def _text(template: str) -> str:
    return (files(_PACKAGE) / "templates" / f"{template}{_ENDING}").read_text("utf-8")
