"""Runs the tour of the README from top to bottom, and the Python lines in the tour of the
service."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import ROOT, Service, png, write_library, write_pictures
from dms_client import Client

README = Path(__file__).parent.parent / "README.md"


def test_the_tour(
    service: Service, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_library(home / "user" / "Pictures")
    write_pictures(tmp_path / "more", range(110, 113))
    write_pictures(tmp_path / "newer", range(113, 115))
    (tmp_path / "query.png").write_bytes(png(3))
    monkeypatch.setenv("HOME", str(home / "user"))
    monkeypatch.chdir(tmp_path)
    blocks = _blocks_of(README.read_text())
    assert len(blocks) > 5
    _run(blocks, service)
    assert (tmp_path / "out.csv").exists()
    assert (tmp_path / "out.zip").exists()


def test_the_lines_in_the_tour_of_the_service(
    service: Service, home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_library(home / "other" / "Pictures")
    monkeypatch.setenv("HOME", str(home / "other"))
    monkeypatch.chdir(tmp_path)
    (block,) = _blocks_of((ROOT / "docs" / "tour.md").read_text())
    # Another test finds a dataset by the same name.
    _run([block, "ds.delete()"], service)
    dropped = (tmp_path / "out.csv").read_text().splitlines()
    assert any("boats/" in line for line in dropped)


def _blocks_of(text: str) -> list[str]:
    return re.findall(r"^```python\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def _run(blocks: list[str], service: Service) -> None:
    names: dict[str, object] = {}
    try:
        for block in blocks:
            exec(block.replace("http://127.0.0.1:3000", service.url), names)
    finally:
        client = names["dms"]
        assert isinstance(client, Client)
        client.close()
