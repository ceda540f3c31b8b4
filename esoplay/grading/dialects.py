"""Find a dialect in which a program gets the opposite verdict, and the reason.

The program is run, not analyzed: each option that differs between the dialects is changed by
itself, and the options that make the program fail are the causes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from esolangs.language import Language
from esolangs.registry import find_language
from esoplay.grading.grader import BudgetSpent, Regrading
from esoplay.grading.output_comparison import Compare
from esoplay.grading.problem import Problem
from esoplay.grading.report import DialectCause, OtherDialect
from esoplay.running.host.lanes import is_lane
from esoplay.running.worker import Runner, WorkerDied


def find_other_dialect(
    problem: Problem,
    language_id: str,
    source: bytes,
    *,
    seed: bytes | None,
    dialect: str,
    passed: bool = False,
    failed_tests: Sequence[int] = (),
    options: Mapping[str, str | int] | None = None,
    compare: Compare | None = None,
    time_limit: float | None = None,
    worker: Runner | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> OtherDialect | None:
    """Return a dialect in which a program gets the opposite verdict, or None.

    passed: whether the program passed in ``dialect``.  seed: seed of the tests to run again; None
    for the public examples.  failed_tests: numbers of the failed tests.  options: options that the
    user changed, which have the same values in both dialects.

    The public examples may have another verdict in ``dialect`` than ``passed``; the result is then
    None.  Runs at most ``Regrading.BUDGET`` steps. Raises RunCancelled if ``cancelled`` returns
    true.
    """
    if is_lane(language_id):
        return None
    language = find_language(language_id)
    regrading = Regrading(
        problem,
        language_id,
        source,
        failed_tests=failed_tests,
        seed=seed,
        compare=compare,
        time_limit=time_limit,
        worker=worker,
        cancelled=cancelled,
    )
    try:
        for other in language.dialects:
            if not differing_options(language, dialect, other, options):
                continue
            if regrading.passes(other, language.configure(other, options)) == passed:
                continue
            here = language.configure(dialect, options)
            if seed is None and regrading.passes(dialect, here) != passed:
                return None
            failing, passing = (other, dialect) if passed else (dialect, other)
            causes = _causes(regrading, language, failing, passing, options)
            tests = "examples" if seed is None else "tests"
            return OtherDialect(other, tests, causes, passes=not passed)
    except (BudgetSpent, WorkerDied):
        pass
    return None


def _causes(
    regrading: Regrading,
    language: Language,
    failing: str,
    passing: str,
    options: Mapping[str, str | int] | None,
) -> tuple[DialectCause, ...]:
    differing = differing_options(language, failing, passing, options)
    here, there = language.configure(failing, options), language.configure(passing, options)
    return tuple(
        DialectCause(name, difference_text(language, name, failing, passing, differing[name]))
        for name in _failing_options(regrading, failing, passing, here, there)
    )


def _failing_options(
    regrading: Regrading,
    dialect: str,
    other: str,
    options: Mapping[str, str | int],
    other_options: Mapping[str, str | int],
) -> list[str]:
    """Return each option whose value in ``dialect``, set alone in ``other``, makes a program fail.

    If no single option does, return a minimal set of options whose values in ``other`` make the
    program pass in ``dialect``.  Empty if the budget is exhausted first.
    """
    differing = [name for name in options if options[name] != other_options[name]]
    try:
        alone = [
            name
            for name in differing
            if not regrading.passes(other, {**other_options, name: options[name]})
        ]
        if alone:
            return alone
        needed = set(differing)
        for name in differing:
            fewer = needed - {name}
            if regrading.passes(dialect, {**options, **_select_options(other_options, fewer)}):
                needed = fewer
        return [name for name in differing if name in needed]
    except BudgetSpent:
        return []


def _select_options(options: Mapping[str, str | int], names: Iterable[str]) -> dict[str, str | int]:
    return {name: options[name] for name in names}


def differing_options(
    language: Language,
    dialect: str,
    other: str,
    changes: Mapping[str, str | int] | None = None,
) -> dict[str, tuple[str | int, str | int]]:
    """Return the options that differ between two dialects, with both values.

    ``changes`` are made to both dialects first, so a changed option never differs.

    Raises OptionError if a dialect or a change is invalid.
    """
    here, there = language.configure(dialect, changes), language.configure(other, changes)
    return {name: (here[name], there[name]) for name in here if here[name] != there[name]}


def difference_text(
    language: Language, option: str, dialect: str, other: str, values: tuple[object, object]
) -> str:
    """Describe an option that differs between two dialects, in a sentence without full stop."""
    if {dialect, other} == {"standard", "benchmark"}:
        for each in language.differences():
            if each.option == option:
                return each.sentence
    help = next(each.help for each in language.options if each.name == option)
    return f"{help}: {option}={values[0]} in {dialect}, {option}={values[1]} in {other}"
