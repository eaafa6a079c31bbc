"""Frames from generated files."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dms_client import Embeddings, Metadata, UnexpectedAnswer
from dms_client._rows import exported_table


def archive_of(table: pa.Table, folder: Path) -> Path:
    pq.write_table(table, folder / "metadata.parquet")
    with zipfile.ZipFile(folder / "export.zip", "w") as archive:
        archive.write(folder / "metadata.parquet", "metadata.parquet")
    return folder / "export.zip"


def test_rows_without_a_vector_are_nan(tmp_path: Path) -> None:
    vectors = pa.array([[], [1, 2], [3, 4], []], pa.list_(pa.float32()))
    table = pa.table({"media_id": ["a", "b", "c", "d"], "embedding": vectors})
    found = Embeddings(Metadata.from_archive(archive_of(table, tmp_path)))
    nan = np.nan
    np.testing.assert_array_equal(found.to_numpy(), [[nan, nan], [1, 2], [3, 4], [nan, nan]])
    assert found.media_ids() == ["a", "b", "c", "d"]
    assert found.model is None
    empty = pa.table({"media_id": ["a"], "embedding": vectors.slice(0, 1)})
    without = Embeddings(Metadata.from_archive(archive_of(empty, tmp_path)))
    assert without.to_numpy().shape == (1, 0)


def test_frames_of_videos_keep_their_times(tmp_path: Path) -> None:
    said = [{"type": "video_info", "properties": {"frame_timestamp": 1.5}}]
    texts = ("media_id", "file_name", "file_path", "caption", "cluster_id")
    columns = {name: pa.array([f"{name} 0", f"{name} 1"]) for name in texts}
    columns |= {name: pa.array([7, 8], pa.int32()) for name in ("width", "height")}
    columns["labels"] = pa.array([["a"], []], pa.list_(pa.string()))
    columns["media_type"] = pa.array(["video_frame", "image"])
    columns["metadata_items"] = pa.array([json.dumps(said), "[]"])
    metadata = Metadata.from_archive(archive_of(pa.table(columns), tmp_path))
    rows = exported_table(metadata).to_pylist()
    assert [row["frame_timestamp"] for row in rows] == [1.5, None]
    assert [row["image_id"] for row in rows] == ["media_id 0", "media_id 1"]
    assert rows[0]["labels"] == ["a"]


def test_refuses_archives_without_metadata(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("metadata.json", "{}")
    with pytest.raises(UnexpectedAnswer, match=r"metadata\.parquet"):
        Metadata.from_archive(tmp_path / "export.zip")


def test_reading_takes_no_memory_for_rows(tmp_path: Path) -> None:
    """The memory of Arrow stays far below the size of the file, about 80 MB."""
    ids = pa.array([f"{row:032x}" for row in range(200_000)])
    with pq.ParquetWriter(
        tmp_path / "metadata.parquet", pa.schema({"media_id": pa.string(), "text": pa.string()})
    ) as writer:
        for part in range(10):
            some = ids.slice(part * 20_000, 20_000)
            texts = pa.array([f"{part}-{row}" * 40 for row in range(20_000)])
            writer.write_table(pa.table({"media_id": some, "text": texts}))
    metadata = Metadata(tmp_path / "metadata.parquet")
    del ids, some, texts
    before = pa.total_allocated_bytes()
    most = rows = 0
    for batch in metadata.batches(rows=5_000):
        rows += batch.num_rows
        most = max(most, pa.total_allocated_bytes() - before)
    assert rows == 200_000
    assert most < 40_000_000
