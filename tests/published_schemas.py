"""The published JSON Schemas, against which tests hold real outputs."""

from __future__ import annotations

import json
from typing import Any

from jsonschema import Draft202012Validator
from shell import ROOT


def assert_valid(value: Any, name: str) -> None:
    """Fail if a value does not match the schema of a format in ``docs/schemas``."""
    schema = json.loads((ROOT / "docs/schemas" / f"{name}.schema.json").read_text("utf-8"))
    validator: Any = Draft202012Validator(schema)
    found = validator.iter_errors(value)
    assert [f"{each.json_path}: {each.message[:300]}" for each in found] == []
