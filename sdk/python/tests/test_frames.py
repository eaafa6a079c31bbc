"""Frames from files that are made here."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dms_client import Embeddings, Metadata, UnexpectedAnswer


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


def test_refuses_archives_without_metadata(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "export.zip", "w") as archive:
        archive.writestr("metadata.json", "{}")
    with pytest.raises(UnexpectedAnswer, match=r"metadata\.parquet"):
        Metadata.from_archive(tmp_path / "export.zip")


def test_reading_takes_no_memory_for_rows(tmp_path: Path) -> None:
    """Batches of a file of some 80 MB: what Arrow holds stays far below."""
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
