"""Converts frames and plain rows to annotations in the service's format."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

# The service accepts 8 MiB per request, and a character may take several bytes of JSON.
MOST_ANNOTATIONS = 10_000
MOST_CHARACTERS = 1_000_000
MOST_OBJECTS = 1_000

IMAGES_FILE = "image_annotations.csv"
OBJECTS_FILE = "object_annotations.csv"
_PIXELS = ("col_x", "row_y", "width", "height")
_FRACTIONS = ("x", "y", "width", "height")

Annotation = dict[str, Any]


def rows_of(frame: Any) -> Iterator[Mapping[str, Any]]:
    """The rows of a pandas or polars DataFrame, of an Arrow table, or of a list of mappings."""
    if hasattr(frame, "to_pylist"):
        return iter(frame.to_pylist())
    if hasattr(frame, "to_dicts"):
        return iter(frame.to_dicts())
    if hasattr(frame, "to_dict") and hasattr(frame, "columns"):
        return iter(frame.to_dict("records"))
    return iter(frame)


def labels_of(frame: Any) -> list[Annotation]:
    """One annotation per medium with all labels of its rows, from `label` or `labels`."""
    by_medium: dict[tuple[str, str], Annotation] = {}
    for row in rows_of(frame):
        annotation = annotation_of(row, by_medium)
        labels = row.get("labels", row.get("label"))
        if labels is None:
            raise ValueError(f"A row has neither label nor labels: {dict(row)}")
        given = [labels] if isinstance(labels, str) else [str(label) for label in labels]
        annotation.setdefault("labels", []).extend(given)
    return list(by_medium.values())


def captions_of(frame: Any) -> list[Annotation]:
    """One annotation per medium with its last `caption`; an empty caption removes it."""
    by_medium: dict[tuple[str, str], Annotation] = {}
    for row in rows_of(frame):
        if "caption" not in row:
            raise ValueError(f"A row has no caption: {dict(row)}")
        caption = row["caption"]
        # A missing value of pandas is not equal to itself.
        is_missing = caption is None or caption != caption or not str(caption).strip()
        annotation_of(row, by_medium)["caption"] = None if is_missing else str(caption)
    return list(by_medium.values())


def predictions_of(frame: Any) -> list[Annotation] | bytes:
    """The boxes of a frame: as annotations if they are fractions of the picture, as a CSV file
    if in pixels."""
    rows = rows_of(frame)
    first = next(rows, None)
    if first is None:
        return []
    rows = chain([first], rows)
    return _objects_file(rows) if "col_x" in first else _objects_of(rows)


def said_of(frame: Any) -> Iterator[Annotation]:
    """One annotation of a source for each row. Missing values are left out."""
    for row in rows_of(frame):
        given = {
            name: value
            for name, value in row.items()
            if value is not None and not (isinstance(value, float) and math.isnan(value))
        }
        if "media_id" in given:
            given.pop("file_name", None)
        if all(name in given for name in _FRACTIONS):
            box = {name: float(given.pop(name)) for name in _FRACTIONS}
            given["shape"] = {"type": "box", **box}
        yield given


def _objects_of(rows: Iterable[Mapping[str, Any]]) -> list[Annotation]:
    by_medium: dict[tuple[str, str], Annotation] = {}
    for row in rows:
        box = row.get("bounding_box", row)
        missing = [name for name in (*_FRACTIONS, "label") if name not in {**row, **box}]
        if missing:
            raise ValueError(f"A row has no {', '.join(missing)}: {dict(row)}")
        found: dict[str, Any] = {
            "label": str(row["label"]),
            "bounding_box": {name: float(box[name]) for name in _FRACTIONS},
        }
        if (confidence := _confidence_of(row)) is not None:
            found["confidence"] = confidence
        objects = annotation_of(row, by_medium).setdefault("objects", [])
        objects.append(found)
        if len(objects) > MOST_OBJECTS:
            raise ValueError(
                f"A medium has more than {MOST_OBJECTS} boxes. Give them in pixels, "
                f"as {', '.join(_PIXELS)}"
            )
    return list(by_medium.values())


def _objects_file(rows: Iterable[Mapping[str, Any]]) -> bytes:
    lines: list[Sequence[Any]] = [("filename", *_PIXELS, "label", "confidence")]
    for row in rows:
        name = row.get("file_path") or row.get("file_name") or row.get("filename")
        missing = [column for column in (*_PIXELS, "label") if column not in row]
        if not isinstance(name, str) or missing:
            raise ValueError(f"A row has no {', '.join(missing) or 'file_name'}: {dict(row)}")
        confidence = _confidence_of(row)
        box = [row[column] for column in _PIXELS]
        lines.append((name, *box, row["label"], "" if confidence is None else confidence))
    return _csv_of(lines)


def _confidence_of(row: Mapping[str, Any]) -> float | None:
    """None for a box without a confidence, which counts as marked by a person."""
    confidence = row.get("confidence")
    if confidence is None or math.isnan(float(confidence)):
        return None
    return float(confidence)


def as_file(annotations: Sequence[Annotation]) -> bytes | None:
    """Labels and captions as one CSV file. None if there are few, or if a file cannot express
    them."""
    if len(annotations) <= MOST_ANNOTATIONS:
        return None
    lines: list[Sequence[Any]] = [("filename", "label", "caption")]
    for annotation in annotations:
        labels, caption = annotation.get("labels"), annotation.get("caption")
        # Media that a file does not mention are unchanged, so a file cannot remove anything.
        is_removal = ("labels" in annotation and not labels) or (
            "caption" in annotation and caption is None
        )
        if "file_name" not in annotation or "objects" in annotation or is_removal:
            return None
        lines.append((annotation["file_name"], json.dumps(labels or []), caption or ""))
    return _csv_of(lines)


def _csv_of(lines: Iterable[Sequence[Any]]) -> bytes:
    text = io.StringIO(newline="")
    csv.writer(text, lineterminator="\n").writerows(lines)
    return text.getvalue().encode()


def batches_of(annotations: Iterable[Annotation]) -> Iterator[list[Annotation]]:
    batch: list[Annotation] = []
    characters = 0
    for annotation in annotations:
        size = len(str(annotation))
        if batch and (len(batch) == MOST_ANNOTATIONS or characters + size > MOST_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(annotation)
        characters += size
    if batch:
        yield batch


def batches_by_picture(
    annotations: Iterable[Annotation],
) -> Iterator[tuple[list[int], list[Annotation]]]:
    """Batches with the positions of their annotations. No picture is in two of them, because
    one request may replace all that is known about its pictures."""
    pictures: dict[tuple[Any, Any], list[tuple[int, Annotation]]] = {}
    for at, each in enumerate(annotations):
        picture = (each.get("media_id"), each.get("file_name"))
        pictures.setdefault(picture, []).append((at, each))
    batch: list[tuple[int, Annotation]] = []
    characters = 0
    for picture, own in pictures.items():
        size = sum(len(str(each)) for _, each in own)
        if len(own) > MOST_ANNOTATIONS:
            raise ValueError(f"More than {MOST_ANNOTATIONS} annotations of {picture}")
        is_full = len(batch) + len(own) > MOST_ANNOTATIONS or characters + size > MOST_CHARACTERS
        if batch and is_full:
            yield [at for at, _ in batch], [each for _, each in batch]
            batch, characters = [], 0
        batch.extend(own)
        characters += size
    if batch:
        yield [at for at, _ in batch], [each for _, each in batch]


def annotation_of(
    row: Mapping[str, Any], by_medium: dict[tuple[str, str], Annotation]
) -> Annotation:
    name = "media_id" if row.get("media_id") is not None else "file_name"
    medium = row.get("media_id") or row.get("file_path") or row.get("file_name")
    if not isinstance(medium, str):
        raise ValueError(f"A row has neither media_id nor file_name: {dict(row)}")
    return by_medium.setdefault((name, medium), {name: medium})
