"""Output prediction: predict the output of a program for an input.

The format is that of EsoLang-Bench (``esolang_output_pred.json``): the fields of problems with
``code``, ``input``, ``expected_output`` and ``language``.  ``dialect`` is our addition; its default
is ``benchmark``.  Whitespace programs may be written with ``[S]``, ``[T]`` and ``[N]``.
"""

from __future__ import annotations

import json
import re
from base64 import b64decode
from pathlib import Path
from typing import Any, Literal, NamedTuple

from esolangs.errors import UnknownLanguage
from esolangs.limits import Limits
from esolangs.registry import find_language, language_ids
from esoplay.errors import PackError
from esoplay.grading.datasets import Dataset, ItemFields, parse_tier, read_dataset
from esoplay.grading.output_comparison import Compare, same_output
from esoplay.grading.packs import PREDICTIONS_FILE
from esoplay.running.run import GRADING_LIMITS, Outcome, run_source

DEFAULT_DIALECT = "benchmark"

_WHITESPACE_MARKS = {"[S]": " ", "[T]": "\t", "[N]": "\n"}
_VISIBLE = re.compile(r"(?:\[[STN]\]|\s)*")

Verdict = Literal["pass", "wrong_answer", "no_answer"]


class Prediction(NamedTuple):
    """A task to predict output: ``program`` prints ``output`` for ``input``."""

    id: str
    title: str
    tier: str
    language: str
    dialect: str
    program: bytes
    input: bytes
    output: bytes

    def run(self, limits: Limits = GRADING_LIMITS) -> Outcome:
        """Run the program in this process; raise EngineError if the dialect is unknown."""
        return run_source(
            self.language, self.program, dialect=self.dialect, stdin=self.input, limits=limits
        )

    def as_json_row(self) -> dict[str, Any]:
        """Return the fields that lists of items show."""
        return {
            "id": self.id,
            "title": self.title,
            "tier": self.tier,
            "language": self.language,
            "dialect": self.dialect,
        }

    def as_json(self) -> dict[str, Any]:
        """Return the fields that a solver may see: all except the output."""
        return {
            **self.as_json_row(),
            "program": self.program.decode(),
            "input": self.input.decode(),
        }


class PredictionSet(NamedTuple):
    """A set of output predictions, which are its items."""

    id: str
    version: str
    title: str
    items: tuple[Prediction, ...]

    def item(self, id: str) -> Prediction:
        """Return the item with this id, ignoring case; raise PackError if the id is unknown."""
        for item in self.items:
            if item.id.casefold() == id.casefold():
                return item
        raise PackError(
            f"item {id!r} is not in the set {self.id}; expected an id such as {self.items[0].id}"
        )

    def write(self, folder: Path) -> None:
        """Write the set into an empty folder; raise OSError if a file cannot be written."""
        (folder / PREDICTIONS_FILE).write_text(
            json.dumps(self.as_dataset(), ensure_ascii=False), "utf-8"
        )

    def as_dataset(self) -> dict[str, Any]:
        """Return the JSON object of the set's file, including outputs."""
        return {
            "metadata": {
                "name": self.title,
                "version": self.version,
                "task_type": "output_prediction",
                "total_problems": len(self.items),
                "languages_covered": sorted({item.language for item in self.items}),
            },
            "problems": [_published_json(item) for item in self.items],
        }


def convert_predictions(dataset: Dataset, *, id: str, title: str | None = None) -> PredictionSet:
    """Convert a data set to a set of output predictions.  Raise PackError for an invalid item."""
    items = tuple(_prediction(fields) for fields in dataset.items)
    return PredictionSet(id, dataset.version or "1", title or dataset.title or id, items)


def load_predictions(folder: Path, id: str) -> PredictionSet:
    """Read a set of output predictions from a folder written by :meth:`PredictionSet.write`.

    Raises PackError if it is invalid.
    """
    return convert_predictions(read_dataset(folder / PREDICTIONS_FILE), id=id)


def read_answers(data: bytes, name: str) -> dict[str, bytes]:
    """Read answers from JSON lines with ``id`` and ``output``; return them by lower-case id.

    ``output_base64`` is used for output that is not text.  Raises PackError, which names the line,
    if an answer is invalid.
    """
    answers: dict[str, bytes] = {}
    for number, line in enumerate(data.split(b"\n"), 1):
        if not line.strip():
            continue
        where = f"line {number}"
        try:
            raw: object = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise PackError(f"{name}: {where}: not valid JSON") from error
        fields = ItemFields(raw, name, where)
        id = fields.text("id").casefold()
        if id in answers:
            fields.refuse("id", f"{fields.text('id')} already has an answer in an earlier line")
        if fields.has("output_base64"):
            try:
                answers[id] = b64decode(fields.text("output_base64"), validate=True)
            except ValueError:
                fields.fail("output_base64", "base64", fields.value("output_base64"))
        else:
            answers[id] = fields.bytes("output")
    return answers


def judge(
    prediction_set: PredictionSet, answers: dict[str, bytes], compare: Compare = "exact"
) -> list[tuple[Prediction, Verdict]]:
    """Return the verdict on each item.  Raise PackError for an answer with an unknown id."""
    unknown = set(answers) - {item.id.casefold() for item in prediction_set.items}
    if unknown:
        raise PackError(
            f"the answers contain item {sorted(unknown)[0]!r}, which is not in {prediction_set.id}"
        )
    verdicts: list[tuple[Prediction, Verdict]] = []
    for item in prediction_set.items:
        answer = answers.get(item.id.casefold())
        if answer is None:
            verdicts.append((item, "no_answer"))
        else:
            passed = same_output(answer, item.output, compare)
            verdicts.append((item, "pass" if passed else "wrong_answer"))
    return verdicts


def _prediction(fields: ItemFields) -> Prediction:
    language = _language(fields)
    dialect = fields.line("dialect") if fields.has("dialect") else DEFAULT_DIALECT
    if dialect not in find_language(language).dialects:
        fields.fail("dialect", " | ".join(find_language(language).dialects), dialect)
    code = fields.bytes("code").decode()
    if language == "whitespace" and "[" in code and _VISIBLE.fullmatch(code):
        code = "".join(_WHITESPACE_MARKS[mark] for mark in re.findall(r"\[[STN]\]", code))
    return Prediction(
        fields.id(),
        fields.line("title"),
        parse_tier(fields),
        language,
        dialect,
        code.encode(),
        fields.bytes("input") if fields.has("input") else b"",
        fields.bytes("expected_output"),
    )


def _language(fields: ItemFields) -> str:
    name = fields.line("language")
    try:
        return find_language(re.sub(r"[\s_]+", "-", name.lower())).id
    except UnknownLanguage:
        fields.fail("language", " | ".join(language_ids()), name)


def _published_json(item: Prediction) -> dict[str, Any]:
    code = item.program.decode()
    if item.language == "whitespace":
        visible = {mark: word for word, mark in _WHITESPACE_MARKS.items()}
        code = "".join(visible.get(mark, "") for mark in code)
    return {
        "id": item.id,
        "language": item.language,
        "dialect": item.dialect,
        "difficulty": item.tier.replace("-", "_"),
        "title": item.title,
        "description": "Predict what this program prints for this input, to the byte.",
        "code": code,
        "input": item.input.decode(),
        "expected_output": item.output.decode(),
    }
