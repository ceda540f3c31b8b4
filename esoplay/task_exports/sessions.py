"""Exports of sessions: each task is one session, with one language and a group of problems."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from esolangs.wording import format_count
from esoplay.benchmark.sessions import resolve_protocol
from esoplay.benchmark.start import SESSION_LIMITS
from esoplay.errors import UsageError
from esoplay.evaluation.model import Message
from esoplay.grading.problem import Problem
from esoplay.grading.seeds import PRACTICE_SEED
from esoplay.sessions.instructions import rules_text
from esoplay.sessions.protocols import PROTOCOLS, Protocol
from esoplay.sessions.target import Target

SESSIONS = "sessions"
"""The ``kind`` in ``export.json`` if the tasks of the export are sessions."""

FIRST_MESSAGE = "Fetch the first problem, and continue until no problem is left."


@dataclass(frozen=True, slots=True)
class SessionOptions:
    """Options of an export of sessions.

    protocol: the name of a protocol. changes: new values of some of its fields.
    length: number of problems in a session; None for one session with all problems.
    """

    protocol: str = "primary"
    changes: Mapping[str, Any] = field(default_factory=dict[str, Any])
    length: int | None = None

    def rules(self) -> Protocol:
        """Return the rules: the protocol named ``protocol`` with ``changes`` applied.

        Raises UsageError if the name or a change is invalid.
        """
        if self.protocol.endswith(".toml"):
            raise UsageError(
                f"--protocol: expected a name, such as {next(iter(PROTOCOLS))}, not a file; "
                "change single rules with --set"
            )
        return resolve_protocol(self.protocol, self.changes)


@dataclass(frozen=True, slots=True)
class SessionTask:
    """One session: its language, problems and rules."""

    language: Target
    problems: tuple[Problem, ...]
    options: SessionOptions
    rules: Protocol

    @property
    def id(self) -> str:
        ends = dict.fromkeys((self.problems[0].id, self.problems[-1].id))
        return "-".join([self.language.id, *(id.lower() for id in ends)])

    @property
    def title(self) -> str:
        return f"{format_count(len(self.problems), 'problem')} in {self.language.name}"

    def instructions(self) -> str:
        """Return the rules and the language's reference card in Markdown."""
        count = len(self.problems)
        work = "one programming problem" if count == 1 else f"{count} programming problems in order"
        run = "" if self.rules.runs == 0 else "`run` runs a program on an input of your own, "
        start = (
            f"You solve {work} by writing {self.language.name} programs. Use the tools: "
            f"`fetch` returns the current problem, {run}and `submit` grades it with hidden tests."
        )
        sections = (
            start,
            rules_text(self.rules, SESSION_LIMITS, count, self.language),
            f"## The language\n\nThe dialect is `{self.rules.dialect}`.",
            self.language.card.strip(),
        )
        return "\n\n".join(sections) + "\n"

    def as_json(self) -> dict[str, Any]:
        messages = (Message("system", self.instructions()), Message("user", FIRST_MESSAGE))
        return {
            "id": self.id,
            "title": self.title,
            "language": self.language.id,
            "protocol": self.rules.id,
            "problems": [{"id": each.id, "tier": each.tier} for each in self.problems],
            "messages": [message.as_json() for message in messages],
        }


def check_seed(rules: Protocol, seed: bytes) -> None:
    """Raise UsageError if the protocol does not accept the seed of the export."""
    if rules.public_seed != (seed == PRACTICE_SEED):
        raise UsageError(
            f"protocol {rules.id} uses the public seed; export it with --seed practice"
            if rules.public_seed
            else f"the practice seed is public; protocol {rules.id} requires a secret seed"
        )


def session_tasks(
    languages: Sequence[Target], problems: Sequence[Problem], options: SessionOptions
) -> Iterator[SessionTask]:
    """Yield the sessions by language, then by group of problems.

    Raises UsageError if an option is invalid.
    """
    rules = options.rules()
    length = len(problems) if options.length is None else options.length
    if length < 1:
        raise UsageError(f"--length: expected 1 or more, not {length}")
    for language in languages:
        for first in range(0, len(problems), length):
            yield SessionTask(language, tuple(problems[first : first + length]), options, rules)
