"""From what a user wants to all trials of an evaluation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from esolangs.errors import EngineError
from esolangs.registry import find_language, language_ids
from esoplay.errors import PackError, UsageError
from esoplay.evaluation import foretelling
from esoplay.evaluation.prompts import Setting, solved_examples
from esoplay.evaluation.regimes import REGIMES
from esoplay.evaluation.running import Plan
from esoplay.evaluation.trials import TaskName, Terms, Trial, choose
from esoplay.grading.datasets import TIERS
from esoplay.grading.grader import Compare
from esoplay.grading.predictions import Prediction, PredictionSet
from esoplay.grading.problem import PackName, Problem
from esoplay.grading.seeds import commitment, report_salt
from esoplay.packs.catalogue import get_pack, resolve_pack
from esoplay.packs.predictions import get_predictions, own_predictions
from esoplay.programs.host_lanes import known_id
from esoplay.sessions.tongue import Tongue, tongue_of

ATTEMPTS = 5
"""Programs that a regime tries at most; an agent loop has one more, before its repairs."""


@dataclass(frozen=True, slots=True)
class Wishes:
    """What an evaluation is to be; see ``esoplay eval --help``.

    languages, regimes: by their ids; ``all`` for each there is.  options: of the dialect.
    items: an installed set of output predictions or a file of them, instead of own ones.
    """

    model: str
    asked: str
    languages: Sequence[str]
    regimes: Sequence[str]
    task: TaskName = "solve"
    problems: Sequence[str] | None = None
    runs: int = 1
    attempts: int = ATTEMPTS
    temperature: float | None = None
    max_tokens: int | None = None
    sampling_seed: int | None = None
    extra: Mapping[str, Any] | None = None
    dialect: str = "benchmark"
    options: Mapping[str, str] | None = None
    compare: Compare = "exact"
    pack: str | None = None
    items: str | None = None
    card: bool = True
    bare: bool = False


def plan_of(wishes: Wishes, seed: bytes) -> tuple[Plan, Terms]:
    """All trials in their order, and the terms they hold under.

    The runs come one after the other, in each run the languages and regimes as they were named.
    Raises UsageError and PackError.
    """
    languages = _languages(wishes)
    regimes = _regimes(wishes)
    settings = {
        language.id: Setting(
            language, wishes.dialect, wishes.options or {}, wishes.card, wishes.bare
        )
        for language in languages
    }
    if "few-shot" in regimes:
        for language in languages:
            if not solved_examples(language):
                raise UsageError(f"few-shot needs solved examples; {language.name} has none")
    pack = None if wishes.pack is None else str(resolve_pack(wishes.pack) or wishes.pack)
    name, tiers, chosen = _items(wishes, languages, seed, pack)
    plan = Plan(
        trials=[
            Trial(wishes.task, language.id, regime, item.id, run)
            for run in range(1, wishes.runs + 1)
            for language in languages
            for regime in regimes
            for item in chosen[language.id]
        ],
        settings=settings,
        items={(id, item.id): item for id, items in chosen.items() for item in items},
        tiers=tiers,
        attempts=wishes.attempts,
        sampling_seed=wishes.sampling_seed,
        seed=seed,
        compare=wishes.compare,
        pack=pack,
    )
    terms = Terms(
        model=wishes.model,
        asked=wishes.asked,
        temperature=wishes.temperature,
        max_tokens=wishes.max_tokens,
        sampling_seed=wishes.sampling_seed,
        extra=wishes.extra or {},
        dialect=wishes.dialect,
        options=wishes.options or {},
        compare=wishes.compare,
        pack=name.id,
        pack_version=name.version,
        items=wishes.items,
        seed_commitment=commitment(seed, report_salt(seed), name),
        card=wishes.card,
        bare=wishes.bare,
        attempts=wishes.attempts,
    )
    return plan, terms


def _languages(wishes: Wishes) -> list[Tongue]:
    named = language_ids() if list(wishes.languages) == ["all"] else wishes.languages
    found: dict[str, Tongue] = {}
    try:
        for id in (known_id(word.strip().lower()) for word in named):
            found[id] = tongue_of(id, wishes.dialect)
            if not found[id].lane:
                find_language(id).configure(wishes.dialect, wishes.options)
            elif wishes.options:
                raise UsageError(f"--set is about dialects; {found[id].name} has none")
    except EngineError as error:
        raise UsageError(str(error)) from None
    return list(found.values())


def _regimes(wishes: Wishes) -> list[str]:
    there = list(REGIMES) if wishes.task == "solve" else list(foretelling.REGIMES)
    named = there if list(wishes.regimes) == ["all"] else [each.strip() for each in wishes.regimes]
    for regime in named:
        if regime not in there:
            raise UsageError(
                f"--regime takes {', '.join(there)} or all for this task, not {regime!r}"
            )
    return list(dict.fromkeys(named))


def _items(
    wishes: Wishes, languages: Sequence[Tongue], seed: bytes, pack: str | None
) -> tuple[PackName, Sequence[str], dict[str, Sequence[Problem | Prediction]]]:
    """Which pack or set it is, its tiers, and what is chosen of it for each language."""
    if wishes.task == "solve":
        whole = get_pack(pack)
        problems = choose(whole.problems, wishes.problems)
        return whole.name, whole.tiers, {language.id: problems for language in languages}
    whole = get_pack(pack) if wishes.items is None else None
    sets = {
        language.id: get_predictions(wishes.items)
        if whole is None
        else _made(language, whole.name, seed, pack)
        for language in languages
    }
    first = next(iter(sets.values()))
    name = PackName(first.id, first.version) if whole is None else whole.name
    return (
        name,
        TIERS if whole is None else whole.tiers,
        {
            language.id: choose(_in(language, sets[language.id]), wishes.problems)
            for language in languages
        },
    )


def _made(language: Tongue, pack: PackName, seed: bytes, path: str | None) -> PredictionSet:
    """Items of the programs in a language that somebody wrote by hand for the pack."""
    try:
        if not language.lane:
            return own_predictions(language.id, pack=path, seed=seed)
    except PackError:
        pass  # it has been read before, so nothing else is wrong with it
    raise UsageError(
        f"--task predict: {pack.id} has no program in {language.name} to make items of; name "
        "other languages, or a set of items with --items"
    )


def _in(language: Tongue, items: PredictionSet) -> list[Prediction]:
    found = [item for item in items.items if item.language == language.id]
    if not found:
        raise UsageError(f"{items.id} has no item in {language.name}")
    return found
