"""``esoplay eval``: from its options to what came of them."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


def run(args: argparse.Namespace) -> int:
    """Ask for what is not answered yet; nothing is made or asked before all options make sense."""
    from pathlib import Path

    from esoplay.cli.evaluating.asked import model_of, price_of
    from esoplay.cli.evaluating.options import check, wishes_of
    from esoplay.cli.evaluating.showing import Progress, print_results
    from esoplay.cli.interrupts import ended_like_ctrl_c
    from esoplay.cli.output import narrate
    from esoplay.cli.seeds import seed_of
    from esoplay.errors import EXIT_FAILED, EXIT_PASSED
    from esoplay.evaluation.keeping import begin, keep_results, kept_seed
    from esoplay.evaluation.planning import plan_of
    from esoplay.evaluation.running import run_trials
    from esoplay.evaluation.transcript import Transcript
    from esoplay.grading.seeds import random_seed

    check(args)
    wishes, model, price = wishes_of(args), model_of(args), price_of(args)
    folder = Path(args.output)
    given = seed_of(args)
    seed = given or kept_seed(folder) or random_seed()
    plan, terms = plan_of(wishes, seed)
    folder.mkdir(parents=True, exist_ok=True)
    with ended_like_ctrl_c(), Transcript(folder) as transcript:
        begin(folder, terms, transcript, None if given else seed)
        progress = Progress(plan.trials, transcript.finished)
        try:
            left = run_trials(
                plan,
                transcript,
                model,
                jobs=args.jobs,
                retries=args.retries,
                progress=progress.show,
            )
        except KeyboardInterrupt:
            progress.clear()
            narrate(f"interrupted; the same command goes on with what {folder} holds")
            raise
        finally:
            progress.clear()
            results = keep_results(folder, terms, transcript, plan.tiers, price)
    print_results(results, as_json=args.json)
    for step in left:
        narrate(f"left: {step.trial.id}: {step.reason or ''}")
    return EXIT_FAILED if left else EXIT_PASSED
