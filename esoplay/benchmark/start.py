"""The start of a session: rules, seed, first event, workspace, and the operator's data."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from esolangs.errors import EngineError
from esolangs.wording import format_count
from esoplay.errors import EsoplayError, StoreError, UsageError
from esoplay.grading.packs import Pack, Problem
from esoplay.grading.seeds import (
    GENERATOR_VERSION,
    ORDER_VERSION,
    PRACTICE_SEED,
    SALT_LENGTH,
    SEED_LENGTH,
    commitment,
    commitment_holds,
    read_seed_file,
)
from esoplay.packs.catalogue import get_pack, resolve_pack, select_solvable
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT
from esoplay.sessions.answers import NewSession
from esoplay.sessions.events import RunLimits
from esoplay.sessions.instructions import (
    LOCAL_COMMAND,
    files_to_read,
    find_required_features,
    instruction_file,
    rules_text,
    select_material,
)
from esoplay.sessions.inventory import NO_WORKSPACE, InspectedWorkspace, inspect
from esoplay.sessions.journal import Journal
from esoplay.sessions.library import VERSION_KEY, library_digest, select_library
from esoplay.sessions.machine import Start
from esoplay.sessions.protocols import Protocol
from esoplay.sessions.state import SessionState
from esoplay.sessions.store import digest
from esoplay.sessions.target import Target, engine_name, find_target
from esoplay.sessions.vault import SESSION_BYTES, Vault
from esoplay.sessions.workers import Workers
from esoplay.sessions.workspace import (
    COMMAND,
    check_workspace,
    client_files,
    make_folder,
    workspace_files,
    write_workspace,
)
from esoplay.version import VERSION

# Resources shared by all sessions of a store: journal, vault, packs, workers, randomness


class CommittedPack(NamedTuple):
    """The identity of a pack, which is hashed together with the seed in ``seed_commitment``.

    tests_digest: the digest of the pack's fixed tests; empty if there are none.
    """

    id: str
    version: str
    tests_digest: str = ""


class SessionResources:
    """Log, secrets, workers and packs for sessions, which solvers cannot access directly."""

    def __init__(
        self,
        journal: Journal,
        vault: Vault,
        workers: Workers,
        randomness: Callable[[int], bytes],
        pack: Pack | None = None,
    ):
        self.journal = journal
        self.vault = vault
        self.workers = workers
        self.randomness = randomness
        self._given_pack = pack

    def pack(self, requested_pack: str | Path | None = None) -> Pack:
        """Load the pack for a new session.

        Raises UsageError if the pack does not exist, and PackError if it is invalid.
        """
        return self._given_pack or get_pack(requested_pack)

    def save(
        self,
        session: str,
        *,
        seed: bytes | None,
        pack: str | Path | None,
        pack_problems: Sequence[str] | None,
        workspace: Path | None,
        original_files: Mapping[str, str],
    ) -> None:
        """Save the data of a new session that only the operator may read: seed, pack and workspace.

        seed: None for a public seed.  pack_problems: all problem ids of the pack if only some are
        used.  original_files: the files of the workspace, with their digests.
        """
        vault = self.vault
        vault.save(session, self.journal.store.path, seed)
        folder = None if self._given_pack else resolve_pack(pack)
        if folder is not None:
            vault.save_note(session, "pack", {"folder": str(folder)})
        if pack_problems is not None:
            vault.save_note(session, "selection", {"from": list(pack_problems)})
        if workspace is not None:
            note = {"folder": str(workspace.resolve()), "given": dict(original_files)}
            vault.save_note(session, "workspace", note)

    def inspect(self, state: SessionState, problem: str) -> InspectedWorkspace:
        """Return what a session's workspace contains at a submission for ``problem``."""
        started = state.started
        note = self.vault.read_note(started.session, "workspace")
        if note is None:
            return NO_WORKSPACE
        before = None if state.inventory is None else self.journal.store.blob(state.inventory)
        extensions = find_target(started.language, started.protocol.dialect).extensions
        return inspect(Path(note["folder"]), extensions, note["given"], problem, before)

    def find_pack(self, state: SessionState) -> Pack:
        """Return the pack of a session.  Raises StoreError if another version is installed."""
        started = state.started
        note = self.vault.read_note(started.session, "pack")
        pack = self.pack(None if note is None else Path(note["folder"]))
        if (pack.id, pack.version) != (started.pack, started.pack_version):
            raise StoreError(
                f"session {started.session} was started with pack {started.pack} "
                f"{started.pack_version}; the installed pack is {pack.id} {pack.version}"
            )
        selection = self.vault.read_note(started.session, "selection")
        before = started.problems if selection is None else tuple(selection["from"])
        if tuple(problem.id for problem in pack) != before:
            raise StoreError(
                f"pack {pack.id} {pack.version} has other problems, or another order of problems, "
                f"than when session {started.session} was started; it then had "
                f"{format_count(len(before), 'problem')}"
            )
        return pack

    def find_tiers(self, state: SessionState) -> dict[str, str]:
        """Return the tier of each problem; empty if the session's pack is not available."""
        try:
            pack = self.find_pack(state)
            return {problem: pack.problem(problem).tier for problem in state.started.problems}
        except EsoplayError:
            return {}

    def find_seed(self, state: SessionState) -> bytes:
        """Return the seed of the hidden tests; raise StoreError if it breaks the commitment."""
        started = state.started
        if state.protocol.public_seed:
            return PRACTICE_SEED
        seed = self.vault.seed(started.session)
        generator = started.versions.get("generator")
        if generator != str(GENERATOR_VERSION):
            raise StoreError(
                f"session {started.session} was started with version {generator} of the "
                f"hidden-test generator; the installed generator has version {GENERATOR_VERSION}\n"
                f"try: install the esoplay that has version {generator} of the generator"
            )
        if not commitment_holds(started.seed_commitment, seed, self.find_pack(state)):
            raise StoreError(
                f"the stored seed of session {started.session} is not the seed that it was "
                "started with"
            )
        return seed

    def committed_seed(self, state: SessionState) -> bytes:
        """Return the seed to publish, even if another generator or pack version is installed.

        Raises StoreError if the seed does not match the commitment.
        """
        started = state.started
        if state.protocol.public_seed:
            return PRACTICE_SEED
        seed = self.vault.seed(started.session)
        generator = int(started.versions.get("generator", GENERATOR_VERSION))
        without_tests = CommittedPack(started.pack, started.pack_version)
        if commitment_holds(started.seed_commitment, seed, without_tests, generator):
            return seed
        return self.find_seed(state)  # the commitment includes fixed tests, which only the pack has


