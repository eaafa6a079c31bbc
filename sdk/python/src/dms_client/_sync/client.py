"""The client."""

from __future__ import annotations

import os
from collections.abc import Iterator
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
from .dataset import Dataset, Upload
from .growing import source_of
from .stream import notifications
from .tasks import Task, every_task
from .transport import Transport
from .uploads import found_in

DEFAULT_URL = "http://127.0.0.1:3000"


class Client:
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
        http: httpx.Client | None = None,
    ) -> None:
        key = api_key or os.environ.get("DMS_API_KEY")
        secret = api_secret or os.environ.get("DMS_API_SECRET")
        if (key is None) != (secret is None):
            raise ValueError("An API key and its secret are both required, or neither.")
        auth = ApiKey(key, secret, lifetime=token_lifetime) if key and secret else None
        self._transport = Transport(
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

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self._transport.close()

    def request(self, method: str, path: str, **options: Any) -> Any:
        """Calls any route of the service with tokens, retries and errors, and returns its JSON
        or None. Options: `params`, `json`, `idempotent` and `timeout`."""
        answer = self._transport.request(method, path, **options)
        return answer.json() if answer.content else None

    def health(self) -> dict[str, Any]:
        """The status of each part of the service."""
        found: dict[str, Any] = self._transport.json("GET", "/health/ready")
        return found

    def datasets(self) -> list[Dataset]:
        """The datasets that the caller can access, newest first."""
        found = self._transport.json("GET", "/api/v1/datasets")
        return [Dataset(self._transport, DatasetInfo.of(each)) for each in found]

    def dataset(self, id_or_name: str) -> Dataset:
        """Returns a dataset by its id, or the newest one with this name."""
        for each in self.datasets():
            if id_or_name in (each.id, each.name):
                return each
        if _is_uuid(id_or_name):
            return Dataset(self._transport, read_dataset(self._transport, id_or_name))
        raise NotFound(
            404, f"The dataset {id_or_name!r} does not exist", method="GET", path="/api/v1/datasets"
        )

    def folders(self, path: str | None = None) -> Iterator[str]:
        """The paths of folders from which datasets can be created: those that the service may
        read, or the direct subfolders of one of them."""
        page = 0
        while True:
            found = self._transport.json(
                "GET",
                "/api/v1/ingestion/roots",
                params={"path": path, "page_number": page, "limit": 1000},
            )
            for each in found["folders"]:
                yield each["path"]
            page += 1
            if page >= found["total_pages"]:
                return

    def create_dataset(
        self,
        name: str,
        source: str | os.PathLike[str],
        *,
        labels_from_folders: bool = False,
    ) -> Task[Dataset]:
        """Creates a dataset from a folder that the service can read, or from
        `s3://bucket/folder`. Use `upload_dataset` for a folder of this machine. With
        `labels_from_folders`, images are labelled with the names of their folders."""
        fields = {"dataset_name": name, "bucket_path": source_of(source)}
        if labels_from_folders:
            fields["labels_from_folders"] = "true"
        made = self._transport.json(
            "POST",
            "/api/v1/dataset",
            form=Multipart(fields),
        )
        return self._creation(str(made["dataset_id"]), name)

    def _creation(self, dataset_id: str, name: str) -> Task[Dataset]:
        def result(_: TaskInfo) -> Dataset:
            return Dataset(self._transport, read_dataset(self._transport, dataset_id))

        return Task(
            self._transport,
            title=f"Create {name}",
            task_type="DATASET_CREATION",
            result=result,
            dataset_id=dataset_id,
        )

    def new_dataset(self, name: str) -> Dataset:
        """Creates an empty draft to upload files into."""
        made = self._transport.json(
            "GET", "/api/v1/ingestion/new_dataset", params={"dataset_name": name}, idempotent=False
        )
        info = read_dataset(self._transport, str(made["dataset_id"]))
        return Dataset(self._transport, info)

    def upload_dataset(
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
    ) -> Upload:
        """Creates a dataset from a folder of this machine. With `resume`, an interrupted upload
        of the same folder and name continues in its draft. With `labels_from_folders`, images
        are labelled with the names of their folders."""
        found = found_in(folder)
        place = Path(journal) if journal else default_journal(self.base_url, name, folder)
        with only_upload(place):
            kept = Journal.read(place)
            draft = self._kept_draft(kept) if resume else None
            if draft is None:
                kept.remove()
                draft = self.new_dataset(name)
                kept.begin(dataset=draft.id)
                kept.close()
            return draft._upload(
                found, kept, batch_size, at_once, progress, labels_from_folders=labels_from_folders
            )

    def _kept_draft(self, kept: Journal) -> Dataset | None:
        if "dataset" not in kept.header:
            return None
        try:
            info = read_dataset(self._transport, kept.header["dataset"])
        except NotFound:
            return None
        return Dataset(self._transport, info)

    def tasks(
        self,
        *,
        dataset_id: str | None = None,
        task_type: str | None = None,
        task_status: str | None = None,
    ) -> Iterator[TaskInfo]:
        """Running and completed tasks, newest first."""
        for each in every_task(
            self._transport, dataset_id=dataset_id, task_type=task_type, task_status=task_status
        ):
            yield each

    def notifications(
        self, *, unread_only: bool = False, dataset_id: str | None = None
    ) -> Iterator[Notification]:
        """The caller's notifications, newest first."""
        offset = 0
        while True:
            found = self._transport.json(
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

    def unread_count(self, dataset_id: str | None = None) -> int:
        found = self._transport.json(
            "GET", "/api/v1/notifications/unread-count", params={"dataset_id": dataset_id}
        )
        return int(found["count"])

    def mark_read(self, notification_id: str) -> None:
        self._transport.request("POST", f"/api/v1/notifications/{notification_id}/read")

    def mark_all_read(self, dataset_id: str | None = None) -> int:
        """Marks notifications as read, and returns how many were unread."""
        found = self._transport.json(
            "POST", "/api/v1/notifications/read-all", params={"dataset_id": dataset_id}
        )
        return int(found["count"])

    def stream(
        self, dataset_id: str | None = None, last_id: str | None = None
    ) -> Iterator[Notification]:
        """Yields notifications as they arrive, indefinitely, and reconnects when the connection
        is lost. `last_id` is the id of the last notification received."""
        return notifications(self._transport, dataset_id, last_id)


def _is_uuid(text: str) -> bool:
    return len(text) == 36 and text.count("-") == 4
