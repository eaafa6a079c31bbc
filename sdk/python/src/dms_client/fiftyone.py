"""An export as a FiftyOne dataset: `to_fiftyone`."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .frames import METADATA, needs

_COLUMNS = [
    "media_id",
    "file_path",
    "image_filename",
    "cluster_id",
    "caption",
    "uniqueness_score",
    "metadata_items",
]


def new_dataset(name: str | None, persistent: bool) -> Any:
    """Called before the export, because the name may be taken or the database may not start.

    The fields do not depend on the export, so that views that use them never fail.
    """
    fo = needs("fiftyone", "fiftyone")
    made = fo.Dataset(name=name, persistent=persistent)
    for field in ("media_id", "source_path", "cluster_id", "caption"):
        made.add_sample_field(field, fo.StringField)
    made.add_sample_field("uniqueness", fo.FloatField)
    for field, kind in (
        ("labels", fo.Classifications),
        ("issues", fo.Classifications),
        ("objects", fo.Detections),
        ("text_lines", fo.Polylines),
    ):
        made.add_sample_field(field, fo.EmbeddedDocumentField, embedded_doc_type=kind)
    return made


def add_archive(made: Any, archive: Path, folder: Path) -> None:
    """Unpacks an export with images into the folder of the dataset's files."""
    with zipfile.ZipFile(archive) as members:
        members.extractall(folder)
    made.add_samples(samples_of(folder), dynamic=True, progress=False)


def samples_of(folder: Path) -> Iterator[Any]:
    """A sample per image and frame. Samples whose picture could not be read are left out."""
    parquet = needs("pyarrow.parquet", "fiftyone")
    with parquet.ParquetFile(folder / METADATA) as file:
        for batch in file.iter_batches(1000, columns=_COLUMNS):
            for row in batch.to_pylist():
                if row["image_filename"] is not None:
                    yield _sample_of(row, folder / "images" / row["image_filename"])


def _sample_of(row: Mapping[str, Any], path: Path) -> Any:
    fo = needs("fiftyone", "fiftyone")
    items = json.loads(row["metadata_items"])
    found = {
        "media_id": row["media_id"],
        "source_path": row["file_path"],
        "cluster_id": row["cluster_id"],
        "caption": row["caption"],
        "uniqueness": row["uniqueness_score"],
        "labels": _classifications(_all(items, "image_label"), "category_name"),
        "issues": _classifications(_all(items, "issue"), "issue_type"),
        "objects": _detections(_all(items, "object_label")),
        "text_lines": _polylines(_all(items, "text_line")),
    }
    for video in _all(items, "video_info"):
        found["video_id"] = video["video_id"]
        # FiftyOne derives the type of a field from its first value, which may be 0, an integer.
        found["frame_timestamp"] = float(video["frame_timestamp"])
    tags = [each["tag_name"] for each in _all(items, "user_tag")]
    return fo.Sample(filepath=str(path), tags=tags, **found)


def _all(items: Sequence[Mapping[str, Any]], kind: str) -> list[Mapping[str, Any]]:
    return [each["properties"] for each in items if each["type"] == kind]


def _classifications(found: Sequence[Mapping[str, Any]], name: str) -> Any:
    fo = needs("fiftyone", "fiftyone")
    made = [
        fo.Classification(
            label=each[name], confidence=each.get("confidence"), source=each.get("source")
        )
        for each in found
    ]
    return fo.Classifications(classifications=made) if made else None


def _detections(found: Sequence[Mapping[str, Any]]) -> Any:
    """Boxes are fractions in both formats."""
    fo = needs("fiftyone", "fiftyone")
    made = [
        fo.Detection(
            label=each["category_name"],
            bounding_box=[each["bounding_box"][key] for key in ("x", "y", "width", "height")],
            confidence=each.get("confidence"),
            source=each.get("source"),
        )
        for each in found
        if each.get("bounding_box") is not None
    ]
    return fo.Detections(detections=made) if made else None


def _polylines(found: Sequence[Mapping[str, Any]]) -> Any:
    """Points are fractions in both formats."""
    fo = needs("fiftyone", "fiftyone")
    made = [
        fo.Polyline(
            label=each["text"],
            points=[[(point["x"], point["y"]) for point in each["corners"]]],
            closed=True,
            confidence=each["confidence"],
            source=each["source"],
        )
        for each in found
    ]
    return fo.Polylines(polylines=made) if made else None
