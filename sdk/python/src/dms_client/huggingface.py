"""An export as a Hugging Face dataset: `to_hf`."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path
from typing import Any

from .frames import METADATA, needs


def load_archive(archive: Path, folder: Path) -> Any:
    """Unpacks an export with images into a folder, from which the dataset is read."""
    datasets = needs("datasets", "hf")
    pa = needs("pyarrow", "hf")
    parquet = needs("pyarrow.parquet", "hf")
    folder.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(archive) as members:
        members.extractall(folder)
    with parquet.ParquetFile(folder / METADATA) as file:
        kept = file.schema_arrow.remove_metadata()
        schema = kept.append(pa.field("image", pa.string()))
        with parquet.ParquetWriter(folder / "dataset.parquet", schema) as writer:
            for batch in file.iter_batches(1000):
                names = batch.column("image_filename").to_pylist()
                paths = [None if name is None else str(folder / "images" / name) for name in names]
                columns = [*batch.columns, pa.array(paths, pa.string())]
                writer.write_batch(pa.record_batch(columns, schema=schema))
    shutil.rmtree(folder / ".cache", ignore_errors=True)
    made = datasets.Dataset.from_parquet(
        str(folder / "dataset.parquet"), cache_dir=str(folder / ".cache")
    )
    return made.cast_column("image", datasets.Image())
