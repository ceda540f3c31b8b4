"""Build of the compiled engines; everything else is in pyproject.toml.

Every ``_<name>.py`` below ``interpreters/esolangs`` is written in Cython's pure Python mode and is
compiled as ``_<name>_c`` beside its plain twin.  Where it cannot be compiled the install succeeds
without.  ``ESOPLAY_EXT`` changes that:

    off        build no extensions
    require    fail when an extension cannot be built (what CI uses)
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import warnings
from pathlib import Path

from setuptools import find_namespace_packages, find_packages, setup
from setuptools.command.build_py import build_py
from setuptools.command.sdist import sdist

ROOT = Path(__file__).resolve().parent
MODE = os.environ.get("ESOPLAY_EXT", "auto")

sys.path[:0] = [str(ROOT), str(ROOT / "interpreters")]  # pip builds without the checkout

# setuptools warns that a folder with the package's name shadows an editable install; here that
# folder is the package.
warnings.filterwarnings("ignore", message="Editable installation")


# gcc would keep two variables of Whitespace's loop in one vector register, which costs a fifth of
# the speed.  The speed of Unlambda's loop varies with its address by up to a factor of two; this
# alignment makes the address depend less on other functions.
FLAGS = {"whitespace": ["-fno-tree-slp-vectorize"], "unlambda": ["-falign-functions=256"]}


def extensions() -> list:
    """The engines' cores, optional unless required."""
    if MODE == "off":
        return []
    try:
        from Cython.Build import cythonize
        from setuptools import Extension
    except ImportError:
        if MODE == "require":
            raise
        return []
    staging = ROOT / "build" / "cython"
    (staging / "esolangs").mkdir(parents=True, exist_ok=True)
    for shared in (ROOT / "interpreters" / "esolangs").glob("*.pxd"):
        copy_if_new(shared, staging / "esolangs" / shared.name)
    found = []
    interpreters = ROOT / "interpreters"
    for source in sorted((interpreters / "esolangs").rglob("_[a-z]*.py")):
        package = source.parent.relative_to(interpreters)
        folder = staging / package
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "__init__.py").touch()
        copy_if_new(source, folder / f"{source.stem}_c.py")
        types = source.with_suffix(".pxd")
        if types.exists():
            copy_if_new(types, folder / f"{source.stem}_c.pxd")
        found.append(
            Extension(
                f"{'.'.join(package.parts)}.{source.stem}_c",
                [str((folder / f"{source.stem}_c.py").relative_to(ROOT))],
                extra_compile_args=[]
                if sys.platform == "win32"
                else ["-O3", "-g0", *FLAGS.get(source.parent.name, [])],
            )
        )
    built = cythonize(found, include_path=[str(staging)], quiet=True)
    for extension in built:  # cythonize() drops `optional`, so it is set afterwards
        extension.optional = MODE != "require"
    return built


def copy_if_new(source: Path, target: Path) -> None:
    """Copy, but leave an identical file alone so that nothing is compiled again."""
    if not target.exists() or target.read_bytes() != source.read_bytes():
        shutil.copy(source, target)


class BuildWithPack(build_py):
    """Compiles the problem pack, many hand-written files, into one that loads at once.

    The pages that sessions hand out with the builders' library come along.
    """

    def run(self) -> None:
        super().run()
        if self.editable_mode:
            return
        from esoplay.grading.packs import compile_pack

        for folder in (".", "basics"):
            target = Path(self.build_lib) / "esoplay" / "problems" / folder / "pack.json"
            compiled = compile_pack(ROOT / "problems" / folder)
            target.write_text(json.dumps(compiled), encoding="utf-8")
        pages = Path(self.build_lib) / "esoplay" / "codegen" / "pages"
        pages.mkdir(exist_ok=True)
        for page in (ROOT / "docs" / "codegen").glob("*.md"):
            shutil.copy(page, pages)
        write_commit(Path(self.build_lib) / "esoplay")


class SourceWithCommit(sdist):
    """A source distribution that knows its commit, which has no repository to ask."""

    def make_release_tree(self, base_dir: str, files: list[str]) -> None:
        super().make_release_tree(base_dir, files)
        write_commit(Path(base_dir) / "esoplay")


def write_commit(package: Path) -> None:
    """Note the commit beside ``version.py``; leave it out where it is not known."""
    from esoplay.version import COMMIT_FILE, find_commit

    found = find_commit()
    target = package / COMMIT_FILE
    target.unlink(missing_ok=True)  # a source tree may hold hard links to the checkout
    if found is not None:
        target.write_text(f"{found}\n", encoding="ascii")


setup(
    packages=[
        # Folders of data below esoplay are packages too: setuptools warns if they are not.
        *find_namespace_packages(
            str(ROOT), include=["esoplay*"], exclude=["*.__pycache__", "*.__pycache__.*"]
        ),
        *find_packages(str(ROOT / "interpreters"), include=["esolangs*"]),
        "esoplay.problems",  # data folders of the checkout that live inside the package
        "esoplay.problems.hints",
        "esoplay.problems.basics",
        "esoplay.themes",
    ],
    ext_modules=extensions(),
    options={"build_ext": {"parallel": os.cpu_count() or 1}},
    cmdclass={"build_py": BuildWithPack, "sdist": SourceWithCommit},
)
