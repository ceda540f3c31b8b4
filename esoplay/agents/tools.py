"""The files that a solver's command needs: its program, interpreters, and the tools on its PATH."""

# Paths are texts here: a link is a place of its own.
# ruff: noqa: PTH112, PTH114, PTH115, PTH117

from __future__ import annotations

import os
import pwd
import shutil
from collections.abc import Iterator, Sequence

from esoplay.agents.isolation import is_below
from esoplay.running.host.toolchain import SYSTEM, prefix_of

_MOST_LINKS = 40
_MOST_INTERPRETERS = 4  # a script's interpreter may be a script
_LINE = 512  # bytes of a script's first line
_EVERYWHERE = (*SYSTEM, "/etc", "/proc", "/dev", "/sys")


class Tools:
    """Finds what to show of the tools of one solver.

    path: its PATH.  hidden: folders that are never shown.  crowded: folders of the operator's in
    which other things lie than a tool; of a tool there, or above, the file alone is shown.
    """

    def __init__(self, path: str, hidden: Sequence[str], crowded: Sequence[str]):
        self._path = path
        self._hidden = hidden
        self._homes = _homes()
        self._crowded = (*self._homes, *crowded)

    def of_command(self, command: Sequence[str]) -> tuple[str, ...]:
        """What a command needs: its program, the paths among its arguments, PATH and Python."""
        found = [*self.of_program(command[0])]
        for word in command[1:]:
            path = word.partition("=")[2] if word.startswith("-") else word
            if path.startswith("/") and os.path.exists(path) and not self._too_wide(path):
                found.append(path)
        found += self._of_path()
        found += self._of_python(found)
        return tuple(dict.fromkeys(path for path in found if self._may_be_shown(path)))

    def of_program(self, program: str) -> Iterator[str]:
        """What a program needs: where it is installed, and the interpreter of a script."""
        for _ in range(_MOST_INTERPRETERS):
            found = shutil.which(program, path=self._path)
            if found is None:
                return
            place = os.path.abspath(found)
            for _ in range(_MOST_LINKS):
                yield self._installation(place)
                if not os.path.islink(place):
                    break
                place = os.path.join(os.path.realpath(os.path.dirname(place)), os.readlink(place))
                place = os.path.normpath(place)
            yield self._installation(os.path.realpath(place))
            program = _interpreter(place)
            if not program:
                return

    def _installation(self, place: str) -> str:
        """The folder that a program came with; the program alone where that holds more."""
        prefix = prefix_of(place)
        return place if self._too_wide(prefix) else prefix

    def _too_wide(self, folder: str) -> bool:
        """Whether a folder holds more than a tool."""
        if not os.path.isdir(folder):
            return False
        places = [folder, os.path.realpath(folder)]
        return folder.count("/") < 2 or any(
            is_below(one, [place]) for one in self._crowded for place in places
        )

    def _may_be_shown(self, path: str) -> bool:
        real = os.path.realpath(path)
        return not is_below(path, _EVERYWHERE) and not is_below(real, self._hidden)

    def _of_path(self) -> Iterator[str]:
        """The folders on PATH, with what was installed there; none in a home."""
        for folder in self._folders():
            if not is_below(folder, self._homes):
                prefix = os.path.dirname(folder) if folder.endswith("/bin") else folder
                yield folder if self._too_wide(prefix) else prefix

    def _of_python(self, shown: Sequence[str]) -> Iterator[str]:
        """What the client in the workspace is started with, where nothing shown has it yet."""
        places = [os.path.join(folder, "python3") for folder in self._folders()]
        there = [place for place in places if os.access(place, os.X_OK)]
        visible = (*SYSTEM, *shown)
        for place in there:
            if is_below(place, visible) and is_below(os.path.realpath(place), visible):
                return
        for place in there:
            if not _interpreter(place):  # a script that looks for Python would not find it
                yield from self.of_program(place)
                return

    def _folders(self) -> list[str]:
        return [os.path.normpath(one) for one in self._path.split(os.pathsep) if os.path.isabs(one)]


def _homes() -> tuple[str, ...]:
    """The homes of people, and the folder that such homes are in."""
    homes = {entry.pw_dir for entry in pwd.getpwall() if entry.pw_uid == 0 or entry.pw_uid >= 1000}
    homes |= {os.path.realpath(os.path.expanduser("~")), "/root", "/home"}  # noqa: PTH111
    return tuple(home for home in homes if home.count("/") > 1 or home in ("/root", "/home"))


def _interpreter(script: str) -> str:
    """The program that a script names in its first line; empty for what is not a script."""
    try:
        with open(script, "rb") as file:
            line = file.readline(_LINE)
    except OSError:
        return ""
    if not line.startswith(b"#!"):
        return ""
    words = os.fsdecode(line[2:]).split()
    if words and os.path.basename(words[0]) == "env":  # noqa: PTH119
        words = [word for word in words[1:] if not word.startswith("-") and "=" not in word]
    return words[0] if words else ""
