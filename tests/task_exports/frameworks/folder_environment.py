"""An environment of Harbor's without an image: a folder that is the root of what runs in it.

A service of a compose file is another such folder; its command runs in the network of the host, at
a free port that ``ports`` names and ``ESOPLAY_PORT`` has.

What the host has at its root is there as well, but for the folders that a container of a task
owns.  Of a Dockerfile only ``COPY`` and ``WORKDIR`` are done: what ``RUN`` would install is the
esoplay of the tests, which ``ESOPLAY_PYTHON`` and ``PYTHONPATH`` name.  Needs ``unshare``.
"""

from __future__ import annotations

import asyncio
import json
import os
import shlex
import shutil
import socket
import tempfile
from pathlib import Path

import yaml
from harbor.environments.base import BaseEnvironment, ExecResult
from harbor.environments.capabilities import EnvironmentCapabilities

OWN = {"app", "logs", "tests", "solution", "harbor", "session", "lost+found"}
COMMAND = "/app/.bin"
"""Where the command ``esoplay`` is."""


class FolderEnvironment(BaseEnvironment):
    @staticmethod
    def type() -> str:
        return "folder"

    @property
    def capabilities(self) -> EnvironmentCapabilities:
        return EnvironmentCapabilities(disable_internet=True, docker_compose=True)

    def _validate_definition(self) -> None:
        if not (self.environment_dir / "Dockerfile").is_file():
            raise FileNotFoundError(self.environment_dir / "Dockerfile")

    async def start(self, force_build: bool) -> None:
        self._main = Container(self.environment_dir)
        self._services: dict[str, Container] = {}
        self.ports: dict[str, int] = {}
        compose = self.environment_dir / "docker-compose.yaml"
        if not compose.is_file():
            return
        for name, service in yaml.safe_load(compose.read_text())["services"].items():
            if name != "main":
                container = Container(self.environment_dir / service["build"]["context"])
                self._services[name], self.ports[name] = container, free_port()
                await container.serve({"ESOPLAY_PORT": str(self.ports[name])})

    async def stop(self, delete: bool) -> None:
        for container in (self._main, *self._services.values()):
            await container.remove()

    async def stop_service(self, service: str) -> None:
        pass  # between the calls of ``exec`` nothing runs in the main service

    async def upload_file(self, source_path: Path | str, target_path: str) -> None:
        copy(Path(source_path), self._main.at(target_path))

    async def upload_dir(self, source_dir: Path | str, target_dir: str) -> None:
        copy(Path(source_dir), self._main.at(target_dir))

    async def download_file(self, source_path: str, target_path: Path | str) -> None:
        copy(self._main.at(source_path), Path(target_path))

    async def download_dir(self, source_dir: str, target_dir: Path | str) -> None:
        copy(self._main.at(source_dir), Path(target_dir))

    async def service_download_file(
        self, source_path: str, target_path: Path | str, *, service: str | None = None
    ) -> None:
        container = self._main if self.is_main_service(service) else self._services[str(service)]
        copy(container.at(source_path), Path(target_path))

    async def exec(
        self,
        command: str,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        return await self._main.run(
            command, cwd, self._merge_env(env), timeout_sec, offline=self._network_disabled
        )

    async def service_exec(
        self,
        command: str,
        *,
        service: str | None = None,
        cwd: str | None = None,
        env: dict[str, str] | None = None,
        timeout_sec: int | None = None,
        user: str | int | None = None,
    ) -> ExecResult:
        if self.is_main_service(service):
            return await self.exec(command, cwd, env, timeout_sec, user)
        return await self._services[str(service)].run(command, cwd, env, timeout_sec)


class Container:
    """The root folder of one service, made of the folder with its Dockerfile."""

    def __init__(self, folder: Path):
        self._root = Path(tempfile.mkdtemp(prefix="folder-environment-"))
        self._workdir, self._command = "/", [""]
        self._serving: asyncio.subprocess.Process | None = None
        for entry in sorted(Path("/").iterdir()):
            if entry.is_symlink():
                (self._root / entry.name).symlink_to(entry.readlink())
            elif entry.is_dir() and entry.name not in OWN:
                (self._root / entry.name).mkdir()
        for made in ("app", "logs/agent", "logs/verifier", "logs/artifacts"):
            (self._root / made).mkdir(parents=True, exist_ok=True)
        for line in (folder / "Dockerfile").read_text().splitlines():
            match line.split(maxsplit=1):
                case ["WORKDIR", workdir]:
                    self._workdir = workdir
                    self.at(workdir).mkdir(parents=True, exist_ok=True)
                case ["COPY", paths] if ".whl" not in paths:
                    source, target = paths.split()
                    copy(folder / source, self.at(target))
                case ["CMD", words]:
                    self._command = json.loads(words)
                case _:
                    pass
        for name, module in (("esoplay", "-m esoplay"), ("python3", "")):
            command = self.at(f"{COMMAND}/{name}")
            command.parent.mkdir(exist_ok=True)
            command.write_text(f'#!/bin/sh\nexec {os.environ["ESOPLAY_PYTHON"]} {module} "$@"\n')
            command.chmod(0o755)

    def at(self, path: str) -> Path:
        return self._root / path.lstrip("/")

    async def serve(self, env: dict[str, str]) -> None:
        """Start the command of the image; return when its port answers."""
        self._serving = await self._start(shlex.join(self._command), None, env, offline=False)
        for _ in range(3000):
            assert self._serving.returncode is None, "the service has ended"
            try:
                socket.create_connection(("127.0.0.1", int(env["ESOPLAY_PORT"])), 1).close()
                return
            except OSError:
                await asyncio.sleep(0.1)
        raise TimeoutError("the service does not answer")

    async def remove(self) -> None:
        if self._serving is not None:
            self._serving.kill()
            await self._serving.wait()
        shutil.rmtree(self._root)

    async def run(
        self,
        command: str,
        cwd: str | None,
        env: dict[str, str] | None,
        timeout_sec: int | None,
        *,
        offline: bool = False,
    ) -> ExecResult:
        process = await self._start(command, cwd, env, offline=offline)
        out, err = await asyncio.wait_for(process.communicate(), timeout_sec)
        assert process.returncode is not None
        return ExecResult(
            stdout=out.decode(errors="replace"),
            stderr=err.decode(errors="replace"),
            return_code=process.returncode,
        )

    async def _start(
        self, command: str, cwd: str | None, env: dict[str, str] | None, *, offline: bool
    ) -> asyncio.subprocess.Process:
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
        return await asyncio.create_subprocess_exec(
            "unshare",
            "--map-root-user",
            "--mount",
            *(["--net"] if offline else []),
            "bash",
            "-c",
            script,
            env={**os.environ, "PATH": f"{COMMAND}:{os.environ['PATH']}", **(env or {})},
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def copy(source: Path, target: Path) -> None:
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    else:
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source, target)
