"""Beginning a session: rules, seed, first event and workspace."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from esolangs.errors import EngineError
from esoplay.errors import UsageError
from esoplay.grading.seeds import (
    GENERATOR_VERSION,
    ORDER_VERSION,
    PRACTICE_SEED,
    SALT_LENGTH,
    SEED_LENGTH,
    commitment,
    read_seed_file,
)
from esoplay.running.run import GRADING_LIMITS, TIME_LIMIT
from esoplay.service.session_keeping import Keeping
from esoplay.sessions.answers import SessionStarted
from esoplay.sessions.events import RunLimits
from esoplay.sessions.instructions import (
    LOCAL_COMMAND,
    instruction_file,
    material_of,
    rules_text,
    to_be_read,
)
from esoplay.sessions.library import VERSION_KEY, library_digest, library_of
from esoplay.sessions.machine import Start
from esoplay.sessions.protocols import Protocol
from esoplay.sessions.store import digest
from esoplay.sessions.tongue import Tongue, engine_of, tongue_of
from esoplay.sessions.vault import SESSION_BYTES
from esoplay.sessions.workspace import (
    COMMAND,
    check_workspace,
    client_files,
    make_folder,
    workspace_files,
    write_workspace,
)
from esoplay.version import VERSION

SESSION_LIMITS = RunLimits(
    steps=GRADING_LIMITS.steps,
    output=GRADING_LIMITS.output,
    memory=GRADING_LIMITS.memory,
    time=int(TIME_LIMIT),  # 60 is written alike by every JSON library, 60.0 is not
)
"""What each local run may use; the grader holds submissions to the same."""
MOST_LABEL = 200  # characters of a solver's name, which lists of sessions print as it is


def begin(
    keeping: Keeping,
    language: str,
    rules: Protocol,
    *,
    pack: str | Path | None,
    seed: bytes | None,
    seed_file: Path | None,
    solver: str | None,
    workspace: Path | None,
    workspace_in: Path | None,
    socket: Path | None,
) -> SessionStarted:
    """See ``Sessions.init``."""
    if solver is not None and (len(solver) > MOST_LABEL or not solver.isprintable()):
        raise UsageError(
            f"a solver's name is one line of at most {MOST_LABEL} printable characters"
        )
    keeping.journal.store.require_writable()
    tongue = _language(language, rules.dialect)
    material = material_of(rules, tongue.id)
    client: Mapping[str, str] = {} if socket is None else client_files(socket)
    session = keeping.randomness(SESSION_BYTES).hex()
    store = keeping.journal.store.path
    if workspace is None and workspace_in is not None:
        workspace = workspace_in / f"session-{session}"
    if workspace is not None:
        private = [seed_file] if seed_file else []
        check_workspace(workspace, [*material, *client], store, keeping.vault.folder, *private)
    if rules.public_seed and seed is not None:
        raise UsageError(f"{rules.id} uses the public seed; it takes no other")
    secret = None if rules.public_seed else _secret(keeping, seed, seed_file)
    chosen = keeping.pack(pack)
    builders = library_of(material)
    start = Start(
        session=session,
        language=tongue.id,
        protocol=rules,
        pack=chosen.id,
        pack_version=chosen.version,
        problems=tuple(problem.id for problem in chosen),
        limits=SESSION_LIMITS,
        seed_commitment=commitment(
            secret or PRACTICE_SEED, keeping.randomness(SALT_LENGTH), chosen
        ),
        versions={
            "esoplay": VERSION,
            "engine": engine_of(tongue.id),
            "generator": str(GENERATOR_VERSION),
            "order": str(ORDER_VERSION),
            **({VERSION_KEY: library_digest(builders)} if builders else {}),
        },
        solver=solver,
    )
    command = COMMAND if client else LOCAL_COMMAND
    instructions = instruction_file(start, tongue, to_be_read(material), command)
    files = workspace_files(session, instructions, {**material, **client})
    given = {name: digest(content) for name, content in files.items()}
    if workspace is not None:
        make_folder(workspace)
    keeping.remember(session, seed=secret, pack=pack, workspace=workspace, given=given)
    commit = keeping.journal.start(start)
    started = commit.state.started
    if workspace is not None:
        write_workspace(workspace, files)
    return SessionStarted(
        session=session,
        language=tongue.id,
        protocol=rules,
        limits=started.limits,
        rules_text=rules_text(rules, started.limits, len(started.problems), tongue),
        problems=started.problems,
        workspace=workspace,
        head=commit.head,
    )


def _language(name: str, dialect: str) -> Tongue:
    try:
        return tongue_of(name, dialect)
    except EngineError as error:
        raise UsageError(str(error)) from None


def _secret(keeping: Keeping, seed: bytes | None, seed_file: Path | None) -> bytes:
    if seed is None and seed_file is not None:
        seed = read_seed_file(seed_file)
    if seed == PRACTICE_SEED:
        raise UsageError("the practice seed is public; this protocol needs a secret one")
    return seed or keeping.randomness(SEED_LENGTH)
