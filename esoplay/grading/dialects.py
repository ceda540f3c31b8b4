"""Whether a program gets another verdict in another dialect of its language, and why.

The answer comes from running the program, not from analysis: each option that differs between the
dialects is changed by itself, and the options that make the program fail are the causes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from esolangs.language import Language
from esolangs.registry import find_language
from esoplay.grading.grader import BudgetSpent, Compare, Regrading
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
    failed: Sequence[int] = (),
    options: Mapping[str, str | int] | None = None,
    compare: Compare = "exact",
    worker: Runner | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> OtherDialect | None:
    """Return the dialect in which a program passes that fails in ``dialect``, or None.

    seed: of the tests to run again; None for the public examples, which are conclusive only if one
    of them fails in ``dialect``.  failed: the numbers of the tests that failed.  options: options
    that the user changed; they keep their values in both dialects.  Runs at most
    ``Regrading.BUDGET`` steps.  Raises Cancelled.
    """
    if is_lane(language_id):
        return None
    language = find_language(language_id)
    regrading = Regrading(
        problem,
        language_id,
        source,
        failed=failed,
        seed=seed,
        compare=compare,
        worker=worker,
        cancelled=cancelled,
    )
    try:
        for other in language.dialects:
            differing = differing_options(language, dialect, other, options)
            if not differing:
                continue
            here = language.configure(dialect, options)
            there = language.configure(other, options)
            if not regrading.passes(other, there):
                continue
            if seed is None and regrading.passes(dialect, here):
                return None
            names = _causes(regrading, dialect, other, here, there)
            causes = tuple(
                DialectCause(name, difference_text(language, name, dialect, other, differing[name]))
                for name in names
            )
            return OtherDialect(other, "examples" if seed is None else "tests", causes)
    except (BudgetSpent, WorkerDied):
        pass
    return None


def find_failing_dialect(
    problem: Problem,
    language_id: str,
    source: bytes,
    *,
    seed: bytes | None,
    dialect: str,
    options: Mapping[str, str | int] | None = None,
    compare: Compare = "exact",
    worker: Runner | None = None,
    cancelled: Callable[[], bool] | None = None,
) -> OtherDialect | None:
    """Return the dialect in which a program fails that passes in ``dialect``, or None.

    Parameters and errors: see :func:`find_other_dialect`.
    """
    if is_lane(language_id):
        return None
    language = find_language(language_id)
    regrading = Regrading(
        problem,
        language_id,
        source,
        seed=seed,
        compare=compare,
        worker=worker,
        cancelled=cancelled,
    )
    try:
        for other in language.dialects:
            if not differing_options(language, dialect, other, options):
                continue
            here = language.configure(dialect, options)
            there = language.configure(other, options)
            if regrading.passes(other, there):
                continue
            if seed is None and not regrading.passes(dialect, here):
                return None  # there are no examples
            differing = differing_options(language, other, dialect, options)
            causes = tuple(
                DialectCause(name, difference_text(language, name, other, dialect, differing[name]))
                for name in _causes(regrading, other, dialect, there, here)
            )
            tests = "examples" if seed is None else "tests"
            return OtherDialect(other, tests, causes, passes=False)
    except (BudgetSpent, WorkerDied):
        pass
    return None


def _causes(
    regrading: Regrading,
    dialect: str,
    other: str,
    here: Mapping[str, str | int],
    there: Mapping[str, str | int],
) -> list[str]:
    """Return the options whose values in ``dialect`` each make the program fail in ``other``.

    If no single option does, return a minimal set of options whose values in ``other`` make the
    program pass in ``dialect``.  Empty if the budget is exhausted first.
    """
    differing = [name for name in here if here[name] != there[name]]
    try:
        alone = [
            name for name in differing if not regrading.passes(other, {**there, name: here[name]})
        ]
        if alone:
            return alone
        needed = set(differing)
        for name in differing:
            fewer = needed - {name}
            if regrading.passes(dialect, {**here, **_chosen(there, fewer)}):
                needed = fewer
        return [name for name in differing if name in needed]
    except BudgetSpent:
        return []


def _chosen(options: Mapping[str, str | int], names: Iterable[str]) -> dict[str, str | int]:
    return {name: options[name] for name in names}


def differing_options(
    language: Language,
    dialect: str,
    other: str,
    changes: Mapping[str, str | int] | None = None,
) -> dict[str, tuple[str | int, str | int]]:
    """Return the options that differ between two dialects with both values, except ``changes``.

    Raises OptionError.
    """
    here, there = language.configure(dialect, changes), language.configure(other, changes)
    return {name: (here[name], there[name]) for name in here if here[name] != there[name]}


def difference_text(
    language: Language, option: str, dialect: str, other: str, values: tuple[object, object]
) -> str:
    """Return a sentence, without a full stop, on an option that differs between two dialects."""
    if {dialect, other} == {"standard", "benchmark"}:
        for each in language.differences():
            if each.option == option:
                return each.sentence
    help = next(each.help for each in language.options if each.name == option)
    return f"{help}: {option}={values[0]} in {dialect}, {option}={values[1]} in {other}"
