"""Seeds: how they are given, kept and promised."""

from __future__ import annotations

import os
import secrets
from pathlib import Path
from threading import Thread

import pytest

from esoplay.errors import UsageError
from esoplay.grading import seeds
from esoplay.grading.problem import PackName

PACK = PackName("tiny", "7")


def test_random_seeds_have_256_bits_and_differ() -> None:
    drawn = {seeds.random_seed() for _ in range(20)}
    assert len(drawn) == 20
    assert {len(seed) for seed in drawn} == {32}


def test_a_seed_is_a_name_hexadecimal_digits_or_any_text() -> None:
    assert seeds.parse_seed("practice") == seeds.PRACTICE_SEED
    assert seeds.parse_seed("0f" * 32) == b"\x0f" * 32
    assert len(seeds.parse_seed("7")) == 32
    assert seeds.parse_seed("7") != seeds.parse_seed("8")
    with pytest.raises(UsageError, match="empty"):
        seeds.parse_seed("")


def test_a_seed_has_256_bits_whatever_it_was_made_of() -> None:
    blanks = "0f" + " " * 62  # as many characters as a seed, and one byte
    assert len(seeds.parse_seed(blanks)) == 32
    assert len(seeds.parse_seed("\udcff")) == 32  # a byte from the shell that is not UTF-8


def test_a_seed_file_is_private_and_read_back(tmp_path: Path) -> None:
    seed = seeds.random_seed()
    seeds.write_seed_file(tmp_path / "seed", seed)
    assert (tmp_path / "seed").stat().st_mode & 0o777 == 0o600
    assert seeds.read_seed_file(tmp_path / "seed") == seed


def test_a_seed_file_is_never_overwritten(tmp_path: Path) -> None:
    seeds.write_seed_file(tmp_path / "seed", b"\x01" * 32)
    with pytest.raises(UsageError, match="exists"):
        seeds.write_seed_file(tmp_path / "seed", b"\x02" * 32)
    assert seeds.read_seed_file(tmp_path / "seed") == b"\x01" * 32


@pytest.mark.parametrize("mode", [0o640, 0o604, 0o620, 0o602, 0o644])
def test_a_seed_file_that_others_can_reach_is_refused(tmp_path: Path, mode: int) -> None:
    seeds.write_seed_file(tmp_path / "seed", seeds.random_seed())
    (tmp_path / "seed").chmod(mode)
    with pytest.raises(UsageError, match="chmod 600"):
        seeds.read_seed_file(tmp_path / "seed")


@pytest.mark.parametrize("text", ["", "abc", "g" * 64, "0" * 63, "0" * 64 + "\nmore"])
def test_a_seed_file_with_other_content_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "seed").write_text(text)
    (tmp_path / "seed").chmod(0o600)
    with pytest.raises(UsageError, match="64 hexadecimal digits"):
        seeds.read_seed_file(tmp_path / "seed")


def test_a_seed_file_with_spaces_for_digits_is_refused(tmp_path: Path) -> None:
    seeds.write_seed_file(tmp_path / "seed", seeds.random_seed())
    (tmp_path / "seed").write_text("0f" + " " * 61 + "0")
    with pytest.raises(UsageError, match="64 hexadecimal"):
        seeds.read_seed_file(tmp_path / "seed")


def test_a_seed_may_come_through_a_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(seeds, "SEED_SECONDS", 600)
    os.mkfifo(tmp_path / "seed", 0o600)
    seed = seeds.random_seed()

    def write() -> None:
        (tmp_path / "seed").write_text(seed.hex() + "\n")  # waits for the reader

    writer = Thread(target=write)
    writer.start()
    assert seeds.read_seed_file(tmp_path / "seed") == seed
    writer.join(60)


def test_a_pipe_without_a_writer_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(seeds, "SEED_SECONDS", 0.01)
    os.mkfifo(tmp_path / "seed", 0o600)
    with pytest.raises(UsageError, match=r"seed: nothing was written to it within 0\.01 seconds"):
        seeds.read_seed_file(tmp_path / "seed")


def test_a_folder_is_not_a_seed_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="Is a directory"):
        seeds.read_seed_file(tmp_path)


def test_a_missing_seed_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="nowhere"):
        seeds.read_seed_file(tmp_path / "nowhere")


def test_a_commitment_holds_only_for_its_seed_and_pack() -> None:
    seed, other = seeds.random_seed(), seeds.random_seed()
    promise = seeds.commitment(seed, secrets.token_bytes(seeds.SALT_LENGTH), PACK)
    assert seeds.commitment_holds(promise, seed, PACK)
    assert not seeds.commitment_holds(promise, other, PACK)
    assert not seeds.commitment_holds(promise, seed, PackName("tiny", "8"))
    assert not seeds.commitment_holds(promise, seed, PackName("tin", "y7"))
    assert not seeds.commitment_holds("nonsense", seed, PACK)
    assert not seeds.commitment_holds("a:zz:b", seed, PACK)


def test_a_commitment_shows_neither_seed_nor_that_two_seeds_are_the_same() -> None:
    seed = seeds.random_seed()
    promises = [
        seeds.commitment(seed, secrets.token_bytes(seeds.SALT_LENGTH), PACK) for _ in range(2)
    ]
    assert promises[0] != promises[1]
    assert all(seed.hex() not in promise for promise in promises)


def test_a_commitment_binds_the_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    seed = seeds.random_seed()
    promise = seeds.commitment(seed, secrets.token_bytes(seeds.SALT_LENGTH), PACK)
    monkeypatch.setattr(seeds, "GENERATOR_VERSION", seeds.GENERATOR_VERSION + 1)
    assert not seeds.commitment_holds(promise, seed, PACK)
