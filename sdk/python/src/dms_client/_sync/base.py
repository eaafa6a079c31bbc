"""The base of all parts of a dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

from ..models import DatasetInfo, TaskInfo
from .tasks import Pauses, Task, list_tasks
from .transport import Transport

T = TypeVar("T")

BUSY = frozenset({"INDEXING", "READ ONLY"})


class DatasetBase:
    def __init__(self, transport: Transport, info: DatasetInfo) -> None:
        self._transport = transport
        self.info = info
        """The last known state; `refresh` updates it."""

    @property
    def id(self) -> str:
        return self.info.id

    @property
    def name(self) -> str:
        return self.info.display_name

    @property
    def status(self) -> str:
        """The last known status: DRAFT, INDEXING, READ ONLY, PARTIAL INDEX, READY or ERROR."""
        return self.info.status_new

    @property
    def _path(self) -> str:
        return f"/api/v1/dataset/{self.id}"

    def refresh(self) -> DatasetInfo:
        self.info = read_dataset(self._transport, self.id)
        return self.info

    def settle(self, timeout: float | None = None) -> DatasetInfo:
        """Waits until no operation is changing the dataset."""
        pauses = Pauses(timeout, f"The operation on {self.name}")
        while (self.refresh()).status_new in BUSY:
            pauses.pause()
        return self.info

    def _start(
        self,
        task_type: str,
        title: str,
        start: Callable[[], Any],
        result: Callable[[TaskInfo], T],
    ) -> Task[T]:
        """Starts an operation of this dataset, and finds the new task."""
        known = list_tasks(self._transport, dataset_id=self.id, task_type=task_type)
        start()
        task = Task(
            self._transport,
            title=title,
            task_type=task_type,
            result=result,
            dataset_id=self.id,
            before=frozenset(each.task_id for each in known),
        )
        # Finds the task now, before another operation could start a newer one.
        task.refresh()
        return task


def read_dataset(transport: Transport, dataset_id: str) -> DatasetInfo:
    return DatasetInfo.of(transport.json("GET", f"/api/v1/dataset/{dataset_id}"))
