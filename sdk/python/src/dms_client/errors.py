"""The errors that this client raises, all of them subclasses of `DmsError`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .models import ExportInfo, TaskInfo


class DmsError(Exception):
    """The base of all errors of this package."""


class ConnectionFailed(DmsError):
    """The service could not be reached, or the connection was lost."""


class UnexpectedAnswer(DmsError):
    """The response has an unexpected format."""


class WaitTimeout(DmsError, TimeoutError):
    """The timeout of the caller expired. The operation continues in the service."""


class UploadRunning(DmsError):
    """The same upload is already running."""


class TaskFailed(DmsError):
    """A task ended with the status FAILED."""

    def __init__(self, task: TaskInfo) -> None:
        super().__init__(f"{task.task_type} failed: {task.error_message or task.status_message}")
        self.task = task


class TaskAborted(TaskFailed):
    """The task was aborted."""

    def __init__(self, task: TaskInfo) -> None:
        DmsError.__init__(self, f"{task.task_type} was aborted: {task.status_message}")
        self.task = task


class ExportFailed(DmsError):
    """An export ended with the status FAILED."""

    def __init__(self, export: ExportInfo) -> None:
        super().__init__(f"The export failed: {export.result_message or 'no reason was given'}")
        self.export = export


@dataclass(frozen=True)
class ValidationItem:
    """One reason why the service rejected a request."""

    type: str
    loc: tuple[str | int, ...]
    msg: str
    input: Any = None

    def __str__(self) -> str:
        return f"{'.'.join(map(str, self.loc))}: {self.msg}"


class ApiError(DmsError):
    """The service rejected a request: `status`, `detail`, and the `request_id` in its log."""

    def __init__(
        self,
        status: int,
        detail: str,
        *,
        method: str,
        path: str,
        request_id: str | None = None,
        retry_after: float | None = None,
        items: Sequence[ValidationItem] = (),
        conflicts: Sequence[Mapping[str, Any]] = (),
    ) -> None:
        super().__init__(f"{status} at {method} {path}: {detail}")
        self.status = status
        self.detail = detail
        self.method = method
        self.path = path
        self.request_id = request_id
        self.retry_after = retry_after
        self.items = tuple(items)
        self.conflicts = tuple(conflicts)


class BadRequest(ApiError):
    """400: parameters are missing or invalid."""


class Unauthorized(ApiError):
    """401: the token is invalid, expired or missing."""


class Forbidden(ApiError):
    """403: the caller is not permitted to do this, or the feature is disabled."""


class NotFound(ApiError):
    """404: it does not exist, or the caller has no access to it."""


class Conflict(ApiError):
    """409: the state of the dataset does not permit it, for example while an operation is
    running, or somebody else has changed an annotation: `conflicts` lists such annotations, as
    `current` each as it is stored now."""


class TooLarge(ApiError):
    """413: the body or a file is larger than the service accepts."""


class ValidationFailed(ApiError):
    """422: `items` lists the invalid values."""


class RateLimited(ApiError):
    """429: too many requests; `retry_after` is the number of seconds to wait."""


class ServerError(ApiError):
    """Any other status from 500 on."""


class Unavailable(ServerError):
    """503: the service is busy or a part of it is unavailable; `retry_after` is the number of
    seconds to wait."""


_BY_STATUS: Mapping[int, type[ApiError]] = {
    400: BadRequest,
    401: Unauthorized,
    403: Forbidden,
    404: NotFound,
    409: Conflict,
    413: TooLarge,
    422: ValidationFailed,
    429: RateLimited,
    503: Unavailable,
}


def _items_of(detail: Any) -> list[ValidationItem]:
    if not isinstance(detail, list):
        return []
    return [
        ValidationItem(
            type=str(item.get("type", "")),
            loc=tuple(item.get("loc", ())),
            msg=str(item.get("msg", "")),
            input=item.get("input"),
        )
        for item in detail
        if isinstance(item, dict)
    ]


def error_of(
    status: int,
    body: Any,
    *,
    method: str,
    path: str,
    request_id: str | None,
    retry_after: float | None,
) -> ApiError:
    """The error for a response; `body` is its JSON, or its text if it is not JSON."""
    detail = body.get("detail") if isinstance(body, dict) else body
    items = _items_of(detail)
    conflicts = body.get("conflicts", ()) if isinstance(body, dict) else ()
    sentence = "; ".join(map(str, items)) if items else str(detail or "no reason was given")[:2000]
    kind = _BY_STATUS.get(status, ServerError if status >= 500 else ApiError)
    return kind(
        status,
        sentence,
        method=method,
        path=path,
        request_id=request_id,
        retry_after=retry_after,
        items=items,
        conflicts=conflicts,
    )
