"""What every session of one store is kept with: journal, vault, packs, workers, randomness."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import NamedTuple

from esoplay.errors import EsoplayError, StoreError
from esoplay.grading.packs import Pack
from esoplay.grading.seeds import GENERATOR_VERSION, PRACTICE_SEED, commitment_holds
from esoplay.service.problems import get_pack, resolve_pack
from esoplay.sessions.inventory import NOWHERE, Inspected, inspect
from esoplay.sessions.journal import Journal
from esoplay.sessions.state import State
from esoplay.sessions.tongue import tongue_of
from esoplay.sessions.vault import Vault
from esoplay.sessions.workers import Workers


class Promised(NamedTuple):
    """A pack by what a commitment binds of it."""

    id: str
    version: str
    tests: str = ""


class Keeping:
    """The operator's side of the sessions: nothing of it is a solver's to see."""

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

    def pack(self, chosen: str | Path | None = None) -> Pack:
        """The pack to begin a session with; raises UsageError and PackError."""
        return self._given_pack or get_pack(chosen)

    def remember(
        self,
        session: str,
        *,
        seed: bytes | None,
        pack: str | Path | None,
        workspace: Path | None,
        given: Mapping[str, str],
    ) -> None:
        """Keep what only the operator knows of a new session.

        seed: None where it is public.  given: the files of its workspace, with their digests.
        """
        vault = self.vault
        vault.keep(session, self.journal.store.path, seed)
        folder = None if self._given_pack else resolve_pack(pack)
        if folder is not None:
            vault.note(session, "pack", {"folder": str(folder)})
        if workspace is not None:
            noted = {"folder": str(workspace.resolve()), "given": dict(given)}
            vault.note(session, "workspace", noted)

    def inspect(self, state: State, problem: str) -> Inspected:
        """What lies in a session's workspace now, as a program for ``problem`` is handed in."""
        started = state.started
        noted = self.vault.noted(started.session, "workspace")
        if noted is None:
            return NOWHERE
        before = None if state.inventory is None else self.journal.store.blob(state.inventory)
        extensions = tongue_of(started.language, started.protocol.dialect).extensions
        return inspect(Path(noted["folder"]), extensions, noted["given"], problem, before)

    def pack_of(self, state: State) -> Pack:
        """The pack a session was begun with; StoreError if another edition is installed."""
        started = state.started
        noted = self.vault.noted(started.session, "pack")
        pack = self.pack(None if noted is None else Path(noted["folder"]))
        if (pack.id, pack.version) != (started.pack, started.pack_version):
            raise StoreError(
                f"session {started.session} was begun with pack {started.pack} "
                f"{started.pack_version}; installed is {pack.id} {pack.version}"
            )
        if tuple(problem.id for problem in pack) != started.problems:
            raise StoreError(
                f"session {started.session} was begun when pack {pack.id} {pack.version} had "
                f"{len(started.problems)} problems; now it has others"
            )
        return pack

    def tiers_of(self, state: State) -> dict[str, str]:
        """The tier of each problem; empty where the session's pack is not at hand."""
        try:
            return {problem.id: problem.tier for problem in self.pack_of(state)}
        except EsoplayError:
            return {}

    def seed_of(self, state: State) -> bytes:
        """The seed of a session's hidden tests; StoreError if it is not the one committed to."""
        started = state.started
        if state.protocol.public_seed:
            return PRACTICE_SEED
        seed = self.vault.seed(started.session)
        generator = started.versions.get("generator")
        if generator != str(GENERATOR_VERSION):
            raise StoreError(
                f"session {started.session} was begun with generator {generator} of hidden tests; "
                f"this version of esoplay has {GENERATOR_VERSION}"
            )
        if not commitment_holds(started.seed_commitment, seed, self.pack_of(state)):
            raise StoreError(
                f"the kept seed of session {started.session} is not the one it was begun with"
            )
        return seed

    def promised_seed(self, state: State) -> bytes:
        """The seed to publish, also where another generator or edition of the pack is installed.

        Raises StoreError if it is not the one committed to.
        """
        started = state.started
        if state.protocol.public_seed:
            return PRACTICE_SEED
        seed = self.vault.seed(started.session)
        generator = int(started.versions.get("generator", GENERATOR_VERSION))
        without_tests = Promised(started.pack, started.pack_version)
        if commitment_holds(started.seed_commitment, seed, without_tests, generator):
            return seed
        return self.seed_of(state)  # fixed tests are bound as well, which the pack alone knows
