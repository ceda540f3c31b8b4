"""``esoplay eval``: ask a model to solve the problems, and judge what it answers."""

from __future__ import annotations

from esoplay.cli.evaluating.options import add_arguments as add_arguments
from esoplay.cli.evaluating.run import run as run

SUMMARY = "ask a model to solve problems, and judge its programs"
DESCRIPTION = """\
Ask a model for programs, in one of seven ways, and judge them by the hidden tests. The model is an
endpoint that speaks OpenAI's chat completions, or a command that takes the prompt on stdin and
answers on stdout. Everything asked and answered is kept in the folder as it happens: the same
command goes on after Ctrl-C or a kill, and asks nothing twice. docs/evaluation.md tells more.
Endpoints need the extra llm: pip install 'esoplay[llm]'.
A key is read from the environment and kept nowhere. Hidden tests come from a seed that is drawn
for the folder, unless one is given.
Exit status: 0 every trial has its verdict, 1 some had to be left, 2 usage, 4 internal error."""
EXAMPLES = """\
examples:
  esoplay eval --language brainfuck --regime zero-shot --model some-model \\
      --base-url https://api.example.com/v1 --problems easy -o runs/some-model
  esoplay eval --language all --regime few-shot,agent-loop --model local --runs 3 \\
      --base-url http://localhost:8000/v1 --temperature 0.7 --jobs 8 -o runs/local
  esoplay eval --language whitespace --regime react --command ./ask.sh --problems E01-E05 -o runs/sh
  esoplay eval --task predict --language brainfuck --regime zero-shot --command ./ask.sh -o runs/sh
"""
