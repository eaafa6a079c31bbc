"""The media of a copy or a removal, in the format of the service."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ._query import EntityType
from .filters import Filters, to_vql


def chosen_media(
    media_ids: Sequence[str] | None, filters: Filters, entity: EntityType, decided: bool
) -> dict[str, Any]:
    vql = to_vql(filters)
    if media_ids is None and not vql and not decided:
        raise ValueError("Choose media by media_ids, filters or decided.")
    chosen: dict[str, Any] = {"decided_duplicates": decided}
    if media_ids is not None:
        item = {"type": "media", "payload": {"media_ids": list(media_ids)}}
        chosen["media_selection"] = [item]
    if vql:
        chosen["search"] = {"entity_type": entity, "vql": vql}
    return chosen
