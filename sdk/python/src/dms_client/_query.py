"""The parameters of a search, in the format of the service."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import IO, Any, Literal, Union

from .filters import F, Filters, to_vql

EntityType = Literal["IMAGES", "OBJECTS", "VIDEOS"]
Region = tuple[float, float, float, float]
ImageSource = Union[str, os.PathLike[str], bytes, IO[bytes], Any]

LEVELS = range(5)


@dataclass(frozen=True)
class QueryImage:
    """A query image, and the region of it to use."""

    name: str
    content: bytes | Path
    region: Mapping[str, float] | None


@dataclass(frozen=True)
class Query:
    entity: EntityType = "IMAGES"
    level: int = 0
    caption: str | None = None
    most_distance: float | None = None
    vql: Sequence[Mapping[str, Any]] = ()
    labels: Sequence[str] = ()
    tags: Sequence[str] = ()
    duplicates: float | None = None
    anchor: tuple[str, Literal["UPLOAD", "MEDIA"]] | None = None
    snapshot_id: str | None = None
    image: QueryImage | None = field(default=None, repr=False)

    def filters(self) -> dict[str, Any]:
        """For request bodies: the parameters without the snapshot."""
        found: dict[str, Any] = {"entity_type": self.entity, "threshold": self.level}
        if self.caption is not None:
            found["caption"] = self.caption
        if self.most_distance is not None:
            found["textual_similarity_threshold"] = self.most_distance
        if self.vql:
            found["vql"] = list(self.vql)
        if self.labels:
            found["labels"] = list(self.labels)
        if self.tags:
            found["tags"] = list(self.tags)
        if self.duplicates is not None:
            found["duplicate_threshold"] = self.duplicates
        if self.anchor is not None:
            found["anchor_media_id"], found["anchor_type"] = self.anchor
        return found

    def params(self) -> dict[str, Any]:
        """For query strings."""
        found = {
            key: json.dumps(value, ensure_ascii=False) if isinstance(value, list) else value
            for key, value in self.filters().items()
        }
        if self.snapshot_id is not None:
            found["snapshot_id"] = self.snapshot_id
        return found

    @property
    def is_plain(self) -> bool:
        """Whether an export of the matching media is equivalent: the search has no ranking, and
        uses the clusters of level 0."""
        groups = self.duplicates is not None or self.snapshot_id is not None
        ranks = self.caption is not None or self.anchor is not None or self.image is not None
        is_default = self.entity == "IMAGES" and self.level == 0
        return is_default and not groups and not ranks and '"text"' not in json.dumps(self.vql)

    def anchored(self, media_id: str) -> Query:
        return replace(self, anchor=(media_id, "UPLOAD"), image=None)


def _image_of(image: ImageSource, region: Region | None) -> QueryImage:
    box = None if region is None else _box(region)
    if isinstance(image, bytes):
        return QueryImage("query", image, box)
    if isinstance(image, (str, os.PathLike)):
        path = Path(image).expanduser()
        if not path.is_file():
            raise FileNotFoundError(f"{path} is not a file.")
        return QueryImage(path.name, path, box)
    if hasattr(image, "read"):
        return QueryImage("query", bytes(image.read()), box)
    if hasattr(image, "save"):
        # A PIL.Image.Image. PIL need not be installed.
        from io import BytesIO

        buffer = BytesIO()
        image.save(buffer, format="PNG")
        return QueryImage("query.png", buffer.getvalue(), box)
    raise TypeError(
        f"An image must be a path, bytes, a file or a PIL image, not {type(image).__name__}."
    )


def _box(region: Region) -> dict[str, float]:
    x, y, width, height = region
    if min(x, y) < 0 or min(width, height) <= 0 or x + width > 1 or y + height > 1:
        raise ValueError(
            f"A region must be x, y, width and height in fractions of the image, not {region!r}."
        )
    return {"x": x, "y": y, "width": width, "height": height}


def make_query(
    *,
    caption: str | None,
    text: str | None,
    image: ImageSource | None,
    region: Region | None,
    similar_to: str | None,
    filters: Filters,
    threshold: float | None,
    level: int,
    entity: EntityType,
    labels: Sequence[str],
    tags: Sequence[str],
    duplicates: float | None,
    snapshot: str | None,
) -> Query:
    if sum(each is not None for each in (caption, image, similar_to)) > 1:
        raise ValueError("Give only one of caption, image and similar_to.")
    if level not in LEVELS:
        raise ValueError(f"level must be from 0 (finest) to 4, not {level!r}.")
    if threshold is not None and (caption is None) == (text is None):
        raise ValueError(
            "threshold requires caption (maximum distance) or text (minimum similarity)."
        )
    if region is not None and image is None:
        raise ValueError("region requires image.")
    vql = to_vql(filters)
    if text is not None:
        vql.append(F.text.semantic(text, threshold).to_vql())
    return Query(
        entity=entity,
        level=level,
        caption=caption,
        most_distance=threshold if caption is not None else None,
        vql=vql,
        labels=list(labels),
        tags=list(tags),
        duplicates=duplicates,
        anchor=None if similar_to is None else (similar_to, "MEDIA"),
        snapshot_id=snapshot,
        image=None if image is None else _image_of(image, region),
    )
