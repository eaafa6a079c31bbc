"""Converts vectors from arrays, frames and files to the format of the service."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from ._annotations import rows_of
from ._multipart import FilePart, Multipart
from .frames import needs

_VECTOR_COLUMNS = ("embedding", "vector")


@contextmanager
def embedding_form(
    vectors: Any,
    *,
    id: str,
    names: Iterable[str] | None,
    media_ids: Iterable[str] | None,
    ladder: Sequence[float] | None,
    allow_missing: bool,
) -> Iterator[Multipart]:
    """The form with the vectors. Its temporary files exist only inside the context."""
    if names is not None and media_ids is not None:
        raise ValueError("Give names or media_ids, not both")
    fields = {"id": id, "allow_missing": str(allow_missing).lower()}
    if ladder is not None:
        fields["ladder"] = ",".join(str(float(each)) for each in ladder)
    with tempfile.TemporaryDirectory(prefix="dms-") as folder:
        path, listed, by_id = _files_of(vectors, names, media_ids, Path(folder))
        files = [FilePart("vectors", path.name, path)]
        if listed is not None:
            fields["named_by"] = "media_id" if by_id else "file_name"
            files.append(FilePart("names", "names.txt", _lines(listed)))
        yield Multipart(fields, files)


def _files_of(
    vectors: Any,
    names: Iterable[str] | None,
    media_ids: Iterable[str] | None,
    folder: Path,
) -> tuple[Path, list[str] | None, bool]:
    """The file of vectors, their names unless the file has them, and whether the names are ids."""
    by_id = media_ids is not None
    given = media_ids if by_id else names
    listed = None if given is None else [str(each) for each in given]
    if isinstance(vectors, (str, os.PathLike)):
        return Path(vectors).expanduser(), listed, by_id
    if listed is None:
        vectors, listed, by_id = _columns_of(vectors)
    array = _array_of(vectors)
    if len(array) != len(listed):
        raise ValueError(f"There are {len(array)} vectors, but {len(listed)} names")
    path = folder / "vectors.npy"
    needs("numpy", "arrow").save(path, array, allow_pickle=False)
    return path, listed, by_id


def _columns_of(frame: Any) -> tuple[list[Any], list[str], bool]:
    vectors: list[Any] = []
    named: list[str] = []
    by_id: bool | None = None
    for row in rows_of(frame):
        if not hasattr(row, "get"):
            raise ValueError("The vectors have no names. Give names or media_ids")
        vector = next((row[each] for each in _VECTOR_COLUMNS if row.get(each) is not None), None)
        if vector is None:
            raise ValueError(f"A row has neither embedding nor vector: {_shown(row)}")
        has_id = row.get("media_id") is not None
        name = row["media_id"] if has_id else row.get("file_path") or row.get("file_name")
        if not isinstance(name, str):
            raise ValueError(f"A row has neither media_id nor file_name: {_shown(row)}")
        if by_id not in (None, has_id):
            raise ValueError(f"Other rows have a media_id, but this one does not: {_shown(row)}")
        by_id = has_id
        vectors.append(vector)
        named.append(name)
    if by_id is None:
        raise ValueError("There are no vectors")
    return vectors, named, by_id


def _shown(row: Any) -> dict[str, Any]:
    return {name: value for name, value in row.items() if name not in _VECTOR_COLUMNS}


def _array_of(vectors: Any) -> Any:
    numpy = needs("numpy", "arrow")
    # A torch tensor may have a gradient or be on another device.
    for step in ("detach", "cpu"):
        if hasattr(vectors, step):
            vectors = getattr(vectors, step)()
    array = numpy.ascontiguousarray(vectors)
    if array.ndim != 2:
        raise ValueError(f"The vectors must have the shape (media, numbers), not {array.shape}")
    if array.dtype not in (numpy.float16, numpy.float32, numpy.float64):
        array = array.astype(numpy.float32)
    return array


def _lines(names: Sequence[str]) -> bytes:
    for name in names:
        if "\n" in name or "\r" in name:
            raise ValueError(f"A name has a line break: {name!r}. Give media_ids instead")
    return "".join(f"{name}\n" for name in names).encode()
