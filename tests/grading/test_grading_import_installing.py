"""Imported packs are installed whole, one at a time, and never in the place of others unasked."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from imported_items import item, nothing_installed

from esoplay.cli.main import main
from esoplay.errors import EsoplayError, PackError, UsageError
from esoplay.grading import packs as installed
from esoplay.grading.packs import install
from esoplay.packs.catalogue import get_pack
from esoplay.packs.exchange import import_pack, installed_packs


@pytest.mark.parametrize(
    "id", ["..", ".", "", "a/b", "../x", ".x", "-", "esoplay-80", "basics", "x" * 65]
)
def test_an_id_that_is_a_path_or_a_built_in_pack_is_refused(
    id: str, write: Any, home: Path
) -> None:
    with pytest.raises(UsageError, match=r"is not a pack id|is the id of a built-in pack"):
        import_pack(write([item()]), id=id)
    assert nothing_installed(home)
    assert not (home.parent / "x").exists()


def test_a_pack_is_replaced_only_with_the_option(write: Any, home: Path) -> None:
    import_pack(write([item()]))
    before = get_pack("set")
    with pytest.raises(UsageError, match="already installed; use --replace"):
        import_pack(write([item("E03")]))
    assert get_pack("set") == before
    with pytest.raises(PackError):
        import_pack(write([item("E03", title=None)]), replace=True)
    assert get_pack("set") == before
    import_pack(write([item("E03")]), replace=True)
    assert [problem.id for problem in get_pack("set")] == ["E03"]
    assert {path.name for path in (home / "packs").iterdir()} == {".lock", "set"}


def test_a_failed_installation_leaves_nothing(
    write: Any, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_pack(write([item()]))
    before = get_pack("set")

    def full(folder: Path) -> None:
        (folder / "something").write_text("written")
        raise OSError(28, "No space left on device")

    with pytest.raises(EsoplayError, match="No space left"):
        install("set", full, replace=True)
    with pytest.raises(EsoplayError, match="No space left"):
        install("other", full)
    assert get_pack("set") == before
    assert {path.name for path in (home / "packs").iterdir()} == {".lock", "set"}


def test_leftovers_of_a_killed_process_are_repaired(write: Any, home: Path) -> None:
    import_pack(write([item()]))
    packs = home / "packs"
    (packs / ".old-x").mkdir()
    (packs / "set").rename(packs / ".old-x" / "set")  # it died between two renames
    (packs / ".new-y").mkdir()
    assert "set" not in installed.installed_ids()
    import_pack(write([item("E03")], "next.json"))
    assert {path.name for path in packs.iterdir()} == {".lock", "next", "set"}
    assert get_pack("set").problem("E02").title == "Echo Line"


def test_packs_are_listed_by_the_command(
    write: Any, home: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["problems", "import", str(write([item()]))]) == 0
    (home / "packs" / "ruined").mkdir()
    assert main(["problems", "packs", "--json"]) == 0
    told = json.loads(capsys.readouterr().out.splitlines()[-1])["packs"]
    assert [(pack["id"], pack["kind"]) for pack in told] == [
        ("esoplay-80", "problems"),
        ("basics", "problems"),
        ("ruined", "broken"),
        ("set", "problems"),
    ]
    assert told[0]["tests"] is None
    assert told[3]["tests"] == get_pack("set").tests_digest
    assert main(["problems", "packs"]) == 0
    assert "1 problem, version 1, fixed tests" in capsys.readouterr().out
    assert main(["problems", "show", "E02", "--pack", "set"]) == 0
    assert "Print the line." in capsys.readouterr().out
    assert installed_packs()[2].kind == "broken"


def test_an_id_is_an_installed_pack_before_it_is_a_folder_here(
    write: Any, tiny: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import_pack(write([item()]), id="pack")
    monkeypatch.chdir(tiny.parent)
    assert get_pack("pack").problems[0].id == "E02"
    assert get_pack("./pack").problems[0].id == "T1"
    assert get_pack(Path("pack")).problems[0].id == "T1"


def test_one_process_installs_at_a_time(write: Any, home: Path) -> None:
    """Of many at once one wins, the others get an error, and the pack is complete."""
    import_pack(write([item()]), id="other")  # so that the folder is there
    files = [write([item(f"E{number:02}")], f"{number}.json") for number in range(8)]

    def attempt(file: Path) -> bool:
        try:
            import_pack(file, id="set")
        except UsageError:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        assert sum(pool.map(attempt, files)) == 1
    assert len(get_pack("set").problems) == 1
    assert {path.name for path in (home / "packs").iterdir()} == {".lock", "other", "set"}
