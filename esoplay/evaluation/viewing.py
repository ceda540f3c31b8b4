"""Convert the transcript of an evaluation to entries of a viewer, one per question.

Hidden tests are shown only if they are revealed. No record lists them, but questions and answers
may quote them if the model got feedback from the tests that score programs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from esolangs.wording import plural
from esoplay.errors import EsoplayError
from esoplay.evaluation.extraction import output_in
from esoplay.evaluation.prompts import as_json_string, bytes_as_text
from esoplay.evaluation.regimes import REGIMES, outcome_from_json
from esoplay.evaluation.reports import terms_in_words
from esoplay.evaluation.saved_runs import SavedRun, find_run_pack, last_program, program_of_answer
from esoplay.evaluation.trials import Trial, parse_trial_id
from esoplay.grading.grader import revealed_tests
from esoplay.packs.catalogue import get_problem
from esoplay.reporting.viewer import EntryTone, ViewerEntry, ViewerRun, ViewerSection

COLUMNS = ("problem", "language", "regime", "turn")
HIDDEN_NOTE = "Hidden: this text may contain hidden tests. --reveal shows it."


class ViewFilter(NamedTuple):
    """Filter for the trials to show.

    pattern: shell pattern of trial ids, such as ``*/E08/*``. failed, solved: show only finished
    trials with this result; if both are set, show all finished trials.
    """

    pattern: str | None = None
    failed: bool = False
    solved: bool = False

    def matches(self, run: SavedRun, trial: Trial) -> bool:
        if self.pattern is not None and not fnmatchcase(trial.id, self.pattern):
            return False
        if not (self.failed or self.solved):
            return True
        record = run.contents.finished.get(trial.id)
        return record is not None and (self.solved if record["solved"] else self.failed)


class RevealedTests:
    """Hidden tests of a run.  seed: seed of the run, as returned by ``find_run_seed``."""

    def __init__(self, run: SavedRun, seed: bytes, pack: str | None = None):
        self._pack = find_run_pack(run, pack)
        self._seed = seed
        self._tests: dict[str, tuple[tuple[bytes, bytes], ...]] = {}

    def for_problem(self, problem: str) -> tuple[tuple[bytes, bytes], ...]:
        """Return the pairs of input and expected output of a problem's tests."""
        if problem not in self._tests:
            found = get_problem(problem, self._pack)
            self._tests[problem] = revealed_tests(found, self._seed)
        return self._tests[problem]


def make_view(
    run: SavedRun, tests: RevealedTests | None = None, view_filter: ViewFilter | None = None
) -> ViewerRun:
    """Return an evaluation's viewer entries, sorted by task, language, regime, problem and run.

    tests: revealed tests, None to hide them.
    """
    view_filter = view_filter or ViewFilter()
    by_trial: dict[str, list[dict[str, Any]]] = {}
    for record in run.records:
        by_trial.setdefault(record["trial"], []).append(record)
    entries: list[ViewerEntry] = []
    for trial in sorted(map(parse_trial_id, by_trial), key=_sort_key):
        records = by_trial[trial.id]
        if view_filter.matches(run, trial):
            for entry in _TrialView(run, trial, tests).entries(records):
                entries.append(entry._replace(number=len(entries) + 1))
    about = run.saved_terms
    facts = [
        ("model", about.model),
        ("pack", f"{about.pack} {about.pack_version}"),
        ("terms", terms_in_words(run.terms)),
        ("commitment to the seed", about.seed_commitment),
        ("transcript, SHA-256", run.digest),
        ("esoplay", str(run.terms.get("esoplay", ""))),
    ]
    title = f"Transcript of {about.model}"
    return ViewerRun(title, COLUMNS, tuple(facts), tuple(entries))


def _sort_key(trial: Trial) -> tuple[str, str, int, str, int]:
    regimes = list(REGIMES)
    rank = regimes.index(trial.regime) if trial.regime in regimes else len(regimes)
    return trial.task, trial.language, rank, trial.item, trial.run


class _TrialView:
    """Converter of the records of one trial to viewer entries."""

    def __init__(self, run: SavedRun, trial: Trial, tests: RevealedTests | None):
        self._run = run
        self._trial = trial
        self._tests = tests
        self._scoring = run.saved_terms.feedback == "scoring"

    def entries(self, records: Sequence[dict[str, Any]]) -> Iterator[ViewerEntry]:
        """Yield a viewer entry for each question; it covers all records up to the next question.

        If a question was repeated, only the last repeat has an entry.
        """
        questions = [at for at, record in enumerate(records) if record["kind"] == "asked"]
        shown: dict[int, tuple[int, int]] = {}  # range of records by turn; the last repeat counts
        for at, end in zip(questions, [*questions[1:], len(records)], strict=True):
            shown[records[at]["turn"]] = (at, end)
        for number, (start, end) in enumerate(shown.values(), 1):
            yield self._entry(records[start:end], is_last=number == len(shown))

    def _entry(self, records: Sequence[dict[str, Any]], *, is_last: bool) -> ViewerEntry:
        trial, turn = self._trial, records[0]["turn"]
        role = str(records[0].get("role", ""))
        found = {record["kind"]: record for record in records}
        sections = [*self._prompts(records[0]), *self._answer(found, turn)]
        program = self._program(found)
        if program is not None:
            title = f"program, {plural(len(program), 'byte')}"
            sections.append(ViewerSection("program", title, bytes_as_text(program)))
        outcome, tone = role, "calm"
        if (tried := found.get("tried")) is not None:
            sections.append(self._result_section(tried))
            good = tried["passed"] == tried["total"] > 0
            outcome, tone = f"{tried['passed']} of {tried['total']}", "good" if good else "bad"
        if (finished := found.get("finished")) is not None:
            graded = last_program(self._run, trial)
            if graded is not None and graded != program:
                title = f"graded program of an earlier answer, {plural(len(graded), 'byte')}"
                sections.append(ViewerSection("program", title, bytes_as_text(graded)))
            program = graded
            sections.append(self._verdict(finished))
            outcome = finished["verdict"].replace("_", " ")
            tone = "good" if finished["solved"] else "bad"
        regime = trial.regime if trial.run == 1 else f"{trial.regime} #{trial.run}"
        toned: EntryTone = tone  # pyright: ignore[reportAssignmentType]
        return ViewerEntry(
            0,
            trial.id,
            (trial.item, trial.language, regime, str(turn)),
            outcome,
            toned,
            is_last and finished is not None,
            trial.language,
            trial.item if trial.task == "solve" else None,
            program,
            tuple(sections),
        )

    def _should_hide(self, turn: int) -> bool:
        return self._scoring and turn > 1 and self._tests is None

    def _prompts(self, question: dict[str, Any]) -> Iterator[ViewerSection]:
        """Yield the messages of a question that the model had not received or written before."""
        if self._should_hide(question["turn"]):
            yield ViewerSection("note", "question", HIDDEN_NOTE)
            return
        titles = {
            "system": "system prompt",
            "user": "question",
            "assistant": "example of an answer",
        }
        for message in question.get("messages", ()):
            own = message["role"] == "assistant" and question.get("repeated", 0) > 0
            if not own:
                title = titles.get(str(message["role"]), str(message["role"]))
                yield ViewerSection("prompt", title, message["content"])

    def _answer(
        self, record_by_kind: Mapping[str, dict[str, Any]], turn: int
    ) -> Iterator[ViewerSection]:
        answered, declined = record_by_kind.get("answered"), record_by_kind.get("declined")
        if answered is not None:
            if self._should_hide(turn):
                yield ViewerSection("note", "answer", HIDDEN_NOTE)
            else:
                yield ViewerSection("text", _answer_title(answered), answered["text"])
        elif declined is not None:
            yield ViewerSection("note", "no answer", declined["reason"])
        else:
            failed = record_by_kind.get("failed")
            reason = "" if failed is None else f": {failed['reason']}"
            yield ViewerSection("note", "no answer", f"not answered yet{reason}")

    def _program(self, record_by_kind: Mapping[str, dict[str, Any]]) -> bytes | None:
        """Return the program in the answer, or None."""
        answered = record_by_kind.get("answered")
        if answered is None or self._trial.task != "solve":
            return None
        if "tried" not in record_by_kind and "finished" not in record_by_kind:
            return None
        try:
            return program_of_answer(self._run, self._trial.language, answered["text"])
        except EsoplayError:  # a lane that is not installed
            return None

    def _result_section(self, record: dict[str, Any]) -> ViewerSection:
        tests = "hidden tests" if self._scoring else "examples"
        title = f"result: {record['passed']} of {record['total']} {tests}"
        outcome = outcome_from_json(record)
        text = outcome.details
        if self._scoring and self._tests is None and text:
            text = HIDDEN_NOTE
        return ViewerSection("result", title, text or "all passed")

    def _verdict(self, finished: dict[str, Any]) -> ViewerSection:
        words = finished["verdict"].replace("_", " ")
        if self._trial.task == "predict":
            answer = self._run.contents.answers.get(self._trial.id, {})
            output = output_in(answer[max(answer)].answer.text) if answer else None
            said = "nothing" if output is None else as_json_string(output)
            return ViewerSection("result", f"verdict: {words}", f"predicted {said}")
        if "total" not in finished:
            return ViewerSection("result", f"verdict: {words}", str(finished.get("reason", "")))
        title = f"verdict: {words}, {finished['passed']} of {finished['total']} tests passed"
        return ViewerSection("result", title, "\n".join(self._test_lines(finished)))

    def _test_lines(self, finished: dict[str, Any]) -> Iterator[str]:
        tests = () if self._tests is None else self._tests.for_problem(self._trial.item)
        for at, test in enumerate(finished.get("tests", ())):
            steps = f"{test['steps']:>12,} steps" if test["steps"] else ""
            yield f"{at + 1}  {test['verdict'].replace('_', ' '):13}{steps}".rstrip()
            if at < len(tests):
                given, expected = tests[at]
                yield f"   input     {as_json_string(given)}"
                yield f"   expected  {as_json_string(expected)}"


def _answer_title(answer: dict[str, Any]) -> str:
    parts = [f"{answer['seconds']:g} s"]
    parts += [
        f"{answer[name]:,} {words}"
        for name, words in (("input_tokens", "tokens in"), ("output_tokens", "tokens out"))
        if answer[name] is not None
    ]
    parts += [f"finish {answer['finish']}"] if answer["finish"] not in (None, "stop") else []
    return f"answer ({', '.join(parts)})"
