"""Snapshots, views and tags of a dataset."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from .._multipart import Multipart
from .._query import EntityType
from ..filters import Filters, to_vql
from ..models import ClusterPage, Notification, Snapshot, Tag, TrendPoint, View
from .base import DatasetBase
from .stream import notifications


class History(DatasetBase):
    def snapshots(self) -> list[Snapshot]:
        """Newest first."""
        found = self._transport.json("GET", f"{self._path}/snapshot")
        return [Snapshot.of(each) for each in found]

    def snapshot(self, name: str | None = None, description: str = "") -> Snapshot:
        """Saves the state of the dataset."""
        found = self._transport.json(
            "POST", f"{self._path}/snapshot", json={"name": name, "description": description}
        )
        return Snapshot.of(found)

    def describe_snapshot(
        self, snapshot_id: str, *, name: str | None = None, description: str | None = None
    ) -> Snapshot:
        words = {"name": name, "description": description}
        found = self._transport.json(
            "PATCH",
            f"{self._path}/snapshot/{snapshot_id}",
            json={key: value for key, value in words.items() if value is not None},
            idempotent=True,
        )
        return Snapshot.of(found)

    def delete_snapshot(self, snapshot_id: str) -> None:
        self._transport.request("DELETE", f"{self._path}/snapshot/{snapshot_id}", idempotent=False)

    def diff(
        self,
        snapshot_id: str,
        *,
        against: str | None = None,
        limit: int | None = None,
        offset: int | None = None,
    ) -> dict[str, Any]:
        """The differences between a snapshot and another one, or the current state."""
        found: dict[str, Any] = self._transport.json(
            "GET",
            f"{self._path}/snapshot/{snapshot_id}/diff",
            params={"against": against, "limit": limit, "offset": offset},
        )
        return found

    def tags(self) -> list[Tag]:
        found = self._transport.json("GET", f"{self._path}/tags")
        return [Tag.of(each) for each in found["tags"]]

    def create_tag(self, name: str) -> Tag:
        return Tag.of(self._transport.json("POST", f"{self._path}/tags", json={"name": name}))

    def tag(self, name: str) -> Tag:
        """Returns the tag with this name, and creates it if it does not exist."""
        for each in self.tags():
            if each.name == name:
                return each
        return self.create_tag(name)

    def rename_tag(self, tag_id: str, name: str) -> Tag:
        return Tag.of(
            self._transport.json(
                "PATCH", f"{self._path}/tags/{tag_id}", json={"name": name}, idempotent=True
            )
        )

    def delete_tag(self, tag_id: str) -> None:
        self._transport.request("DELETE", f"{self._path}/tags/{tag_id}", idempotent=False)

    def views(self) -> list[View]:
        """The saved views, newest first."""
        found = self._transport.json("GET", f"{self._path}/views")
        return [View.of(each) for each in found["views"]]

    def create_view(
        self,
        name: str,
        *,
        filters: Filters = None,
        caption: str | None = None,
        threshold: float | None = None,
        entity: EntityType = "IMAGES",
    ) -> View:
        """Saves a search as a view, which is evaluated for every batch of media from now on."""
        params: dict[str, Any] = {
            "entity_type": entity,
            "caption": caption,
            "threshold": threshold,
            "vql": None,
        }
        vql = to_vql(filters)
        if vql:
            params["vql"] = json.dumps(vql, ensure_ascii=False)
        found = self._transport.json(
            "POST", f"{self._path}/views", params=params, form=Multipart({"name": name})
        )
        return View.of(found)

    def delete_view(self, view_id: str) -> None:
        self._transport.request("DELETE", f"{self._path}/views/{view_id}", idempotent=False)

    def trend(self, view_id: str) -> list[TrendPoint]:
        """The number of matches in each batch, oldest first."""
        found = self._transport.json("GET", f"{self._path}/views/{view_id}/trend")
        return [TrendPoint.of(each) for each in found["points"]]

    def view_results(self, view_id: str, batch_id: str, page: int = 0) -> ClusterPage:
        """The media of one batch that match."""
        found = self._transport.json(
            "GET",
            f"{self._path}/views/{view_id}/results",
            params={"batch_id": batch_id, "page_number": page},
        )
        return ClusterPage.of(found)

    def set_alerting(self, view_id: str, enabled: bool) -> None:
        """Turns the notifications of a view on or off."""
        self._transport.request(
            "POST",
            f"{self._path}/views/{view_id}/alerting",
            json={"request": {"enabled": enabled}},
            idempotent=True,
        )

    def stream(self, last_id: str | None = None) -> Iterator[Notification]:
        """Yields notifications about this dataset as they arrive, indefinitely."""
        return notifications(self._transport, self.id, last_id)
