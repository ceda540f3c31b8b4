"""Looking into a workspace that may hold anything."""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from esoplay.sessions import inventory
from esoplay.sessions.hosts import (
    HOSTS,
    find_host_by_content,
    find_host_by_name,
    is_language_allowed,
)
from esoplay.sessions.inventory import InventoryEntry, take_inventory

OWN = (".bf", ".b")


def look(folder: Path) -> dict[str, InventoryEntry]:
    return {entry.path: entry for entry in take_inventory(folder, OWN).entries}


def test_files_are_distinguished_by_name_and_first_line(tmp_path: Path) -> None:
    contents = {
        "a.bf": b"+.",
        "deep/er/b.B": b"-",
        "gen.py": b"print()",
        "Makefile": b"all:",
        "tool": b"#!/usr/bin/env -S python3.11 -u\n",
        "run": b"#! /bin/sh -e\n",
        "odd": b"#!/opt/own/thing\n",
        "hidden.bf": b"#!/usr/bin/node\n",
        "prog": b"\x7fELF\x02\x01",
        "win": b"MZ\x90\0\x03",
        "notes.md": b"# how",
        "M.txt": b"MZ is no program",
        "data": b"",
        ".git/hooks/pre-push.sample": b"#!/bin/sh\n",
        ".git/hooks/pre-push": b"#!/bin/sh\n",
    }
    for name, content in contents.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(content)
    found = look(tmp_path)
    assert found.keys() == contents.keys()
    assert {name: (one.kind, one.language) for name, one in found.items()} == {
        "a.bf": ("program", None),
        "deep/er/b.B": ("program", None),
        "gen.py": ("generator", "python"),
        "Makefile": ("generator", "make"),
        "tool": ("generator", "python"),
        "run": ("generator", "shell"),
        "odd": ("generator", "script"),
        "hidden.bf": ("generator", "javascript"),
        "prog": ("generator", "binary"),
        "win": ("generator", "binary"),
        "notes.md": ("other", None),
        "M.txt": ("other", None),
        "data": ("other", None),
        ".git/hooks/pre-push.sample": ("other", None),
        ".git/hooks/pre-push": ("generator", "shell"),
    }
    for name, content in contents.items():
        assert found[name].sha256 == sha256(content).hexdigest()
        assert found[name].size == len(content)
    assert take_inventory(tmp_path, OWN).complete


def test_links_are_recorded_and_not_followed(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.mkdir()
    (secret / "seed").write_text("0" * 64)
    desk = tmp_path / "desk"
    desk.mkdir()
    (desk / "to-file.py").symlink_to(secret / "seed")
    (desk / "to-folder").symlink_to(secret)
    (desk / "round").symlink_to(desk)
    (desk / "nowhere").symlink_to(tmp_path / "none")
    found = look(desk)
    assert found.keys() == {"to-file.py", "to-folder", "round", "nowhere"}
    assert {one.kind for one in found.values()} == {"link"}
    assert {one.sha256 for one in found.values()} == {None}
    assert found["to-file.py"].language == "python"
    assert not take_inventory(desk, OWN).complete


def test_devices_and_pipes_are_not_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.bf")
    found = take_inventory(tmp_path, OWN)
    assert [(one.path, one.kind) for one in found.entries] == [("pipe.bf", "unread")]
    assert not found.complete


def test_a_folder_that_was_exchanged_for_a_link_is_not_looked_into(tmp_path: Path) -> None:
    (tmp_path / "private").mkdir()
    (tmp_path / "private" / "seed").write_text("0" * 64)
    (tmp_path / "link").symlink_to(tmp_path / "private")
    with pytest.raises(OSError, match="link"):
        take_inventory(tmp_path / "link", OWN)


def test_numbers_of_files_and_bytes_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inventory, "MAX_ENTRIES", 20)
    monkeypatch.setattr(inventory, "MAX_BYTES", 100)
    for number in range(30):
        (tmp_path / f"{number:02}").write_text("")
    found = take_inventory(tmp_path, OWN)
    assert (len(found.entries), found.complete) == (20, False)
    (tmp_path / "below").mkdir()
    (tmp_path / "below" / "large.py").write_bytes(b"x" * 101)
    (tmp_path / "below" / "odd").write_bytes(b"#!/bin/sh\n" + b"x" * 80)
    found = take_inventory(tmp_path / "below", OWN)
    large, odd = found.entries
    assert (large.sha256, large.size, large.language) == (None, 101, "python")
    assert odd.sha256 is not None
    assert not found.complete


def test_a_full_folder_hides_nothing_beside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inventory, "MAX_ENTRIES", 20)
    for number in range(30):
        (tmp_path / ".venv" / "lib").mkdir(parents=True, exist_ok=True)
        (tmp_path / ".venv" / "lib" / f"{number}.py").write_text("")
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "gen.rb").write_text("")
    found = look(tmp_path)
    assert found["tools/gen.rb"].language == "ruby"
    assert len(found) > 10


def test_the_depth_of_nested_folders_is_limited(tmp_path: Path) -> None:
    deepest = tmp_path.joinpath(*["d"] * (inventory.MAX_LEVELS + 5))
    deepest.mkdir(parents=True)
    (deepest / "gen.py").write_text("")
    (tmp_path / "a.bf").write_text("")
    found = take_inventory(tmp_path, OWN)
    assert [one.path for one in found.entries] == ["a.bf"]
    assert not found.complete


def test_an_inventory_of_a_missing_folder_raises(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        take_inventory(tmp_path / "none", OWN)
    (tmp_path / "file").write_text("")
    with pytest.raises(NotADirectoryError):
        take_inventory(tmp_path / "file", OWN)


NAMES = st.binary(min_size=1, max_size=12).filter(
    lambda name: b"/" not in name and b"\0" not in name and name not in (b".", b"..")
)


@settings(max_examples=40, deadline=None)
@given(st.dictionaries(NAMES, st.binary(max_size=80), max_size=6))
def test_any_name_and_content_is_listed_in_printable_text(
    tmp_path_factory: pytest.TempPathFactory, files: dict[bytes, bytes]
) -> None:
    folder = os.fsencode(tmp_path_factory.mktemp("any"))
    for name, content in files.items():
        with open(os.path.join(folder, name), "wb") as file:
            file.write(content)
    found = take_inventory(Path(os.fsdecode(folder)), OWN)
    assert found.complete
    assert sorted(one.sha256 or "" for one in found.entries) == sorted(
        sha256(content).hexdigest() for content in files.values()
    )
    assert all(one.path.isprintable() and one.path.encode() for one in found.entries)


@given(st.binary(max_size=200), st.text(max_size=30))
def test_any_content_and_any_name_has_a_known_host_or_none(first: bytes, name: str) -> None:
    known = {*HOSTS, "binary", "script", None}
    assert find_host_by_content(first) in known
    assert find_host_by_content(b"#!" + first) in known
    assert find_host_by_name(name) in known


def test_a_befunge_program_may_begin_like_a_script() -> None:
    assert find_host_by_content(b"#! v>  not a path") is None


def test_binaries_come_with_languages_that_compile() -> None:
    assert is_language_allowed(("rust",), "binary")
    assert not is_language_allowed(("python",), "binary")
    assert not is_language_allowed((), "binary")
    assert not is_language_allowed(("python", "rust"), "script")


def test_no_two_hosts_share_an_extension_or_an_interpreter() -> None:
    endings = [ending for host in HOSTS.values() for ending in host.extensions]
    programs = [word for host in HOSTS.values() for word in host.interpreters]
    assert len(endings) == len(set(endings))
    assert len(programs) == len(set(programs))
