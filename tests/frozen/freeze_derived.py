"""Freeze what is made from runs: rescored runs, a roster, a data set and a leaderboard.

The pack has fixed tests, compares without the last line break, and limits the time of a run.
"""

from __future__ import annotations

import json

from freeze_runs import serving
from workshop import Workshop

PACK = """\
format = 1
id = "loose"
version = "2"
title = "Fixed tests, compared without the last line break"
tiers = ["easy"]
categories = ["basic I/O"]
compare = "newline"
time_limit = 5.0
"""
PROBLEM = """\
id = "{id}"
title = "{title}"
tier = "easy"
category = "basic I/O"
time_limit = 2.5

[[examples]]
input = "ab"
output = "{output}"
"""
ROSTER = """\
title = "One model under two names"
languages = ["brainfuck"]
regimes = ["zero-shot"]
pack = "{pack}"
card = false

[limits.all]
tokens = 100

[[models]]
name = "first"
model = "scripted"
base_url = "{url}"

[[models]]
name = "second"
model = "scripted"
base_url = "{url}"
"""
TESTS = {
    "L1": [{"input": "ab", "output": "ab\n"}, {"input": "x y", "output": "x y"}],
    "L2": [{"input": "ab", "output": "ba"}],
}


def freeze(shop: Workshop) -> None:
    """The folder ``derived``: each file as the command of that version wrote it."""
    pack = shop.work / "loose"
    shop.write(pack / "pack.toml", PACK)
    for id, tests in TESTS.items():
        folder = pack / f"{id}-line"
        shown = PROBLEM.format(id=id, title=f"Line {id}", output=tests[0]["output"].strip())
        shop.write(folder / "problem.toml", shown)
        shop.write(folder / "statement.md", "Print the line.\n")
        shop.write(folder / "tests.json", json.dumps(tests))
    shop.store_tree("derived/loose", pack)
    shop.environment["OPENAI_API_KEY"] = "unused"
    runs = shop.work / "runs"
    words = ["--language", "brainfuck,python", "--regime", "zero-shot,agent-loop", "--no-card"]
    with serving() as url:
        shop.run(
            *("eval", *words, "--pack", pack, "--model", "scripted", "--base-url", url),
            *("--attempts", "2", "--jobs", "1", "-o", runs / "whole"),
        )
        text = ROSTER.format(pack=pack, url=url)
        roster = shop.write(shop.work / "two.toml", text)
        shop.run("eval", "--roster", roster, "-o", shop.work / "two", "--jobs", "1")
    shop.store("derived/two.toml", text)
    shop.store("derived/roster.json", (shop.work / "two/roster.json").read_bytes())
    shop.run("rescore", runs / "whole", "--pack", pack, "--compare", "exact", "-o", runs / "exact")
    shop.run("dataset", runs / "whole", runs / "exact", "-o", runs / "data", "--licence", "CC0-1.0")
    shop.run("leaderboard", runs, "-o", shop.work / "site", status=None)
    shop.store_tree("derived/runs", runs)
    shop.store("derived/leaderboard.json", (shop.work / "site/leaderboard.json").read_text())
    for name, words in {
        "rescored": ("rescore", runs / "whole", "--pack", pack, "--compare", "exact"),
        "run-check": ("rescore", runs / "whole", "--pack", pack, "--check"),
        "view": ("view", runs / "whole"),
    }.items():
        shop.store(f"derived/{name}.json", shop.json(*words))
