"""Searching in a dataset, and exporting its metadata."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from .._query import EntityType, ImageSource, Region, make_query
from ..filters import Filters
from ..frames import needs
from ..models import Medium, MediumDetail, QuarantinedFile
from ..progress import ShownAs
from .base import AsyncDatasetBase
from .duplicates import AsyncDuplicates, duplicates_of
from .exported import AsyncExported
from .exports import AsyncExport, ExportFormat, start_export
from .search import AsyncSearch


class AsyncLooking(AsyncExported, AsyncDatasetBase):
    def search(
        self,
        *,
        caption: str | None = None,
        text: str | None = None,
        image: ImageSource | None = None,
        region: Region | None = None,
        similar_to: str | Medium | None = None,
        filters: Filters = None,
        threshold: float | None = None,
        level: int = 0,
        entity: EntityType = "IMAGES",
        labels: Sequence[str] = (),
        tags: Sequence[str] = (),
        snapshot: str | None = None,
    ) -> AsyncSearch:
        """A search. No request is sent before its result is used.

        caption: ranks by the distance of captions or pictures to a text. `threshold` is the
          cosine distance below which results are kept.
        text: only media similar to a text; `threshold` is the minimum similarity.
        image: ranks by similarity to an image (a path, bytes, a file or a PIL image), or to its
          `region`: x, y, width and height in fractions.
        similar_to: ranks by similarity to a medium of the dataset.
        filters: expressions of `F`, or VQL; all must match.
        level: how coarse the clusters are, from 0 (copies) to 4 (families).
        snapshot: the id of a snapshot to search in.
        """
        query = make_query(
            caption=caption,
            text=text,
            image=image,
            region=region,
            similar_to=similar_to.media_id if isinstance(similar_to, Medium) else similar_to,
            filters=filters,
            threshold=threshold,
            level=level,
            entity=entity,
            labels=labels,
            tags=tags,
            duplicates=None,
            snapshot=snapshot,
        )
        return AsyncSearch(self._transport, self.id, query)

    def duplicates(
        self,
        similarity: float = 1.0,
        *,
        filters: Filters = None,
        entity: EntityType = "IMAGES",
    ) -> AsyncDuplicates:
        """Groups of near duplicates at this similarity or above, from 0.8 to 1 (exact copies)."""
        query = self.search(filters=filters, entity=entity).query
        return duplicates_of(self._transport, self.id, query, similarity)

    async def nearest(
        self, text: str, limit: int = 10, *, entity: EntityType = "IMAGES"
    ) -> list[Medium]:
        """The media whose captions or pictures are nearest to a text."""
        found = await self._transport.json(
            "POST",
            f"/api/v1/vector_search/{self.id}",
            json={"text": text, "entity_type": entity, "limit": limit},
            idempotent=True,
        )
        return [Medium.of(each) for each in found["results"]]

    async def medium(self, media_id: str) -> MediumDetail:
        """All information about one medium."""
        return MediumDetail.of(await self._transport.json("GET", f"{self._path}/media/{media_id}"))

    async def similar(self, media_id: str, limit: int = 10) -> list[Medium]:
        """The media most similar to one, nearest first."""
        found = await self._transport.json(
            "GET", f"{self._path}/media/{media_id}/similar", params={"limit": limit}
        )
        return [Medium.of(each) for each in found["similar"]]

    async def quarantine(self) -> AsyncIterator[QuarantinedFile]:
        """The files that could not be read, with the reasons."""
        page = 1
        while True:
            found = await self._transport.json(
                "GET", f"{self._path}/quarantine", params={"page": page, "page_size": 1000}
            )
            for each in found["files"]:
                yield QuarantinedFile.of(each)
            if page * 1000 >= found["total"]:
                return
            page += 1

    async def start_export(
        self,
        export_format: ExportFormat,
        *,
        include_images: bool = False,
        with_embeddings: bool = False,
        source: str | None = None,
        file_name: str = "export.zip",
    ) -> AsyncExport:
        """With `source`, the archive has the annotations of that source."""
        return await start_export(
            self._transport,
            self.id,
            export_format,
            include_images=include_images,
            with_embeddings=with_embeddings,
            source=source,
            file_name=file_name,
        )

    async def export(
        self,
        export_format: ExportFormat,
        path: str | os.PathLike[str],
        *,
        include_images: bool = False,
        source: str | None = None,
        timeout: float | None = None,
        progress: ShownAs = None,
    ) -> Path:
        """Exports the whole dataset, or the annotations of `source`, to an archive."""
        started = await self.start_export(
            export_format, include_images=include_images, source=source
        )
        return await (await started.wait(timeout, progress)).save(path)

    async def to_arrow(self, columns: Sequence[str] | None = None) -> Any:
        """A pyarrow.Table with a row for each image and frame."""
        needs("pyarrow", "arrow")
        with await self.metadata() as metadata:
            return metadata.to_arrow(columns)

    async def to_pandas(self, columns: Sequence[str] | None = None) -> Any:
        """A pandas.DataFrame with a row for each image and frame."""
        needs("pandas", "pandas")
        with await self.metadata() as metadata:
            return metadata.to_pandas(columns)

    async def to_polars(self, columns: Sequence[str] | None = None) -> Any:
        """A polars.DataFrame with a row for each image and frame."""
        needs("polars", "polars")
        with await self.metadata() as metadata:
            return metadata.to_polars(columns)
