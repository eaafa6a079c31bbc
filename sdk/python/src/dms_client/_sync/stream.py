"""The notification stream."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Iterator

import httpx

from ..errors import ApiError, RateLimited, ServerError
from ..models import Notification
from .transport import Transport

# The service sends a ping every three seconds.
_SILENCE = 20.0
_REMEMBERED = 1000


def _events(lines: Iterator[str]) -> Iterator[tuple[str, str, str]]:
    """Yields the name, id and data of server-sent events."""
    name, ident = "message", ""
    data: list[str] = []
    for line in lines:
        if line == "":
            if data:
                yield name, ident, "\n".join(data)
            name, data = "message", []
            continue
        key, _, value = line.partition(":")
        value = value[1:] if value.startswith(" ") else value
        if key == "event":
            name = value
        elif key == "id":
            ident = value
        elif key == "data":
            data.append(value)


def notifications(
    transport: Transport, dataset_id: str | None, last_id: str | None
) -> Iterator[Notification]:
    """Reconnects indefinitely from the last notification on. Only client errors end it.

    A connection without data for twenty seconds counts as lost.
    """
    seen: deque[str] = deque(maxlen=_REMEMBERED)
    attempt = 0
    while True:
        told: float | None = None
        try:
            headers = {"Accept": "text/event-stream"}
            if last_id is not None:
                headers["Last-Event-ID"] = last_id
            with transport.stream(
                "GET",
                "/api/v1/notifications/stream",
                params={} if dataset_id is None else {"dataset_id": dataset_id},
                headers=headers,
                timeout=httpx.Timeout(10.0, read=_SILENCE),
            ) as answer:
                for name, ident, data in _events(answer.iter_lines()):
                    attempt = 0
                    if name != "notification":
                        continue
                    last_id = ident or last_id
                    found = Notification.of(json.loads(data))
                    if found.id not in seen:
                        seen.append(found.id)
                        yield found
        except (ServerError, RateLimited) as error:
            told = error.retry_after
        except ApiError as error:
            # A token may have expired while the stream was open, so 401 is retried once; other
            # errors are final.
            if error.status != 401 or attempt > 0:
                raise
            transport.renew()
        except (httpx.TransportError, json.JSONDecodeError):
            pass
        transport.sleep_before(attempt, told)
        attempt = min(attempt + 1, 6)
