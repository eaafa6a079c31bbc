from __future__ import annotations

from pathlib import Path

import pytest

from dms_client import Dataset


def test_becomes_a_dataset_of_hugging_face(
    boats: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    made = boats.search(labels=["car"]).to_hf(tmp_path / "cars")
    assert len(made) == 6
    assert made.features["image"].__class__.__name__ == "Image"
    row = made[0]
    assert row["image"].size == (96, 72)
    assert row["labels"] == ["car"]
    assert not (tmp_path / "cars" / "export.zip").exists()
    assert len(boats.to_hf(tmp_path / "all").filter(lambda each: each["width"] < 96)) == 1
