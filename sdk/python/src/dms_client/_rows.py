"""Rows of results, and tables of them."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .frames import Metadata, needs
from .models import Medium

COLUMNS: Sequence[tuple[str, str]] = (
    ("media_id", "string"),
    ("type", "string"),
    ("file_name", "string"),
    ("file_path", "string"),
    ("caption", "string"),
    ("labels", "list"),
    ("width", "int32"),
    ("height", "int32"),
    ("relevance_score", "float64"),
    ("cluster_id", "string"),
    ("image_id", "string"),
    ("frame_timestamp", "float64"),
    ("media_uri", "string"),
    ("media_thumb_uri", "string"),
)


def row_of(medium: Medium, cluster_id: str) -> dict[str, Any]:
    return {
        "media_id": medium.media_id,
        "type": medium.type,
        "file_name": medium.file_name,
        "file_path": medium.original_uri,
        "caption": medium.caption,
        "labels": list(medium.labels or {}),
        "width": medium.width,
        "height": medium.height,
        "relevance_score": medium.relevance_score,
        "cluster_id": cluster_id,
        "image_id": medium.image_id,
        "frame_timestamp": medium.frame_timestamp,
        "media_uri": medium.media_uri,
        "media_thumb_uri": medium.media_thumb_uri,
    }


def _schema() -> Any:
    pa = needs("pyarrow", "arrow")
    types = {
        "string": pa.string(),
        "int32": pa.int32(),
        "float64": pa.float64(),
        "list": pa.list_(pa.string()),
    }
    return pa.schema([(name, types[kind]) for name, kind in COLUMNS])


def arrow_table(rows: Sequence[dict[str, Any]]) -> Any:
    """A pyarrow.Table, which has the same columns even without rows."""
    return needs("pyarrow", "arrow").Table.from_pylist(list(rows), schema=_schema())


def exported_table(metadata: Metadata) -> Any:
    """The same columns from an export. An export has no ranking and no addresses, so these are
    null."""
    pa = needs("pyarrow", "arrow")
    schema = _schema()
    same = ("media_id", "file_name", "file_path", "caption", "labels", "width", "height")
    read = [*same, "cluster_id", "media_type", "metadata_items"]
    batches = []
    for batch in metadata.batches(columns=read):
        rows = batch.num_rows
        given = {name: batch.column(name) for name in (*same, "cluster_id")}
        given["type"] = pa.array(["IMAGE"] * rows)
        given["image_id"] = given["media_id"]
        given["frame_timestamp"] = pa.array(_timestamps(batch), pa.float64())
        columns = [
            given[each.name].cast(each.type) if each.name in given else pa.nulls(rows, each.type)
            for each in schema
        ]
        batches.append(pa.RecordBatch.from_arrays(columns, schema=schema))
    return pa.Table.from_batches(batches, schema)


def _timestamps(batch: Any) -> list[float | None]:
    """The timestamps of video frames, from the metadata of their videos."""
    kinds = batch.column("media_type").to_pylist()
    if "video_frame" not in kinds:
        return [None] * len(kinds)
    found: list[float | None] = []
    for kind, items in zip(kinds, batch.column("metadata_items").to_pylist(), strict=True):
        said = json.loads(items) if kind == "video_frame" else []
        times = [item["properties"].get("frame_timestamp") for item in said]
        found.append(next((time for time in times if time is not None), None))
    return found
