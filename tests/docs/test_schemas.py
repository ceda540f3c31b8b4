"""The committed JSON Schemas are current, and real files and conversations validate."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import pytest
from blocks import blocks
from jsonschema import Draft202012Validator
from shell import ROOT

from docs.schemas.formats import FORMATS
from docs.schemas.generate import protocol_schema, schemas
from docs.schemas.results import RESULTS
from esoplay.rpc.answers import resolve_texts
from esoplay.rpc.connection import Call, Connection
from esoplay.rpc.methods import METHODS
from esoplay.rpc.protocol import Request
from esoplay.rpc.table import dispatch

FOLDER = ROOT / "docs" / "schemas"
FROZEN = sorted(path for path in (ROOT / "tests/frozen/data").iterdir() if path.is_dir())
SAMPLES: dict[str, list[str]] = {
    "session-export": ["sessions/*/session.json", "agents/*/cells/**/session.json"],
    "report": ["sessions/report.json", "agents/report.json"],
    "evaluation": ["evaluations/*/evaluation.json", "derived/runs/*/evaluation.json"],
    "evaluation-results": ["evaluations/*/results.json", "derived/runs/*/results.json"],
    "transcript-line": ["evaluations/*/transcript.jsonl", "derived/runs/*/transcript.jsonl"],
    "rescored": ["derived/rescored.json"],
    "run-check": ["derived/run-check.json"],
    "view": ["derived/view.json"],
    "dataset": ["derived/runs/data/manifest.json"],
    "leaderboard": ["derived/leaderboard.json"],
    "roster": ["derived/two.toml"],
    "roster-results": ["derived/roster.json"],
    "submission-line": ["batch/submissions.jsonl"],
    "result-line": ["batch/results.jsonl"],
    "usage-line": ["agents/*/cells/**/usage.jsonl"],
    "agents-run": ["agents/*/run.json"],
    "agents-begun": ["agents/*/cells/**/begun.json"],
    "agents-result": ["agents/*/cells/**/result.json"],
    "source-map": ["programs/*.map.json"],
    "pack": ["packs/*/pack.toml", "derived/*/pack.toml"],
    "problem": ["packs/*/*/problem.toml", "derived/*/*/problem.toml"],
    "pack-compiled": ["home/packs/*/pack.json"],
    "fixed-tests": ["packs/*/*/tests.json", "derived/*/*/tests.json", "home/packs/*/*/tests.json"],
    "task-export": ["tasks/*/export.json"],
    "task-samples": ["tasks/*/samples.json"],
    "protocol": ["sessions/*.toml"],
    "grid": ["agents/grids/*.toml", "agents/*.toml"],
    "host-lane": ["lanes/*.toml"],
    "theme": ["home/themes/*.toml"],
    "keys": ["home/keys.toml"],
    "prices": ["evaluations/*.prices.toml"],
    "progress": ["progress/exported.json"],
    "notebook": ["home/notes/*.json"],
    "saved-breakpoints": ["home/kept/*.json"],
}
"""Files of earlier versions, by format."""
SHIPPED: dict[str, list[str]] = {
    "pack": ["problems/pack.toml"],
    "problem": ["problems/*/problem.toml"],
    "lesson": ["esoplay/learning/courses/*/*.toml"],
    "theme": ["themes/*.toml"],
    "host-lane": ["esoplay/running/host/lanes/*.toml"],
    "agent-manifest": ["esoplay/agents/manifests/*.toml"],
}
EXAMPLES = {
    "grid": ("docs/agents.md", 0),
    "agent-manifest": ("docs/agents.md", 2),
    "roster": ("docs/evaluation.md", 0),
    "prices": ("docs/evaluation.md", 1),
    "external-figures": ("docs/reports.md", 0),
    "host-lane": ("docs/host-lanes.md", 0),
    "lesson": ("docs/learning.md", 0),
    "protocol": ("docs/sessions.md", 0),
    "theme": ("docs/themes.md", 0),
    "keys": ("docs/keys.md", 0),
}
"""The block of TOML on a page that shows the format."""
WRONG: dict[str, tuple[str, Any]] = {
    "session-export": ("format_version", 99),
    "grid": ("solver", []),
    "protocol": ("submissions", 0),
    "lesson": ("view", "watch"),
    "host-lane": ("run", {}),
    "theme": ("primary", 3),
    "problem": ("hints", ["one"]),
    "source-map": ("version", 2),
    "progress": ("submissions", {}),
    "external-figures": ("corpora", {"size": {"brainfuck": 0}}),
    "prices": ("models", {"m": {"input": "free"}}),
    "roster": ("models", []),
}
"""A member of a good file that makes it a bad one."""


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator(json.loads((FOLDER / f"{name}.schema.json").read_text("utf-8")))


def values(file: Path, name: str) -> Iterator[Any]:
    """The JSON values of a file: one, or one a line."""
    if file.suffix == ".toml":
        yield tomllib.loads(file.read_text("utf-8"))
    elif name.endswith("-line"):
        for line in file.read_bytes().splitlines():
            with suppress(ValueError):  # the frozen batch has wrong lines too
                yield json.loads(line)
    else:
        yield json.loads(file.read_bytes())


def files(name: str) -> list[Path]:
    frozen = [
        path
        for folder in FROZEN
        for pattern in SAMPLES.get(name, [])
        for path in folder.glob(pattern)
    ]
    return frozen + [path for pattern in SHIPPED.get(name, []) for path in ROOT.glob(pattern)]


def test_the_committed_schemas_are_current() -> None:
    made = {f"{name}.schema.json": json.loads(json.dumps(each)) for name, each in schemas()}
    committed = {path.name: json.loads(path.read_text("utf-8")) for path in FOLDER.glob("*.json")}
    assert committed == made, "run `make schemas`"
    for schema in made.values():
        Draft202012Validator.check_schema(schema)


@pytest.mark.parametrize("name", sorted(SAMPLES.keys() | SHIPPED.keys()))
def test_files_of_each_format_match_their_schema(name: str) -> None:
    found = files(name)
    assert found, f"there is no file of the format {name}"
    for file in found:
        for value in values(file, name):
            if name == "submission-line" and not is_meant_to_be_read(value):
                continue
            errors = [
                f"{each.json_path}: {each.message}" for each in validator(name).iter_errors(value)
            ]
            assert not errors, (file, errors)


def is_meant_to_be_read(value: Any) -> bool:
    """Whether esoplay takes the line."""
    try:
        msgspec.convert(value, FORMATS["submission-line"].kind)
    except msgspec.ValidationError:
        return False
    return True


@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_on_pages_match_their_schema(name: str) -> None:
    page, number = EXAMPLES[name]
    text = [block.text for block in blocks(ROOT / page) if block.kind == "toml"][number]
    validator(name).validate(tomllib.loads(text))


@pytest.mark.parametrize("name", WRONG)
def test_an_invalid_file_does_not_match_its_schema(name: str) -> None:
    member, wrong = WRONG[name]
    file = files(name)[0] if files(name) else None
    page = EXAMPLES.get(name)
    if file is not None:
        value = next(values(file, name))
    else:
        assert page is not None
        value = tomllib.loads([b.text for b in blocks(ROOT / page[0]) if b.kind == "toml"][page[1]])
    assert not validator(name).is_valid({**value, member: wrong})


def test_every_format_has_a_sample() -> None:
    tried_elsewhere = {
        *("event-line", "client-state", "agents-call-line", "task-sessions"),
        *("pack-comparison", "evaluation-report", "combined-report"),
    }
    assert SAMPLES.keys() | SHIPPED.keys() | EXAMPLES.keys() | tried_elsewhere == FORMATS.keys()


# The protocol


def exchanges(file: Path) -> Iterator[tuple[str, Any, Any]]:
    """Method, params and result of the requests of a conversation that succeeded."""
    for line in file.read_text("utf-8").splitlines():
        turn = json.loads(line)
        requests: dict[Any, Any] = {}
        for sent in turn.get("send", []):
            try:
                message = json.loads(sent)
            except (TypeError, ValueError):
                continue
            for one in message if isinstance(message, list) else [message]:
                if isinstance(one, dict) and isinstance(one.get("id"), str | int):
                    requests[one["id"]] = one
        for received in turn.get("receive", []):
            for one in received if isinstance(received, list) else [received]:
                if "result" in one and one["id"] in requests:
                    request = requests[one["id"]]
                    yield request["method"], request.get("params", {}), one["result"]


def test_frozen_conversations_match_the_schema_of_the_protocol() -> None:
    closed = protocol_schema(closed=True)
    tried: set[str] = set()
    for folder in FROZEN:
        for file in sorted((folder / "serve").glob("*.jsonl")):
            for method, params, result in exchanges(file):
                check(closed, f"{method}.params", params or {}, file)
                check(closed, f"{method}.result", restored(result), file)
                check(protocol(), f"{method}.result", {**restored(result), "later": 1}, file)
                tried.add(method)
    for method, params in NEWER.items():
        result = performed(method, params)
        check(closed, f"{method}.params", params, Path(__file__))
        check(closed, f"{method}.result", result, Path(__file__))
        tried.add(method)
    assert tried == RESULTS.keys()


NEWER = {
    "generate": {"source": "def main():\n    print_int(7)\n", "language": "whitespace"},
}
"""Calls of methods that are newer than the recordings."""


def performed(method: str, params: dict[str, Any]) -> Any:
    call = Call(Request(method, params, id=1), Connection(), lambda _method, _params: None)
    call.begin()
    return resolve_texts(dispatch(METHODS, call))


@cache
def protocol() -> Any:
    return json.loads((FOLDER / "json-rpc.schema.json").read_text("utf-8"))


def check(schema: Any, name: str, value: Any, file: Path) -> None:
    found = Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": schema["$defs"]})
    assert not mistakes(found, value), (file.name, name)


def mistakes(schema: Draft202012Validator, value: Any) -> list[str]:
    return [f"{each.json_path}: {each.message[:300]}" for each in schema.iter_errors(value)]


def restored(value: Any) -> Any:
    """A result with lists in place of the digests by which fixtures replace long ones."""
    if isinstance(value, str):
        return [] if value.startswith("numbers with SHA-256 ") else value
    if isinstance(value, dict):
        return {name: restored(each) for name, each in value.items()}
    return [restored(each) for each in value] if isinstance(value, list) else value


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("run", {"langauge": "brainfuck"}),
        ("debug.step", {"debug": "d1", "count": 0}),
        ("debug.continue", {"debug": "d1", "until": [{"cel": 1}]}),
        ("session.submit", {}),
    ],
)
def test_invalid_params_do_not_match_the_schema(method: str, params: Any) -> None:
    found = Draft202012Validator({"$ref": f"#/$defs/{method}.params", "$defs": protocol()["$defs"]})
    assert not found.is_valid(params)
