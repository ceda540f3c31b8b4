"""Find the tools of a lane on this machine."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from esoplay.running.host.lanes import HostLane

SYSTEM_FOLDERS = (
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/etc/alternatives",
)
"""System folders with programs and shared libraries, which every toolchain needs."""

_STOP_SECONDS = 60  # maximum seconds for a tool to print its version


@dataclass(frozen=True, slots=True)
class Toolchain:
    """Paths and version of a lane's tools.

    readable_paths: folders and files that the program's process must be able to read.  version:
    first line of the tool's version output.
    """

    placeholder_values: Mapping[str, str]
    readable_paths: tuple[str, ...]
    version: str


@lru_cache(32)
def _search_cached(lane_id: str, key: tuple[object, ...], path: str) -> Toolchain | str:
    del lane_id, path
    return _search(*key)  # type: ignore[arg-type]


def find_toolchain(lane: HostLane) -> Toolchain | None:
    """Return the toolchain of a host lane (a language such as Python); None if not installed.

    Results are cached.
    """
    found = _toolchain_or_reason(lane)
    return None if isinstance(found, str) else found


def missing_reason(lane: HostLane) -> str | None:
    """Return why a lane is not installed on this machine, or None if it is."""
    found = _toolchain_or_reason(lane)
    return found if isinstance(found, str) else None


def _toolchain_or_reason(lane: HostLane) -> Toolchain | str:
    tools = lane.toolchain_search
    key = (
        tools.command,
        tools.root,
        tools.executable,
        tools.version,
        tuple(tools.other_tools.items()),
        tools.readable_paths,
    )
    return _search_cached(lane.id, key, os.environ.get("PATH", ""))


def _search(
    command: Sequence[str],
    root_command: Sequence[str],
    executable: str,
    version_command: Sequence[str],
    other_tools: Sequence[tuple[str, Sequence[str]]],
    readable_paths: Sequence[str],
) -> Toolchain | str:
    tool = _find_on_path(command)
    if tool is None:
        return _missing_text(command)
    if root_command:
        told, complaint = _first_output_line(fill_placeholders(root_command, {"tool": tool}))
        if complaint:
            return complaint
        folder = os.path.realpath(told)
        if executable:
            tool = os.path.join(folder, executable)
    else:
        tool = os.path.realpath(tool)
        folder = installation_folder(tool)
    words = {"tool": tool, "root": folder}
    shown = [*SYSTEM_FOLDERS, folder, *readable_paths]
    for name, names in other_tools:
        other = _find_on_path(names)
        if other is None:
            return _missing_text(names)
        words[name] = os.path.realpath(other)
        shown.append(installation_folder(words[name]))
    said, complaint = _first_output_line(fill_placeholders(version_command, words))
    if complaint:
        return complaint
    return Toolchain(words, outermost_paths(shown), said)


def fill_placeholders(
    command: Sequence[str], values: Mapping[str, str], sources: Sequence[str] = ()
) -> list[str]:
    """Return a command with its placeholders replaced; other braces are left as they are.

    sources: arguments that replace the argument ``{sources}``.
    """
    result: list[str] = []
    for part in command:
        if part == "{sources}" and sources:
            result += sources
            continue
        for word, value in values.items():
            part = part.replace("{" + word + "}", value)
        result.append(part)
    return result


def _find_on_path(names: Sequence[str]) -> str | None:
    for name in names:
        found = sys.executable if name == "{python}" else shutil.which(name)
        if found:
            return found
    return None


def installation_folder(tool: str) -> str:
    """Return the installation folder of a tool: the parent of its ``bin``.

    For a package of Node.js, return the folder that also contains its dependencies.  For a tool in
    ``bin`` or ``.local/bin`` of a home folder, return the path of the tool itself.
    """
    before, packages, _ = tool.partition("/node_modules/")
    if packages:
        return f"{before}/node_modules"
    folder = os.path.dirname(tool)
    prefix = os.path.dirname(folder) if folder.endswith("/bin") else folder
    home = os.path.realpath(os.path.expanduser("~"))  # noqa: PTH111 - it never raises
    return tool if f"{home}/.local/".startswith(f"{prefix}/") else prefix


def _missing_text(names: Sequence[str]) -> str:
    words = ("python" if name == "{python}" else name for name in names)
    return f"{' or '.join(words)} not found on the PATH"


def _first_output_line(command: Sequence[str]) -> tuple[str, str]:
    """Return the first line of a tool's output and an error message; one of them is empty."""
    shown = " ".join(command)
    try:
        done = subprocess.run(
            command,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=_STOP_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return "", f"`{shown}` failed: {error}"
    said = _first_line(done.stdout)
    if done.returncode != 0 or not said:
        how = _first_line(done.stderr) or f"exit status {done.returncode}, no output"
        return "", f"`{shown}` failed: {how}"
    return said, ""


def _first_line(output: bytes) -> str:
    return output.decode("utf-8", "replace").strip().partition("\n")[0].strip()


def outermost_paths(paths: Sequence[str]) -> tuple[str, ...]:
    """Return the paths that are not inside an earlier path; symbolic links are not resolved."""
    kept: list[str] = []
    for path in dict.fromkeys(os.path.normpath(path) for path in paths):
        if path != "/" and not any(path.startswith(f"{other}/") for other in kept):
            kept.append(path)
    return tuple(kept)
