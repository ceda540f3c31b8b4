"""What every session of one store is kept with: journal, vault, packs, workers, randomness."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from esoplay.errors import StoreError
from esoplay.grading.packs import Pack, load_pack
from esoplay.grading.seeds import PRACTICE_SEED, commitment_holds
from esoplay.sessions.journal import Journal
from esoplay.sessions.state import State
from esoplay.sessions.vault import Vault
from esoplay.sessions.workers import Workers


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

    @cached_property
    def pack(self) -> Pack:
        """The pack that sessions are begun with; raises PackError."""
        return self._given_pack or load_pack()

    def pack_of(self, state: State) -> Pack:
        """The pack a session was begun with; StoreError if another edition is installed."""
        pack, started = self.pack, state.started
        if (pack.id, pack.version) != (started.pack, started.pack_version):
            raise StoreError(
                f"session {started.session} was begun with pack {started.pack} "
                f"{started.pack_version}; installed is {pack.id} {pack.version}"
            )
        return pack

    def seed_of(self, state: State) -> bytes:
        """The seed of a session's hidden tests; StoreError if it is not the one committed to."""
        started = state.started
        if state.protocol.public_seed:
            return PRACTICE_SEED
        seed = self.vault.seed(started.session)
        if not commitment_holds(started.seed_commitment, seed, self.pack_of(state)):
            raise StoreError(
                f"the kept seed of session {started.session} is not the one it was begun with"
            )
        return seed
