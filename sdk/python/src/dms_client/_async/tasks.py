"""Background tasks of the service, and waiting for them."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any, Generic, TypeVar

from ..errors import TaskAborted, TaskFailed, UnexpectedAnswer, WaitTimeout
from ..models import TaskInfo
from ..progress import Progress, ShownAs, progress_of
from .transport import AsyncTransport

T = TypeVar("T")

_FIRST_PAUSE = 0.1
_LONGEST_PAUSE = 2.0


class Pauses:
    """The time between two polls: short at first, for small datasets, then longer."""

    def __init__(self, timeout: float | None, what: str) -> None:
        self._until = None if timeout is None else time.monotonic() + timeout
        self._timeout = timeout
        self._what = what
        self._next = _FIRST_PAUSE

    async def pause(self) -> None:
        if self._until is not None and time.monotonic() >= self._until:
            raise WaitTimeout(f"{self._what} took more than {self._timeout:g} seconds.")
        await asyncio.sleep(self._next)
        self._next = min(self._next * 1.3, _LONGEST_PAUSE)


async def list_tasks(
    transport: AsyncTransport,
    *,
    dataset_id: str | None = None,
    task_type: str | None = None,
    task_status: str | None = None,
    page: int = 1,
    page_size: int = 50,
) -> list[TaskInfo]:
    found = await transport.json(
        "GET",
        "/api/v1/tasks",
        params={
            "dataset_id": dataset_id,
            "task_type": task_type,
            "task_status": task_status,
            "page": page,
            "page_size": page_size,
        },
    )
    return [TaskInfo.of(each) for each in found["tasks"]]


async def every_task(transport: AsyncTransport, **options: Any) -> AsyncIterator[TaskInfo]:
    seen: set[str] = set()
    page = 1
    while True:
        tasks = await list_tasks(transport, page=page, **options)
        for task in tasks:
            if task.task_id not in seen:
                seen.add(task.task_id)
                yield task
        if len(tasks) < 50:
            return
        page += 1


class AsyncTask(Generic[T]):
    """A running operation; `wait` returns its result.

    The service starts most operations without returning an id, so the task is found as the new
    one of its type.
    """

    def __init__(
        self,
        transport: AsyncTransport,
        *,
        title: str,
        task_type: str | None,
        result: Callable[[TaskInfo], Awaitable[T]],
        dataset_id: str | None,
        before: frozenset[str] = frozenset(),
        is_ours: Callable[[TaskInfo], Awaitable[bool]] | None = None,
    ) -> None:
        self._transport = transport
        self._title = title
        self._type = task_type
        self._result = result
        self._dataset_id = dataset_id
        self._before = before
        self._is_ours = is_ours
        self._task_id: str | None = None
        self.info: TaskInfo | None = None
        """The last known state."""

    def __repr__(self) -> str:
        if self.info is None:
            return f"<{type(self).__name__} {self._type}>"
        return f"<{type(self).__name__} {self._type} {self.info.task_id} {self.info.status}>"

    async def refresh(self) -> TaskInfo | None:
        """The current state, or None while the service does not list the task yet."""
        tasks = await list_tasks(self._transport, dataset_id=self._dataset_id, task_type=self._type)
        if self._task_id is None:
            for each in reversed(tasks):
                if each.task_id in self._before:
                    continue
                if self._is_ours is None or await self._is_ours(each):
                    self._task_id = each.task_id
                    break
        for each in tasks:
            if each.task_id == self._task_id:
                self.info = each
                return each
        return None

    async def wait(self, timeout: float | None = None, progress: ShownAs = None) -> T:
        """Waits for the end and returns the result. Raises TaskFailed or TaskAborted otherwise.

        `progress`: None shows it in notebooks and terminals, True always, False never. A
        function is called with title, percent and message.
        """
        shown: Progress = progress_of(progress)
        pauses = Pauses(timeout, self._title)
        missing = 0
        try:
            while True:
                task = await self.refresh()
                missing = missing + 1 if task is None else 0
                if missing > 40:
                    raise UnexpectedAnswer(
                        f"The service lists no task for this operation: {self._title}."
                    )
                if task is not None:
                    done = 100 if task.status == "COMPLETED" else task.progress_percentage
                    shown.show(self._title, done, task.status_message)
                    if not task.is_running:
                        return await self._end(task)
                await pauses.pause()
        finally:
            shown.close()

    async def _end(self, task: TaskInfo) -> T:
        if task.status == "ABORTED":
            raise TaskAborted(task)
        if task.status != "COMPLETED":
            raise TaskFailed(task)
        return await self._result(task)

    async def abort(self) -> None:
        """Aborts the task."""
        await self._act("abort")

    async def retry(self) -> None:
        """Restarts a failed or aborted creation or enrichment."""
        await self._act("retry")

    async def _act(self, action: str) -> None:
        pauses = Pauses(30, self._title)
        while self._task_id is None and await self.refresh() is None:
            await pauses.pause()
        path = f"/api/v1/tasks/{self._task_id}/{action}"
        self.info = TaskInfo.of(await self._transport.json("POST", path))
