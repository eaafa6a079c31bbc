"""The client."""

from __future__ import annotations

import os
from collections.abc import AsyncIterator
from pathlib import Path
from types import TracebackType
from typing import Any

import httpx

from .._files import Journal, default_journal, only_upload
from .._multipart import Multipart
from ..auth import ApiKey
from ..errors import NotFound
from ..models import DatasetInfo, Notification, TaskInfo
from ..progress import ShownAs
from .base import read_dataset
from .dataset import AsyncDataset, AsyncUpload
from .growing import source_of
from .stream import notifications
from .tasks import AsyncTask, every_task
from .transport import AsyncTransport
from .uploads import found_in

DEFAULT_URL = "http://127.0.0.1:3000"


class AsyncClient:
    """A Dataset Media Service.

    Without `api_key` and `api_secret` (or the variables DMS_API_KEY and DMS_API_SECRET) it sends
    requests without a token, which local services allow. The default address is DMS_URL.

    The first response of the service is checked: if its version and that of this package differ
    in their first two numbers, a `VersionWarning` says so, unless `check_version` is False.
    """

    def __init__(
        self,
        base_url: str | None = None,
        *,
        api_key: str | None = None,
        api_secret: str | None = None,
        token_lifetime: int = 600,
        timeout: float = 60.0,
        retries: int = 6,
        check_version: bool = True,
        http: httpx.AsyncClient | None = None,
    ) -> None:
        key = api_key or os.environ.get("DMS_API_KEY")
        secret = api_secret or os.environ.get("DMS_API_SECRET")
        if (key is None) != (secret is None):
            raise ValueError("An API key and its secret are both required, or neither.")
        auth = ApiKey(key, secret, lifetime=token_lifetime) if key and secret else None
        self._transport = AsyncTransport(
            base_url or os.environ.get("DMS_URL") or DEFAULT_URL,
            auth=auth,
            timeout=timeout,
            retries=retries,
            check_version=check_version,
            http=http,
        )

    @property
    def base_url(self) -> str:
        return self._transport.base_url

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.base_url!r})"

    async def __aenter__(self) -> AsyncClient:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        await self._transport.close()

    async def request(self, method: str, path: str, **options: Any) -> Any:
        """Calls any route of the service with tokens, retries and errors, and returns its JSON
        or None. Options: `params`, `json`, `idempotent` and `timeout`."""
        answer = await self._transport.request(method, path, **options)
        return answer.json() if answer.content else None

    async def health(self) -> dict[str, Any]:
        """The status of each part of the service."""
        found: dict[str, Any] = await self._transport.json("GET", "/health/ready")
        return found

    async def datasets(self) -> list[AsyncDataset]:
        """The datasets that the caller can access, newest first."""
        found = await self._transport.json("GET", "/api/v1/datasets")
        return [AsyncDataset(self._transport, DatasetInfo.of(each)) for each in found]

    async def dataset(self, id_or_name: str) -> AsyncDataset:
        """Returns a dataset by its id, or the newest one with this name."""
        for each in await self.datasets():
            if id_or_name in (each.id, each.name):
                return each
        if _is_uuid(id_or_name):
            return AsyncDataset(self._transport, await read_dataset(self._transport, id_or_name))
        raise NotFound(
            404, f"The dataset {id_or_name!r} does not exist", method="GET", path="/api/v1/datasets"
        )

    async def folders(self, path: str | None = None) -> AsyncIterator[str]:
        """The paths of folders from which datasets can be created: those that the service may
        read, or the direct subfolders of one of them."""
        page = 0
        while True:
            found = await self._transport.json(
                "GET",
                "/api/v1/ingestion/roots",
                params={"path": path, "page_number": page, "limit": 1000},
            )
            for each in found["folders"]:
                yield each["path"]
            page += 1
            if page >= found["total_pages"]:
                return

    async def create_dataset(
        self,
        name: str,
        source: str | os.PathLike[str],
        *,
        labels_from_folders: bool = False,
    ) -> AsyncTask[AsyncDataset]:
        """Creates a dataset from a folder that the service can read, or from
        `s3://bucket/folder`. Use `upload_dataset` for a folder of this machine. With
        `labels_from_folders`, images are labelled with the names of their folders."""
        fields = {"dataset_name": name, "bucket_path": source_of(source)}
        if labels_from_folders:
            fields["labels_from_folders"] = "true"
        made = await self._transport.json(
            "POST",
            "/api/v1/dataset",
            form=Multipart(fields),
        )
        return self._creation(str(made["dataset_id"]), name)

    def _creation(self, dataset_id: str, name: str) -> AsyncTask[AsyncDataset]:
        async def result(_: TaskInfo) -> AsyncDataset:
            return AsyncDataset(self._transport, await read_dataset(self._transport, dataset_id))

        return AsyncTask(
            self._transport,
            title=f"Create {name}",
            task_type="DATASET_CREATION",
            result=result,
            dataset_id=dataset_id,
        )

    async def new_dataset(self, name: str) -> AsyncDataset:
        """Creates an empty draft to upload files into."""
        made = await self._transport.json(
            "GET", "/api/v1/ingestion/new_dataset", params={"dataset_name": name}, idempotent=False
        )
        info = await read_dataset(self._transport, str(made["dataset_id"]))
        return AsyncDataset(self._transport, info)

    async def upload_dataset(
        self,
        name: str,
        folder: str | os.PathLike[str],
        *,
        resume: bool = False,
        labels_from_folders: bool = False,
        batch_size: int = 50,
        at_once: int = 4,
        journal: str | os.PathLike[str] | None = None,
        progress: ShownAs = None,
    ) -> AsyncUpload:
        """Creates a dataset from a folder of this machine. With `resume`, an interrupted upload
        of the same folder and name continues in its draft. With `labels_from_folders`, images
        are labelled with the names of their folders."""
        found = found_in(folder)
        place = Path(journal) if journal else default_journal(self.base_url, name, folder)
        with only_upload(place):
            kept = Journal.read(place)
            draft = await self._kept_draft(kept) if resume else None
            if draft is None:
                kept.remove()
                draft = await self.new_dataset(name)
                kept.begin(dataset=draft.id)
                kept.close()
            return await draft._upload(
                found, kept, batch_size, at_once, progress, labels_from_folders=labels_from_folders
            )

    async def _kept_draft(self, kept: Journal) -> AsyncDataset | None:
        if "dataset" not in kept.header:
            return None
        try:
            info = await read_dataset(self._transport, kept.header["dataset"])
        except NotFound:
            return None
        return AsyncDataset(self._transport, info)

    async def tasks(
        self,
        *,
        dataset_id: str | None = None,
        task_type: str | None = None,
        task_status: str | None = None,
    ) -> AsyncIterator[TaskInfo]:
        """Running and completed tasks, newest first."""
        async for each in every_task(
            self._transport, dataset_id=dataset_id, task_type=task_type, task_status=task_status
        ):
            yield each

    async def notifications(
        self, *, unread_only: bool = False, dataset_id: str | None = None
    ) -> AsyncIterator[Notification]:
        """The caller's notifications, newest first."""
        offset = 0
        while True:
            found = await self._transport.json(
                "GET",
                "/api/v1/notifications",
                params={
                    "limit": 100,
                    "offset": offset,
                    "unread_only": str(unread_only).lower(),
                    "dataset_id": dataset_id,
                },
            )
            for each in found["notifications"]:
                yield Notification.of(each)
            offset += 100
            if not found["has_more"]:
                return

    async def unread_count(self, dataset_id: str | None = None) -> int:
        found = await self._transport.json(
            "GET", "/api/v1/notifications/unread-count", params={"dataset_id": dataset_id}
        )
        return int(found["count"])

    async def mark_read(self, notification_id: str) -> None:
        await self._transport.request("POST", f"/api/v1/notifications/{notification_id}/read")

    async def mark_all_read(self, dataset_id: str | None = None) -> int:
        """Marks notifications as read, and returns how many were unread."""
        found = await self._transport.json(
            "POST", "/api/v1/notifications/read-all", params={"dataset_id": dataset_id}
        )
        return int(found["count"])

    def stream(
        self, dataset_id: str | None = None, last_id: str | None = None
    ) -> AsyncIterator[Notification]:
        """Yields notifications as they arrive, indefinitely, and reconnects when the connection
        is lost. `last_id` is the id of the last notification received."""
        return notifications(self._transport, dataset_id, last_id)


def _is_uuid(text: str) -> bool:
    return len(text) == 36 and text.count("-") == 4
