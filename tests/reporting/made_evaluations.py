"""Invented results of evaluations: random verdicts, in the format of ``results.json``."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from esoplay.packs.catalogue import get_pack

VERDICTS = ("wrong_answer", "parse_error", "fault", "step_limit", "no_program", "wrong_answer")


def results(
    model: str,
    *,
    seed: int,
    languages: Sequence[str] = ("brainfuck", "unlambda", "python"),
    regimes: Sequence[str] = ("zero-shot", "few-shot", "agent-loop"),
    problems: int = 8,
    runs: int = 3,
    priced: bool = True,
    **terms: Any,
) -> dict[str, Any]:
    rng = random.Random(f"{model} {seed}")
    trials: list[dict[str, Any]] = []
    chosen = list(get_pack(None))[:: 80 // problems][:problems]
    for language in languages:
        for number, regime in enumerate(regimes):
            for run in range(1, runs + 1):
                for problem in chosen:
                    easy = 0.3 + 0.2 * number + (0.3 if language == "python" else 0)
                    solved = rng.random() < easy
                    attempts = rng.randint(1, 5) if regime == "agent-loop" else 1
                    trials.append(
                        {
                            "id": f"solve/{language}/{regime}/{problem.id}/{run}",
                            "task": "solve",
                            "language": language,
                            "regime": regime,
                            "item": problem.id,
                            "run": run,
                            "tier": problem.tier,
                            "solved": solved,
                            "verdict": "pass" if solved else rng.choice(VERDICTS),
                            "attempts": attempts,
                            "turns": attempts,
                            "seconds": round(rng.uniform(1, 30), 3),
                            "tokens": {
                                "input": 1000 * attempts,
                                "cached": 0,
                                "output": rng.randint(50, 900) * attempts,
                                "untold": 0,
                                "reasoning": 20 * attempts,
                            },
                            "cost": round(rng.uniform(0.001, 0.02), 5) if priced else None,
                        }
                    )
    return {
        "format": "esoplay-evaluation-results",
        "format_version": 1,
        "terms": {
            "model": model,
            "dialect": "benchmark",
            "compare": "exact",
            "pack": "esoplay-80",
            "pack_version": "1",
            "seed_commitment": f"blake2b:{seed}",
            "card": True,
            "attempts": 5,
            "examples": None,
            "feedback": "examples",
            "own_prompts": [],
            **terms,
        },
        "left": [],
        "currency": "USD" if priced else None,
        "trials": trials,
    }