SESSION_LIMITS = RunLimits(
    steps=GRADING_LIMITS.steps,
    output=GRADING_LIMITS.output,
    memory=GRADING_LIMITS.memory,
    time=int(TIME_LIMIT),  # an integer, as JSON libraries differ on 60.0
)
"""The limits of each local run and submission."""
MAX_LABEL_LENGTH = 200  # characters of a solver's name, which lists of sessions print in full


def begin_session(
    resources: SessionResources,
    language: str,
    rules: Protocol,
    *,
    pack: str | Path | None,
    problems: Iterable[str] | None,
    time_limit: float | None,
    seed: bytes | None,
    seed_file: Path | None,
    solver: str | None,
    workspace: Path | None,
    workspace_parent: Path | None,
    socket: Path | None,
) -> NewSession:
    """Start a session; see ``Sessions.init``."""
    if solver is not None and (len(solver) > MAX_LABEL_LENGTH or not solver.isprintable()):
        raise UsageError(
            f"a solver's name must be one line of at most {MAX_LABEL_LENGTH} printable characters"
        )
    if time_limit is not None and not 0 < time_limit <= TIME_LIMIT:
        raise UsageError(
            f"the time limit must be a number of seconds above 0, at most {TIME_LIMIT:g}"
        )
    resources.journal.store.require_writable()
    target = _session_target(language, rules.dialect)
    material = select_material(rules, target.id)
    client: Mapping[str, str] = {} if socket is None else client_files(socket)
    session = resources.randomness(SESSION_BYTES).hex()
    store = resources.journal.store.path
    if workspace is None and workspace_parent is not None:
        workspace = workspace_parent / f"session-{session}"
    if workspace is not None:
        private = [seed_file] if seed_file else []
        check_workspace(workspace, [*material, *client], store, resources.vault.folder, *private)
    if rules.public_seed and seed is not None:
        raise UsageError(f"protocol {rules.id} uses the public seed and accepts no other seed")
    private_seed = None if rules.public_seed else _choose_seed(resources, seed, seed_file)
    chosen = resources.pack(pack)
    selected = select_solvable(chosen.problems, problems, target.id)
    rules = replace(rules, compare=chosen.compare) if rules.compare == "pack" else rules
    limits, time_limits = _limits(selected, time_limit)
    builders = select_library(material)
    start = Start(
        session=session,
        language=target.id,
        protocol=rules,
        pack=chosen.id,
        pack_version=chosen.version,
        problems=tuple(problem.id for problem in selected),
        limits=limits,
        seed_commitment=commitment(
            private_seed or PRACTICE_SEED, resources.randomness(SALT_LENGTH), chosen
        ),
        versions={
            "esoplay": VERSION,
            "engine": engine_name(target.id),
            "generator": str(GENERATOR_VERSION),
            "order": str(ORDER_VERSION),
            **({VERSION_KEY: library_digest(builders)} if builders else {}),
        },
        solver=solver,
        time_limits=time_limits,
    )
    command = COMMAND if client else LOCAL_COMMAND
    needs = find_required_features(selected) if target.is_lane else frozenset[str]()
    instructions = instruction_file(start, target, files_to_read(material), command, needs)
    files = workspace_files(session, instructions, {**material, **client})
    given = {name: digest(content) for name, content in files.items()}
    if workspace is not None:
        make_folder(workspace)
    resources.save(
        session,
        seed=private_seed,
        pack=pack,
        pack_problems=None if tuple(selected) == chosen.problems else [each.id for each in chosen],
        workspace=workspace,
        original_files=given,
    )
    commit = resources.journal.start(start)
    started = commit.state.started
    if workspace is not None:
        write_workspace(workspace, files)
    return NewSession(
        session=session,
        language=target.id,
        protocol=rules,
        limits=started.limits,
        rules_text=rules_text(rules, started.limits, len(started.problems), target, needs),
        problems=started.problems,
        workspace=workspace,
        head=commit.head,
    )


def _session_target(name: str, dialect: str) -> Target:
    try:
        return find_target(name, dialect)
    except EngineError as error:
        raise UsageError(str(error)) from None


def _limits(
    problems: Sequence[Problem], time_limit: float | None
) -> tuple[RunLimits, dict[str, float]]:
    """Return the limits of a run, and the time limits in seconds of problems that override them."""
    if time_limit is not None:
        return replace(SESSION_LIMITS, time=_integer_if_whole(time_limit)), {}
    own = {
        one.id: _integer_if_whole(one.time_limit)
        for one in problems
        if one.time_limit != TIME_LIMIT
    }
    return SESSION_LIMITS, own


def _integer_if_whole(seconds: float) -> float:
    """Convert whole seconds to an integer, because JSON libraries differ on ``60.0``."""
    return int(seconds) if seconds == int(seconds) else seconds


def _choose_seed(resources: SessionResources, seed: bytes | None, seed_file: Path | None) -> bytes:
    if seed is None and seed_file is not None:
        seed = read_seed_file(seed_file)
    if seed == PRACTICE_SEED:
        raise UsageError("the practice seed is public; this protocol requires a secret seed")
    return seed or resources.randomness(SEED_LENGTH)
