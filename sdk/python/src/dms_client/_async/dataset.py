"""A dataset."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from .._chosen import chosen_media
from .._files import (
    FolderFiles,
    Journal,
    LocalFile,
    UploadOptions,
    UploadReport,
    default_journal,
    only_upload,
)
from .._query import EntityType
from ..filters import Filters
from ..html import dataset_html
from ..models import Cluster, Snapshot, TaskInfo
from ..progress import ShownAs, progress_of
from .base import read_dataset
from .evaluations import AsyncEvaluations
from .growing import AsyncGrowing
from .history import AsyncHistory
from .looking import AsyncLooking
from .review import AsyncReview
from .tasks import AsyncTask, list_tasks
from .uploads import add_files, found_in, send_files

# Larger than for drafts, because each batch for an indexed dataset is a separate operation.
_ADDED_AT_ONCE = 1000


class AsyncUpload(AsyncTask["AsyncDataset"]):
    """An upload, and the operation that indexes its files."""

    report: UploadReport


class AsyncDataset(AsyncLooking, AsyncGrowing, AsyncHistory, AsyncReview, AsyncEvaluations):
    """A dataset: search it, add to it, export it, snapshot it."""

    def __repr__(self) -> str:
        return (
            f"<{type(self).__name__} {self.name!r} {self.status} {self.info.n_images} images"
            f" {self.id}>"
        )

    def _repr_html_(self) -> str:
        clusters: list[Cluster] = []
        # [sync] if self.info.n_images + self.info.n_videos > 0 and self.status != "DRAFT":
        # [sync]     clusters = self.search(level=3).page().clusters
        return dataset_html(self.info, clusters)

    async def _itself(self, task: TaskInfo) -> AsyncDataset:
        await self.refresh()
        return self

    async def restore(self, snapshot: str | Snapshot = "current") -> AsyncTask[AsyncDataset]:
        """Replaces the current state with that of a snapshot."""
        snapshot_id = snapshot if isinstance(snapshot, str) else snapshot.snapshot_id

        async def start() -> None:
            await self._transport.request("POST", f"{self._path}/snapshot/{snapshot_id}/restore")

        return await self._start("SNAPSHOT_RESTORE", f"Restore {self.name}", start, self._itself)

    async def clone(
        self, snapshot: str | Snapshot, *, with_views: bool = False
    ) -> AsyncTask[AsyncDataset]:
        """Clones a snapshot to a new dataset, which `wait` returns."""
        snapshot_id = snapshot if isinstance(snapshot, str) else snapshot.snapshot_id
        known = await list_tasks(self._transport, task_type="SNAPSHOT_CLONE")

        async def is_ours(task: TaskInfo) -> bool:
            made = await read_dataset(self._transport, task.dataset_id)
            return made.source_dataset_id == self.id

        await self._transport.request(
            "POST",
            f"{self._path}/snapshot/{snapshot_id}/clone",
            params={"with_views": str(with_views).lower()},
        )
        task = AsyncTask(
            self._transport,
            title=f"Clone {self.name}",
            task_type="SNAPSHOT_CLONE",
            result=self._made,
            dataset_id=None,
            before=frozenset(each.task_id for each in known),
            is_ours=is_ours,
        )
        await task.refresh()
        return task

    async def _made(self, task: TaskInfo) -> AsyncDataset:
        info = await read_dataset(self._transport, task.dataset_id)
        return AsyncDataset(self._transport, info)

    async def copy(
        self,
        name: str | None = None,
        *,
        media_ids: Sequence[str] | None = None,
        filters: Filters = None,
        entity: EntityType = "IMAGES",
        decided: bool = False,
        keep: Literal["chosen", "others"] = "chosen",
        description: str | None = None,
        with_views: bool = False,
    ) -> AsyncTask[AsyncDataset]:
        """Creates a new dataset from the chosen media, or with `keep="others"` from all others;
        `wait` returns it. Choose media by ids, by filters, or with `decided` those to be
        dropped by the decisions about near duplicates. No file is copied."""
        words = {"display_name": name, "description": description}
        body = {
            **chosen_media(media_ids, filters, entity, decided),
            **{key: value for key, value in words.items() if value is not None},
            "keep": keep,
            "with_views": with_views,
        }
        made: list[str] = []

        async def start() -> None:
            answer = await self._transport.json("POST", f"{self._path}/copy", json=body)
            made.append(str(answer["dataset_id"]))

        async def result(_: TaskInfo) -> AsyncDataset:
            return AsyncDataset(self._transport, await read_dataset(self._transport, made[0]))

        return await self._start("DATASET_COPY", f"Copy {self.name}", start, result)

    async def remove(
        self,
        *,
        media_ids: Sequence[str] | None = None,
        filters: Filters = None,
        entity: EntityType = "IMAGES",
        decided: bool = False,
    ) -> AsyncTask[AsyncDataset]:
        """Removes media, chosen as in `copy`, after taking a snapshot from which they can be
        restored. No file is deleted."""
        body = chosen_media(media_ids, filters, entity, decided)

        async def start() -> None:
            await self._transport.json("POST", f"{self._path}/remove_media", json=body)

        title = f"Remove media from {self.name}"
        return await self._start("MEDIA_REMOVAL", title, start, self._itself)

    async def enrich(
        self, models: Mapping[str, Any], *, in_place: bool = False
    ) -> AsyncTask[AsyncDataset]:
        """Applies models, by type of enrichment, to a copy, which `wait` returns, or to this
        dataset after a snapshot. A value is the id of a model, or `{"id", "metadata"}`."""
        enriched: list[str] = []

        async def start() -> None:
            made = await self._transport.json(
                "POST",
                f"{self._path}/enrich_dataset",
                params={"in_place": str(in_place).lower()},
                json={"enrichment_models": dict(models)},
            )
            enriched.append(str(made["dataset_id"]))

        async def result(_: TaskInfo) -> AsyncDataset:
            return AsyncDataset(self._transport, await read_dataset(self._transport, enriched[0]))

        return await self._start("ENRICHMENT", f"Enrich {self.name}", start, result)

    async def upload(
        self,
        folder: str | os.PathLike[str],
        *,
        resume: bool = False,
        reindex: bool = False,
        batch_size: int | None = None,
        at_once: int = 4,
        journal: str | os.PathLike[str] | None = None,
        progress: ShownAs = None,
    ) -> AsyncUpload:
        """Uploads a folder of this machine: to a draft, which is then indexed, or batch by batch
        to an indexed dataset. `wait` returns the dataset.

        With `resume`, files that were received according to a journal are not sent again. The
        journal is in the user's state folder unless `journal` names a file, and is removed at
        the end. While one upload uses it, a second one raises `UploadRunning`.
        """
        await self.refresh()
        found = found_in(folder)
        place = Path(journal) if journal else default_journal(self._base_url, self.id, folder)
        with only_upload(place):
            kept = Journal.read(place)
            if not resume:
                kept.remove()
            return await self._upload(found, kept, batch_size, at_once, progress, reindex)

    async def _upload(
        self,
        found: FolderFiles,
        kept: Journal,
        batch_size: int | None,
        at_once: int,
        progress: ShownAs,
        reindex: bool = False,
        labels_from_folders: bool = False,
    ) -> AsyncUpload:
        if "transaction" in kept.header and self.status != "DRAFT":
            # An earlier run was interrupted after the last file, before it removed the journal.
            report = UploadReport(found, kept)
            kept.remove()
            return await self._uploaded("DATASET_CREATION", report)
        if self.status == "DRAFT":
            options = UploadOptions(batch_size or 50, at_once, labels_from_folders)
            return await self._upload_draft(found, kept, options, progress)
        options = UploadOptions(batch_size or _ADDED_AT_ONCE, 1)
        return await self._upload_more(found, kept, options, progress, reindex)

    @property
    def _base_url(self) -> str:
        return self._transport.base_url

    async def _upload_draft(
        self, found: FolderFiles, kept: Journal, options: UploadOptions, progress: ShownAs
    ) -> AsyncUpload:
        base = f"/api/v1/ingestion/{self.id}"
        report = UploadReport(found, kept)
        shown = progress_of(progress)
        try:
            if "transaction" not in kept.header:
                opened = await self._transport.json("GET", f"{base}/data_files", idempotent=False)
                kept.begin(transaction=opened["trans_id"])
            transaction = kept.header["transaction"]
            address = f"{base}/data_files/{transaction}"
            await send_files(self._transport, address, found, kept, options, report, shown)
            labels = {"labels_from_folders": "true"} if options.labels_from_folders else None
            await self._transport.request(
                "POST", f"{base}/process_files/{transaction}", params=labels
            )
        finally:
            kept.close()
            shown.close()
        kept.remove()
        return await self._uploaded("DATASET_CREATION", report)

    async def _upload_more(
        self,
        found: FolderFiles,
        kept: Journal,
        options: UploadOptions,
        progress: ShownAs,
        reindex: bool,
    ) -> AsyncUpload:
        report = UploadReport(found, kept)
        shown = progress_of(progress)

        async def add(batch: list[LocalFile]) -> None:
            await self.settle()
            is_last = report.sent + report.resumed + len(batch) == report.files
            parts = [each.part() for each in batch]
            task = await self._add({}, parts, reindex and is_last)
            await task.wait(progress=False)

        try:
            await self.settle()
            await add_files(found, kept, options, report, shown, add)
        finally:
            kept.close()
            shown.close()
        kept.remove()
        return await self._uploaded("MEDIA_ADDITION", report)

    async def _uploaded(self, task_type: str, report: UploadReport) -> AsyncUpload:
        task = AsyncUpload(
            self._transport,
            title=f"Index {self.name}",
            task_type=task_type,
            result=self._itself,
            dataset_id=self.id,
        )
        task.report = report
        await task.refresh()
        return task
