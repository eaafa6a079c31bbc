"""Searches. No request is sent before a result is used."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any

from .._multipart import FilePart, Multipart
from .._query import Query
from .._rows import arrow_table, exported_table, row_of
from ..errors import DmsError
from ..frames import needs
from ..models import Cluster, ClusterPage, Medium
from .exported import Exported
from .exports import Export, ExportFormat, start_export
from .transport import Transport

_MEMBERS = 1000
_MOST_CLUSTERS = 1000
_MOST_PAGED = 10_000


class _TooManyClusters(DmsError):
    """The maximum of clusters in a selection."""


class Search(Exported):
    """A search. Iterate over it for media in the order of their clusters."""

    def __init__(self, transport: Transport, dataset_id: str, query: Query) -> None:
        self._transport = transport
        self._dataset_id = dataset_id
        self._query = query

    def __repr__(self) -> str:
        asked = {k: v for k, v in self._query.filters().items() if v not in (0, "IMAGES")}
        return f"<{type(self).__name__} {asked}>"

    def _repr_html_(self) -> str:
        return self.page()._repr_html_()

    @property
    def query(self) -> Query:
        return self._query

    def _prepared(self) -> Query:
        """Uploads the query image once."""
        image = self._query.image
        if image is not None:
            params: dict[str, Any] = {
                "entity_type": self._query.entity,
                "threshold": self._query.level,
            }
            if image.region is not None:
                params["bounding_box"] = json.dumps(image.region)
            anchor = self._transport.json(
                "POST",
                f"/api/v1/dataset/{self._dataset_id}/search-image-similarity",
                params=params,
                form=Multipart(files=[FilePart("file", image.name, image.content)]),
                idempotent=True,
            )
            self._query = self._query.anchored(anchor["anchor_media_id"])
        return self._query

    def page(self, number: int = 0) -> ClusterPage:
        """A page of up to a hundred clusters. Pages are numbered from 0."""
        query = self._prepared()
        found = self._transport.json(
            "GET",
            f"/api/v1/explore/{self._dataset_id}",
            params={**query.params(), "page_number": number},
        )
        return ClusterPage.of(found)

    def pages(self) -> Iterator[ClusterPage]:
        number = 0
        while True:
            page = self.page(number)
            if page.clusters:
                yield page
            number += 1
            if number >= page.total_pages:
                return

    def clusters(self) -> Iterator[Cluster]:
        for page in self.pages():
            for cluster in page.clusters:
                yield cluster

    def members(self, cluster: Cluster) -> Iterator[Medium]:
        """The matching members of a cluster."""
        previews = cluster.previews
        if len(previews) >= len(cluster):
            for medium in previews:
                yield medium
            return
        query = self._prepared()
        number = 0
        while True:
            found = self._transport.json(
                "GET",
                f"/api/v1/explore/{self._dataset_id}/clusters/{cluster.cluster_id}",
                params={**query.params(), "page_number": number, "limit": _MEMBERS},
            )
            for each in found["members"]:
                yield Medium.of(each)
            number += 1
            if number >= found["total_pages"]:
                return

    def _rows(self) -> Iterator[tuple[Medium, str]]:
        for cluster in self.clusters():
            for medium in self.members(cluster):
                yield medium, cluster.cluster_id

    def media(self, limit: int | None = None) -> Iterator[Medium]:
        """All matching media, or the first `limit` of them."""
        left = limit
        if left is not None and left <= 0:
            return
        for medium, _ in self._rows():
            yield medium
            if left is not None:
                left -= 1
                if left == 0:
                    return

    def __iter__(self) -> Iterator[Medium]:
        return self.media()

    def facets(self, search: str | None = None, *, source: str | None = None) -> dict[str, Any]:
        """The counts of the result by label, tag, issue, media type, folder and custom field.
        With `search`, only labels, tags, folders and field values that contain it; use it where
        long lists are truncated. With `source`, the labels are those of its annotations."""
        query = self._prepared()
        params = dict(query.params())
        if search is not None:
            params["search"] = search
        if source is not None:
            params["source"] = source
        found: dict[str, Any] = self._transport.json(
            "GET", f"/api/v1/dataset/{self._dataset_id}/facets", params=params
        )
        return found

    def count(self) -> int:
        """The number of matching media."""
        return int((self.facets())["total"])

    def selection(self) -> list[dict[str, Any]]:
        """The result in the format of exports and tags."""
        query = self._prepared()
        if query.duplicates is None and not any("duplicates" in each for each in query.vql):
            # The matching media do not depend on the level, and the coarsest level has the fewest
            # clusters.
            query = replace(query, level=4)
        if query.snapshot_id is not None:
            raise DmsError("A snapshot can only be searched. Restore or clone it first.")
        coarse = Search(self._transport, self._dataset_id, query)
        filters = query.filters()
        items = [
            {
                "type": "cluster",
                "payload": {"cluster_id": each.cluster_id, "cluster_filters": filters},
            }
            for each in coarse.clusters()
        ]
        if len(items) > _MOST_CLUSTERS:
            raise _TooManyClusters(
                f"A selection has at most {_MOST_CLUSTERS} clusters, but this search finds "
                f"{len(items)}: add filters, or export the whole dataset."
            )
        return items

    def tag(self, tag_id: str) -> int:
        """Assigns a tag to all matching media, and returns how many did not have it."""
        return self._assign(tag_id, "assign", self.selection())

    def untag(self, tag_id: str) -> int:
        """Removes a tag from all matching media, and returns how many had it."""
        return self._assign(tag_id, "unassign", self.selection())

    def assign_to(self, tag_id: str, media_ids: list[str]) -> int:
        """Assigns a tag to media by their ids."""
        item = {"type": "media", "payload": {"media_ids": media_ids}}
        return self._assign(tag_id, "assign", [item] if media_ids else [])

    def _assign(self, tag_id: str, action: str, selection: list[dict[str, Any]]) -> int:
        if not selection:
            return 0
        found = self._transport.json(
            "POST",
            f"/api/v1/dataset/{self._dataset_id}/tags/{tag_id}/{action}",
            json={"media_selection": selection},
            idempotent=True,
        )
        return int(found["count"])

    def start_export(
        self,
        export_format: ExportFormat,
        *,
        include_images: bool = False,
        with_embeddings: bool = False,
    ) -> Export:
        query = self._query
        is_all = query.is_plain and not (query.vql or query.labels or query.tags)
        return start_export(
            self._transport,
            self._dataset_id,
            export_format,
            include_images=include_images,
            with_embeddings=with_embeddings,
            selection=None if is_all else self.selection(),
        )

    def to_arrow(self, limit: int | None = None) -> Any:
        """A pyarrow.Table with a row per medium, in the order of the search.

        More than 10,000 rows without a ranking come from one export, which is faster than paging:
        they have the order of the dataset, and no addresses of pictures.
        """
        needs("pyarrow", "arrow")
        if limit is None and self._query.is_plain and self.count() > _MOST_PAGED:
            with suppress(_TooManyClusters), self.metadata(progress=False) as metadata:
                return exported_table(metadata)
        rows: list[dict[str, Any]] = []
        if limit is None or limit > 0:
            for medium, cluster_id in self._rows():
                rows.append(row_of(medium, cluster_id))
                if len(rows) == limit:
                    break
        return arrow_table(rows)

    def to_pandas(self, limit: int | None = None) -> Any:
        """A pandas.DataFrame with the rows of `to_arrow`."""
        needs("pandas", "pandas")
        return (self.to_arrow(limit)).to_pandas()

    def to_polars(self, limit: int | None = None) -> Any:
        """A polars.DataFrame with the rows of `to_arrow`."""
        polars = needs("polars", "polars")
        return polars.from_arrow(self.to_arrow(limit))

    def to_torch(
        self,
        *,
        transform: Callable[[Any], Any] | None = None,
        target: Callable[[Medium], Any] | None = None,
        classes: Sequence[str] | None = None,
        cache: str | os.PathLike[str] | None = None,
    ) -> Any:
        """A `torch.utils.data.Dataset` of the matching images: pairs of `transform(image)`, by
        default a tensor, and `target(medium)`, by default the index of the first label in
        `classes`. Pictures are fetched on access and kept in the folder `cache`."""
        needs("torch", "torch")
        needs("PIL", "torch")
        found = importlib.import_module("dms_client.torch")
        media = [each for each in self.media()]
        return found.TorchMedia(
            media, transform=transform, target=target, classes=classes, cache=cache
        )
