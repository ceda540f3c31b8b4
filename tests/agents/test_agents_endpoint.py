"""The scripted model endpoint: one script by three interfaces, whole and in events."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from typing import Any
from urllib.request import Request, urlopen

import pytest
from model_endpoint import ModelEndpoint

SCRIPT = [
    {"when": ["whitespace", "prove"], "turns": [{"say": "The other script."}]},
    {
        "when": "whitespace",
        "turns": [
            {
                "say": "I look.",
                "calls": [{"shell": "ls"}, {"write": "a.ws", "text": "x"}],
                "usage": {"input": 1000, "cached": 300, "output": 80, "reasoning": 30},
            },
            {"calls": [{"tool": "submit", "arguments": {"problem": "E01"}}]},
        ],
    },
]
PATHS = ("/v1/messages", "/v1/responses", "/v1/chat/completions")


@pytest.fixture
def endpoint() -> Iterator[ModelEndpoint]:
    with ModelEndpoint(SCRIPT) as served:
        threading.Thread(target=served.serve_forever, daemon=True).start()
        yield served
        served.shutdown()


def tools(path: str) -> list[dict[str, Any]]:
    """A shell, a tool that writes files, and a tool of an MCP server, as agents offer them."""
    if path == "/v1/messages":
        names = ("Bash", "Write", "mcp__esoplay__submit")
        return [{"name": name, "input_schema": {"type": "object"}} for name in names]
    if path == "/v1/responses":
        return [
            {"type": "function", "name": "exec_command", "parameters": {"type": "object"}},
            {"type": "custom", "name": "apply_patch"},
            {"type": "namespace", "name": "mcp__esoplay", "tools": [{"name": "submit"}]},
        ]
    names = ("bash", "write", "esoplay_submit")
    return [{"type": "function", "function": {"name": name}} for name in names]


def ask(endpoint: ModelEndpoint, path: str, stream: bool, *, known: str = "", **more: Any) -> str:
    request = {
        "model": "m",
        "stream": stream,
        "tools": tools(path),
        "messages": [{"role": "user", "content": f"Write whitespace. {known}"}],
        **more,
    }
    data = json.dumps(request).encode()
    with urlopen(Request(endpoint.url + path, data)) as answer:
        return answer.read().decode()


@pytest.mark.parametrize("path", PATHS)
@pytest.mark.parametrize("stream", [False, True])
def test_a_turn_is_answered_by_each_interface(
    endpoint: ModelEndpoint, path: str, stream: bool
) -> None:
    text = ask(endpoint, path, stream)
    assert "I look." in text
    assert text.count("text/event") == 0
    assert text.startswith("{") is not stream
    for expected in ("call_000_0", "call_000_1", "a.ws"):
        assert expected in text
    usage = {"/v1/messages": ("700", "300", "80")}.get(path, ("1000", "300", "80", "30"))
    assert all(f": {number}" in text for number in usage)
    assert "call_001_0" in ask(endpoint, path, stream, known="call_000_1 was done")
    assert "Nothing is left" in ask(endpoint, path, stream, known="call_001_0 was done")
    assert "The other script." in ask(endpoint, path, stream, known="prove it")
    assert [one["turn"] for one in endpoint.records] == [0, 1, None, 0]
    names = {"/v1/responses": ["submit"], "/v1/messages": ["mcp__esoplay__submit"]}
    assert endpoint.records[1]["calls"] == names.get(path, ["esoplay_submit"])
    if stream:
        events = [line[6:] for line in text.splitlines() if line.startswith("data: {")]
        assert all(isinstance(json.loads(event), dict) for event in events)


def test_a_request_without_tools_uses_no_turn_of_the_script(endpoint: ModelEndpoint) -> None:
    assert "A scripted session" in ask(endpoint, PATHS[2], stream=False, tools=[])
    assert endpoint.records[0]["turn"] is None
    assert endpoint.records[0]["usage"] == {"input": 50, "output": 5}
