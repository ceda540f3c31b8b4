"""Problems in esoteric languages for Inspect AI, judged by hidden tests.

Exported by esoplay 0.1.0: 1 samples of the pack esoplay-80.  The model sees what
samples.json holds; the tests are made of the seed beside it, in this process.
"""

from __future__ import annotations

from pathlib import Path

from anyio import to_thread
from inspect_ai import Task, task
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import ChatMessage, ChatMessageSystem, ChatMessageUser
from inspect_ai.scorer import CORRECT, INCORRECT, Score, Scorer, Target, accuracy, scorer, stderr
from inspect_ai.solver import TaskState, generate

from esoplay.task_exports.judging import Exported

EXPORTED = Exported(Path(__file__).resolve().parent)
KEPT = ("problem", "language", "title", "tier", "category")


@task
def esoplay(languages: str | list[str] | None = None, problems: str | list[str] | None = None) -> Task:
    """All samples, or those in some languages and of some problems, separated by commas."""
    chosen = [
        sample(record)
        for record in EXPORTED.samples
        if wanted(record["language"], languages) and wanted(record["problem"], problems)
    ]
    if not chosen:
        raise ValueError(f"no sample in {languages or 'any language'} of {problems or 'any problem'}")
    return Task(
        dataset=MemoryDataset(chosen, name="esoplay"),
        solver=generate(),
        scorer=hidden_tests(),
        version=EXPORTED.head["format"],
        metadata={name: EXPORTED.head[name] for name in ("pack", "dialect", "seed_commitment")},
    )


@scorer(metrics=[accuracy(), stderr()])
def hidden_tests() -> Scorer:
    """Correct where the program in the answer passes every hidden test."""

    async def score(state: TaskState, target: Target) -> Score:
        judged = await to_thread.run_sync(EXPORTED.judge, str(state.sample_id), state.output.completion)
        return Score(
            value=CORRECT if judged.solved else INCORRECT,
            answer=judged.program_text,
            explanation=judged.in_words(),
            metadata={"passed": judged.passed, "total": judged.total, "verdicts": dict(judged.verdicts)},
        )

    return score


def sample(record: dict) -> Sample:
    return Sample(
        id=record["id"],
        input=[message(each) for each in record["messages"]],
        metadata={name: record[name] for name in KEPT},
    )


def message(record: dict) -> ChatMessage:
    kind = ChatMessageSystem if record["role"] == "system" else ChatMessageUser
    return kind(content=record["content"])


def wanted(word: str, words: str | list[str] | None) -> bool:
    if words is None:
        return True
    listed = words.split(",") if isinstance(words, str) else words
    return word.casefold() in {each.strip().casefold() for each in listed}
