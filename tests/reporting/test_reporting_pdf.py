"""Pictures as PDF, and a LaTeX document with them."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import zlib
from pathlib import Path

import pytest
from made_evaluations import results

from esoplay.cli.main import main
from esoplay.packs.catalogue import get_pack
from esoplay.reporting.canvas import plain_style, style


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pdf") / "heron"
    folder.mkdir()
    data = results("heron", seed=1, pack=get_pack(None).id, runs=1)
    (folder / "results.json").write_text(json.dumps(data), "utf-8")
    return folder


def report(folder: Path, *options: str) -> int:
    return main(["report", str(folder), "--resamples", "100", *options])


def drawn(pdf: bytes) -> bytes:
    """The drawing commands of a PDF."""
    streams = re.findall(rb"stream\r?\n(.*?)\r?\nendstream", pdf, re.DOTALL)
    decoded: list[bytes] = []
    for stream in streams:
        try:
            decoded.append(zlib.decompress(stream))
        except zlib.error:
            continue
    return b"\n".join(decoded)


@pytest.mark.slow
def test_every_picture_is_also_a_pdf_and_latex_includes_it(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("cairosvg", exc_type=ImportError)
    out = tmp_path / "report"
    assert report(folder, "-o", str(out), "--pdf") == 0
    pictures = sorted((out / "pictures").glob("*.svg"))
    assert len(pictures) == 8
    latex = (out / "report.tex").read_text("utf-8")
    for picture in pictures:
        pdf = picture.with_suffix(".pdf").read_bytes()
        assert pdf.startswith(b"%PDF-")
        # The first color of the style sheet, c0 or s0, is used in each of them: 0, 103, 165.
        assert re.search(rb"\b0 0\.40\d* 0\.64\d* (rg|RG)", drawn(pdf)), picture.name
        assert rf"{{pictures/{picture.stem}.pdf}}" in latex
    assert latex.count(r"\includegraphics") == 8
    # A later report without --pdf removes them.
    assert report(folder, "-o", str(out)) == 0
    assert list((out / "pictures").glob("*.pdf")) == []
    assert r"\includegraphics" not in (out / "report.tex").read_text("utf-8")


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="pdflatex is not installed")
def test_pdflatex_compiles_the_document(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("cairosvg", exc_type=ImportError)
    assert report(folder, "-o", str(tmp_path), "--pdf") == 0
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "report.tex"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False, timeout=300)
    assert done.returncode == 0, done.stdout[-2000:].decode("utf-8", "replace")
    assert (tmp_path / "report.pdf").read_bytes().startswith(b"%PDF-")


def test_the_plain_style_has_nothing_that_converters_do_not_know() -> None:
    assert "var(" not in plain_style()
    assert "@media" not in plain_style()
    assert set(re.findall(r"\.picture \.([a-z0-9]+)", plain_style())) == set(
        re.findall(r"\.picture \.([a-z0-9]+)", style())
    )


def test_without_the_extra_the_error_says_what_to_install(
    folder: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setitem(sys.modules, "cairosvg", None)
    assert report(folder, "-o", str(tmp_path / "report"), "--pdf") == 2
    assert "--pdf needs the extra pdf: pip install 'esoplay[pdf]'" in capsys.readouterr().err
    assert not (tmp_path / "report").exists()


def test_pdf_requires_a_folder(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert report(folder, "--pdf") == 2
    assert "--pdf requires -o DIR" in capsys.readouterr().err
