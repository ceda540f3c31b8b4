"""Sessions that earlier versions played: verified, regraded, shown, reported and continued.

``test_a_session_verifies_with_the_same_result`` runs the command that ``docs/formats.md`` shows.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from frozen_data import (
    DATA,
    FOR_PEOPLE,
    Command,
    Restore,
    Restored,
    differences,
    each_version,
    environment,
    read_json,
    read_lines,
    require_shipped_pack,
)

ROOT = Path(__file__).resolve().parents[2]
VERDICT = ("verified", "findings", "events", "head", "repeated", "submissions", "runs", "recorded")


ENGINES = (
    *("primary-closed", "primary-open", "relaxed", "one-shot", "practice", "library", "direct"),
    *("budget", "fixed-tests"),
)
"""Sessions whose programs need no process of their own; other sessions take longer to regrade."""


def has_secret_seed(export: Path) -> bool:
    return not read_json(export)["protocol"]["public_seed"]


def is_open(export: Path) -> bool:
    """Whether a problem is left to submit for."""
    standing = read_json(export.with_name("status.json"))
    counts = standing["counts"]
    return not standing["closed"] and any(counts[word] for word in ("pending", "active", "skipped"))


def pack_words(restored: Restored, export: Path) -> list[str | Path]:
    """The options that lead to the pack of an export."""
    return ["--pack", restored.pack] if read_json(export)["pack"]["id"] == "frozen" else []


def seed_words(restored: Restored, export: Path) -> list[str | Path]:
    """The options with the seed of an export, where it is not the public one."""
    secret = has_secret_seed(export)
    return ["--seed-file", restored.seed(export.parent.name)] if secret else []


def require_pack(export: Path) -> None:
    """Skip sessions with the pack that ships, where it was changed since."""
    if read_json(export)["pack"]["id"] == "esoplay-80":
        require_shipped_pack(export)


@pytest.mark.parametrize("export", each_version("sessions/*/session.json", fast=ENGINES))
def test_a_session_verifies_with_the_same_result(
    export: Path, restore: Restore, command: Command
) -> None:
    """Each verdict, each step count and each output by number, in the order of that version."""
    require_pack(export)
    restored = restore(export)
    words = [*seed_words(restored, export), *pack_words(restored, export), "--jobs", "2"]
    now = command.json("session", "verify", export, *words)
    frozen = read_json(export.with_name("verify.json"))
    assert {name: now[name] for name in VERDICT} == {name: frozen[name] for name in VERDICT}
    assert now["verified"]
    assert now["repeated"]


@pytest.mark.parametrize("export", each_version("sessions/*/session.json", has_secret_seed))
def test_the_log_verifies_without_the_seed(export: Path, command: Command) -> None:
    head = read_json(export)["head"]
    now = command.json("session", "verify", export, "--head", head)
    assert now["verified"]
    assert now["head"] == head


@pytest.mark.parametrize("export", each_version("sessions/*/session.json"))
def test_a_changed_verdict_is_still_found(export: Path, tmp_path: Path, command: Command) -> None:
    altered = tmp_path / "altered.json"
    text = export.read_text("utf-8")
    assert '"passed": ' in text
    altered.write_text(text.replace('"passed": ', '"passed": 1', 1), "utf-8")
    now = command.json("session", "verify", altered, status=1)
    assert now["findings"]


@pytest.mark.parametrize("export", each_version("sessions/*/session.json"))
def test_an_export_is_replayed(export: Path, command: Command) -> None:
    now = command.json("session", "replay", export)
    assert differences(read_json(export.with_name("replay.json")), now, FOR_PEOPLE) == []


@pytest.mark.parametrize("export", each_version("sessions/*/session.json"))
def test_an_export_gives_the_same_lines_of_events(export: Path, command: Command) -> None:
    now = [json.loads(line) for line in command("session", "events", export).splitlines()]
    assert differences(read_lines(export.with_name("events.jsonl")), now, ()) == []


@pytest.mark.parametrize("export", each_version("sessions/*/session.json"))
def test_an_export_is_reported(export: Path, restore: Restore, command: Command) -> None:
    require_pack(export)
    restored = restore(export)
    words = [*pack_words(restored, export), "--resamples", "100"]
    now = command.json("report", export, *words)
    assert differences(read_json(export.with_name("report.json")), now) == []


@pytest.mark.parametrize("report", each_version("sessions/report.json"))
def test_all_exports_are_reported_together(
    report: Path, restore: Restore, command: Command
) -> None:
    require_shipped_pack(report)
    restore(report)
    frozen = read_json(report)
    files = {read_json(file)["session"]: file for file in report.parent.glob("*/session.json")}
    order = [row["solver"] for row in read_json(report.with_name("list.json"))["sessions"]]
    by_solver = {read_json(file)["solver"]: file for file in files.values()}
    exports = [by_solver[solver] for solver in order]
    now = command.json("report", *exports, "--resamples", "100", "--keep-going")
    assert differences(frozen, now) == []


def test_the_example_of_the_page_verifies(tmp_path: Path) -> None:
    """The block of commands in docs/formats.md."""
    page = (ROOT / "docs" / "formats.md").read_text("utf-8")
    (block,) = re.findall(r"<!-- tested by tests/frozen/.*?-->\n```sh\n(.*?)```", page, re.DOTALL)
    commit = re.search(r"data/(\w+)/sessions", block)
    assert commit is not None
    own = tmp_path / "tests" / "frozen" / "data" / commit[1]
    shutil.copytree(DATA / commit[1], own)
    tool = tmp_path / "bin" / "esoplay"
    tool.parent.mkdir()
    tool.write_text(f'#!/bin/sh\nexec {sys.executable} -P -m esoplay "$@"\n', "utf-8")
    tool.chmod(0o755)
    shown = environment(tmp_path / "home")
    done = subprocess.run(
        ["sh", "-e", "-c", block],
        cwd=tmp_path,
        env=shown | {"PATH": f"{tool.parent}{os.pathsep}{shown['PATH']}"},
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert b": verified\n" in done.stdout


# The store


@pytest.mark.parametrize("listing", each_version("sessions/list.json"))
def test_a_store_lists_its_sessions(listing: Path, restore: Restore, command: Command) -> None:
    restore(listing)
    now = command.json("session", "list")
    assert differences(read_json(listing), now, FOR_PEOPLE) == []


@pytest.mark.parametrize("status", each_version("sessions/*/status.json"))
def test_a_frozen_session_has_the_same_status(
    status: Path, restore: Restore, command: Command
) -> None:
    require_pack(status.with_name("session.json"))
    restored = restore(status)
    words = ("--session", restored.session(status.parent.name))
    now = command.json("session", "status", *words)
    assert differences(read_json(status), now, FOR_PEOPLE) == []


@pytest.mark.parametrize("export", each_version("sessions/*/session.json"))
def test_a_frozen_store_exports_the_same_bytes(
    export: Path, restore: Restore, command: Command
) -> None:
    restored = restore(export)
    words = ("--session", restored.session(export.parent.name))
    now = command.json("session", "export", *words)
    assert differences(read_json(export), now, ()) == []


@pytest.mark.parametrize(
    "export", each_version("sessions/*/session.json", is_open, fast=("primary-open", "relaxed"))
)
def test_an_open_session_can_be_continued(
    export: Path, restore: Restore, command: Command, tmp_path: Path
) -> None:
    """A problem more is submitted; the whole log, old part and new, is then graded again."""
    before = read_json(export)
    require_pack(export)
    restored = restore(export)
    here = ("--session", before["session"])
    shown = command.json("session", "fetch", *here)
    program = tmp_path / "try"
    program.write_bytes(b"@" if before["language"] == "befunge-98" else b"[")  # ends at once
    command.json("session", "submit", *here, shown["problem"], program, status=1)
    command("session", "submit", *here, shown["problem"], program, status=None)
    after = tmp_path / "after.json"
    command("session", "export", *here, "-o", after)
    exported = read_json(after)
    assert exported["events"][: len(before["events"])] == before["events"]
    assert len(exported["events"]) > len(before["events"])
    words = [*seed_words(restored, export), *pack_words(restored, export), "--head", before["head"]]
    now = command.json("session", "verify", after, *words)
    assert now["verified"], now["findings"]
    command("session", "reveal", "--close", *here)


@pytest.mark.parametrize("workspace", each_version("work/primary-open"))
def test_a_session_is_found_from_its_workspace(
    workspace: Path, restore: Restore, command: Command, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The files of a workspace are the ones that were handed out, and nothing in it is foreign."""
    export = workspace.parents[1] / "sessions" / workspace.name / "session.json"
    require_pack(export)
    restored = restore(workspace)
    monkeypatch.chdir(restored.work / workspace.name)
    Path("try.bf").write_bytes(b",[.,]")
    answer = command.json("session", "submit", "E02", "try.bf", "--request-id", "workspace")
    assert answer["solved"]
    again = command.json("session", "submit", "E02", "try.bf", "--request-id", "workspace")
    assert again == answer
    reserved = [
        event["body"]
        for event in command.json("session", "export")["events"]
        if event["kind"] == "submission_reserved"
    ]
    assert reserved[-1]["workspace"]["seen"]
    assert reserved[-1]["workspace"]["files"] == reserved[-2]["workspace"]["files"]
    assert reserved[-1]["workspace"]["foreign"] == reserved[-2]["workspace"]["foreign"]


