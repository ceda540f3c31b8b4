"""What a tool is."""

from __future__ import annotations

from typing import Any, NamedTuple

from esoplay.rpc.mcp.schemas import NOTHING, Schema


class Tool(NamedTuple):
    """One tool.

    required, optional: parameters with their JSON schemas, named as those of the method, so that
    docs/json-rpc.md explains them as well.  answer, at_times: what its result always holds, and
    what it may hold.  reads: it changes nothing.  repeats: doing it twice is as good as doing it
    once.  final: it cannot be taken back.
    """

    name: str
    method: str
    title: str
    description: str
    required: Schema = NOTHING
    optional: Schema = NOTHING
    answer: Schema = NOTHING
    at_times: Schema = NOTHING
    reads: bool = False
    repeats: bool = False
    final: bool = False

    @property
    def parameters(self) -> dict[str, Any]:
        """The schemas of all that it takes, by name."""
        return {**self.required, **self.optional}

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON schema of what it takes."""
        return {
            "type": "object",
            "properties": self.parameters,
            "required": list(self.required),
            "additionalProperties": False,
        }

    @property
    def output_schema(self) -> dict[str, Any]:
        """The JSON schema of what it answers."""
        return {
            "type": "object",
            "properties": {**self.answer, **self.at_times},
            "required": list(self.answer),
        }
