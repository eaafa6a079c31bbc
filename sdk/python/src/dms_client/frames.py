"""Frames from the Parquet of an export, in bounded memory."""

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
    """A library that is optional is not installed."""


def needs(module: str, extra: str) -> Any:
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingExtra(
            f"This needs {module}: pip install 'dataset-media-service[{extra}]'"
        ) from error


class Metadata:
    """The metadata of an export: a Parquet file of its own, deleted with this object.

    `batches` and `to_polars(lazy=True)` never hold all of it; the others hold one copy, for the
    file is mapped into memory and columns are given up as they are converted.
    """

    def __init__(self, path: Path) -> None:
        self.path = path

    @classmethod
    def from_archive(cls, archive: Path) -> Metadata:
        """Copies the file out of an archive of an export."""
        descriptor, name = tempfile.mkstemp(suffix=".parquet", prefix="dms-")
        try:
            with os.fdopen(descriptor, "wb") as target, zipfile.ZipFile(archive) as members:
                if METADATA not in members.namelist():
                    raise UnexpectedAnswer(f"The export has no {METADATA}.")
                with members.open(METADATA) as source:
                    shutil.copyfileobj(source, target, _CHUNK)
        except BaseException:
            os.unlink(name)
            raise
        return cls(Path(name))

    def batches(self, rows: int = 10_000, columns: Sequence[str] | None = None) -> Iterator[Any]:
        """Record batches of Arrow, one after the other."""
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
        """A polars.DataFrame, or with `lazy` a LazyFrame, which reads the file later."""
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