@pytest.mark.parametrize("export", each_version("sessions/*/session.json"))
def test_a_seed_is_revealed(export: Path, restore: Restore, command: Command) -> None:
    restored = restore(export)
    words = ("--session", restored.session(export.parent.name), "--close")
    now = command.json("session", "reveal", *words)
    if has_secret_seed(export):
        assert now["seed"] == restored.seed(export.parent.name).read_text("ascii").strip()
    assert now["seed_commitment"] == read_json(export)["seed_commitment"]


# Protocols


@pytest.mark.parametrize("protocols", each_version("sessions/protocols.json"))
def test_the_published_protocols_are_the_same(protocols: Path, command: Command) -> None:
    """What their names stand for may not change; further protocols may come."""
    now = {row["id"]: row for row in command.json("session", "protocols")["protocols"]}
    for row in read_json(protocols)["protocols"]:
        assert differences(row, now[row["id"]], FOR_PEOPLE) == []


@pytest.mark.parametrize("protocol", each_version("sessions/*.toml"))
def test_a_protocol_file_gives_the_same_row(protocol: Path, command: Command) -> None:
    (row,) = command.json("session", "protocols", protocol)["protocols"]
    frozen = read_json(protocol.with_suffix("") / "session.json")["protocol"]
    assert differences(frozen, row, FOR_PEOPLE) == []
