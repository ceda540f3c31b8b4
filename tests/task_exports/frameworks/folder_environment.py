"""An environment of Harbor's without an image: a folder that is the root of what runs in it.

What the host has at its root is there as well, but for the folders that a container of a task
owns.  Of a Dockerfile only ``COPY`` and ``WORKDIR`` are done: what ``RUN`` would install is the
esoplay of the tests, which ``ESOPLAY_PYTHON`` and ``PYTHONPATH`` name.  Needs ``unshare``.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import shutil
import tempfile
from pathlib import Path

from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities

OWN = {"app", "logs", "tests", "solution", "harbor", "lost+found"}
COMMAND = "/app/.bin"
"""Where the command ``esoplay`` is."""


class FolderEnvironment(BaseEnvironment):
    @staticmethod
    def type() -> str:
        return "folder"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(disable_internet=True)

    def _validate_definition(self) -> None:
        if not (self.environment_dir / "Dockerfile").is_file():
            raise FileNotFoundError(self.environment_dir / "Dockerfile")

    async def start(self, force_build: bool) -> None:
        self._root = Path(tempfile.mkdtemp(prefix="folder-environment-"))
        self._workdir = "/"
        for entry in sorted(Path("/").iterdir()):
            if entry.is_symlink():
                (self._root / entry.name).symlink_to(entry.readlink())
            elif entry.is_dir() and entry.name not in OWN:
                (self._root / entry.name).mkdir()
        for folder in ("app", "logs/agent", "logs/verifier", "logs/artifacts"):
            (self._root / folder).mkdir(parents=True, exist_ok=True)
        for line in (self.environment_dir / "Dockerfile").read_text().splitlines():
            match line.split():
                case ["WORKDIR", folder]:
                    self._workdir = folder
                    self._at(folder).mkdir(parents=True, exist_ok=True)
                case ["COPY", source, target] if not source.endswith(".whl"):
                    self._copy(self.environment_dir / source, self._at(target))
                case _:
                    pass
        command = self._at(f"{COMMAND}/esoplay")
        command.parent.mkdir()
        command.write_text(f'#!/bin/sh\nexec {os.environ["ESOPLAY_PYTHON"]} -m esoplay "$@"\n')
        command.chmod(0o755)

    async def stop(self, delete: bool) -> None:
        shutil.rmtree(self._root)

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        self._copy(Path(source_path), self._at(target_path))

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        self._copy(Path(source_dir), self._at(target_dir))

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        self._copy(self._at(source_path), Path(target_path))

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        self._copy(self._at(source_dir), Path(target_dir))

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        root = shlex.quote(str(self._root))
        host = " ".join(
            entry.name
            for entry in self._root.iterdir()
            if entry.is_dir() and not entry.is_symlink() and entry.name not in OWN
        )
        inside = f"cd {shlex.quote(cwd or self._workdir)} && {command}"
        script = (
            f"for each in {host}; do mount --rbind /$each {root}/$each || exit 125; done\n"
            f"exec chroot {root} /bin/bash -c {shlex.quote(inside)}"
        )
        network = ["--net"] if self._network_disabled else []
        process = await asyncio.create_subprocess_exec(
            "unshare",
            "--map-root-user",
            "--mount",
            *network,
            "bash",
            "-c",
            script,
            env={
                **os.environ,
                "PATH": f"{COMMAND}:{os.environ['PATH']}",
                **(self._merge_env(env) or {}),
            },
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
        out, err = await asyncio.wait_for(process.communicate(), timeout_sec)
        assert process.returncode is not None
        return ExecResult(
            stdout=out.decode(errors="replace"),
            stderr=err.decode(errors="replace"),
            return_code=process.returncode,
        )

    def _at(self, path: str) -> Path:
        return self._root / path.lstrip("/")

    @staticmethod
    def _copy(source: Path, target: Path) -> None:
        if source.is_dir():
            shutil.copytree(source, target, dirs_exist_ok=True)
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
