"""Reads COCO files and results as annotations of a source."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ._annotations import Annotation

_BITS, _PAYLOAD, _MORE, _SIGN, _FIRST = 5, 0x1F, 0x20, 0x10, 48


def read_json(found: Any) -> Any:
    """The content of a file, if a path is given."""
    if isinstance(found, (str, os.PathLike)):
        return json.loads(Path(found).expanduser().read_text("utf-8"))
    return found


def is_coco(found: Any) -> bool:
    """A COCO document, or the list of results of a model."""
    if isinstance(found, Mapping):
        return "annotations" in found
    if not isinstance(found, list) or not found or not isinstance(found[0], Mapping):
        return False
    return "image_id" in found[0] and "category_id" in found[0]


def coco_annotations(found: Any, truth: Any) -> Iterator[Annotation]:
    """`truth` is the COCO document with the pictures and categories of results, which have only
    their ids. Ids that are texts are names of files."""
    document = found if isinstance(found, Mapping) else truth or {}
    pictures = {each["id"]: each["file_name"] for each in document.get("images", [])}
    labels = {each["id"]: each["name"] for each in document.get("categories", [])}
    for each in found["annotations"] if isinstance(found, Mapping) else found:
        name = pictures.get(each["image_id"], each["image_id"])
        if not isinstance(name, str):
            raise ValueError(
                f"The picture {name} of a result is unknown. Give the COCO file with the "
                "pictures: truth='instances.json'"
            )
        category = each["category_id"]
        said: Annotation = {"file_name": name, "label": str(labels.get(category, category))}
        if (shape := _shape_of(each)) is not None:
            said["shape"] = shape
        if "id" in each:
            said["id"] = str(each["id"])
        if "score" in each:
            said["confidence"] = float(each["score"])
        if "area" in each:
            said["area"] = float(each["area"])
        if each.get("iscrowd"):
            said["crowd"] = True
        yield said


def _shape_of(annotation: Mapping[str, Any]) -> dict[str, Any] | None:
    if points := annotation.get("keypoints"):
        return {"type": "keypoints", "points": [float(each) for each in points]}
    if parts := annotation.get("segmentation"):
        if not isinstance(parts, Mapping):
            return {"type": "polygon", "rings": [[float(each) for each in ring] for ring in parts]}
        height, width = parts["size"]
        counts = parts["counts"]
        text = counts if isinstance(counts, str) else compressed(counts)
        return {"type": "mask", "width": width, "height": height, "counts": text}
    if box := annotation.get("bbox"):
        return dict(zip(("x", "y", "width", "height"), map(float, box), strict=True), type="box")
    return None


def compressed(runs: list[int]) -> str:
    """The text that COCO writes for run lengths."""
    characters = []
    for at, run in enumerate(runs):
        value = run - runs[at - 2] if at > 2 else run
        while True:
            digit = value & _PAYLOAD
            value >>= _BITS
            is_last = value == -1 if digit & _SIGN else value == 0
            characters.append(chr(digit + _FIRST + (0 if is_last else _MORE)))
            if is_last:
                break
    return "".join(characters)


def runs_of(counts: str) -> list[int]:
    """The run lengths of such a text."""
    runs: list[int] = []
    value = shift = 0
    for character in counts:
        digit = ord(character) - _FIRST
        value |= (digit & _PAYLOAD) << shift
        shift += _BITS
        if digit & _MORE:
            continue
        if digit & _SIGN:
            value -= 1 << shift
        runs.append(value + runs[-2] if len(runs) > 2 else value)
        value = shift = 0
    return runs
