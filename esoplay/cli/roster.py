"""``esoplay eval --roster``: the evaluations of a roster, one after the other.

Each model and regime has a separate folder, ``NAME/REGIME``, which ``esoplay report`` reads. All
evaluations use the same hidden tests. If the command is killed, run it again: it resumes the
evaluations and does not repeat questions that were answered.
"""

from __future__ import annotations

TYPE_CHECKING = False

if TYPE_CHECKING:
    import argparse

    from esoplay.evaluation.model import Model
    from esoplay.evaluation.rosters import RosterRun
    from esoplay.evaluation.runs import TrialEvent


_REFUSED_OPTIONS = (
    *("language", "regime", "problems", "pack", "items", "compare", "time_limit", "examples"),
    *("prompts", "model", "base_url", "program", "key_env", "temperature", "max_tokens"),
    *("sampling_seed", "extra", "prices", "max_turns", "max_trial_tokens", "max_seconds"),
)
"""Options that cannot be combined with ``--roster``, because keys of the roster replace them.

Their values are None if the user omits them.
"""


def run_roster(args: argparse.Namespace) -> int:
    """Run or resume all evaluations of a roster, and write a summary of their results."""
    from pathlib import Path

    from esoplay.cli.evaluations import (
        interrupt_on_sigterm,
        print_document,
        print_postponed,
        run_evaluation,
    )
    from esoplay.cli.output import print_json, print_stderr, seed_argument
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED
    from esoplay.evaluation.reports import SEED_FILE, read_saved_seed
    from esoplay.evaluation.roster_results import (
        RosterResult,
        roster_json,
        roster_summary,
        save_roster,
    )
    from esoplay.evaluation.rosters import read_roster
    from esoplay.grading.seeds import random_seed, write_seed_file

    _check(args)
    folder = Path(args.output)
    given = seed_argument(args)
    saved = read_saved_seed(folder)
    seed = given or saved or random_seed()
    roster = read_roster(Path(args.roster), seed)
    models = [_model(run) for run in roster.runs]  # fails early if a key is missing
    folder.mkdir(parents=True, exist_ok=True)
    if given is None and saved is None:
        write_seed_file(folder / SEED_FILE, seed)
    done = [RosterResult(run, None) for run in roster.runs]
    all_left: list[TrialEvent] = []
    save_roster(folder, roster, done)
    with interrupt_on_sigterm():
        for at, (run, model) in enumerate(zip(roster.runs, models, strict=True)):
            print_stderr(f"{at + 1} of {len(models)}: {run.folder}")
            results, left = run_evaluation(
                folder / run.folder,
                run.options,
                model,
                run.price,
                seed=seed,
                save_seed=given is None,
                request_options=args,
            )
            done[at] = RosterResult(run, results)
            save_roster(folder, roster, done)
            print_postponed(left)
            all_left += left
    if args.json:
        print_json(roster_json(roster, done))
    else:
        print_document(roster_summary(roster, done))
        print_stderr(f"compare the runs with: esoplay report {folder}")
    return EXIT_FAILED if all_left else EXIT_PASSED


def _check(args: argparse.Namespace) -> None:
    """Raise UsageError for options that belong in the roster, and for invalid numbers."""
    from esoplay.errors import UsageError

    named = [name for name in _REFUSED_OPTIONS if getattr(args, name) is not None]
    named += [
        name for name, usual in (("runs", 1), ("attempts", 5)) if getattr(args, name) != usual
    ]
    named += [name for name in ("settings", "no_card", "bare") if getattr(args, name)]
    if named:
        option = {"program": "command", "settings": "set"}.get(named[0], named[0])
        raise UsageError(
            f"--{option.replace('_', '-')} cannot be combined with --roster\n"
            "try: set the corresponding key in the roster; see docs/evaluation.md"
        )
    for value, least, most, option in (
        (args.jobs, 1, 256, "--jobs"),
        (args.retries, 0, 100, "--retries"),
    ):
        if not least <= value <= most:
            raise UsageError(f"{option} must be an integer from {least} to {most}")


def _model(run: RosterRun) -> Model:
    """Return the model that a run of the roster queries.

    Raises UsageError, which names the run, if its settings are invalid.
    """
    from esoplay.cli.evaluations import endpoint_class, read_api_key
    from esoplay.errors import UsageError
    from esoplay.evaluation.model import CommandModel

    model, options = run.model, run.options
    name = model.model or model.name
    try:
        if model.base_url is not None:
            return endpoint_class()(
                model.base_url,
                name,
                key=read_api_key(model.key_env, model.base_url),
                temperature=model.temperature,
                max_tokens=options.max_tokens,
                extra=model.extra,
                timeout=model.timeout,
            )
        environment = {"ESOPLAY_MODEL": name}
        for variable, value in (
            ("ESOPLAY_TEMPERATURE", model.temperature),
            ("ESOPLAY_MAX_TOKENS", options.max_tokens),
        ):
            if value is not None:
                environment[variable] = str(value)
        return CommandModel(model.command or "", environment=environment, timeout=model.timeout)
    except UsageError as error:
        raise UsageError(f"model {model.name}: {error}") from None
