"""The wheel and the source distribution, built and installed from a folder."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMIT = "0123456789ab" + "c" * 28
INSTALLERS = os.environ.get("ESOPLAY_INSTALLERS", "")

pytestmark = pytest.mark.slow


def run(*command: str | Path, cwd: Path, **env: str) -> str:
    done = subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**os.environ, **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a wheel of plain engines and the source distribution that it was made of."""
    checkout, dist = tmp_path_factory.mktemp("checkout"), tmp_path_factory.mktemp("dist")
    listed = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (checkout / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, checkout / name)
    (checkout / ".git").mkdir()
    (checkout / ".git" / "HEAD").write_text(f"{COMMIT}\n")
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir", dist, ".")
    printed = run(*build, cwd=checkout, ESOPLAY_EXT="off")
    assert "is absent from the `packages` configuration" not in printed
    return dist


def installed(wheel: Path, folder: Path) -> str:
    """What ``esoplay --version`` prints where only the wheel is on the path."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    return run(sys.executable, "-m", "esoplay", "--version", cwd=folder, PYTHONPATH=str(folder))


def test_a_wheel_knows_its_commit(built: Path, tmp_path: Path) -> None:
    (wheel,) = built.glob("*.whl")
    assert wheel.name.endswith("-py3-none-any.whl")
    assert f"commit {COMMIT[:12]}, engines plain" in installed(wheel, tmp_path)


def test_a_source_distribution_builds_without_a_compiler(built: Path, tmp_path: Path) -> None:
    (source,) = built.glob("*.tar.gz")
    with tarfile.open(source) as archive:
        archive.extractall(tmp_path, filter="data")
    (folder,) = tmp_path.iterdir()
    pip = (sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-build-isolation", "-w", "made")
    run(*pip, ".", cwd=folder, CC="/nonexistent/cc", ESOPLAY_EXT="auto")
    (wheel,) = (folder / "made").glob("*.whl")
    assert f"commit {COMMIT[:12]}, engines plain" in installed(wheel, tmp_path / "site")


@pytest.mark.opt_in
@pytest.mark.skipif(not INSTALLERS, reason="ESOPLAY_INSTALLERS does not ask for it")
@pytest.mark.parametrize("installer", ["uvx", "uv", "pipx"])
def test_installers_install_a_wheel_from_a_folder(
    installer: str, built: Path, tmp_path: Path
) -> None:
    """They download the packages that esoplay needs."""
    program = shutil.which(installer)
    if program is None:
        pytest.skip(f"{installer} is not installed")
    (wheel,) = built.glob("*.whl")
    commands = tmp_path / "bin"
    env = {
        "UV_TOOL_DIR": str(tmp_path / "tools"),
        "UV_TOOL_BIN_DIR": str(commands),
        "PIPX_HOME": str(tmp_path / "pipx"),
        "PIPX_BIN_DIR": str(commands),
    }
    esoplay: tuple[str | Path, ...] = (commands / "esoplay",)
    if installer == "uvx":
        esoplay = (program, "--from", wheel, "esoplay")
    else:
        install = ("tool", "install") if installer == "uv" else ("install",)
        run(program, *install, wheel, cwd=tmp_path, **env)
    assert COMMIT[:12] in run(*esoplay, "--version", cwd=tmp_path, **env)
    (tmp_path / "cat.bf").write_text(",[.,]")
    assert run(*esoplay, "run", "cat.bf", "--input", "it works", cwd=tmp_path, **env) == "it works"
