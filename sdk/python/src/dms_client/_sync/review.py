"""Queues of media that people answer a question about."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from .base import DatasetBase

_PER_PAGE = 1000


class Review(DatasetBase):
    def review_queues(self) -> list[dict[str, Any]]:
        """The review queues, newest first, as the API describes them."""
        found = self._transport.json("GET", f"{self._path}/review_queues")
        queues: list[dict[str, Any]] = found["queues"]
        return queues

    def make_review_queue(
        self,
        name: str,
        question: Literal["labels", "choose", "accept", "boxes"],
        *,
        options: Sequence[str] = (),
        text: str | None = None,
        source: str = "ground_truth",
        media_ids: Sequence[str] | None = None,
        query: dict[str, Any] | None = None,
        annotations: dict[str, Any] | None = None,
        **rules: Any,
    ) -> dict[str, Any]:
        """Makes a queue of the media with these ids, of those that a `query` of the API finds, or
        of the `annotations` of a source; of all media by default. `rules` are the other fields of
        the API: `agreement`, `consensus`, `reviewed`, `people`, `honeypots`, `due_at`, `seed`."""
        if media_ids is None and query is None and annotations is None:
            query = {}
        asked = {"media_ids": media_ids and list(media_ids), "query": query}
        items = {**asked, "annotations": annotations}
        body = {
            "name": name,
            "question": {
                "type": question,
                "options": list(options),
                "text": text,
                "source": source,
            },
            **{key: value for key, value in items.items() if value is not None},
            **rules,
        }
        made: dict[str, Any] = self._transport.json(
            "POST", f"{self._path}/review_queues", json=body
        )
        return made

    def review_progress(self, queue_id: str) -> dict[str, Any]:
        """A queue with what is done, and the agreement of people."""
        progress: dict[str, Any] = self._transport.json(
            "GET", f"{self._path}/review_queues/{queue_id}"
        )
        return progress

    def review_decisions(self, queue_id: str) -> Iterator[dict[str, Any]]:
        """All that people said about the items of a queue, oldest first."""
        params: dict[str, Any] = {"limit": _PER_PAGE}
        while True:
            page = self._transport.json(
                "GET", f"{self._path}/review_queues/{queue_id}/decisions", params=params
            )
            for each in page["decisions"]:
                yield each
            if page["next_cursor"] is None:
                return
            params["cursor"] = page["next_cursor"]

    def delete_review_queue(self, queue_id: str) -> None:
        """Deletes a queue with its decisions and comments; annotations stay."""
        self._transport.request(
            "DELETE", f"{self._path}/review_queues/{queue_id}", idempotent=False
        )
