"""Rows of results, and tables of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

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


def arrow_table(rows: Sequence[dict[str, Any]]) -> Any:
    """A pyarrow.Table, with the same columns for no rows at all."""
    from .frames import needs

    pa = needs("pyarrow", "arrow")
    types = {
        "string": pa.string(),
        "int32": pa.int32(),
        "float64": pa.float64(),
        "list": pa.list_(pa.string()),
    }
    schema = pa.schema([(name, types[kind]) for name, kind in COLUMNS])
    return pa.Table.from_pylist(list(rows), schema=schema)
