"""The tour of the README, from top to bottom."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from conftest import Service, png, write_library, write_pictures
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
    blocks = re.findall(r"^```python\n(.*?)^```$", README.read_text(), re.DOTALL | re.MULTILINE)
    assert len(blocks) > 5
    names: dict[str, object] = {}
    try:
        for block in blocks:
            exec(block.replace("http://127.0.0.1:3000", service.url), names)
    finally:
        client = names["dms"]
        assert isinstance(client, Client)
        client.close()
    assert (tmp_path / "out.csv").exists()
    assert (tmp_path / "out.zip").exists()
