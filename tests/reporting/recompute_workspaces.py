"""Recompute the figures of workspaces and programs of sessions, for ``recompute.py``.

They come from the inventories and programs in an export: generators with the size of their code,
helpers and their reuse, and the overlap of programs with references.  It imports nothing of
esoplay; ``docs/reports.md`` and ``docs/sessions.md`` have the definitions.
"""

from __future__ import annotations

import base64
import json
import re
from typing import Any

import pandas as pd

FILE = ["path", "size", "sha256", "kind", "language"]
"""The members of a file in an inventory; a file that was not read to its end has no digest."""
COMMANDS = {
    "brainfuck": r"[-+<>.,\[\]]",
    "whitespace": r"[ \t\n]",
    "befunge-98": r"[^ \t\n\r\f\v]",
    "unlambda": r"[^ \t\n\r\f\v]",
}
"""The tokens of languages whose instructions are single characters."""


def metaprogramming(session: Any) -> dict[str, Any]:
    """Return the figures of the workspaces of one session."""
    graded = session.graded
    seen = graded[graded["seen"]]
    rows: list[dict[str, Any]] = []
    helpers: list[dict[str, Any]] = []
    for one in seen.to_dict("records"):
        listed = json.loads(base64.b64decode(session.data["inventories"][one["inventory"]]))
        files = pd.DataFrame(listed["files"], columns=FILE).dropna(subset=["sha256"])
        # In a host lane, files of its language are programs.
        made = files[(files["kind"] == "generator") & (files["language"] != session.name[1])]
        distinct = made.drop_duplicates("sha256")
        own = files[files["sha256"] == one["program"]]["path"] + ".map.json"
        new = distinct["sha256"].map(listed["helpers"]) == one["problem"]
        rows.append(
            {
                "solved": one["solved"],
                "size": len(base64.b64decode(session.data["programs"][one["program"]])),
                "fresh": int(distinct[new]["size"].sum()),
                "languages": sorted(set(made["language"])),
                "map": bool(own.isin(files["path"]).any()),
            }
        )
        helpers += [{"helper": digest, "problem": one["problem"]} for digest in distinct["sha256"]]
    table = pd.DataFrame(rows, columns=["solved", "size", "fresh", "languages", "map"])
    has = table["languages"].map(bool).astype(bool)
    solved = table["solved"].astype(bool)
    spans = pd.DataFrame(helpers, columns=["helper", "problem"]).groupby("helper")["problem"]
    counts = spans.nunique()
    with_new = table[solved & (table["fresh"] > 0)]
    ratios = (with_new["size"] / with_new["fresh"]).sort_values()
    return {
        "seen": len(seen),
        "unseen": len(graded) - len(seen),
        "with_generator": int(has.sum()),
        "with_map": int(table["map"].sum()),
        "solved": int(solved.sum()),
        "solved_with_generator": int((has & solved).sum()),
        "languages": table["languages"].explode().dropna().value_counts().to_dict(),
        "ratios": ratios.tolist(),
        "ratio": ratios.median() if len(ratios) else None,
        "helpers": len(counts),
        "reused": int((counts > 1).sum()),
        "widest": int(counts.max()) if len(counts) else 0,
        "spans": sorted(counts.tolist()),
    }


def overlap(session: Any, references: dict[tuple[str, str], bytes], size: int) -> dict[str, Any]:
    """Return the overlap of the programs that solved with ``references``, by language and problem.

    size: of an n-gram, in tokens.
    """
    language = session.name[1]
    known = {
        problem: ngrams(program, language, size)
        for (of, problem), program in references.items()
        if of == language
    }
    same: list[float] = []
    other: list[float] = []
    for one in session.solves.to_dict("records"):
        own = ngrams(base64.b64decode(session.data["programs"][one["program"]]), language, size)
        if not own or one["problem"] not in known:
            continue
        for problem, reference in known.items():
            share = len(own & reference) / len(own)
            if problem == one["problem"]:
                same.append(share)
            elif problem in session.problems:
                other.append(share)
    return {
        "size": size,
        "programs": len(same),
        "same": pd.Series(same).median() if same else None,
        "greatest": max(same, default=None),
        "other": pd.Series(other).median() if other else None,
    }


def ngrams(program: bytes, language: str, size: int) -> set[tuple[str, ...]]:
    """Return the distinct sequences of ``size`` tokens."""
    text = program.decode("latin-1")
    if language == "unlambda":
        text = re.sub(r"#[^\n]*", "", text)
    tokens = re.findall(COMMANDS.get(language, r"[a-z0-9_]+|[^a-z0-9_\s]"), text.lower())
    return {tuple(tokens[at : at + size]) for at in range(len(tokens) - size + 1)}
