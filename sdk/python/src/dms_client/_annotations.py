"""Annotations as the service takes them, from frames and from plain rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

# The service takes 8 MiB at once; a character may become several bytes of JSON.
MOST_ANNOTATIONS = 10_000
MOST_CHARACTERS = 1_000_000

Annotation = dict[str, Any]


def rows_of(frame: Any) -> Iterator[Mapping[str, Any]]:
    """The rows of a DataFrame of pandas or polars, of an Arrow table, or of a list of mappings."""
    if hasattr(frame, "to_pylist"):
        return iter(frame.to_pylist())
    if hasattr(frame, "to_dicts"):
        return iter(frame.to_dicts())
    if hasattr(frame, "to_dict") and hasattr(frame, "columns"):
        return iter(frame.to_dict("records"))
    return iter(frame)


def labels_of(frame: Any) -> list[Annotation]:
    """One annotation for each medium, with all labels of its rows, from `label` or `labels`."""
    by_medium: dict[tuple[str, str], Annotation] = {}
    for row in rows_of(frame):
        annotation = _annotation_of(row, by_medium)
        labels = row.get("labels", row.get("label"))
        if labels is None:
            raise ValueError(f"A row has neither label nor labels: {dict(row)}")
        given = [labels] if isinstance(labels, str) else [str(label) for label in labels]
        annotation.setdefault("labels", []).extend(given)
    return list(by_medium.values())


def captions_of(frame: Any) -> list[Annotation]:
    """One annotation for each medium, with its last `caption`; an empty one removes it."""
    by_medium: dict[tuple[str, str], Annotation] = {}
    for row in rows_of(frame):
        if "caption" not in row:
            raise ValueError(f"A row has no caption: {dict(row)}")
        caption = row["caption"]
        # A missing value of pandas is not equal to itself.
        is_missing = caption is None or caption != caption or not str(caption).strip()
        _annotation_of(row, by_medium)["caption"] = None if is_missing else str(caption)
    return list(by_medium.values())


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


def _annotation_of(
    row: Mapping[str, Any], by_medium: dict[tuple[str, str], Annotation]
) -> Annotation:
    name = "media_id" if row.get("media_id") is not None else "file_name"
    medium = row.get("media_id") or row.get("file_path") or row.get("file_name")
    if not isinstance(medium, str):
        raise ValueError(f"A row has neither media_id nor file_name: {dict(row)}")
    return by_medium.setdefault((name, medium), {name: medium})
