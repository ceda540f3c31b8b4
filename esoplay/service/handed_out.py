"""Whether the builders' library of a session is the one of this version, and was told right."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from esoplay.codegen.back_ends import back_end_ids
from esoplay.sessions.audit import Audit, Finding
from esoplay.sessions.library import VERSION_KEY, library, library_digest, library_of
from esoplay.sessions.store import digest


def check_library(look: Audit) -> tuple[list[Finding], list[str]]:
    """Findings and notes on the library that an audited session handed out, if it did.

    A file of it that an inventory calls ``given`` has to be the file that was handed out.
    """
    assert look.state is not None, "the log is whole"
    started = look.state.started
    told = started.versions.get(VERSION_KEY)
    if started.protocol.material != "library" and told is None:
        return [], []
    if started.protocol.material != "library" or told is None:
        text = "a library is named exactly where the protocol hands one out"
        return [Finding(1, f"versions.{VERSION_KEY}", text)], []
    known = started.language in back_end_ids()
    files: Mapping[str, str] = library(started.language) if known else {}
    if library_digest(files) != told:
        here = library_digest(files)[:12]
        unknown = "which of its files were unchanged was taken as recorded"
        return [], [f"the library was {told[:12]}…, is {here}… here: {unknown}"]
    given = {path: digest(text.encode()) for path, text in files.items()}
    findings: list[Finding] = []
    for record in look.records:
        inventory = look.blobs.get(record.body.get("inventory") or "")
        try:
            unchanged = {} if inventory is None else _unchanged(inventory)
        except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
            findings.append(Finding(record.seq, "inventory", "is no list of files"))
            continue
        for path, sha256 in library_of(unchanged).items():
            if path in given and sha256 != given[path]:
                text = f"{path} is called given, and is not the file that was handed out"
                findings.append(Finding(record.seq, "inventory", text))
    return findings, []


def _unchanged(inventory: bytes) -> dict[str, Any]:
    """The digests of the files that an inventory calls given."""
    files: list[dict[str, Any]] = json.loads(inventory)["files"]
    return {str(one["path"]): one.get("sha256") for one in files if one["kind"] == "given"}
