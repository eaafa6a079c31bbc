"""What an export of media becomes."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any

from ..fiftyone import add_archive, new_dataset
from ..frames import Embeddings, Metadata, needs
from ..huggingface import load_archive
from ..progress import ShownAs
from .exports import Export, ExportFormat


class Exported(ABC):
    """A dataset, or a search."""

    @abstractmethod
    def start_export(
        self,
        export_format: ExportFormat,
        *,
        include_images: bool = False,
        with_embeddings: bool = False,
    ) -> Export: ...

    def export(
        self,
        export_format: ExportFormat,
        path: str | os.PathLike[str],
        *,
        include_images: bool = False,
        timeout: float | None = None,
        progress: ShownAs = None,
    ) -> Path:
        """Exports these media to an archive."""
        started = self.start_export(export_format, include_images=include_images)
        return (started.wait(timeout, progress)).save(path)

    def metadata(self, *, timeout: float | None = None, progress: ShownAs = None) -> Metadata:
        """All metadata of these media as Parquet; of a search, without the ranking."""
        started = self.start_export("parquet")
        return (started.wait(timeout, progress)).metadata()

    def embeddings(self, *, timeout: float | None = None, progress: ShownAs = None) -> Embeddings:
        """The vectors of these images, in a file."""
        started = self.start_export("parquet", with_embeddings=True)
        return Embeddings((started.wait(timeout, progress)).metadata())

    def to_hf(
        self,
        folder: str | os.PathLike[str],
        *,
        timeout: float | None = None,
        progress: ShownAs = None,
    ) -> Any:
        """A `datasets.Dataset` with the metadata and an `image` per row. The pictures are
        exported to the folder, which must not be removed."""
        needs("datasets", "hf")
        place = Path(folder).expanduser().absolute()
        place.mkdir(parents=True, exist_ok=True)
        archive = place / "export.zip"
        try:
            self.export("parquet", archive, include_images=True, timeout=timeout, progress=progress)
            return load_archive(archive, place)
        finally:
            archive.unlink(missing_ok=True)

    def to_fiftyone(
        self,
        folder: str | os.PathLike[str],
        *,
        name: str | None = None,
        persistent: bool = False,
        timeout: float | None = None,
        progress: ShownAs = None,
    ) -> Any:
        """A `fiftyone.Dataset` with a sample per image and frame: `labels`, `objects`,
        `issues`, `caption`, `uniqueness`, and tags. The pictures are exported to the folder,
        which must not be removed. FiftyOne keeps only `persistent` datasets in its database."""
        place = Path(folder).expanduser().absolute()
        place.mkdir(parents=True, exist_ok=True)
        archive = place / "export.zip"
        made = new_dataset(name, persistent)
        try:
            self.export("parquet", archive, include_images=True, timeout=timeout, progress=progress)
            add_archive(made, archive, place)
        except BaseException:
            made.delete()
            raise
        finally:
            archive.unlink(missing_ok=True)
        return made
