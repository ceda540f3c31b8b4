"""What ``esoplay eval`` shows: progress on stderr, the tables on stdout."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from esoplay.evaluation.results import Results
    from esoplay.evaluation.running import Step
    from esoplay.evaluation.trials import Trial

_BAR = 24  # characters


def print_results(results: Results, *, as_json: bool) -> None:
    """The tables, or one JSON object."""
    import shutil
    import sys
    from functools import partial

    from esoplay.cli.output import print_json
    from esoplay.cli.style import speaks_unicode, styled
    from esoplay.evaluation.keeping import results_json
    from esoplay.evaluation.summary import summary_of
    from esoplay.reporting.forms.text import as_text

    if as_json:
        print_json(results_json(results))
        return
    width = shutil.get_terminal_size((100, 24)).columns
    text = as_text(
        summary_of(results),
        max(40, width),
        bold=partial(styled, style="bold"),
        bars=speaks_unicode(sys.stdout),
    )
    print(text, end="")


class Progress:
    """A bar on a terminal, that is rewritten and gone at the end; elsewhere a line a trial."""

    def __init__(self, trials: Sequence[Trial], finished: Container[str]):
        import sys

        self._total = len(trials)
        self._done = before = sum(trial.id in finished for trial in trials)
        self._left = 0
        self._drawn = drawn = sys.stderr.isatty()
        self._painted = False
        if drawn:
            self._paint("")  # a first answer may take minutes
        elif before:
            self._say(f"{before} of {self._total} were done already")

    def show(self, step: Step) -> None:
        """What just happened."""
        what = "done"
        if step.reason is None:
            self._done += 1
        elif step.pause is None:
            self._left += 1
            what = f"left: {step.reason}"
        else:
            what = f"again in {step.pause:.0f} s: {step.reason}"
        if self._drawn:
            self._paint(f"{step.trial.id}  {what}")
        else:
            self._say(f"{self._done} of {self._total}  {step.trial.id}  {what}")

    def clear(self) -> None:
        """Take the bar away."""
        if self._painted:
            from esoplay.cli.output import repaint

            repaint("")
            self._painted = False

    def _paint(self, what: str) -> None:
        import shutil

        from esoplay.cli.output import repaint
        from esoplay.terminal_text import one_line

        filled = _BAR * self._done // self._total
        left = f"  {self._left} left" if self._left else ""
        bar = f"[{'#' * filled}{'-' * (_BAR - filled)}] {self._done} of {self._total}{left}"
        line = one_line(f"{bar}  {what}").rstrip()
        repaint(line[: shutil.get_terminal_size().columns - 1])
        self._painted = True

    def _say(self, text: str) -> None:
        from esoplay.cli.output import narrate

        narrate(text)
