"""Write the JSON Schemas of the protocol and of all file formats: ``generate.py FOLDER``.

``make schemas`` writes docs/schemas; a test fails while the committed ones are not current.
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from docs.schemas.formats import FORMATS  # noqa: E402 (the path comes first)
from docs.schemas.results import RESULTS  # noqa: E402
from docs.schemas.results_2 import RESULTS_2  # noqa: E402
from esoplay.rpc.methods import METHODS  # noqa: E402
from esoplay.rpc.methods.server import initialize_method  # noqa: E402
from esoplay.rpc.parameters import parameters_schema  # noqa: E402

DIALECT = "https://json-schema.org/draft/2020-12/schema"
PROTOCOLS = {1: ("json-rpc", RESULTS), 2: ("json-rpc-2", RESULTS_2)}
"""File and results by version of the protocol."""

Schema = dict[str, Any]


def schemas() -> Iterator[tuple[str, Schema]]:
    """Name and schema of the protocol, and of every format."""
    for version, (name, _results) in PROTOCOLS.items():
        yield name, protocol_schema(version)
    for name, (title, files, kind) in FORMATS.items():
        (schema,), definitions = components([kind])
        yield (
            name,
            {
                "$schema": DIALECT,
                "title": title,
                "description": f"Files: {files}",
                **schema,
                **({"$defs": definitions} if definitions else {}),
            },
        )


def components(types: list[Any]) -> tuple[tuple[Schema, ...], Schema]:
    """The schema of each type, and the definitions that these refer to by name."""
    found, definitions = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    for definition in definitions.values():
        if "description" in definition:  # a docstring, which some releases of msgspec do not dedent
            definition["description"] = inspect.cleandoc(definition["description"])
    return found, definitions


def protocol_schema(version: int = 1, *, closed: bool = False) -> Schema:
    """Params and result of each method, as ``$defs/METHOD.params`` and ``$defs/METHOD.result``.

    closed: results take no further members, for tests; a client must ignore those it does not know.
    """
    methods = {"initialize": initialize_method({}), **METHODS}
    _name, results = PROTOCOLS[version]
    assert methods.keys() == results.keys(), methods.keys() ^ results.keys()
    found, definitions = components(list(results.values()))
    if not closed:
        for definition in definitions.values():
            definition.pop("additionalProperties", None)
    members: Schema = {}
    for name, result in zip(results, found, strict=True):
        members[f"{name}.params"] = parameters_schema(methods[name].parameters_for(version))
        members[f"{name}.result"] = result
    return {
        "$schema": DIALECT,
        "title": f"esoplay serve, version {version} of the protocol",
        "description": "JSON-RPC 2.0: `$defs` has METHOD.params and METHOD.result of each method.",
        "$defs": {**members, **dict(sorted(definitions.items()))},
    }


def main(folder: Path) -> None:
    """Write all schemas into ``folder``."""
    for name, schema in schemas():
        text = json.dumps(schema, indent=1, ensure_ascii=False)
        (folder / f"{name}.schema.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
