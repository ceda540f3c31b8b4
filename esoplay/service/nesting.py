"""How deeply nested a run was in each part of its history: loops, calls, frames.

Sampled, and found out little by little: what is known already is kept, and one question takes
a few milliseconds at most.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from weakref import WeakKeyDictionary

from esolangs.machine import Machine
from esolangs.view import CallStack, Window
from esoplay.service.debugging import Bucket, Debugger
from esoplay.timeline.timeline import Recording, Timeline, first_change

SECONDS = 0.008
"""What one question may take; the rest is found out by the next ones."""

NEAR = {"compiled": 20_000, "plain": 4_000}
"""Steps beyond a checkpoint that are run to come closer to the end of a part."""

_SMALL = Window(cells=1, depth=1, width=1, height=1)


class _Samples:
    """Depths by step, of one timeline."""

    def __init__(self, recording: Recording) -> None:
        self.recording = recording
        self.found: dict[int, int] = {}


def nesting(debugger: Debugger, buckets: Sequence[Bucket]) -> tuple[int, ...]:
    """For each part of known history how many loops or calls were around a step near its end.

    0 where there are none, where the language has none, and where it is not known yet.
    """
    timeline = debugger.timeline
    samples = _SAMPLES.get(timeline)
    if samples is None:
        samples = _SAMPLES[timeline] = _Samples(timeline.recording)
    _forget_the_changed(samples, timeline)
    deadline = time.monotonic() + SECONDS
    near = NEAR.get(timeline.program.engine, 0)
    depths: list[int] = []
    for bucket in buckets:
        step = _sample_of(bucket)
        kept = timeline.checkpoints.before(step).steps
        step = step if step - kept <= near else kept
        if step not in samples.found and time.monotonic() < deadline:
            samples.found[step] = _depth(timeline.machine_at(step))
        depths.append(samples.found.get(step, 0))
    return tuple(depths)


def _sample_of(bucket: Bucket) -> int:
    """A round number of steps in the bucket, which stays the same while history grows a little."""
    width = max(1, bucket.last_step - bucket.first_step)
    return bucket.last_step >> (width.bit_length() - 1) << (width.bit_length() - 1)


def _depth(machine: Machine) -> int:
    panels = machine.view(_SMALL).panels
    return next((panel.depth for panel in panels if isinstance(panel, CallStack)), 0)


def _forget_the_changed(samples: _Samples, timeline: Timeline) -> None:
    recording = timeline.recording
    if recording is samples.recording:
        return
    edited = first_change(samples.recording, recording)
    samples.recording = recording
    if edited is not None:
        samples.found = {step: depth for step, depth in samples.found.items() if step < edited}


_SAMPLES: WeakKeyDictionary[Timeline, _Samples] = WeakKeyDictionary()
