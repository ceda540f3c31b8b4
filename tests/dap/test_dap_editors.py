"""The folder that an editor loads says what the adapter does."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from esolangs.registry import find_language, language_ids

DOCS = Path(__file__).resolve().parents[2] / "docs"
FOLDER = DOCS / "editors" / "vscode"


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return json.loads((FOLDER / "package.json").read_text())


def test_every_language_is_known_to_the_editor(manifest: dict[str, Any]) -> None:
    known = {one["id"]: one["extensions"] for one in manifest["contributes"]["languages"]}
    assert known == {id: list(find_language(id).extensions) for id in language_ids()}
    debugger = manifest["contributes"]["debuggers"][0]
    assert set(debugger["languages"]) == set(language_ids())
    assert {one["language"] for one in manifest["contributes"]["breakpoints"]} >= set(known)


def test_the_editor_knows_the_arguments_that_the_page_explains(manifest: dict[str, Any]) -> None:
    debugger = manifest["contributes"]["debuggers"][0]
    properties = debugger["configurationAttributes"]["launch"]["properties"]
    section = (DOCS / "dap.md").read_text("utf-8").split("## launch")[1].split("## ")[0]
    explained = {
        name
        for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }
    assert explained - {"noDebug"} == set(properties)  # noDebug is a word of the protocol


def test_the_extension_is_a_script(manifest: dict[str, Any]) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to read it with")
    subprocess.run([node, "--check", str(FOLDER / manifest["main"])], check=True, timeout=60)
