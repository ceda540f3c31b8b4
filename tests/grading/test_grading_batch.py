"""Grading in bulk: the same verdicts as one by one, in the order of the submissions."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from grading_batches import QUICK, SECRET, SLOW, batch, read, spell
from hypothesis import given, settings
from hypothesis import strategies as st
from selection import slow_except

from esoplay.batch.protocol import BatchTerms
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.packs.grading import grade_source
from esoplay.running.worker import Worker


def check_against_single(
    folder: Path, submissions: list[tuple[str, str, bytes]], seed: bytes
) -> None:
    """A batch says of each what grading it alone says."""
    terms = BatchTerms(seed, "benchmark", "strip", None, "/")
    path, summary = batch(folder, [spell(*each) for each in submissions], terms)
    results = read(path)
    with Worker() as worker:
        for (problem, language, source), result in zip(submissions, results, strict=True):
            single = grade_source(
                problem,
                language,
                source,
                seed=seed,
                dialect="benchmark",
                compare="strip",
                worker=worker,
            ).as_json()
            assert {name: result[name] for name in single} == single
    assert summary.solved == sum(result["solved"] for result in results)
    assert summary.solved + summary.unsolved == len(submissions)


@pytest.mark.parametrize(
    "seed", slow_except([SECRET, PRACTICE_SEED], PRACTICE_SEED), ids=["secret", "practice"]
)
def test_results_match_single_gradings(seed: bytes, tmp_path: Path) -> None:
    few = [*QUICK[::2], *SLOW] if seed == SECRET else QUICK[1::4]
    check_against_single(tmp_path, few, seed)


RANDOM: list[st.SearchStrategy[tuple[str, str, bytes]]] = [
    st.tuples(
        st.sampled_from(["E01", "E02", "E08"]),
        st.just(language),
        st.lists(st.sampled_from(list(alphabet)), max_size=12).map(bytes),
    )
    for language, alphabet in {
        "brainfuck": b"+-<>[],.[]",
        "whitespace": b" \t\n",
        "unlambda": b"``````skivcde@|r",
    }.items()
]


@given(st.lists(st.one_of(*RANDOM), min_size=8, max_size=16))
@settings(max_examples=int(os.environ.get("ESOPLAY_BATCHES", "2")))
def test_outputs_of_random_programs_match(
    tmp_path_factory: pytest.TempPathFactory, submissions: list[tuple[str, str, bytes]]
) -> None:
    check_against_single(tmp_path_factory.mktemp("random"), submissions, SECRET)


@pytest.mark.slow
def test_bytes_do_not_depend_on_the_number_of_processes(
    whole: tuple[bytes, bytes], tmp_path: Path
) -> None:
    for jobs in (1, 3):
        folder = tmp_path / str(jobs)
        folder.mkdir()
        path, _ = batch(folder, whole[0].splitlines(), jobs=jobs)
        assert path.read_bytes() == whole[1]


def test_results_are_in_the_order_of_the_lines_with_number_and_id(
    whole: tuple[bytes, bytes],
) -> None:
    results = [json.loads(line) for line in whole[1].splitlines()]
    numbers = [result["line"] for result in results]
    assert numbers == [n for n in range(1, len(whole[0].splitlines()) + 1) if n != 8]  # blank
    assert [result["id"] for result in results if "id" in result] == [*range(len(QUICK))]
    bad = [result["error"]["message"] for result in results if result["status"] == "invalid"]
    assert [message.partition(":")[0] for message in bad] == [
        "not valid JSON",
        "language",
        "cannot read the JSON",
    ]


def test_a_submission_can_name_only_installed_packs(tiny: Path, tmp_path: Path) -> None:
    lines = [spell("T1", "brainfuck", b",[.,]", pack=name) for name in (str(tiny), "tiny")]
    lines.append(spell("E02", "brainfuck", b",[.,]", pack="esoplay-80"))
    path, _ = batch(tmp_path, lines, BatchTerms(SECRET, "standard", "exact", str(tiny), "/"))
    folder, unknown, own = read(path)
    assert "no installed pack" in folder["error"]["message"]
    assert "no installed pack 'tiny'" in unknown["error"]["message"]
    assert own["solved"]
