"""Export packs in the formats of EsoLang-Bench, and make output predictions from packs.

This module reads hidden tests, like the grader; the exported files are for operators.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b
from typing import Any

from esolangs.errors import EngineError
from esolangs.registry import find_language
from esoplay.errors import PackError
from esoplay.grading.datasets import DatasetCase
from esoplay.grading.hidden import hidden_tests
from esoplay.grading.predictions import DEFAULT_DIALECT, Prediction, PredictionSet
from esoplay.grading.problem import Pack, Problem
from esoplay.grading.seeds import SEED_LENGTH, Rng, commitment, encode_fields, report_salt
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT, run_source


def as_dataset(pack: Pack, seed: bytes, tests_key: str | None) -> dict[str, Any]:
    """Convert a pack to the JSON object of a data set file.

    ``tests_key`` is the key for tests, which differs between published files; None leaves tests
    out.  The published format has only inputs and outputs; other conditions of a test are members
    that only esoplay reads.  Raises PackError for an invalid judge.
    """
    metadata = {
        "name": pack.title,
        "version": pack.version,
        "pack": pack.id,
        "total_problems": len(pack.problems),
        "seed_commitment": commitment(seed, report_salt(seed), pack.name),
        **({} if pack.compare == "exact" else {"compare": pack.compare}),
    }
    return {
        "metadata": metadata,
        "problems": [_item(problem, seed, tests_key) for problem in pack],
    }


def make_predictions(
    pack: Pack, languages: Sequence[str], seed: bytes, *, prove: bool
) -> PredictionSet:
    """Make an output prediction, with a random input, from each reference program.

    Comments, which describe the approach, are removed unless this would change the run.  Each
    language has its own seed, derived from ``seed``, so that inputs reveal neither the tests of a
    session with ``seed`` nor the items of another language.  Ids and order do not reveal the
    problem. prove: check that each reference solves its problem.  Raises PackError if a reference
    is missing or fails.
    """
    items: list[Prediction] = []
    for language in languages:
        fields = encode_fields(seed, language)
        drawn = blake2b(fields, digest_size=SEED_LENGTH, person=b"esoplay.predict").digest()
        found = [(problem, problem.reference(language)) for problem in pack]
        cells = [(problem, source) for problem, source in found if source is not None]
        name = find_language(language).name
        mixed = Rng(drawn).fork("predictions").shuffle(cells)
        for number, (problem, source) in enumerate(mixed, 1):
            test = hidden_tests(problem, drawn)[0]
            item = Prediction(
                f"OP-{language}-{number:02}",
                f"A program in {name}",
                problem.tier,
                language,
                DEFAULT_DIALECT,
                _without_comments(source, language, test.input),
                test.input,
                test.expected,
            )
            if prove:
                _prove(item, problem)
            items.append(item)
    if not items:
        raise PackError(f"pack {pack.id} has no reference program to make output predictions from")
    title = f"Output predictions of {pack.title}"
    return PredictionSet(f"{pack.id}-predictions", pack.version, title, tuple(items))


def _without_comments(source: bytes, language: str, stdin: bytes) -> bytes:
    """Remove the comments of a program, unless this changes its outcome."""
    editing = find_language(language).editing()
    bare = editing.without_comments(source)
    if editing.strips_exactly or bare == source:
        return bare
    runs = [_run(program, language, stdin) for program in (source, bare)]
    return bare if runs[0] is not None and runs[0] == runs[1] else source


def _run(program: bytes, language: str, stdin: bytes) -> tuple[str, bytes, int] | None:
    try:
        outcome = run_source(
            language, program, dialect=DEFAULT_DIALECT, stdin=stdin, limits=GRADING_LIMITS
        )
    except EngineError:
        return None
    return outcome.status, outcome.stdout, outcome.steps


def _prove(item: Prediction, problem: Problem) -> None:
    try:
        outcome = item.run()
    except EngineError as error:
        raise PackError(f"{problem.folder}: the reference in {item.language}: {error}") from error
    if outcome.status != "ok" or outcome.stdout != item.output:
        raise PackError(
            f"{problem.folder}: the reference in {item.language} fails its first hidden test: "
            f"status {outcome.status}; expected status ok and the output of the test"
        )


def _item(problem: Problem, seed: bytes, tests_key: str | None) -> dict[str, Any]:
    item: dict[str, Any] = {
        "id": problem.id,
        "difficulty": problem.tier.replace("-", "_"),
        "title": problem.title,
        "category": problem.category,
        "description": problem.statement,
    }
    if problem.time_limit != TIME_LIMIT:
        item["time_limit"] = problem.time_limit
    for name, value in (("needs", problem.needs), ("files", problem.files)):
        if value:
            item[name] = list(value)
    server = problem.server()
    if server is not None:
        item["server"] = server
    if problem.examples:
        examples = [
            DatasetCase(each.input, each.output, each.invocation) for each in problem.examples
        ]
        item["public_examples"] = [example.as_json() for example in examples]
    if tests_key is not None:
        tests = hidden_tests(problem, seed)
        cases = [DatasetCase(test.input, test.expected, test.invocation) for test in tests]
        item[tests_key] = [case.as_json() for case in cases]
    return item
