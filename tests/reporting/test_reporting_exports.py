"""Exports that were altered or forged, and what their inventories say."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest
from report_sessions import CATALOGUE, PROBLEMS, play, report

from esoplay.reporting.document import as_text
from esoplay.reporting.played_sessions import ExportRefused, parse_inventory, read_session
from esoplay.reporting.report import ReportOptions, make_report
from esoplay.reporting.sections.document import write_report
from esoplay.reporting.usage import Usage
from esoplay.sessions.audit import audit
from esoplay.sessions.store import GENESIS, body_text, next_head


def test_an_altered_export_is_refused_by_name(exports: dict[str, bytes]) -> None:
    altered = exports["ant-1"].replace(b'"passed": 2', b'"passed": 6', 1)
    assert altered != exports["ant-1"]
    with pytest.raises(
        ExportRefused, match=r"^mine\.json: the export fails verification: event 10, "
    ):
        read_session("mine.json", altered)
    for text in (b"", b"[]", b"{}", b"\xff", b"[" * 100_000):
        with pytest.raises(ExportRefused, match="fails verification"):
            read_session("it", text)


FILE = (
    '{"helpers": {"a": "E1"}, "files": '
    '[{"path": "a.c", "kind": "generator", "sha256": "a", "size": %s, "language": "%s"}]}'
)


def forged(export: bytes, changes: Mapping[str, object], **of_first: object) -> bytes:
    """The same with other fields in all events, or in the first one's body; the chain holds."""
    found = json.loads(export)
    found["events"][0]["body"].update(of_first)
    head = GENESIS
    for event in found["events"]:
        event.update(changes)
        body = body_text(event["body"])
        numbers = (event["seq"], event["time_ms"])
        event["head"] = head = next_head(head, found["session"], *numbers, event["kind"], body)
    return json.dumps({**found, "head": head}).encode()


@pytest.mark.parametrize("time_ms", [-(10**30), 0, 10**30])
def test_a_log_with_impossible_times_is_reported(exports: dict[str, bytes], time_ms: int) -> None:
    session = read_session("it", forged(exports["ant-1"], {"time_ms": time_ms}))
    found = make_report([session], (), {"six": CATALOGUE}, Usage(), ReportOptions())
    assert found.standings[0].rate.solved == 4
    assert "4/6" in as_text(write_report(found), show_folded=True)


@pytest.mark.parametrize(
    ("field", "value", "complaint"),
    [
        ("problems", ["E1", "E1"], "a problem twice"),
        ("pack", "a\x1b[2J", "expected 1 to 400 printable characters"),
        ("pack_version", "x" * 1000, "expected 1 to 400 printable characters"),
    ],
)
def test_an_impossible_log_is_refused(
    exports: dict[str, bytes], field: str, value: object, complaint: str
) -> None:
    export = json.loads(exports["ant-1"])
    members = {"events": export["events"][:1], "programs": {}, "inputs": {}, "inventories": {}}
    packs = export["pack"]
    if field != "problems":
        packs["id" if field == "pack" else "version"] = value
    begun = {**export, **members, "reports": {}, "closed": False, "pack": packs}
    text = forged(json.dumps(begun).encode(), {}, **{field: value})
    assert audit(text).findings == []
    with pytest.raises(ExportRefused, match=complaint):
        read_session("it", text)


def test_an_invalid_inventory_counts_as_not_seen(exports: dict[str, bytes]) -> None:
    assert parse_inventory(None, "brainfuck") is None
    for text in (
        "",
        "[]",
        '{"files": [], "helpers": []}',
        FILE % ('"x"', "c"),
        FILE % ("1", "\\r"),
        FILE % ("-1", "c"),
        FILE % ("1e400", "c"),
    ):
        assert parse_inventory(text.encode(), "brainfuck") is None
    listed = (FILE % ("1", "c")).encode()
    assert parse_inventory(listed, "brainfuck") == ({"a": 1}, {"c"}, {"a": "E1"}, set())


def test_a_submitted_program_beside_its_source_map_is_counted(tmp_path: Path) -> None:
    program = b"SE2".ljust(10)  # what is handed in for E2, and lies in the workspace
    files = {"E2": {"out.bf": program, "out.bf.map.json": b"{}"}, "H1": {"out.bf": b"another"}}
    export = play(tmp_path, dict.fromkeys(PROBLEMS, "S"), files=files)
    (found,) = report({"it": export}).metaprogramming
    assert (found.seen, found.with_map) == (6, 1)


def test_programs_of_a_host_lane_are_not_generators() -> None:
    # A session in Python; its program begins with #!, by which the inventory knows languages.
    listed = (FILE % ("1", "python")).encode()
    assert parse_inventory(listed, "python") == ({}, set(), {"a": "E1"}, set())
    assert parse_inventory(listed, "javascript") == ({"a": 1}, {"python"}, {"a": "E1"}, set())
