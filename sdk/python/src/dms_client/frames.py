"""Frames from the Parquet file of an export, in bounded memory."""

from __future__ import annotations

import importlib
import os
import shutil
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

from .errors import DmsError, UnexpectedAnswer

_CHUNK = 1 << 20
METADATA = "metadata.parquet"


class MissingExtra(DmsError, ImportError):
    """An optional library is not installed."""


def needs(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(
            f"This requires {module}. Run pip install 'dataset-media-service[{extra}]'"
        ) from error


class Metadata:
    """The metadata of an export: a temporary Parquet file that is deleted with this object.

    `batches` and `to_polars(lazy=True)` never hold all of it. The others hold one copy, because the
    file is memory-mapped and columns are released while they are converted.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def from_archive(cls, archive: Path) -> Metadata:
        """Extracts the file from the archive of an export."""
        descriptor, name = tempfile.mkstemp(suffix=".parquet", prefix="dms-")
        try:
            with os.fdopen(descriptor, "wb") as target, zipfile.ZipFile(archive) as members:
                if METADATA not in members.namelist():
                    raise UnexpectedAnswer(f"The export does not contain {METADATA}.")
                with members.open(METADATA) as source:
                    shutil.copyfileobj(source, target, _CHUNK)
        except BaseException:
            os.unlink(name)
            raise
        return cls(Path(name))

    def batches(self, rows: int = 10_000, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Yields Arrow record batches."""
        parquet = needs("pyarrow.parquet", "arrow")
        with parquet.ParquetFile(self.path, memory_map=True) as file:
            yield from file.iter_batches(batch_size=rows, columns=columns)

    def to_arrow(self, columns: Sequence[str] | None = None) -> Any:
        """A pyarrow.Table."""
        parquet = needs("pyarrow.parquet", "arrow")
        return parquet.read_table(self.path, columns=columns, memory_map=True)

    def to_pandas(self, columns: Sequence[str] | None = None, **options: Any) -> Any:
        """A pandas.DataFrame. Options are those of pyarrow's `Table.to_pandas`."""
        needs("pandas", "pandas")
        table = self.to_arrow(columns)
        return table.to_pandas(**{"split_blocks": True, "self_destruct": True, **options})

    def to_polars(self, columns: Sequence[str] | None = None, *, lazy: bool = False) -> Any:
        """A polars.DataFrame, or with `lazy` a LazyFrame, which reads the file when it is used."""
        polars = needs("polars", "polars")
        frame = polars.scan_parquet(self.path)
        if columns is not None:
            frame = frame.select(list(columns))
        return frame if lazy else frame.collect()

    def close(self) -> None:
        """Deletes the file."""
        self.path.unlink(missing_ok=True)

    def __enter__(self) -> Metadata:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def __del__(self) -> None:
        self.close()


class Embeddings:
    """The vectors of images: row i of `to_numpy` belongs to item i of `media_ids`.

    They are in a temporary file, which is deleted with this object, and read on access.
    """

    def __init__(self, metadata: Metadata) -> None:
        self._metadata = metadata
        parquet = needs("pyarrow.parquet", "arrow")
        with parquet.ParquetFile(metadata.path) as file:
            keys = file.schema_arrow.metadata or {}
            self._rows = int(file.metadata.num_rows)
        self.model: str | None = keys.get(b"embedding_model", b"").decode() or None
        """The id of the model that computed them."""

    def __len__(self) -> int:
        return self._rows

    def batches(self, rows: int = 10_000) -> Iterator[Any]:
        """Yields Arrow record batches with `media_id` and `embedding`."""
        return self._metadata.batches(rows, ["media_id", "embedding"])

    def to_arrow_stream(self, rows: int = 10_000) -> Any:
        """A pyarrow.RecordBatchReader with `media_id` and `embedding`."""
        pa = needs("pyarrow", "arrow")
        schema = needs("pyarrow.parquet", "arrow").read_schema(self._metadata.path)
        chosen = pa.schema([schema.field("media_id"), schema.field("embedding")])
        return pa.RecordBatchReader.from_batches(
            chosen, (each.cast(chosen) for each in self.batches(rows))
        )

    def media_ids(self) -> list[str]:
        found: list[str] = self._metadata.to_arrow(["media_id"])["media_id"].to_pylist()
        return found

    def to_numpy(self) -> Any:
        """A float32 array with one row per image; NaN for images without a vector."""
        numpy = needs("numpy", "arrow")
        lengths = needs("pyarrow.compute", "arrow").list_value_length
        array: Any = None
        at = 0
        for batch in self.batches():
            column = batch.column("embedding")
            values = column.flatten().to_numpy(zero_copy_only=False)
            # Images without a vector have an empty list.
            there = numpy.asarray(lengths(column).fill_null(0)) > 0
            if array is None and len(values) > 0:
                width = len(values) // int(there.sum())
                array = numpy.full((self._rows, width), numpy.nan, dtype=numpy.float32)
            if array is not None:
                array[at : at + batch.num_rows][there] = values.reshape(-1, array.shape[1])
            at += batch.num_rows
        return numpy.empty((self._rows, 0), numpy.float32) if array is None else array

    def close(self) -> None:
        """Deletes the file."""
        self._metadata.close()

    def __enter__(self) -> Embeddings:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
