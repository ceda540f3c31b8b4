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


def test_the_extension_declares_every_language(manifest: dict[str, Any]) -> None:
    known = {one["id"]: one["extensions"] for one in manifest["contributes"]["languages"]}
    assert known == {id: list(find_language(id).extensions) for id in language_ids()}
    debugger = manifest["contributes"]["debuggers"][0]
    assert set(debugger["languages"]) == set(language_ids())
    assert {one["language"] for one in manifest["contributes"]["breakpoints"]} >= set(known)


def test_the_extension_declares_the_launch_arguments_of_the_page(manifest: dict[str, Any]) -> None:
    debugger = manifest["contributes"]["debuggers"][0]
    properties = debugger["configurationAttributes"]["launch"]["properties"]
    section = (DOCS / "dap.md").read_text("utf-8").split("## launch")[1].split("## ")[0]
    explained = {
        name
        for row in re.findall(r"^\| (`.*?) \|", section, re.MULTILINE)
        for name in re.findall(r"`(\w+)`", row)
    }
    assert explained - {"noDebug"} == set(properties)  # noDebug is a word of the protocol


EDITOR = """\
const asked = [];
const debug = {
  registerDebugAdapterDescriptorFactory: (type, factory) => asked.push([type, factory]),
  registerDebugConfigurationProvider: (type, provider) => asked.push([type, provider]),
};
const settings = { get: (name, otherwise) => otherwise };
const vscode = {
  debug,
  window: { activeTextEditor: {} },
  workspace: { getConfiguration: () => settings },
  DebugAdapterExecutable: class { constructor(...told) { this.told = told; } },
};
const modules = require("node:module"), load = modules._load;
modules._load = (name, ...more) => (name === "vscode" ? vscode : load(name, ...more));
const context = { subscriptions: [] };
require(process.argv[1]).activate(context);
const [[type, factory], [same, provider]] = asked;
console.log(JSON.stringify([
  type, same, context.subscriptions.length,
  factory.createDebugAdapterDescriptor().told,
  provider.resolveDebugConfiguration(undefined, {}),
  provider.resolveDebugConfiguration(undefined, { type, program: "mine.bf" }),
]));
"""
"""As much of the editor as the extension speaks with."""


def test_the_extension_configures_the_command(manifest: dict[str, Any]) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node to run it with")
    command = [node, "-e", EDITOR, str(FOLDER / manifest["main"])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    type, same, kept, started, made, given = json.loads(done.stdout)
    assert type == same == manifest["contributes"]["debuggers"][0]["type"]
    assert kept == 2
    assert started == ["esoplay", ["dap"]]
    assert made["program"] == "${file}"
    assert given == {"type": type, "program": "mine.bf"}


def test_neovim_knows_every_extension() -> None:
    snippet = (DOCS / "dap.md").read_text("utf-8").split("```lua\n")[1].split("```")[0]
    known = dict(re.findall(r"(\w+) = '(\w+)',", snippet.split("extension = {")[1]))
    names = {extension: id for id in language_ids() for extension in find_language(id).extensions}
    assert known == {name[1:]: id.removesuffix("-98") for name, id in names.items()}
    types = re.findall(r"'(\w+)'", snippet.split("ipairs({")[1].split("}")[0])
    assert set(types) == set(known.values())
