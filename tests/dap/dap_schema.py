"""The published schema of the protocol, against which every message is held where it is at hand.

``ESOPLAY_DAP_SCHEMA`` names the file ``debugProtocol.json``, which the specification is made of;
``pip install debugpy`` brings one.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, cast

from jsonschema import Draft202012Validator

Message = Mapping[str, Any]

_BASES = {"ProtocolMessage", "Request", "Event", "Response"}
"""What others extend, and so must not be closed themselves."""


def checker() -> Callable[[Message], None]:
    """Fails for a message that the schema does not allow; without the file, believes all."""
    file = os.environ.get("ESOPLAY_DAP_SCHEMA")
    if not file:
        return lambda _message: None
    definitions: dict[str, Any] = json.loads(Path(file).read_text("utf-8"))["definitions"]
    for name, definition in definitions.items():
        if name not in _BASES:
            _close(definition)

    def check(message: Message) -> None:
        name = _definition_of(message)
        assert name in definitions, f"the protocol has no {name}"
        schema = {"definitions": definitions, "$ref": f"#/definitions/{name}"}
        Draft202012Validator(schema).validate(message)

    return check


def _definition_of(message: Message) -> str:
    if message["type"] == "event":
        return _capital(message["event"]) + "Event"
    if message["type"] == "request":
        return _capital(message["command"]) + "Request"
    return _capital(message["command"]) + "Response" if message["success"] else "ErrorResponse"


def _capital(name: str) -> str:
    return name[0].upper() + name[1:]


def _close(schema: dict[str, Any], extended: bool = False) -> None:
    """Allow no property that the schema does not speak of."""
    parts = cast("list[dict[str, Any]]", schema.get("allOf", []))
    for part in parts:
        _close(part, extended=True)
    if not extended and (parts or "properties" in schema) and "additionalProperties" not in schema:
        schema["unevaluatedProperties"] = False
    for inner in cast("dict[str, Any]", schema.get("properties", {})).values():
        _close(inner)
    if isinstance(schema.get("items"), dict):
        _close(schema["items"])
